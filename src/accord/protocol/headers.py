"""What HTTP repeats of a message in its headers, and whether the two agree. Knows no HTTP beyond names and values.

A gateway may route by these headers only because the server holds them against the body.
"""

import binascii
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from accord.protocol.errors import HEADER_MISMATCH, Refused
from accord.protocol.methods import METHODS
from accord.protocol.versions import FORMER, HANDSHAKE

__all__ = ["Headers", "Mirrored", "agree", "agree_on_arguments", "headers_of"]

_VERSION: Final = "mcp-protocol-version"
_METHOD: Final = "mcp-method"
_NAME: Final = "mcp-name"
_PARAM: Final = "mcp-param-"
_WRAPPED: Final = ("=?base64?", "?=")


class Headers(msgspec.Struct, frozen=True, kw_only=True):
    """The headers of one request that MCP knows; None for one that was not sent."""

    version: str | None = None
    method: str | None = None
    name: str | None = None
    params: dict[str, str] = {}
    """``Mcp-Param-X``: by X in lower case."""

    @property
    def is_stateless(self) -> bool:
        """Whether the version alone says so: it is no version of the handshake era, known or not."""
        return self.version is not None and self.version not in HANDSHAKE and self.version not in FORMER


class Mirrored(msgspec.Struct, frozen=True):
    """An argument that a tool wants repeated in a header."""

    header: str
    """The X of ``Mcp-Param-X``."""
    path: tuple[str, ...]
    """Where it stands in the arguments."""


def headers_of(found: Mapping[str, str]) -> Headers:
    """Those among a request's headers; names are in lower case, values trimmed, and none of these was sent twice."""
    params = {name.removeprefix(_PARAM): found[name] for name in found if name.startswith(_PARAM)}
    return Headers(version=found.get(_VERSION), method=found.get(_METHOD), name=found.get(_NAME), params=params)


def agree(headers: Headers, method: str, params: Mapping[str, Any], version: str) -> None:
    """Raises Refused where the headers of a stateless request say anything but its body."""
    _same("MCP-Protocol-Version", headers.version, version)
    _same("Mcp-Method", headers.method, method)
    row = METHODS.get(method)
    if row is not None and row.mirrored is not None and isinstance(params.get(row.mirrored), str):
        _same("Mcp-Name", _unwrapped("Mcp-Name", headers.name), params[row.mirrored])


def agree_on_arguments(headers: Headers, mirrored: Iterable[Mirrored], arguments: Mapping[str, Any]) -> None:
    """Raises Refused where ``Mcp-Param-*`` says anything but the arguments."""
    for each in mirrored:
        title = f"Mcp-Param-{each.header}"
        value = _found(arguments, each.path)
        sent = _unwrapped(title, headers.params.get(each.header.lower()))
        if value is None:
            if sent is not None:
                raise Refused(HEADER_MISMATCH, f"{title} was sent and the argument was not")
        elif isinstance(value, bool):
            _same(title, sent, "true" if value else "false")
        elif isinstance(value, int | float):
            if sent is None or not _is_number(sent, value):
                raise Refused(HEADER_MISMATCH, f"{title} does not match the argument")
        else:
            _same(title, sent, value)


def _same(title: str, sent: str | None, body: object) -> None:
    if sent is None:
        raise Refused(HEADER_MISMATCH, f"{title} is missing")
    if sent != body:
        raise Refused(HEADER_MISMATCH, f"{title} does not match the body")


def _unwrapped(title: str, value: str | None) -> str | None:
    """The value, decoded where it is marked as base64."""
    start, stop = _WRAPPED
    if value is None or not (value.startswith(start) and value.endswith(stop) and len(value) >= len(start + stop)):
        return value
    try:
        return binascii.a2b_base64(value[len(start) : -len(stop)], strict_mode=True).decode()
    except ValueError:  # also what binascii and UTF-8 raise
        raise Refused(HEADER_MISMATCH, f"{title} is marked as base64 and is none") from None


def _found(arguments: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = arguments
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _is_number(text: str, value: float) -> bool:
    try:
        return float(text) == value if "." in text or "e" in text.lower() else int(text) == value
    except ValueError:
        return False
