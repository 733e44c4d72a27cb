"""What an app lists, page by page, as each version knows it. What cannot be listed is left out and logged."""

import logging
from collections.abc import Iterator
from typing import TypeAlias

from accord._calls import JSON
from accord._registry import Registry
from accord._tool import Tool
from accord.errors import RegistrationError
from accord.protocol.events import ListPrompts, ListResources, ListTemplates, ListTools
from accord.protocol.pages import listing, page_of
from accord.protocol.versions import Version

__all__ = ["Listed", "Listing"]

_log = logging.getLogger("accord.server")

#: entries on one page: what a client shows at once, and far from what a message may hold
PAGE = 1000

Entry = dict[str, JSON]
Listed: TypeAlias = ListTools | ListResources | ListTemplates | ListPrompts

#: what is listed, and what tells its entries apart
_KINDS: dict[type[Listed], tuple[str, str]] = {
    ListTools: ("tools", "name"),
    ListResources: ("resources", "uri"),
    ListTemplates: ("resourceTemplates", "uriTemplate"),
    ListPrompts: ("prompts", "name"),
}


class Listing:
    """The bodies of list answers. Those of tools are written once, for as long as all of them stay the same."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._edition = registry.edition
        self._written: dict[tuple[str, str | None], bytes] = {}

    def page(self, request: Listed) -> bytes:
        """The body of the answer.

        Raises:
            Refused: the cursor is none of ours.
        """
        if not isinstance(request, ListTools):
            return self._write(request, self._offered(request))
        if self._edition != self._registry.edition:
            self._edition, self._written = self._registry.edition, {}
        key, written = (request.version.name, request.cursor), self._written
        body = written.get(key)
        if body is None:
            entries = list(self._tool_entries(request.version))
            body = self._write(request, [entry for entry in entries if entry is not None])
            if None not in entries:  # what cannot be listed may only lack a name that is not defined yet
                written[key] = body
        return body

    def _write(self, request: Listed, entries: list[Entry]) -> bytes:
        kind, key = _KINDS[type(request)]
        places, cursor = page_of(kind, [entry[key] for entry in entries], request.cursor, PAGE)
        return listing(type(request), request.version, [entries[place] for place in places], cursor)

    def _tool_entries(self, version: Version) -> Iterator[Entry | None]:
        for tool in list(self._registry.tools.values()):  # more may come meanwhile
            if "mcp" not in tool.surfaces:
                continue
            try:
                entry = tool.wire(version.name)
            except RegistrationError as error:
                _log.warning("%s is not listed: %s", tool.name, error)
                yield None
                continue
            self._look_for_page(tool)
            yield entry

    def _look_for_page(self, tool: Tool) -> None:
        """Log a page that is missing: the tool works, and its host has nothing to show."""
        ui, offers = tool.options.ui, self._registry.offers
        if ui is not None and (offers is None or offers.find_resource(ui.resource) is None):
            _log.warning("%s is to be shown at %s, and no resource is registered there", tool.name, ui.resource)

    def _offered(self, request: Listed) -> list[Entry]:
        offers = self._registry.offers
        if offers is None:
            return []
        if isinstance(request, ListResources):
            return offers.list_resources()
        return offers.list_templates() if isinstance(request, ListTemplates) else offers.list_prompts()
