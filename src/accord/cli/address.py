"""``[HOST:]PORT`` as people type it -> where to serve. Knows no socket."""

from __future__ import annotations

from accord._values import Value

__all__ = ["ADDRESS", "FORM", "Address", "address_of"]

FORM = "[HOST:]PORT"
#: the form, for whoever typed something else
ADDRESS = f"{FORM}, like 8000, 0.0.0.0:8000 or [::1]:8000"

_LAST_PORT = 65_535
_FOREIGN = frozenset("/@?#[] \t\r\n")


class Address(Value):
    """Where to serve. Port 0 is any that is free."""

    host: str
    port: int


def address_of(text: str) -> Address | None:
    """The address, or None where it is none. Without a host it is this machine's own; IPv6 stands in brackets."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) <= len(str(_LAST_PORT)) and int(port) <= _LAST_PORT):
        return None
    is_bracketed = host.startswith("[") and host.endswith("]")
    if is_bracketed:
        host = host[1:-1]
    # A colon in a host is IPv6, where brackets say which colon is the last; without one, brackets mean nothing.
    if is_bracketed != (":" in host) or not _FOREIGN.isdisjoint(host):
        return None
    return Address(host or "127.0.0.1", int(port))
