"""Whose token a request carries, and whether it allows what is asked. Knows headers and scopes, no tool and no message.

RFC 6750 for what is read and answered, RFC 9728 for the document that tells clients where tokens come from.
"""

import inspect
import logging
import re
import traceback
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from accord.auth import Auth, Bearer, Principal, canonical_uri
from accord.door.refusal import Refusal
from accord.door.scopes import Scopes
from accord.door.visit import Visit

__all__ = ["WELL_KNOWN", "Guard"]

WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"

_log = logging.getLogger("accord.door")

_CREDENTIALS: Final = re.compile(r"(?P<scheme>[!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?: +(?P<token>.*))?")
_TOKEN: Final = re.compile(r"[A-Za-z0-9\-._~+/]+=*")


class Guard:
    """Checks every request's token: made once of what an author passed as ``auth=``.

    ``metadata`` is the document that is served without a token at ``metadata_paths``; there is none for a bare
    function.
    """

    def __init__(self, auth: Auth) -> None:
        bearer = auth if isinstance(auth, Bearer) else None
        self._verify = auth.verify if isinstance(auth, Bearer) else auth
        self._needed: tuple[str, ...] = bearer.scopes if bearer else ()
        self._audience = frozenset(map(_spelled, bearer.audience)) if bearer else None
        self._scopes = Scopes(bearer.hierarchy if bearer else {})
        self._warned = False
        self.metadata: bytes | None = _document(bearer) if bearer else None
        self.metadata_url: str | None = _metadata_url(bearer.resource) if bearer else None
        self.metadata_paths: frozenset[str] = (
            frozenset({WELL_KNOWN, unquote(urlsplit(self.metadata_url).path)}) if self.metadata_url else frozenset()
        )

    async def admit(self, visit: Visit) -> Principal | Refusal:
        """Whose request it is, or why it may not come in. Tokens come in ``Authorization``, never in the URL."""
        credentials = visit.headers.get("authorization")
        if credentials is None:
            return self._unknown()
        found = _CREDENTIALS.fullmatch(credentials)
        if found and found["scheme"].lower() != "bearer":
            return self._unknown()  # credentials for somebody else, a proxy perhaps
        if not found or not found["token"] or not _TOKEN.fullmatch(found["token"]):
            return Refusal(400, "Authorization is malformed", self._challenge("invalid_request"))
        principal = await self._verified(found["token"])
        return self._let_in(principal) if isinstance(principal, Principal) else principal

    def missing(self, principal: Principal | None, needed: Iterable[str]) -> tuple[str, ...]:
        """Which of the scopes an operation needs the principal has not, broader ones considered. Nobody has none."""
        return self._scopes.missing(principal.scopes if principal else frozenset(), needed)

    def refuse(self, principal: Principal | None, needed: Iterable[str]) -> Refusal | None:
        """The 403 of an operation that needs more than the principal has: with all it needs, in one challenge."""
        needed = tuple(needed)
        if not self.missing(principal, needed):
            return None
        wanted = tuple(dict.fromkeys([*self._needed, *needed]))
        description = "The token does not allow this"
        return Refusal(403, description, self._challenge("insufficient_scope", wanted, description))

    async def _verified(self, token: str) -> Principal | Refusal:
        try:
            verified = self._verify(token)
            principal = await verified if inspect.isawaitable(verified) else verified
            if principal is not None and not isinstance(principal, Principal):
                raise TypeError(f"verify has to give a Principal or None, not {type(principal).__name__}")
        except Exception:  # noqa: BLE001 - whatever the author's code raises, nobody gets in by it
            # Such an exception may quote the token: the address of a request that failed, for one.
            _log.error("a token could not be checked\n%s", traceback.format_exc().replace(token, "<token>"))
            return Refusal(503, "The token could not be checked")
        if principal is None or not self._is_meant_for_us(principal):
            return Refusal(401, "The token is not valid here", self._challenge("invalid_token", self._needed))
        return principal

    def _is_meant_for_us(self, principal: Principal) -> bool:
        if self._audience is None:
            return True
        audience = principal.audience
        if audience is None:
            if not self._warned:
                self._warned = True
                _log.warning(
                    "verify gave a Principal without an audience: who checks that a token was made for this server?"
                )
            return False
        named = (audience,) if isinstance(audience, str) else audience
        return any(_spelled(each) in self._audience for each in named)

    def _let_in(self, principal: Principal) -> Principal | Refusal:
        return self.refuse(principal, self._needed) or principal

    def _unknown(self) -> Refusal:
        # No error: a client that brought nothing did nothing wrong (RFC 6750, section 3.1).
        return Refusal(401, "A token is needed", self._challenge(None, self._needed))

    def _challenge(self, error: str | None, scopes: tuple[str, ...] = (), description: str = "") -> dict[str, str]:
        said = {
            "error": error,
            "scope": " ".join(scopes),
            "resource_metadata": self.metadata_url,
            "error_description": description,
        }
        # Every value was checked to hold neither quotes nor backslashes.
        told = ", ".join(f'{name}="{value}"' for name, value in said.items() if value)
        return {"www-authenticate": f"Bearer {told}".rstrip()}


def _spelled(audience: str) -> str:
    """An audience as it is compared: a URI in its one spelling, anything else as it is."""
    try:
        return canonical_uri(audience)
    except ValueError:
        return audience


def _metadata_url(resource: str) -> str:
    """Where RFC 9728 puts the document of a resource: the well-known part goes between host and path."""
    parts = urlsplit(resource)
    return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{parts.path}"


def _document(bearer: Bearer) -> bytes:
    said: dict[str, object] = {
        "resource": bearer.resource,
        "authorization_servers": bearer.authorization_servers,
        "bearer_methods_supported": ["header"],
    }
    if bearer.scopes:
        said["scopes_supported"] = bearer.scopes
    return msgspec.json.encode(said)
