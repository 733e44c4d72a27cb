"""Streams and looks for the tests of the output: what would a person see?"""

import io
import re

from accord.cli.terminal import Look

TERMINAL = Look(tty=True, colour=False, width=80, unicode=True)
COLOURS = Look(tty=True, colour=True, width=80, unicode=True)
NARROW = Look(tty=True, colour=False, width=20, unicode=True)
ASCII = Look(tty=True, colour=False, width=20, unicode=False)
PIPE = Look(tty=False, colour=False, width=80, unicode=True)
ASCII_PIPE = Look(tty=False, colour=False, width=80, unicode=False)
LOOKS = (TERMINAL, COLOURS, NARROW, ASCII, PIPE, ASCII_PIPE)

_STEP = re.compile(r"\r|\n|\x1b\[2K|\x1b\[\d+m|[^\r\n\x1b]+")


class Screen(io.StringIO):
    """A terminal that understands what the bar uses, and nothing else."""

    def lines(self) -> list[str]:
        """What is on the screen."""
        lines, column = [""], 0
        written = self.getvalue()
        steps = _STEP.findall(written)
        assert "".join(steps) == written, "an escape sequence no one agreed on"
        for step in steps:
            if step == "\n":
                lines.append("")
                column = 0
            elif step == "\r":
                column = 0
            elif step == "\x1b[2K":
                lines[-1] = ""
            elif not step.startswith("\x1b"):
                lines[-1] = lines[-1][:column].ljust(column) + step + lines[-1][column + len(step) :]
                column += len(step)
        return lines

    def bar(self) -> str:
        """The line the cursor is on."""
        return self.lines()[-1]


class Broken(io.StringIO):
    """A pipe nobody reads."""

    writes = 0

    def write(self, text: str) -> int:
        self.writes += 1
        raise BrokenPipeError
