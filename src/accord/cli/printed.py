"""What a tool prints while a bar is on the same terminal: whole lines, above the bar.

Stands for ``sys.stdout`` and ``sys.stderr`` as long as the bar may be drawn. Knows a bar, and no call.
"""

import sys
from collections.abc import Callable
from threading import RLock
from typing import Any, TextIO

from accord.cli.console import is_terminal
from accord.cli.progress import Bar

__all__ = ["printing_above"]


def printing_above(bar: Bar) -> Callable[[], None]:
    """Lead what is printed on the terminal around the bar, and return what ends that."""
    standing = {name: getattr(sys, name) for name in ("stdout", "stderr")}
    streams = {name: _Above(stream, bar) for name, stream in standing.items() if is_terminal(stream)}
    for name, stream in streams.items():
        setattr(sys, name, stream)

    def end() -> None:
        for name, stream in streams.items():
            stream.flush()
            if getattr(sys, name) is stream:  # else the tool has put something in its place
                setattr(sys, name, standing[name])

    return end


class _Above:
    """A stream of the terminal, but a line is written when it is whole. All else is the stream's own."""

    def __init__(self, stream: TextIO, bar: Bar) -> None:
        self._stream = stream
        self._bar = bar
        # Reentrant: a signal may interrupt a print with another one.
        self._lock = RLock()
        self._begun = ""

    def write(self, text: str) -> int:
        with self._lock:
            lines, newline, self._begun = (self._begun + text).rpartition("\n")
            if newline:
                self._bar.make_room(lambda: self._put(lines + newline))
        return len(text)

    def writelines(self, lines: Any) -> None:
        self.write("".join(lines))

    def flush(self) -> None:
        """Show what there is in the place of the bar, until there is more progress: ``input`` asks on that line."""
        with self._lock:
            begun, self._begun = self._begun, ""
            self._bar.done()
            self._put(begun)

    def _put(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
