"""A real process among broken pipes, closed streams and odd locales: a sensible exit code, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the tests speak to a POSIX shell", allow_module_level=True)

ROOT = Path(__file__).parents[2]
PROGRAM = f"'{sys.executable}' -m tests.surfaces.program"
NEEDS_FULL_DISK = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")


def shell(script: bytes | str, **environment: str) -> tuple[str, str, int]:
    """Stdout, stderr and the exit code of the program, which `@` stands for, in a shell script."""
    script = script.encode() if isinstance(script, str) else script
    done = subprocess.run(
        [b"/bin/sh", b"-c", script.replace(b"@", PROGRAM.encode(), 1)],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode


def test_a_reader_of_the_projects_own_program_may_go_early_as_well() -> None:
    script = f"('{sys.executable}' -m accord demo; echo $? >&2) | (head -c 1 >/dev/null; exec 0<&-)"
    assert shell(script, PYTHONUNBUFFERED="1") == ("", "1\n", 0)


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", ["lines --times 100000", "rows --format json", "rows"])
def test_a_reader_who_goes_early_ends_the_command_silently(words: str, buffered: str) -> None:
    output, errors, code = shell(
        f"(@ {words}; echo $? >&2) | (head -c 1 >/dev/null; exec 0<&-)", PYTHONUNBUFFERED=buffered
    )
    assert (output, code) == ("", 0)
    assert errors in ("0\n", "1\n")  # small output may be through before the reader goes


@NEEDS_FULL_DISK
@pytest.mark.parametrize("words", ["rows", "rows --format json", "--version"])
def test_a_full_disk_is_said_to_be_full(words: str) -> None:
    output, errors, code = shell(f"@ {words} >/dev/full")
    assert (output, code) == ("", 1)
    assert errors == "Error: the output cannot be written: No space left on device\n"


@NEEDS_FULL_DISK
def test_nowhere_to_write_at_all_is_only_an_exit_code() -> None:
    assert shell("@ rows >/dev/full 2>&1") == ("", "", 1)


# (redirections, words, exit code)
CLOSED = [
    (">&-", "rows", 0),
    (">&-", "rows --format json", 0),
    ("2>&-", "rows", 0),
    ("2>&-", "rows --nope", 2),
    ("2>&-", "count --seconds 0", 0),
    ("2>&-", "wipe", 4),
    ("<&-", "rows", 0),
    ("<&-", "wipe", 4),
    ("<&-", "quiz", 4),
    ("<&-", "reads --value -", 2),
    ("<&- >&- 2>&-", "rows --format json", 0),
    ("<&- >&- 2>&-", "wipe", 4),
]


@pytest.mark.parametrize(("closed", "words", "expected"), CLOSED)
def test_a_closed_stream_is_missed_by_nobody(closed: str, words: str, expected: int) -> None:
    _, errors, code = shell(f"@ {words} {closed}")
    assert "Traceback" not in errors
    assert code == expected


def test_json_is_alone_on_stdout_with_stderr_closed_too() -> None:
    output, _, _ = shell("@ chatty --format json 2>&-")
    assert json.loads(output) == {"text": "a\x1b[31mb"}


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({"LC_ALL": "C"}, "café\n"),
        ({"LC_ALL": "C.UTF-8"}, "café\n"),
        ({"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii"}, "caf\\xe9\n"),
        ({"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "latin-1"}, "caf\\xe9\n"),
    ],
)
def test_text_is_shown_as_the_stream_can_show_it(environment: dict[str, str], shown: str) -> None:
    assert shell("@ echo café", **environment) == (shown, "", 0)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (b"@ echo 'a\xff'", 2),
        (b"@ echo 'a\xff' --format json", 2),
        (b"@ 'a\xff'", 2),
        (b"@ '--a\xff'", 2),
        (b"@ rows '--a\xff'", 2),
        (b"@ rows '--a\xff' x --format json", 2),
        (b"@ reads --value 'a\xff=1'", 2),
        (b"@ reads --value '@a\xff'", 2),
    ],
)
def test_an_argument_that_is_no_text_is_refused(script: bytes, expected: int) -> None:
    output, errors, code = shell(script, LC_ALL="C.UTF-8")
    assert (output, code) == ("", expected)
    assert "Traceback" not in errors
    assert errors


def test_json_is_read_from_stdin() -> None:
    assert shell(f"echo '{{\"a\": 1}}' | {PROGRAM} reads --value -") == ("a: 1\n", "", 0)


def test_json_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "value.json").write_text('{"a": 1}', encoding="utf-8")
    assert shell(f"@ reads --value '@{tmp_path}/value.json'") == ("a: 1\n", "", 0)


@pytest.mark.parametrize(
    ("content", "problem"),
    [("{", "needs JSON"), ("", "needs JSON"), ("[1]", "must be an object"), ('{"a": "x"}', "must be an integer")],
)
def test_stdin_that_does_not_fit_is_refused(content: str, problem: str) -> None:
    output, errors, code = shell(f"printf '%s' '{content}' | {PROGRAM} reads --value -")
    assert (output, code) == ("", 2)
    assert problem in errors
    assert "--value" in errors


def test_the_exit_code_is_that_of_the_failure() -> None:
    assert shell("@ nope")[2] == 2
    assert shell("@ rows --nope")[2] == 2
    assert shell("@ wipe")[2] == 4
    assert shell("@ rows")[2] == 0
