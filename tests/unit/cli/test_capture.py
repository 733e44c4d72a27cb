"""`app.invoke`: what was printed and how it ended, for many threads at once, leaving nothing behind."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import pytest

from accord import App, Context, Option, Progress, ToolError
from accord.errors import InvalidParams, UnknownTool

app = App("capture", version="3.2.1")
log = logging.getLogger("tests.capture")
gates: dict[str, threading.Barrier] = {}


class Color(Enum):
    RED = "red"


@app.command
def shout(times: int, mark: str) -> str:
    for number in range(times):
        print(mark, number)
        print(mark, "aside", file=sys.stderr)
    return mark


@app.command
def meet(mark: str, ctx: Context) -> str:
    gates["meet"].wait(10)  # all of them are inside now
    print(mark)
    ctx.info(f"{mark} info")
    gates["meet"].wait(10)
    print(mark)
    return mark


@app.command
async def ashout(mark: str) -> str:
    print(mark)
    await asyncio.sleep(0)
    print(mark)
    return mark


@app.command
def nested(depth: int) -> str:
    print(f"before {depth}")
    inner = app.invoke(["nested", "--depth", str(depth - 1)]).output if depth else "bottom"
    print(f"after {depth}")
    return inner


@app.command
def raises(text: str = "x") -> str:
    print("before it broke")
    raise ValueError(text)


@app.command
def leaves(code: int = 3) -> None:
    sys.exit(code)


@app.command
def replaces() -> str:
    sys.stdout = io.StringIO()
    return "replaced"


@app.command
def writes() -> int:
    sys.stdout.write("a")
    sys.stdout.writelines(["b", "c\n"])
    sys.stdout.flush()
    return len(sys.stdout.encoding)


@app.command
def nothing() -> None:
    return None


@app.command
def defaults(
    path: Path = Path(),
    color: Color = Color.RED,
    day: date = date(2026, 1, 2),
    n: Annotated[int, Option("-n", env="CAPTURE_N")] = 1,
) -> list[str]:
    return [str(path), color.name, day.isoformat(), str(n)]


@app.command
def busy() -> str:
    raise ToolError("later", code="BUSY", retryable=True)


def test_invoke_tells_what_was_written_where() -> None:
    ended = app.invoke(["shout", "--times", "2", "--mark", "m"])
    assert ended.output == "m 0\nm 1\nm\n"
    assert ended.stderr == "m aside\nm aside\n"
    assert (ended.exit_code, ended.result, ended.exception) == (0, "m", None)


def test_with_json_only_the_result_is_on_stdout() -> None:
    ended = app.invoke(["shout", "--times", "1", "--mark", "m", "--format", "json"])
    assert json.loads(ended.output) == "m"
    assert ended.stderr == "m 0\nm aside\n"


def test_words_need_not_be_text() -> None:
    assert app.invoke(["shout", "--times", 1, "--mark", Path("p")]).result == "p"


def test_a_line_that_is_not_split_is_refused_with_the_remedy() -> None:
    """A text is a list of its letters, and `s` no command."""
    with pytest.raises(TypeError, match=r"shlex\.split"):
        app.invoke("shout --times 1")  # type: ignore[arg-type]  # what is tested


def test_the_exception_is_the_object_that_was_raised() -> None:
    """M-25."""
    error = app.invoke(["raises", "--text", "why"]).exception
    assert isinstance(error, ValueError)
    assert error.args == ("why",)
    assert isinstance(app.invoke(["raises", "--nope", "1"]).exception, InvalidParams)
    assert isinstance(app.invoke(["nope"]).exception, UnknownTool)


@pytest.mark.parametrize(
    ("words", "kind", "code"),
    [
        (["raises"], ValueError, 1),
        (["leaves"], SystemExit, 1),
        (["leaves", "--code", "0"], SystemExit, 1),
        (["busy"], ToolError, 1),
        (["shout"], InvalidParams, 2),
    ],
)
def test_what_a_tool_does_never_escapes(words: list[str], kind: type[BaseException], code: int) -> None:
    ended = app.invoke(words)
    assert (type(ended.exception), ended.exit_code, ended.result) == (kind, code, None)
    assert "Traceback" not in ended.stderr


def test_a_traceback_is_shown_to_who_asks_for_more() -> None:
    assert "Traceback" in app.invoke(["raises", "-v"]).stderr
    assert "Traceback" not in app.invoke(["raises", "-v", "--format", "json"]).stderr


def test_no_result_prints_nothing() -> None:
    """M-36."""
    assert app.invoke(["nothing"]).output == ""
    assert app.invoke(["nothing", "--format", "table"]).output == ""
    assert app.invoke(["nothing", "--format", "json"]).output == "null\n"


def test_defaults_of_any_type_work_unsaid_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """M-18."""
    monkeypatch.delenv("CAPTURE_N", raising=False)
    assert app.invoke(["defaults"]).result == [".", "RED", "2026-01-02", "1"]
    said = ["--path", "a/b", "--color", "red", "--day", "2027-01-02", "-n", "5"]
    assert app.invoke(["defaults", *said]).result == ["a/b", "RED", "2027-01-02", "5"]


def test_the_environment_is_the_processs_own_and_named_in_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAPTURE_N", "4")
    assert app.invoke(["defaults"]).result[-1] == "4"
    monkeypatch.setenv("CAPTURE_N", "four")
    ended = app.invoke(["defaults"])
    assert ended.exit_code == 2
    assert "-n (from $CAPTURE_N): must be an integer" in ended.stderr


def test_a_failure_speaks_of_what_is_typed() -> None:
    @app.command("spelled")
    def spelled(
        file_pattern: str,
        how_many: Annotated[int, Option("-m")] = 1,
        inner: dict[str, int] = {},
        secret_option: Annotated[str, Option(hidden=True)] = "",
    ) -> None: ...

    said = app.invoke(["spelled", "-m", "x", "--inner", "a=b", "--file-patern", "z"]).stderr
    assert "--file-pattern: is required" in said
    assert (
        "--file-patern: is not an option here (there are: --file-pattern, -m, --inner) (did you mean --file-pattern?)"
        in said
    )
    assert "-m: must be an integer" in said
    assert "--inner.a: must be an integer" in said
    said = app.invoke(["spelled", "--file_pattern", "x", "-x", "--no_such", "word"]).stderr
    assert "  -x: is not an option here" in said
    assert "  --no_such: is not an option here" in said
    assert "--inner) (did you mean --format?)" in app.invoke(["spelled", "--file-pattern", "x", "--fromat", "y"]).stderr
    app.remove("spelled")


def test_an_empty_line_and_built_in_options_are_answered() -> None:
    assert app.invoke(["--version"]).output == "capture 3.2.1\n"
    assert app.invoke(["shout", "--version"]).exit_code == 0
    assert app.invoke([]).exit_code in (0, 2)


def test_invoke_works_inside_an_event_loop() -> None:
    async def main() -> Any:
        return app.invoke(["ashout", "--mark", "m"])

    ended = asyncio.run(main())
    assert (ended.output, ended.result) == ("m\nm\nm\n", "m")


def test_invoke_inside_a_tool_is_kept_apart() -> None:
    ended = app.invoke(["nested", "--depth", "2"])
    assert ended.output.splitlines()[0] == "before 2"
    assert ended.output.splitlines()[1] == "after 2"
    assert ended.result == "before 1\nafter 1\nbefore 0\nafter 0\nbottom\n"


def test_many_threads_get_what_is_theirs() -> None:
    def one(mark: str) -> Any:
        return mark, app.invoke(["shout", "--times", "50", "--mark", mark])

    with ThreadPoolExecutor(16) as pool:
        for mark, ended in pool.map(one, [f"m{number}" for number in range(64)]):
            assert ended.output == "".join(f"{mark} {number}\n" for number in range(50)) + f"{mark}\n"
            assert ended.stderr == f"{mark} aside\n" * 50
            assert ended.result == mark


def test_threads_that_are_inside_at_the_same_time_are_kept_apart() -> None:
    gates["meet"] = threading.Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        ended = list(pool.map(lambda mark: app.invoke(["meet", "--mark", mark]), "abcdefgh"))
    for mark, one in zip("abcdefgh", ended, strict=True):
        assert (one.output, one.stderr) == (f"{mark}\n" * 3, f"{mark} info\n")


def test_what_others_print_meanwhile_goes_where_it_went_before(capsys: pytest.CaptureFixture[str]) -> None:
    gates["meet"] = threading.Barrier(2)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(app.invoke, ["meet", "--mark", "inside"])
        gates["meet"].wait(10)
        print("outside")
        gates["meet"].wait(10)
        assert running.result().output == "inside\ninside\ninside\n"
    assert capsys.readouterr().out == "outside\n"


@pytest.mark.parametrize("words", [["shout", "--times", "1", "--mark", "m"], ["raises"], ["leaves"], ["nope"], []])
@pytest.mark.parametrize("form", ["plain", "json", "table"])
def test_the_streams_are_what_they_were(words: list[str], form: str) -> None:
    before = (sys.stdin, sys.stdout, sys.stderr)
    app.invoke(["--format", form, *words])
    assert (sys.stdin, sys.stdout, sys.stderr) == before


def test_the_streams_are_what_they_were_although_a_tool_replaced_them() -> None:
    before = sys.stdout
    assert app.invoke(["replaces"]).output == "replaced\n"
    assert sys.stdout is before


def test_the_standing_streams_can_be_written_in_every_way() -> None:
    ended = app.invoke(["writes"])
    assert ended.output == "abc\n5\n"


def test_a_log_handler_made_before_does_not_break(capsys: pytest.CaptureFixture[str]) -> None:
    """What keeps a stream of before an invoke writes there, as without us."""
    handler = logging.StreamHandler(sys.stderr)
    log.addHandler(handler)

    @app.command("logs")
    def logs() -> str:
        log.warning("logged")
        return "done"

    assert app.invoke(["logs"]).stderr == ""
    assert capsys.readouterr().err == "logged\n"
    log.removeHandler(handler)
    app.remove("logs")


def test_progress_of_a_captured_line_is_lines() -> None:
    other = App("progress")

    @other.command
    def steps() -> Any:
        yield Progress("one", 1, 2)
        yield Progress("two", 2, 2)
        return "end"

    ended = other.invoke(["steps"])
    assert ended.stderr.splitlines() == ["[1/2] one", "[2/2] two"]
    assert ended.output == "end\n"
    assert other.invoke(["steps", "-q"]).stderr == ""


def _make(check: Callable[[], object]) -> App:
    made = App("made")
    made.command("check")(check)
    return made


def test_the_surface_is_the_command_line() -> None:
    def check(ctx: Context) -> str:
        return f"{ctx.surface} {ctx.principal} {ctx.cancelled}"

    assert _make(check).invoke(["check"]).result == "cli None False"


def test_bytes_written_to_stdout_are_captured_in_their_place() -> None:
    app = App("tests")

    @app.command
    def mixed() -> str:
        print("text")
        sys.stdout.flush()
        sys.stdout.buffer.write(b"bytes\n")
        return "result"

    assert app.invoke(["mixed"]).output == "text\nbytes\nresult\n"
