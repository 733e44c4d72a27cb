"""The caller of a command line: hears the tool on stderr, and answers for the person at the terminal.

Knows a console and the caller's wishes; how a question looks is left to ``prompt``.
"""

from collections.abc import Callable
from typing import Any

from accord._caller import UNANSWERED, Caller, Level, Unanswered
from accord.cli.builtin import Wishes
from accord.cli.console import Console, is_terminal

__all__ = ["Attendant"]


class Attendant(Caller):
    """Shows what a tool tells and asks what it asks: on stderr, so that stdout holds the result alone."""

    def __init__(self, console: Console, wishes: Wishes) -> None:
        self._console = console
        self._wishes = wishes
        self._bar: Any = None
        self._ends_of_printing: list[Callable[[], None]] = []
        self._keyboard: Any = None
        self.has_screen: bool = wishes.may_ask and console.is_interactive() and is_terminal(console.stdout)

    def log(self, level: Level, message: str, verbosity: int) -> None:
        """Write a message, unless it is for callers who asked for more."""
        if verbosity <= self._wishes.verbosity:
            self._open_bar().log(level, message)

    def progress(self, status: str, step: float, total: float) -> None:
        """Move the bar, or write a line where nobody would see it move."""
        bar = self._open_bar()
        if not self._ends_of_printing and is_terminal(self._console.stderr):
            from accord.cli.printed import printing_above  # noqa: PLC0415 - only where a bar can be seen

            self._ends_of_printing.append(printing_above(bar))
        bar.show(status, step, total)

    def confirm(self, question: str) -> bool | Unanswered:
        """``--yes`` consents in advance; else the person at the terminal decides."""
        if self._wishes.consents:
            return True
        if not self._can_ask():
            return UNANSWERED
        from accord.cli.prompt import confirm  # noqa: PLC0415 - only commands that ask need it

        return confirm(question, self._open_keyboard(), self._look())

    def ask(self, message: str, schema: dict[str, Any]) -> dict[str, Any] | Unanswered | None:
        """Ask the person at the terminal for each field in turn."""
        if not self._can_ask():
            return UNANSWERED
        from accord.cli.prompt import ask  # noqa: PLC0415 - as above

        return ask(message, schema, self._open_keyboard(), self._look())

    def finish(self) -> None:
        """Take the bar off the screen, and call off questions that are still open on another thread."""
        for end in reversed(self._ends_of_printing):  # more than one, when two threads began at once
            end()
        if self._bar is not None:
            self._bar.done()
        if self._keyboard is not None:
            self._keyboard.leave()

    def _can_ask(self) -> bool:
        if self._bar is not None:
            self._bar.done()
        return self._wishes.may_ask and self._console.is_interactive()

    def _open_keyboard(self) -> Any:
        if self._keyboard is None:
            from accord.cli.keyboard import Keyboard  # noqa: PLC0415 - only commands that ask need it

            self._keyboard = Keyboard(self._console.stdin, self._console.stderr)
        return self._keyboard

    def _open_bar(self) -> Any:
        if self._bar is None:
            from accord.cli.progress import Bar  # noqa: PLC0415 - only commands that tell something need it

            quiet = self._wishes.verbosity < 1
            self._bar = Bar(self._console.stderr, self._look(), quiet=quiet, look_again=self._look)
        return self._bar

    def _look(self) -> Any:
        return self._console.look(self._console.stderr, colour=self._wishes.colour)
