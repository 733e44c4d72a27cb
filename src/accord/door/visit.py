"""An ASGI scope -> what the door looks at. Decides nothing."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

__all__ = ["Visit", "visit_of"]

#: all that names and values of headers may hold, and the newline between them: a server that lets more through reads
#: headers otherwise than we do
_IN_NAMES: Final = b"\n!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_IN_VALUES: Final = bytes([0x09, 0x0A, *range(0x20, 0x7F), *range(0x80, 0x100)])
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
    # All of them at once, with newlines in between, of which a header can hold none.
    names, values = b"\n".join([name for name, _ in raw]), b"\n".join([value for _, value in raw])
    is_garbled = bool(names.translate(None, _IN_NAMES) or values.translate(None, _IN_VALUES))
    if names.count(b"\n") == values.count(b"\n") == len(raw) - 1:
        both = zip(_text(names).lower().split("\n"), _text(values).split("\n"), strict=True)
    else:
        both = zip([_text(name).lower() for name, _ in raw], [_text(value) for _, value in raw], strict=True)
        is_garbled = is_garbled or bool(raw)
    lines = [(name, text.strip(" \t")) for name, text in both]
    headers = dict(lines)
    client = scope.get("client")
    return Visit(
        verb=scope["method"],
        path=scope["path"],
        headers=headers,
        repeated=_NOTHING if len(headers) == len(lines) else _joined(headers, lines),
        query=scope.get("query_string", b"").decode("latin-1"),
        scheme=scope.get("scheme", "http"),
        client=client[0] if client else None,
        header_bytes=len(names) + len(values) + (_BETWEEN - 2) * len(raw) + 2,
        is_garbled=is_garbled or "" in headers,
    )


def _text(raw: bytes) -> str:
    return raw.decode("latin-1")


def _joined(headers: dict[str, str], lines: list[tuple[str, str]]) -> frozenset[str]:
    """Make one list of the lines of each list; the names that came twice."""
    values: dict[str, list[str]] = {}
    for name, value in lines:
        values.setdefault(name, []).append(value)
    repeated = frozenset(name for name, several in values.items() if len(several) > 1)
    for name in repeated & _LISTS:
        headers[name] = ", ".join(values[name])
    return repeated
