"""The whole way in: the questions of this package in their order, and the answers to those who get no further."""

from collections.abc import Iterable
from typing import Final

import msgspec

from accord.auth import Auth, Principal
from accord.door.audit import record_refusal
from accord.door.cors import exposed, preflight
from accord.door.guard import Guard
from accord.door.house import HouseRules, not_allowed, refuse_form, refuse_stranger
from accord.door.rate import RateLimit, Turnstile, passer
from accord.door.refusal import Refusal
from accord.door.visit import Visit

__all__ = ["Admitted", "Entrance", "Reply"]

_DOCUMENT: Final = {"content-type": "application/json", "cache-control": "max-age=3600"}
_READING: Final = ("GET", "HEAD")


class Reply(msgspec.Struct, frozen=True):
    """A whole response: the visit ends with it."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


class Admitted(msgspec.Struct, frozen=True):
    """The visit goes on. ``principal`` is None where nobody is asked who they are."""

    principal: Principal | None
    headers: dict[str, str] = {}
    """For whatever is answered."""


_NOBODY: Final = Admitted(None)


class Entrance:
    """The door of one endpoint. ``auth`` and ``rate`` may be left out: then everybody is nobody, and may come often."""

    __slots__ = ("_turnstile", "guard", "rules")

    def __init__(self, rules: HouseRules, *, auth: Auth | None = None, rate: RateLimit | None = None) -> None:
        self.rules: HouseRules = rules
        self.guard: Guard | None = None if auth is None else Guard(auth)
        self._turnstile = None if rate is None else Turnstile(rate)

    def is_document(self, path: str) -> bool:
        """Whether this is where clients read which tokens are taken."""
        return self.guard is not None and path in self.guard.metadata_paths

    async def meet(self, visit: Visit) -> Admitted | Reply:
        """Let somebody in, or answer them here. The body has not been read yet."""
        refusal = refuse_stranger(self.rules, visit)
        if refusal is not None:
            # No headers for pages: this one may be any page, and is told nothing.
            return self._turn_away(visit, refusal, {})
        page = exposed(visit)
        asked = preflight(self.rules, visit)
        if asked is not None:
            return Reply(204, asked)
        if self.is_document(visit.path):
            return self._document(visit, page)
        principal = await self.guard.admit(visit) if self.guard is not None else None
        if isinstance(principal, Refusal):
            return self._turn_away(visit, principal, page)
        refusal = self._too_often(principal, visit) or refuse_form(self.rules, visit)
        if refusal is not None:
            return self._turn_away(visit, refusal, page, principal)
        return Admitted(principal, page) if page or principal else _NOBODY

    def lacks(self, visit: Visit, principal: Principal | None, needed: Iterable[str]) -> Reply | None:
        """The answer to somebody whose scopes do not allow the operation; None where they do.

        Where no tokens are taken, nobody has any scope: what needs one is not for everybody.
        """
        needed = tuple(needed)
        if not needed:
            return None
        if self.guard is None:
            refusal: Refusal | None = Refusal(403, "This needs a token, and none are taken here")
        else:
            refusal = self.guard.refuse(principal, needed)
        return None if refusal is None else self._turn_away(visit, refusal, exposed(visit), principal)

    def _too_often(self, principal: Principal | None, visit: Visit) -> Refusal | None:
        return None if self._turnstile is None else self._turnstile.refuse(passer(principal, visit))

    def _document(self, visit: Visit, page: dict[str, str]) -> Reply:
        assert self.guard is not None, "there is a document"
        if visit.verb not in _READING:
            return self._turn_away(visit, not_allowed(_READING), page)
        body = self.guard.metadata or b""
        headers = {**_DOCUMENT, "content-length": str(len(body)), **page}
        return Reply(200, headers, body if visit.verb == "GET" else b"")

    def _turn_away(
        self, visit: Visit, refusal: Refusal, page: dict[str, str], principal: Principal | None = None
    ) -> Reply:
        record_refusal(visit, refusal, principal)
        return Reply(refusal.status, {**refusal.all_headers, **page}, refusal.body)
