"""The rules of the house: which hosts and pages are let in, and in what form a request has to come.

Two questions with authentication between them: ``refuse_stranger`` looks at where a request comes from,
``refuse_form`` at how it is made.

A page of an attacker's can make a browser send requests to this machine or into this network. Such a request names
the page in ``Origin``, and that is refused, unless the attacker rebound the name of the page to our address: then
Origin and Host agree, and both name the attacker's host. So each is held against a list, and never only against the
other. Where there is no list of hosts, a page may visit its own host only if that cannot be rebound: an address, or
``localhost``.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import msgspec

from accord.door.addresses import ANY_PORT, Origin, Place, is_loopback, is_unmistakable, origin_of, place_of
from accord.door.media import admits, is_json
from accord.door.refusal import Refusal
from accord.door.visit import Visit
from accord.protocol.errors import HEADER_MISMATCH, INVALID_REQUEST

__all__ = ["LOOPBACK_HOSTS", "HouseRules", "not_allowed", "refuse_form", "refuse_stranger", "rules_for", "too_large"]

LOOPBACK_HOSTS: Final = ("localhost", "127.0.0.1", "[::1]")
_LOOPBACK_ORIGINS: Final = tuple(f"{scheme}://{host}:*" for scheme in ("http", "https") for host in LOOPBACK_HOSTS)
_ANYBODY: Final = "*"
_DEFAULT_PORTS: Final = (80, 443)

#: what a request is judged or routed by: with two of one, two readers may each heed another
_ONCE: Final = frozenset(
    {
        *("authorization", "content-encoding", "content-length", "content-type", "host", "last-event-id", "origin"),
        *("access-control-request-method", "transfer-encoding"),
    }
)
_ROUTING: Final = "mcp-"
_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"
#: verb -> the types its answer may have: the client has to read them all
_ANSWERS: Final = {"POST": (_JSON, _EVENTS), "GET": (_EVENTS,)}
#: digits of a declared length: nobody has a body of a petabyte
_DIGITS: Final = 15


class HouseRules(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Who is let in, and what may be brought along. Sizes are in bytes.

    ``hosts`` are what ``Host`` may be: ``"mcp.example.com"`` at any port, ``"mcp.example.com:8443"`` at one; None is
    any. ``origins`` are the pages that may visit: ``"https://app.example.com"``, ``"http://localhost:*"`` at any
    port, ``"*"`` for all; None is the pages of the very host they visit. ``verbs`` are those that are served at all.

    Raises:
        ValueError: an entry is none of these.
    """

    hosts: tuple[str, ...] | None = None
    origins: tuple[str, ...] | None = None
    verbs: tuple[str, ...] = ("POST", "GET", "DELETE")
    body_bytes: int = 4 << 20
    header_bytes: int = 32 << 10

    def __post_init__(self) -> None:
        _ = self._places, self._pages  # a mistake is one now, not at the first visit

    @cached_property
    def _places(self) -> frozenset[Place] | None:
        if self.hosts is None or _ANYBODY in self.hosts:
            return None
        return frozenset(_place_pattern(text) for text in self.hosts)

    @cached_property
    def _pages(self) -> frozenset[Origin]:
        texts = [text for text in self.origins or () if text != _ANYBODY]
        return frozenset(_page_pattern(text) for text in texts)

    def knows(self, place: Place) -> bool:
        """Whether this host is on the list."""
        places = self._places
        if places is None:
            return False
        # Browsers leave out the default port, and which one that is depends on what ends TLS in front of us.
        ports = (ANY_PORT, *(_DEFAULT_PORTS if place.port is None else (place.port,)))
        return any(Place(place.host, port) in places for port in ports)

    def serves(self, place: Place) -> bool:
        """Whether requests to this host are for us."""
        return self._places is None or self.knows(place)

    def welcomes(self, page: Origin, visit: Visit) -> bool:
        """Whether this page may visit."""
        if self.origins is None:
            return self._is_its_own(page, visit)
        return (
            _ANYBODY in self.origins or page in self._pages or Origin(page.scheme, page.host, ANY_PORT) in self._pages
        )

    def _is_its_own(self, page: Origin, visit: Visit) -> bool:
        """Whether the page came from the host that it visits."""
        place = place_of(visit.headers.get("host", ""))
        # What ends TLS in front of us turns https into http, so that such a page is of this host all the same.
        if place is None or page.scheme not in ("https", visit.scheme):
            return False
        whole = origin_of(f"{page.scheme}://{visit.headers['host']}")
        return whole == page and (self.knows(place) or is_unmistakable(place.host))


