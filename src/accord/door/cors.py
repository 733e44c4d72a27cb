"""What a browser asks before and after a page's request. Pages that the house does not welcome never get this far."""

import re
from typing import Final

from accord.door.house import HouseRules
from accord.door.visit import Visit

__all__ = ["exposed", "preflight"]

_ALLOWED: Final = (
    *("authorization", "content-type", "accept", "last-event-id"),
    *("mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"),
)
#: CORS knows no prefixes: of the headers that mirror arguments, those that are asked for are allowed by name
_MIRRORED: Final = re.compile(r"mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+")
_EXPOSED: Final = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After"
_SECONDS: Final = "600"


def preflight(rules: HouseRules, visit: Visit) -> dict[str, str] | None:
    """The headers of a 204, where a browser asks whether a page's request would be let in; None for any other request.

    Asked before authentication: browsers ask without credentials.
    """
    headers = visit.headers
    if visit.verb != "OPTIONS" or "origin" not in headers or "access-control-request-method" not in headers:
        return None
    asked = [name.strip(" \t").lower() for name in headers.get("access-control-request-headers", "").split(",")]
    mirrored = [name for name in dict.fromkeys(asked) if _MIRRORED.fullmatch(name)]
    return {
        "access-control-allow-origin": headers["origin"],
        "access-control-allow-methods": ", ".join(rules.verbs),
        "access-control-allow-headers": ", ".join([*_ALLOWED, *mirrored]),
        "access-control-max-age": _SECONDS,
        "vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    }


def exposed(visit: Visit) -> dict[str, str]:
    """What every answer to a page that was let in says, refusals included, so that the page may read it."""
    origin = visit.headers.get("origin")
    if origin is None:
        return {}
    return {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": _EXPOSED,
        "vary": "Origin",
    }
