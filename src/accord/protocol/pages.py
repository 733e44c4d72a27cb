"""Long lists, page by page. A cursor says after which entry to go on, so any replica can; it holds no secret.

It names the entry and where it stood: entries that come and go between two pages lose none of the others.
"""

import binascii
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_PARAMS, Refused
from accord.protocol.events import JSON, Request
from accord.protocol.jsonrpc import encode
from accord.protocol.methods import METHODS
from accord.protocol.versions import Version

__all__ = ["completion", "listing", "page_of"]

_LISTS: Final = {row.request: row.lists for row in METHODS.values() if row.lists is not None}

_MOST_VALUES: Final = 100

_place = msgspec.json.Decoder(tuple[str, int, str]).decode


def page_of(kind: str, names: Sequence[str], cursor: str | None, size: int) -> tuple[range, str | None]:
    """Which entries of a list stand on the page after ``cursor``, and the cursor of the next one.

    ``kind`` is what is listed (``"tools"``), ``names`` are what tells its entries apart, in order.

    Raises:
        Refused: the cursor is none of this list's.
    """
    start = 0 if cursor is None else _after(kind, names, cursor)
    stop = min(start + size, len(names))
    if stop == len(names):
        return range(start, stop), None
    place = encode((kind, stop, names[stop - 1]))
    return range(start, stop), binascii.b2a_base64(place, newline=False).decode()


def listing(request: type[Request], version: Version, entries: Sequence[dict[str, JSON]], next: str | None) -> bytes:
    """The body of a list result, with what this version knows of each entry. It may be kept and sent again."""
    if version.hidden:
        entries = [{name: entry[name] for name in entry if name not in version.hidden} for entry in entries]
    body: dict[str, Any] = {_LISTS[request]: entries}
    return encode(body if next is None else {**body, "nextCursor": next})


def completion(values: Sequence[str], total: int | None = None) -> bytes:
    """The body of a ``completion/complete`` result: the first hundred values, and whether there are more."""
    total = len(values) if total is None else total
    shown = list(values[:_MOST_VALUES])
    return encode({"completion": {"values": shown, "total": total, "hasMore": total > len(shown)}})


def _after(kind: str, names: Sequence[str], cursor: str) -> int:
    try:
        listed, index, name = _place(binascii.a2b_base64(cursor, strict_mode=True))
    except (ValueError, msgspec.MsgspecError, RecursionError):
        raise Refused(INVALID_PARAMS, "Invalid cursor") from None
    if listed != kind or index < 1:
        raise Refused(INVALID_PARAMS, "Invalid cursor")
    if index <= len(names) and names[index - 1] == name:
        return index
    try:
        return names.index(name) + 1
    except ValueError:
        return min(index - 1, len(names))  # it is gone, and its successor stands in its place
