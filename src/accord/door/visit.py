"""An ASGI scope -> what the door looks at. Decides nothing."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

__all__ = ["Visit", "visit_of"]

#: what no name and no value of a header may hold: a server that lets it through reads headers otherwise than we do
_NO_NAME: Final = re.compile(rb"[^!#$%&'*+\-.^_`|~0-9A-Za-z]")
_NO_VALUE: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
#: lists, which may come in several lines that mean the same as one
_LISTS: Final = frozenset({"accept", "access-control-request-headers"})
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
    headers: dict[str, str] = {}
    repeated: set[str] = set()
    for name_bytes, value_bytes in raw:
        name = name_bytes.decode("latin-1").lower()
        value = value_bytes.decode("latin-1").strip(" \t")
        if name in headers:
            repeated.add(name)
            if name in _LISTS:
                value = f"{headers[name]}, {value}"
        headers[name] = value
    names, values = b"".join([name for name, _ in raw]), b"".join([value for _, value in raw])
    client = scope.get("client")
    return Visit(
        verb=scope["method"],
        path=scope["path"],
        headers=headers,
        repeated=frozenset(repeated),
        query=scope.get("query_string", b"").decode("latin-1"),
        scheme=scope.get("scheme", "http"),
        client=client[0] if client else None,
        header_bytes=len(names) + len(values) + _BETWEEN * len(raw),
        is_garbled="" in headers or _NO_NAME.search(names) is not None or _NO_VALUE.search(values) is not None,
    )
