"""What a command line shows, for the tests: as a pipe and as a terminal of some width see it."""

import io
from textwrap import dedent
from typing import NamedTuple

from accord import App
from accord.cli.command import obey
from accord.cli.console import Console


class Shown(NamedTuple):
    """What was written, and the exit code."""

    out: str
    err: str
    code: int


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(
    app: App, line: str, *, width: int = 80, colour: bool = False, program: str = "app.py", **environ: str
) -> Shown:
    """What the app shows on a terminal that is so many cells wide."""
    out, err = _Terminal(), _Terminal()
    environment = {"COLUMNS": str(width), "TERM": "xterm", **({} if colour else {"NO_COLOR": "1"}), **environ}
    ending = obey(app, line.split(), Console(None, out, err, environment, program))
    return Shown(out.getvalue(), err.getvalue(), ending.exit_code)


def section(text: str, title: str) -> str:
    """The lines below a heading, as they would stand at the margin."""
    _, found, rest = f"\n{text}".partition(f"\n{title}:\n")
    assert found, f"there is no {title} in\n{text}"
    return dedent(rest.partition("\n\n")[0]).strip("\n")


def text_of(block: str) -> str:
    """An expected text, written with the indentation of the test around it."""
    return dedent(block).strip("\n")
