"""Who calls over HTTP: what an author passes as ``auth=``, and whom it lets in.

Either a function that takes a token and gives the ``Principal`` it stands for, or None; or a ``Bearer`` around such a
function, which also tells clients where tokens come from. ``Tokens`` is such a function for tokens that are known
beforehand, ``accord.ext.jwt.JWTVerifier`` one for JSON Web Tokens.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit, urlunsplit

import msgspec

from accord._values import Value

__all__ = ["Auth", "Bearer", "Principal", "Tokens", "Verify", "canonical_uri"]

_SHORTEST_TOKEN: Final = 16
#: RFC 6749: what one scope is made of
_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")
#: what a URI may hold here: it is written into a quoted header
_URI: Final = re.compile(r"[!$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]+")
_PORTS: Final = {"http": ":80", "https": ":443"}


class Principal(msgspec.Struct, frozen=True):
    """Who calls.

    ``name`` tells callers apart: sessions, cursors, tasks and rates belong to it. ``scopes`` are what the token
    allows, ``audience`` whom it was made for (the token's ``aud``), ``claims`` whatever else it says.

    Raises:
        ValueError: the name is empty.
        TypeError: the scopes are one text.
    """

    name: str
    scopes: AbstractSet[str] = frozenset()
    claims: Mapping[str, Any] = {}
    audience: str | Collection[str] | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a principal has a name: what belongs to nobody would belong to everybody")
        if isinstance(self.scopes, str):
            raise TypeError("scopes are a set; of one text make a set with text.split()")

    def __repr__(self) -> str:
        return f"Principal({self.name!r}, scopes={sorted(self.scopes)})"  # claims may be nobody's business


Verify: TypeAlias = Callable[[str], Principal | Awaitable[Principal | None] | None]


class Bearer(Value):
    """Tokens of an authorization server, and what clients have to know to get one.

    ``verify(token)`` gives the principal or None, at once or as a coroutine. ``resource`` is the URI of this endpoint
    as clients know it (``https://mcp.example.com/mcp``): a principal whose ``audience`` does not hold it is turned
    away, so that a token made for another server is worth nothing here. Where the authorization server names
    audiences otherwise, ``audience`` says what it writes. ``scopes`` are those that every request needs.
    ``hierarchy`` maps a scope to those it includes: ``{"files:write": ["files:read"]}``; what these include in turn
    is included too.

    Raises:
        ValueError: a URI or a scope is none, or there is no authorization server.
    """

    verify: Verify
    resource: str
    authorization_servers: tuple[str, ...]
    scopes: tuple[str, ...]
    hierarchy: Mapping[str, frozenset[str]]
    audience: tuple[str, ...]

    def __init__(
        self,
        verify: Verify,
        *,
        resource: str,
        authorization_servers: Iterable[str],
        scopes: Iterable[str] = (),
        hierarchy: Mapping[str, Iterable[str]] | None = None,
        audience: str | Iterable[str] | None = None,
    ) -> None:
        if not callable(verify):
            raise ValueError(
                f"verify takes a token and gives a Principal or None; {type(verify).__name__} cannot be called"
            )
        servers = tuple(_checked_uri(each) for each in _several("authorization_servers", authorization_servers))
        if not servers:
            raise ValueError("authorization_servers is empty: clients would not know where to get a token")
        here = canonical_uri(resource)
        super().__init__(
            verify=verify,
            resource=here,
            authorization_servers=servers,
            scopes=tuple(dict.fromkeys(_checked_scope(each) for each in _several("scopes", scopes))),
            hierarchy={
                _checked_scope(broad): frozenset(_checked_scope(each) for each in _several("hierarchy", narrow))
                for broad, narrow in (hierarchy or {}).items()
            },
            audience=(here,) if audience is None else (audience,) if isinstance(audience, str) else tuple(audience),
        )


Auth: TypeAlias = Bearer | Verify


class Tokens:
    """Tokens that are known beforehand, each with its principal or its name: for a machine, a team, a test.

    Only digests are kept, so that neither a dump of the memory nor the time a comparison takes gives one away.

    Raises:
        ValueError: a token is so short that it could be guessed.
    """

    __slots__ = ("_known",)

    def __init__(self, known: Mapping[str, Principal | str]) -> None:
        if any(len(token) < _SHORTEST_TOKEN for token in known):
            raise ValueError(
                f"a token has at least {_SHORTEST_TOKEN} characters; "
                "make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
            )
        self._known = [
            (_digest(token), Principal(who) if isinstance(who, str) else who) for token, who in known.items()
        ]

    def __repr__(self) -> str:
        return f"<Tokens of {', '.join(sorted({who.name for _, who in self._known})) or 'nobody'}>"

    def __call__(self, token: str) -> Principal | None:
        """The principal of a token, or None."""
        digest = _digest(token)
        return next((who for known, who in self._known if compare_digest(known, digest)), None)


def canonical_uri(text: str) -> str:
    """The one spelling of an endpoint's URI: scheme and host in lower case, no default port, no slash at the end.

    Raises:
        ValueError: it is no http(s) URI, or one with a fragment, a query or a user.
    """
    parts = urlsplit(_checked_uri(text))
    host = parts.netloc.lower().removesuffix(_PORTS[parts.scheme])
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))


def _checked_uri(text: str) -> str:
    parts = urlsplit(text) if _URI.fullmatch(text) else None
    plain = parts is not None and parts.scheme in _PORTS and parts.hostname and "@" not in parts.netloc
    if parts is None or not plain or parts.query:
        raise ValueError(f"{text!r} is no endpoint: write 'https://host/path', without query, fragment or user")
    _ = parts.port  # raises ValueError where it is none
    return text


def _checked_scope(text: str) -> str:
    if not _SCOPE.fullmatch(text):
        raise ValueError(f"{text!r} is no scope: it is one word of ASCII, without quotes and backslashes")
    if text == "offline_access":
        raise ValueError("offline_access is between a client and its authorization server; no endpoint needs it")
    return text


def _several(name: str, given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise ValueError(f"{name}={given!r} is one text: give a list, [{given!r}]")
    return tuple(given)


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
