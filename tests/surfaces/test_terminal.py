"""The command line in a real terminal, with a person who looks, answers and presses Ctrl-C; and the same in a pipe."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals to test with", allow_module_level=True)

from tests.surfaces._terminal import CTRL_C, CTRL_D, DEADLINE, ROOT, Terminal

_DRAWN = re.compile(r"\r\x1b\[2K[^\r\n]*?(\d+)% counting")

# (command, what it shows when it waits, what it shows when it ends)
WAITING = [
    ("wait_sync", "ready", ["cleaned up"]),
    ("wait_async", "ready", ["coroutine ended", "cleaned up"]),
    ("wait_limited", "ready", ["cleaned up"]),
    ("wait_elsewhere", "ready", ["cleaned up"]),
    ("wait_steps", "ready", ["cleaned up"]),
    ("wait_asteps", "ready", ["cleaned up"]),
    ("wait_again", "ready", []),
    ("wipe", "[y/N]", []),
    ("awipe", "[y/N]", ["cleaned up"]),
    ("quiz", "host:", ["cleaned up"]),
    ("aquiz", "answer:", []),
    ("login", "name:", []),
]


def _screen(*words: str, **environment: str) -> tuple[str, int]:
    with Terminal(*words, **environment) as terminal:
        code = terminal.ends()
        return terminal.shown, code


def _piped(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.surfaces.program", *words]
    return subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, check=False
    )


# -- progress --------------------------------------------------------------------------------------------------------


def test_a_bar_moves_in_place_and_is_gone_when_the_result_comes() -> None:
    shown, code = _screen("count")
    percents = [int(percent) for percent in _DRAWN.findall(shown)]
    assert len(set(percents)) >= 3
    assert percents == sorted(percents)
    assert shown.endswith("\r\x1b[2Kall counted\r\n")
    assert "\n" not in shown.removesuffix("\r\n")
    assert code == 0


def test_what_is_printed_and_asked_meanwhile_stands_on_lines_of_its_own() -> None:
    with Terminal("tells") as terminal:
        terminal.until("name? ")
        terminal.types("Ann\n")
        assert terminal.ends() == 0
    seen = [line.rpartition("\x1b[2K")[2] for line in terminal.shown.split("\r\n")]
    assert seen == ["printed 0", "printed 1", "printed 2", "name? Ann", "Ann", ""]


def test_a_terminal_without_escape_sequences_gets_lines() -> None:
    shown, _ = _screen("count", "--seconds", "0", TERM="dumb")
    assert shown.split("\r\n") == [*(f"[{step}/4] counting" for step in range(4)), "all counted", ""]


def test_nothing_is_coloured_where_nobody_wants_colours() -> None:
    for words, environment in ((["count", "--no-color"], {}), (["count"], {"NO_COLOR": "1"})):
        shown, _ = _screen(*words, **environment)
        assert "\x1b[3" not in shown


def test_quiet_hides_the_bar() -> None:
    assert _screen("count", "-q") == ("all counted\r\n", 0)


def test_a_pipe_gets_clean_lines_and_no_bar() -> None:
    done = _piped("count", "--seconds", "0")
    assert done.stdout == "all counted\n"
    assert done.stderr.splitlines() == [f"[{step}/4] counting" for step in range(4)]


def test_json_in_a_pipe_is_json_alone() -> None:
    done = _piped("chatty", "--format", "json")
    assert json.loads(done.stdout) == {"text": "a\x1b[31mb"}
    assert done.stderr.splitlines() == ["printed", "from a child", "warning: careful"]


@pytest.mark.parametrize("words", [["rows"], ["chatty"], ["wipe"], ["--help"], ["rows", "--nope"]])
def test_a_pipe_gets_no_escapes_of_ours(words: list[str]) -> None:
    done = _piped(*words)
    assert "\x1b" not in done.stderr
    assert "\x1b" not in done.stdout.replace("a\x1b[31mb", "")


def test_a_result_cannot_steer_the_terminal() -> None:
    shown, _ = _screen("chatty")
    assert "text: a\\x1b[31mb" in shown


def test_what_a_tool_prints_stays_on_stdout() -> None:
    assert _piped("chatty").stdout.splitlines()[:2] == ["printed", "from a child"]


# -- Ctrl-C ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "ready", "endings"), WAITING, ids=[row[0] for row in WAITING])
def test_ctrl_c_ends_a_command_cleanly(command: str, ready: str, endings: list[str]) -> None:
    with Terminal(command) as terminal:
        terminal.until(ready)
        assert terminal.ends_at_ctrl_c() == 130
        after = terminal.shown.partition(ready)[2]
    assert "Traceback" not in after
    assert after.endswith("Cancelled.\r\n")
    assert [line for line in endings if line in after] == endings


def test_ctrl_c_while_a_secret_is_typed_shows_what_is_typed_next_again() -> None:
    with Terminal("login") as terminal:
        terminal.until("name:")
        terminal.types("ada\n")
        terminal.until("token:")
        assert terminal.ends_at_ctrl_c() == 130
        assert terminal.echoes()


def test_a_second_ctrl_c_ends_what_would_not_end() -> None:
    with Terminal("stubborn") as terminal:
        terminal.until("ready")
        terminal.types(CTRL_C)
        terminal.until("not yet")
        assert terminal.ends_at_ctrl_c() == 130
        assert terminal.shown.endswith("Cancelled.\r\n")


def test_nobody_waits_for_what_was_given_up() -> None:
    shown, code = _screen("late")
    assert code == 3
    assert "took longer" in shown
    assert "cleaned up" in shown


def test_ctrl_c_with_json_is_told_as_error_data() -> None:
    with Terminal("wait_sync", "--format", "json") as terminal:
        terminal.until("ready")
        assert terminal.ends_at_ctrl_c() == 130
        data = json.loads(terminal.shown.splitlines()[-1])
    assert (data["tool"], data["reason"], data["code"]) == ("wait_sync", "cancelled", "CANCELLED")


def test_a_tool_may_take_an_interrupt_for_itself() -> None:
    with Terminal("swallow") as terminal:
        terminal.until("ready")
        assert terminal.ends_at_ctrl_c() == 0
        assert terminal.shown.endswith("went on\r\n")


# -- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["wipe", "awipe"])
@pytest.mark.parametrize("answer", ["y", "YES", "maybe\ny"])
def test_consent_is_asked_for_until_the_answer_is_one(command: str, answer: str) -> None:
    with Terminal(command) as terminal:
        for line in answer.split("\n"):
            terminal.until("Really wipe? [y/N] ")
            terminal.types(f"{line}\n")
        assert terminal.ends() == 0
        assert terminal.shown.endswith("wiped\r\n")


@pytest.mark.parametrize("answer", ["n\n", "\n", CTRL_D])
def test_consent_that_is_not_given_is_refused(answer: str) -> None:
    with Terminal("wipe") as terminal:
        terminal.until("[y/N] ")
        terminal.types(answer)
        assert terminal.ends() == 4
        assert "refused" in terminal.shown
        assert "wiped" not in terminal.shown


def test_a_question_is_asked_again_until_the_answer_fits() -> None:
    dialogue = [
        ("host: ", "h", ""),
        ("port: ", "zero", "port must be an integer"),
        ("port: ", "0", "port must be at least 1"),
        ("port: ", "80", ""),
        ("how [slow/fast]: ", "fas", "how must be one of"),
        ("how [slow/fast]: ", "fast", ""),
        ("sure [y/n]: ", "y", ""),
    ]
    with Terminal("quiz") as terminal:
        terminal.until("Where to?")
        for prompt, answer, complaint in dialogue:
            terminal.until(prompt)
            terminal.types(f"{answer}\n")
            if complaint:
                terminal.until(complaint)
        assert terminal.ends() == 0
        assert "{'host': 'h', 'port': 80, 'how': 'fast', 'sure': True}" in terminal.shown


def test_an_async_tool_asks_too() -> None:
    with Terminal("aquiz") as terminal:
        terminal.until("answer: ")
        terminal.types("many\n")
        terminal.until("answer: ")
        terminal.types("5\n")
        assert terminal.ends() == 0
        assert terminal.shown.endswith("5\r\n5\r\n")


@pytest.mark.parametrize("command", ["login", "alogin"])
def test_a_secret_is_not_echoed(command: str) -> None:
    with Terminal(command) as terminal:
        terminal.until("name: ")
        terminal.types("ada\n")
        terminal.until("token: ")
        assert not terminal.echoes()
        terminal.types("hunter2\n")
        assert terminal.ends() == 0
        assert "ada 7" in terminal.shown
        assert "hunter2" not in terminal.shown
        assert terminal.echoes()


def test_the_end_of_the_input_answers_nothing() -> None:
    with Terminal("quiz") as terminal:
        terminal.until("host: ")
        terminal.types(CTRL_D)
        assert terminal.ends() == 4
        assert "cleaned up" in terminal.shown


@pytest.mark.parametrize("command", ["wipe", "awipe"])
def test_yes_consents_in_advance(command: str) -> None:
    for words in ([command, "--yes"], ["--yes", command]):
        shown, code = _screen(*words)
        assert (code, "[y/N]" in shown) == (0, False)
        assert shown.endswith("wiped\r\n")
    assert _piped(command, "--yes").stdout == "wiped\n"


@pytest.mark.parametrize("command", ["wipe", "awipe", "quiz", "aquiz", "login"])
def test_no_input_asks_nothing_and_neither_does_a_pipe(command: str) -> None:
    shown, code = _screen(command, "--no-input")
    assert code == 4
    assert "Error:" in shown
    done = _piped(command)
    assert (done.returncode, done.stdout) == (4, "")


def test_a_question_goes_to_the_terminal_when_the_result_goes_elsewhere() -> None:
    with Terminal("wipe", piped_stdout=True) as terminal:
        terminal.until("[y/N] ")
        terminal.types("y\n")
        assert terminal.ends() == 0
        assert terminal.result() == "wiped\n"
        assert "wiped" not in terminal.shown


# -- programs that take the screen -------------------------------------------------------------------------------


def test_an_interactive_program_runs_where_a_person_sits() -> None:
    shown, code = _screen("screen")
    assert (shown.splitlines(), code) == (["on the screen: True", "program"], 0)


def test_elsewhere_what_stands_for_it_runs() -> None:
    assert _screen("screen", "--no-input") == ("fallback\r\n", 0)
    assert _piped("screen").stdout == "fallback\n"
    with Terminal("screen", piped_stdout=True) as terminal:
        assert terminal.ends() == 0
        assert terminal.result() == "fallback\n"
