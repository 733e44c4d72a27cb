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
        rest = lines.pop() or b""
        if lines and self._skipping:
            del lines[0]  # the end of a line that was reported when it grew too long
            self._skipping = False
        elif lines and self._rest:
            lines[0] = bytes(self._rest) + (lines[0] or b"")
            self._rest.clear()
        if lines and not self._begun:
            self._begun = True
            lines[0] = (lines[0] or b"").removeprefix(_BYTE_ORDER_MARK)  # what some shells put before piped text
        limit = self._limit
        if lines and (len(data) > limit or len(lines[0] or b"") > limit):
            lines = [line if line is not None and len(line) <= limit else None for line in lines]
        if rest and not self._skipping:
            if len(self._rest) + len(rest) > limit:
                self._rest.clear()
                self._skipping = True
                lines.append(None)
            else:
                self._rest += rest
        return lines

    def end(self) -> list[bytes | None]:
        """What stood after the last newline, as if it had one."""
        return self.feed(b"\n") if self._rest else []
