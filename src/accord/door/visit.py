"""An ASGI scope -> what the door looks at. Decides nothing."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

__all__ = ["Visit", "visit_of"]

#: all that names and values of headers may hold: a server that lets more through reads headers otherwise than we do
_IN_NAMES: Final = b"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_IN_VALUES: Final = bytes([0x09, *range(0x20, 0x7F), *range(0x80, 0x100)])
#: lists, which may come in several lines that mean the same as one
_LISTS: Final = frozenset({"accept", "access-control-request-headers"})
_NOTHING: Final[frozenset[str]] = frozenset()
#: what a line of a header takes beside its name and its value
_BETWEEN: Final = 4


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """One HTTP request, before its body.

    ``headers`` have names in lower case and trimmed values; of a name that came twice (it is in ``repeated``) it is
    the last value, except where the header is a list: then it is all of them. ``client`` is the address of the other
    end.
    """

    verb: str
    path: str = "/"
    headers: dict[str, str] = {}
    repeated: frozenset[str] = frozenset()
    query: str = ""
    scheme: str = "http"
    client: str | None = None
    header_bytes: int = 0
    """How much the headers are, as they were sent."""
    is_garbled: bool = False
    """Whether a header holds what none may hold."""


def visit_of(scope: Mapping[str, Any]) -> Visit:
    """The visit of an ASGI ``http`` scope. Never fails: what is odd about it is for the house to refuse."""
    raw: list[tuple[bytes, bytes]] = list(scope["headers"])
    lines = [(name.decode("latin-1").lower(), value.decode("latin-1").strip(" \t")) for name, value in raw]
    headers = dict(lines)
    repeated = _NOTHING if len(headers) == len(lines) else _joined(headers, lines)
    names, values = b"".join([name for name, _ in raw]), b"".join([value for _, value in raw])
    client = scope.get("client")
    return Visit(
        verb=scope["method"],
        path=scope["path"],
        headers=headers,
        repeated=repeated,
        query=scope.get("query_string", b"").decode("latin-1"),
        scheme=scope.get("scheme", "http"),
        client=client[0] if client else None,
        header_bytes=len(names) + len(values) + _BETWEEN * len(raw),
        is_garbled="" in headers or bool(names.translate(None, _IN_NAMES) or values.translate(None, _IN_VALUES)),
    )


def _joined(headers: dict[str, str], lines: list[tuple[str, str]]) -> frozenset[str]:
    """Make one list of the lines of each list; the names that came twice."""
    values: dict[str, list[str]] = {}
    for name, value in lines:
        values.setdefault(name, []).append(value)
    repeated = frozenset(name for name, several in values.items() if len(several) > 1)
    for name in repeated & _LISTS:
        headers[name] = ", ".join(values[name])
    return repeated
