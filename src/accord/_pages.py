"""Pages that show the results of tools (MCP Apps): the ``_meta.ui`` of tools and of what is at ``ui://`` addresses.

Checked at registration, and made of the language alone, as everything is that registers a tool.
"""

from __future__ import annotations

from accord._entries import senseless, texts_of
from accord.errors import RegistrationError
from accord.ui import Ui, UiPage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from accord._calls import JSON

__all__ = ["EXTENSION", "MIME_TYPE", "SCHEME", "check_shown", "checked_ui", "page_meta", "wire_ui"]

#: what a server says it can, which has pages
EXTENSION = "io.modelcontextprotocol/ui"
SCHEME = "ui://"
#: the type of every page, to the letter
MIME_TYPE = "text/html;profile=mcp-app"

_VIEWERS = ("model", "app")
_PERMISSIONS = ("camera", "microphone", "geolocation", "clipboardWrite")
#: field of a page -> the keyword of its content security policy
_DOMAINS = {
    "connect_domains": "connectDomains",
    "resource_domains": "resourceDomains",
    "frame_domains": "frameDomains",
    "base_uri_domains": "baseUriDomains",
}
_ORIGINS = ("https://", "http://", "wss://", "ws://")


def checked_ui(given: Any, function: str) -> Ui | None:
    """The page of a tool, given as its address or as a Ui.

    Raises:
        RegistrationError: it makes no sense.
    """
    if given is None:
        return None
    ui = Ui(given) if isinstance(given, str) else given
    if not isinstance(ui, Ui) or not _is_address(ui.resource):
        raise senseless(function, "ui", given, 'Give the address of a page, "ui://...", or accord.Ui(...).')
    visibility = texts_of(ui.visibility)
    if not visibility or not set(visibility) <= set(_VIEWERS):
        raise senseless(function, "ui", given, 'Its visibility holds "model", "app", or both.')
    return Ui(ui.resource, visibility)  # type: ignore[arg-type]  # just checked


def _is_address(text: Any) -> bool:
    named = isinstance(text, str) and text.startswith(SCHEME) and len(text) > len(SCHEME)
    return named and text.isprintable() and not set(text) & set(' "<>\\^`{|}')


def check_shown(function: Callable[..., Any], ui: Ui, name: str) -> None:
    """Refuse a tool whose result nobody sees but its page.

    Raises:
        RegistrationError: it promises to return nothing.
    """
    try:
        promised = function.__annotations__.get("return", "")
    except Exception:  # noqa: BLE001 - boundary: an annotation is the author's code, and whoever compiles it explains
        return
    if promised in (None, "None") and "model" in ui.visibility:
        raise RegistrationError(
            name,
            None,
            f"its result is shown at {ui.resource}, and models and clients without pages get none",
            'Return what the page shows, or say that only the page calls it: ui=Ui(..., visibility="app").',
        )


def wire_ui(ui: Ui) -> dict[str, JSON]:
    """What ``_meta.ui`` of a tool says."""
    said = {"resourceUri": ui.resource}
    return said if set(ui.visibility) == set(_VIEWERS) else {**said, "visibility": list(ui.visibility)}


def page_meta(page: Any, function: str) -> dict[str, JSON]:
    """What ``_meta.ui`` of a page says.

    Raises:
        RegistrationError: it makes no sense.
    """
    if not isinstance(page, UiPage):
        raise senseless(function, "ui", page, "Give accord.UiPage(...).")
    said: dict[str, JSON] = {"csp": dict(_policy(page, function)) or None}
    permissions = texts_of(page.permissions)
    if permissions is None or not set(permissions) <= set(_PERMISSIONS):
        raise senseless(function, "permissions", page.permissions, f"They are: {', '.join(_PERMISSIONS)}.")
    if page.domain is not None and texts_of(page.domain) in (None, ("",)):
        raise senseless(function, "domain", page.domain, "Give the name that the host's documentation asks for.")
    if page.prefers_border not in (None, True, False):
        raise senseless(function, "prefers_border", page.prefers_border, "Give True or False.")
    said |= {"permissions": {name: {} for name in permissions} or None, "domain": page.domain}
    said["prefersBorder"] = page.prefers_border
    return {key: value for key, value in said.items() if value is not None}


def _policy(page: UiPage, function: str) -> Iterator[tuple[str, JSON]]:
    for field, keyword in _DOMAINS.items():
        given = getattr(page, field)
        domains = texts_of(given)
        if domains is None or not all(map(_is_origin, domains)):
            raise senseless(function, field, given, 'Give origins, like "https://api.example.com".')
        if domains:
            yield keyword, list(domains)


def _is_origin(text: str) -> bool:
    """Whether it can stand in a header of a host: anything else in it would loosen the host's policy."""
    start = next((start for start in _ORIGINS if text.startswith(start)), None)
    return start is not None and len(text) > len(start) and text.isascii() and not set(text) & set(" ;,'\"\t\r\n")
