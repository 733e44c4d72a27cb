"""Bytes to lines, however the bytes were cut. Knows newlines and a limit; knows no JSON.

The limit is what keeps a line that never ends from filling the memory: once a line is longer, what
follows is thrown away up to its newline, and one ``None`` stands for it.
"""

from typing import Final

__all__ = ["LONGEST", "Lines"]

LONGEST: Final = 16 * 1024 * 1024
"""Bytes of one message. Files travel as base64 inside arguments, so it is generous; the HTTP servers of the peers stop
at 4 MiB, their stdio servers nowhere."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Lines:
    """Cuts a stream at its newlines."""

    __slots__ = ("_begun", "_limit", "_rest", "_skipping")

    def __init__(self, limit: int = LONGEST) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._skipping = False
        self._begun = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines these bytes complete, without their newlines; None for one that is over the limit."""
        lines: list[bytes | None] = list(data.split(b"\n"))
        rest = lines.pop()
        if lines and (self._rest or self._skipping):
            lines[0] = None if self._skipping else bytes(self._rest + (lines[0] or b""))
            if self._skipping:
                del lines[0]  # it was reported when it grew too long
            self._rest.clear()
            self._skipping = False
        if rest:
            self._keep(rest, lines)
        if not self._begun and lines:
            self._begun = True
            if lines[0] is not None:
                lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)  # what some shells put before piped text
        limit = self._limit
        if len(data) > limit or any(line is not None and len(line) > limit for line in lines):
            return [None if line is None or len(line) > limit else line for line in lines]
        return lines

    def end(self) -> list[bytes | None]:
        """What stood after the last newline, as if it had one."""
        return self.feed(b"\n") if self._rest else []

    def _keep(self, rest: bytes | None, lines: list[bytes | None]) -> None:
        if self._skipping or rest is None:
            return
        if len(self._rest) + len(rest) > self._limit:
            self._rest.clear()
            self._skipping = True
            lines.append(None)
        else:
            self._rest += rest
