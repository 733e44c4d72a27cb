"""What stands in ``Host`` and ``Origin`` -> hosts and ports that can be compared.

Strict: what a browser would not write is no address. So two texts that mean one host become equal, and a text that
only looks like a host (``localhost:80.evil.com``, ``user@localhost``, ``localhost.``, ``127.1``) becomes nothing.
"""

import ipaddress
import re
from functools import lru_cache
from typing import Final

import msgspec

__all__ = ["ANY_PORT", "Origin", "Place", "is_loopback", "is_unmistakable", "origin_of", "place_of"]

#: in a pattern
ANY_PORT: Final = -1

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_LONGEST: Final = 300
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PLACE: Final = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^\[\]:]+)(?::(?P<port>[0-9]{1,5}|\*))?")
_ORIGIN: Final = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<place>[^/?#@\\\s]+)")


class Place(msgspec.Struct, frozen=True):
    """A host, and the port where one was written."""

    host: str
    port: int | None = None


class Origin(msgspec.Struct, frozen=True):
    """Where a page comes from: scheme, host and port. The port is None for a scheme that has none of its own."""

    scheme: str
    host: str
    port: int | None


@lru_cache(maxsize=256)
def place_of(text: str, *, pattern: bool = False) -> Place | None:
    """The place that a ``Host`` header names, or None where it is no such header. A pattern may have the port ``*``."""
    found = _PLACE.fullmatch(text.lower()) if len(text) <= _LONGEST and text.isascii() else None
    host = _host(found["host"]) if found else None
    if found is None or host is None:
        return None
    if found["port"] == "*":
        return Place(host, ANY_PORT) if pattern else None
    port = int(found["port"]) if found["port"] else None
    return Place(host, port) if port is None or 0 < port < 65_536 else None


@lru_cache(maxsize=256)
def origin_of(text: str, *, pattern: bool = False) -> Origin | None:
    """The origin that an ``Origin`` header names; None for ``null`` and for what is no origin."""
    found = _ORIGIN.fullmatch(text.lower()) if len(text) <= _LONGEST and text.isascii() else None
    place = place_of(found["place"], pattern=pattern) if found else None
    if found is None or place is None:
        return None
    scheme = found["scheme"]
    return Origin(scheme, place.host, _DEFAULT_PORTS.get(scheme) if place.port is None else place.port)


def is_loopback(host: str) -> bool:
    """Whether what is bound to this host can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_unmistakable(host: str) -> bool:
    """Whether no name server has a say in where this host is: an address, or ``localhost``.

    A page of such a host cannot have been rebound: it came from where its origin says.
    """
    return host == "localhost" or host.startswith("[") or _NUMBER.fullmatch(host.rpartition(".")[2]) is not None


def _host(text: str) -> str | None:
    if text.startswith("["):
        try:
            return f"[{ipaddress.IPv6Address(text[1:-1]).compressed}]"
        except ValueError:
            return None
    if _NUMBER.fullmatch(text.rpartition(".")[2]):
        # Whatever ends in a number is an address to a browser, and only this spelling of it is what browsers send.
        try:
            return str(ipaddress.IPv4Address(text))
        except ValueError:
            return None
    return text if len(text) <= 253 and _NAME.fullmatch(text) else None
