"""The person at the terminal: what they are told, and the lines they type.

A tool may wait for a line on another thread than the one that hears Ctrl-C; so the waiting can be called off there,
and with it the hiding of what is typed. Knows streams, and no questions.
"""

import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TextIO

__all__ = ["Keyboard"]

#: seconds until somebody who waits on another thread notices that they are called off
_NOTICE = 0.05
#: seconds they are waited for
_PATIENCE = 1.0


class Keyboard:
    """Asks for one line at a time, on whatever thread; ``leave`` ends the waiting for good."""

    def __init__(self, stdin: TextIO | None, stderr: TextIO | None) -> None:
        self._stdin = stdin
        self._stderr = stderr
        self._turn = threading.Lock()
        self._over = threading.Event()

    def say(self, text: str, end: str = "\n") -> None:
        """Show a text."""
        if self._stderr is not None:
            self._stderr.write(text + end)
            self._stderr.flush()

    def line(self, prompt: str, *, secret: bool = False) -> str | None:
        """What was typed on one line, without its end; None at the end of the input. A secret is not echoed."""
        if self._stdin is None or self._stderr is None:
            return None
        with self._turn:
            if secret and sys.platform == "win32":
                return _on_windows(prompt, self._stderr)
            with _without_echo(self._stdin) if secret else nullcontext():
                self.say(prompt, end="")
                line = self._stdin.readline() if self._has_something(self._stdin) else ""
            if (secret or not line) and not self._over.is_set():
                self.say("")  # no return key was echoed
            return line.rstrip("\r\n") if line else None

    def leave(self) -> None:
        """Call off whoever waits, and wait until they have put the terminal in order."""
        self._over.set()
        if self._turn.acquire(timeout=_PATIENCE):
            self._turn.release()

    def _has_something(self, stdin: TextIO) -> bool:
        """Whether there is a line to read, or the end; waits for it, on the main thread by reading."""
        if threading.current_thread() is threading.main_thread() or sys.platform == "win32":
            return True
        while not self._over.is_set():
            if select.select([stdin], [], [], _NOTICE)[0]:
                return True
        return False


@contextmanager
def _without_echo(stdin: TextIO) -> Iterator[None]:
    """Inside, what is typed is not shown, where there is a terminal to tell."""
    import termios  # noqa: PLC0415 - only secrets need it, and Windows does not have it

    try:
        before = termios.tcgetattr(stdin)
    except (OSError, ValueError, termios.error):
        yield
        return
    hidden = [*before]
    hidden[3] &= ~termios.ECHO
    termios.tcsetattr(stdin, termios.TCSAFLUSH, hidden)
    try:
        yield
    finally:
        termios.tcsetattr(stdin, termios.TCSAFLUSH, before)


def _on_windows(prompt: str, stream: TextIO) -> str | None:
    import getpass  # noqa: PLC0415 - only secrets need it

    try:
        return getpass.getpass(prompt, stream)
    except EOFError:
        return None