def rules_for(
    bound: str | None,
    *,
    hosts: Iterable[str] | None = None,
    origins: Iterable[str] | None = None,
    verbs: tuple[str, ...] = ("POST", "GET", "DELETE"),
    body_bytes: int = 4 << 20,
    header_bytes: int = 32 << 10,
) -> HouseRules:
    """The rules of a server that is bound to ``bound``; None is unknown, as where an application is mounted.

    Raises:
        ValueError: an entry of ``hosts`` or ``origins`` is no host or origin.
    """
    for name, given in (("hosts", hosts), ("origins", origins)):
        if isinstance(given, str):
            raise ValueError(f"{name}={given!r} is one text: give a list, [{given!r}]")
    if hosts is None and bound is not None and is_loopback(bound):
        hosts = (*LOOPBACK_HOSTS, f"[{bound}]" if ":" in bound and not bound.startswith("[") else bound)
        origins = _LOOPBACK_ORIGINS if origins is None else origins
    return HouseRules(
        hosts=None if hosts is None else tuple(hosts),
        origins=None if origins is None else tuple(origins),
        verbs=verbs,
        body_bytes=body_bytes,
        header_bytes=header_bytes,
    )


def refuse_stranger(rules: HouseRules, visit: Visit) -> Refusal | None:
    """Why a request may not come in at all, whoever sends it; asked before authentication, of every verb."""
    if visit.is_garbled:
        return Refusal(400, "A header is malformed", code=INVALID_REQUEST)
    if visit.header_bytes > rules.header_bytes:
        return Refusal(431, "The headers are too large", code=INVALID_REQUEST)
    if visit.repeated and not _ONCE.isdisjoint(visit.repeated):
        return Refusal(400, "A header was sent twice", code=INVALID_REQUEST)
    return _refuse_page(rules, visit) or _refuse_host(rules, visit)


def refuse_form(rules: HouseRules, visit: Visit) -> Refusal | None:
    """Why a request cannot be one of ours, from how it is made; asked after authentication."""
    if visit.verb not in rules.verbs:
        return not_allowed(rules.verbs)
    if any(name.startswith(_ROUTING) for name in visit.repeated):
        return Refusal(400, "A header that is routed by was sent twice", code=HEADER_MISMATCH)
    return _refuse_body(rules, visit) or _refuse_answer(visit)


def not_allowed(verbs: Iterable[str]) -> Refusal:
    """The refusal of a verb that is none of these."""
    return Refusal(405, "This method is not served here", {"allow": ", ".join(verbs)}, INVALID_REQUEST)


def too_large() -> Refusal:
    """The refusal of a body that is larger than ``body_bytes``, declared or as it is read."""
    return Refusal(413, "The body is too large", code=INVALID_REQUEST)


def _refuse_page(rules: HouseRules, visit: Visit) -> Refusal | None:
    text = visit.headers.get("origin")
    if text is None:
        return None
    page = origin_of(text)
    if page is not None and rules.welcomes(page, visit):
        return None
    return Refusal(403, "Pages of this origin may not visit", code=INVALID_REQUEST)


def _refuse_host(rules: HouseRules, visit: Visit) -> Refusal | None:
    place = place_of(visit.headers.get("host", ""))
    if place is None:
        return Refusal(400, "The Host header is missing or malformed", code=INVALID_REQUEST)
    return None if rules.serves(place) else Refusal(421, "This host is not served here", code=INVALID_REQUEST)


def _refuse_body(rules: HouseRules, visit: Visit) -> Refusal | None:
    headers = visit.headers
    length = headers.get("content-length")
    if length is not None:
        if "transfer-encoding" in headers or not (length.isascii() and length.isdigit()):
            return Refusal(400, "The length of the body is unclear", code=INVALID_REQUEST)
        if len(length) > _DIGITS or int(length) > rules.body_bytes:
            return too_large()
    if visit.verb != "POST":
        return None
    if headers.get("content-encoding", "identity").lower() != "identity":
        return Refusal(415, "Bodies cannot be compressed", {"accept-encoding": "identity"}, INVALID_REQUEST)
    if not is_json(headers.get("content-type", "")):
        return Refusal(415, "Content-Type has to be application/json", {"accept": _JSON}, INVALID_REQUEST)
    return None


def _refuse_answer(visit: Visit) -> Refusal | None:
    accept = visit.headers.get("accept")
    needed = _ANSWERS.get(visit.verb, ())
    if accept is None or all(admits(accept, kind) for kind in needed):
        return None
    return Refusal(406, f"Accept has to admit {' and '.join(needed)}", code=INVALID_REQUEST)


def _place_pattern(text: str) -> Place:
    place = place_of(text, pattern=True)
    if place is None:
        raise ValueError(
            f"{text!r} is no host: write 'name', 'name:port' or '*', in ASCII (xn--...) and without a scheme"
        )
    return place if place.port is not None else Place(place.host, ANY_PORT)


def _page_pattern(text: str) -> Origin:
    page = origin_of(text, pattern=True)
    if page is None:
        raise ValueError(
            f"{text!r} is no origin: write 'scheme://name', 'scheme://name:port', 'scheme://name:*' or '*'"
        )
    return page
