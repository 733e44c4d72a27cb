"""What a command line is connected to: its streams, its environment, the name it was started by; and how it ended.

One value, so that a process and a test differ in nothing else. Knows no command.
"""

from __future__ import annotations

from accord._values import Value
from accord.cli.terminal import look_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from typing import IO, Any, TextIO

    from accord.cli.terminal import Look

__all__ = ["Console", "Ending", "is_read", "is_terminal"]


class Console(Value):
    """Where a command line reads and writes.

    ``divert`` leads whatever else writes to stdout to stderr, and gives the stream that is left for the result.
    ``serve`` makes the process a server, as ``App.serve``; there is none where the streams are not the process's.
    """

    stdin: TextIO | None
    stdout: TextIO | None
    stderr: TextIO | None
    environ: Mapping[str, str]
    program: str
    divert: Callable[[], AbstractContextManager[TextIO | None]] | None = None
    serve: Callable[..., None] | None = None

    def diverted(self) -> AbstractContextManager[TextIO | None]:
        """The stream for the result, which nothing else reaches inside the block."""
        if self.divert is not None:
            return self.divert()
        from contextlib import nullcontext  # noqa: PLC0415 - only JSON has to be kept clean

        return nullcontext(self.stdout)

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

    @staticmethod
    def write(stream: TextIO | None, text: str) -> None:
        """Write to one of the streams, if it is there, and have it read at once."""
        if stream is not None and text:
            stream.write(text)
            stream.flush()


class Ending(Value):
    """How a command line ended."""

    exit_code: int
    result: Any = None
    exception: BaseException | None = None


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
