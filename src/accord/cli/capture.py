"""A command line in this process: what it printed and how it ended, as one value.

``print`` inside a tool is captured too, for the thread that invoked it and whatever inherits its context, so that
many threads can do this at once.
"""

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from accord.cli.command import obey
from accord.cli.console import Console

if TYPE_CHECKING:
    from accord.app import App

__all__ = ["InvokeResult", "invoke"]


class InvokeResult(msgspec.Struct, frozen=True):
    """How an invoked command line ended.

    ``output`` and ``stderr`` are what it wrote; ``result`` is what the tool returned; ``exception`` is what it
    raised, or why it was not called.
    """

    output: str
    stderr: str
    exit_code: int
    result: Any = None
    exception: BaseException | None = None


def invoke(app: "App", argv: list[str]) -> InvokeResult:
    """Do what the arguments say, and return what came of it.

    Raises:
        TypeError: the arguments are one text, and no list of words.
    """
    if isinstance(argv, str):
        raise TypeError(f"invoke takes a list of words: shlex.split({argv[:50]!r}) makes one")
    output, errors = _page(), _page()
    with _captured(output, errors):
        console = Console(io.StringIO(), output, errors, os.environ, app.name, lambda: _diverted(output, errors))
        ending = obey(app, [str(word) for word in argv], console)
    return InvokeResult(_text(output), _text(errors), ending.exit_code, ending.result, ending.exception)


def _page() -> io.TextIOWrapper:
    """A stream to write on, text or bytes, as a standard stream is."""
    return io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", newline="", write_through=True)


def _text(page: io.TextIOWrapper) -> str:
    page.flush()
    written: bytes = page.buffer.getvalue()  # type: ignore[attr-defined]  # it is the BytesIO that was put in
    return written.decode(errors="backslashreplace")


_streams: ContextVar[tuple[TextIO, TextIO] | None] = ContextVar("accord_captured", default=None)
_lock = threading.Lock()
_standing: list[tuple[TextIO, TextIO]] = []


class _Switch(io.TextIOBase):
    """Stands for a standard stream while somebody captures: each context writes where it belongs."""

    def __init__(self, number: int, original: TextIO) -> None:
        self._number = number
        self._original = original

    @property
    def _target(self) -> TextIO:
        streams = _streams.get()
        return self._original if streams is None else streams[self._number]

    def write(self, text: str) -> int:
        return self._target.write(text)

    def flush(self) -> None:
        self._target.flush()

    def isatty(self) -> bool:
        return self._target.isatty()

    def fileno(self) -> int:
        return self._original.fileno()

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]  # TextIOBase declares an attribute
        return getattr(self._target, "encoding", None) or "utf-8"

    @property
    def buffer(self) -> Any:
        return self._target.buffer


@contextmanager
def _captured(output: TextIO, errors: TextIO) -> Iterator[None]:
    with _lock:
        if not _standing:
            _standing.append((sys.stdout, sys.stderr))
            sys.stdout, sys.stderr = _Switch(0, sys.stdout), _Switch(1, sys.stderr)
        else:
            _standing.append(_standing[0])
    token = _streams.set((output, errors))
    try:
        yield
    finally:
        _streams.reset(token)
        with _lock:
            originals = _standing.pop()
            if not _standing:
                sys.stdout, sys.stderr = originals


@contextmanager
def _diverted(output: TextIO, errors: TextIO) -> Iterator[TextIO]:
    token = _streams.set((errors, errors))
    try:
        yield output
    finally:
        _streams.reset(token)
