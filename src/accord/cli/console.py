"""What a command line is connected to: its streams, its environment, and the name it was started by.

One value, so that a process and a test differ in nothing else. Knows no command.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import IO, Any, TextIO

import msgspec

from accord.cli.terminal import Look, look_at

__all__ = ["Console", "is_read", "is_terminal"]


class Console(msgspec.Struct, frozen=True):
    """Where a command line reads and writes.

    ``divert`` leads whatever else writes to stdout to stderr, and gives the stream that is left for the result.
    """

    stdin: TextIO | None
    stdout: TextIO | None
    stderr: TextIO | None
    environ: Mapping[str, str]
    program: str
    divert: "Callable[[], AbstractContextManager[TextIO | None]] | None" = None

    def diverted(self) -> "AbstractContextManager[TextIO | None]":
        """The stream for the result, which nothing else reaches inside the block."""
        return nullcontext(self.stdout) if self.divert is None else self.divert()

    def look(self, stream: TextIO | None, *, colour: bool = True) -> Look:
        """What one of the streams can show."""
        return look_at(stream, self.environ, no_color=not colour)

    def is_interactive(self) -> bool:
        """Whether somebody can be asked: they see what is asked and can type the answer."""
        return is_terminal(self.stdin) and is_terminal(self.stderr)

    def read(self, source: str) -> bytes:
        """What ``-`` (the standard input) or ``@file`` holds.

        Raises:
            OSError: it cannot be read.
        """
        if source != "-":
            with open(source[1:], "rb") as file:  # noqa: PTH123 - pathlib is not worth its start-up time
                return file.read()
        if self.stdin is None:
            raise OSError(0, "it is closed")
        binary: IO[bytes] | None = getattr(self.stdin, "buffer", None)
        return binary.read() if binary is not None else self.stdin.read().encode()


def is_terminal(stream: Any) -> bool:
    """Whether a person is at the other end of the stream."""
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, OSError, ValueError):  # closed, or no real stream
        return False


def is_read(stream: Any) -> bool:
    """Whether anybody is still at the other end of the stream, as far as can be told."""
    import select  # noqa: PLC0415 - asked once in a while, when a pipe has broken

    if not hasattr(select, "poll"):  # Windows
        return True
    try:
        watch = select.poll()
        watch.register(stream, select.POLLOUT)
        return not any(event & (select.POLLERR | select.POLLHUP) for _, event in watch.poll(0))
    except (AttributeError, OSError, TypeError, ValueError):  # closed, or no real stream
        return True
