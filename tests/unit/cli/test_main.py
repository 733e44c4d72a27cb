"""`app.run`: the one place that exits, with the code that tells how it went."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from accord import App, Context


class Connection:
    """Lives as long as the app."""


def made() -> tuple[App, list[str]]:
    """An app of a few ways to end, and the list of what was cleaned up."""
    app, closed = App("main", version="1.2.3"), []

    @app.provide(Connection, scope="app")
    def connect() -> Iterator[Connection]:
        yield Connection()
        closed.append("connection")

    @app.command
    def add(a: int, b: int = 1) -> int:
        return a + b

    @app.command
    def fails() -> None:
        raise ValueError("broken")

    @app.command
    def leaves(code: int = 0) -> None:
        sys.exit(code)

    @app.command
    def interrupts() -> None:
        raise KeyboardInterrupt

    @app.command
    def connects(connection: Connection, ctx: Context) -> str:
        return ctx.surface

    return app, closed


# (what is typed, exit code, stdout, the beginning of stderr)
ENDINGS: list[tuple[list[str], int, str, str]] = [
    (["add", "--a", "2"], 0, "3\n", ""),
    (["add"], 2, "", "Error: invalid arguments for add:\n  --a: is required"),
    (["add", "--a", "x"], 2, "", "Error: invalid arguments for add:\n  --a: must be an integer"),
    (["nope"], 2, "", "Error: there is no command 'nope'"),
    (["fails"], 1, "", "Error: ValueError: broken"),
    (["leaves"], 1, "", "Error: SystemExit"),
    (["leaves", "--code", "7"], 1, "", "Error: SystemExit: 7"),
    (["interrupts"], 130, "", "Cancelled."),
    (["connects"], 0, "cli\n", ""),
    (["--version"], 0, "main 1.2.3\n", ""),
]


def _run(app: App, argv: list[str] | None) -> Any:
    with pytest.raises(SystemExit) as ended:
        app.run(argv)
    return ended.value.code


@pytest.mark.parametrize(("argv", "code", "output", "errors"), ENDINGS)
def test_run_exits_with_the_code_of_the_ending(
    argv: list[str], code: int, output: str, errors: str, capfd: pytest.CaptureFixture[str]
) -> None:
    app, _ = made()
    assert _run(app, argv) == code
    written = capfd.readouterr()
    assert written.out == output
    assert written.err.startswith(errors)
    assert bool(written.err) == bool(errors)


def test_without_arguments_run_takes_those_of_the_process(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["program", "add", "--a", "5"])
    app, _ = made()
    assert _run(app, None) == 0
    assert capfd.readouterr().out == "6\n"


def test_run_cleans_up_what_lives_as_long_as_the_app() -> None:
    app, closed = made()
    assert _run(app, ["connects"]) == 0
    assert closed == ["connection"]


def test_a_clean_up_that_fails_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    app = App("main")

    @app.provide(Connection, scope="app")
    def connect() -> Iterator[Connection]:
        yield Connection()
        raise OSError("not closed")

    @app.command
    def connects(connection: Connection) -> str:
        return "done"

    assert _run(app, ["connects"]) == 1
    written = capfd.readouterr()
    assert written.out == "done\n"
    assert "not closed" in written.err
