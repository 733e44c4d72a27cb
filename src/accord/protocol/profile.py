"""All a server says of itself, made once and shared by every session: who it is, what it can do, which limits it keeps.

From it follow two things that every message needs, so they are made here: which methods exist at which version,
and what every result begins with.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

import msgspec

from accord.protocol.events import JSON
from accord.protocol.jsonrpc import LONGEST, encode
from accord.protocol.methods import METHODS, Method, offers
from accord.protocol.versions import STATELESS, VERSIONS, Version

__all__ = ["NO_HINTS", "SERVER_INFO", "Hints", "Limits", "Profile", "Sealing", "ServerInfo"]

SERVER_INFO: Final = "io.modelcontextprotocol/serverInfo"

Scope: TypeAlias = Literal["public", "private"]


class ServerInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Who the server is."""

    name: str
    version: str
    title: str | None = None
    description: str | None = None
    website_url: str | None = None
    icons: list[dict[str, JSON]] | None = None


class Hints(msgspec.Struct, frozen=True, rename="camel"):
    """How long a result may be kept, and by whom. ``public`` is for what is the same for everybody."""

    ttl_ms: int = 0
    cache_scope: Scope = "private"


class Sealing(msgspec.Struct, frozen=True):
    """How the state of an unanswered question is protected on its way through the client.

    ``seal(state, binding)`` is the token; ``open(token, binding)`` is the state again, or raises ValueError for a token
    that was altered, has expired or belongs elsewhere. ``binding`` is the request the question arose in; whoever
    passes these functions adds the principal and the hour.
    """

    seal: Callable[[JSON, bytes], str]
    open: Callable[[str, bytes], JSON]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one session keeps in memory at most."""

    message_bytes: int = LONGEST
    streams: int = 64
    """Open ``subscriptions/listen`` streams."""
    watched: int = 1024
    """Resources and tasks watched, in all streams together."""


#: kept by nobody: right for every result
NO_HINTS: Final = Hints()
_LIMITS: Final = Limits()


class Profile:
    """What a server says of itself.

    ``capabilities`` is the object as the wire has it (``{"tools": {"listChanged": True}}``); a method whose capability
    is not in it does not exist. ``hints`` are those of ``server/discover``.
    """

    __slots__ = ("capabilities", "heads", "hints", "info", "instructions", "limits", "sealing", "served")

    def __init__(
        self,
        info: ServerInfo,
        capabilities: dict[str, JSON],
        *,
        instructions: str | None = None,
        hints: Hints = NO_HINTS,
        sealing: Sealing | None = None,
        limits: Limits = _LIMITS,
    ) -> None:
        self.info: ServerInfo = info
        self.capabilities: dict[str, JSON] = capabilities
        self.instructions: str | None = instructions
        self.hints: Hints = hints
        self.sealing: Sealing | None = sealing
        self.limits: Limits = limits
        #: version -> method -> its row: what exists
        self.served: dict[str, dict[str, Method]] = {
            version: {
                row.name: row for row in METHODS.values() if version in row.versions and offers(capabilities, row.needs)
            }
            for version in VERSIONS
        }
        #: version -> what a result begins with, up to and with the comma
        self.heads: dict[str, bytes] = {version.name: self.head(version) for version in VERSIONS.values()}

    def sealed_by(self, sealing: Sealing | None) -> "Profile":
        """The same profile with another sealing: one for each principal, where a server has many."""
        from copy import copy  # noqa: PLC0415 - most servers have one principal, or none

        profile = copy(self)
        profile.sealing = sealing
        return profile

    def described(self, version: Version) -> dict[str, JSON]:
        """The ``Implementation`` object, with what this version knows of it."""
        whole: dict[str, Any] = msgspec.to_builtins(self.info)
        return {name: whole[name] for name in version.info_fields if name in whole}

    def welcome(self, version: Version) -> dict[str, JSON]:
        """The result of ``initialize`` or ``server/discover``, without what every result begins with."""
        result: dict[str, JSON] = {"capabilities": self.capabilities}
        if version.stateless:
            result["supportedVersions"] = list(STATELESS)
        else:
            result = {"protocolVersion": version.name, **result, "serverInfo": self.described(version)}
        if self.instructions is not None:
            result["instructions"] = self.instructions
        return result

    def head(self, version: Version, meta: dict[str, JSON] | None = None, kind: str = "complete") -> bytes:
        """What a result begins with that has a ``_meta`` of its own, or is of another kind."""
        members: dict[str, JSON] = {}
        if version.stateless:
            members = {"resultType": kind, "_meta": {SERVER_INFO: self.described(version), **(meta or {})}}
        elif meta:
            members = {"_meta": meta}
        return encode(members)[:-1] + b"," if members else b"{"
