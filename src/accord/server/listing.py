"""The tools of an app, page by page, as each version lists them. One that cannot be listed is left out and logged."""

import logging

from accord._calls import JSON
from accord._registry import Registry
from accord._tool import Tool
from accord.errors import RegistrationError
from accord.protocol.events import ListTools
from accord.protocol.pages import listing, page_of

__all__ = ["Listing"]

_log = logging.getLogger("accord.server")

#: tools on one page: what a client shows at once, and far from what a message may hold
PAGE = 1000


class Listing:
    """What ``tools/list`` answers, written once for as long as the tools stay the same."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._tools: list[Tool] = []
        self._written: dict[tuple[str, str | None], bytes] = {}

    def page(self, request: ListTools) -> bytes:
        """The body of the answer.

        Raises:
            Refused: the cursor is none of ours.
        """
        tools = [tool for tool in self._registry.tools.values() if "mcp" in tool.surfaces]
        if tools != self._tools:
            self._tools, self._written = tools, {}
        key = request.version.name, request.cursor
        body = self._written.get(key)
        if body is None:
            body = self._write(tools, request)
            self._written[key] = body
        return body

    def _write(self, tools: list[Tool], request: ListTools) -> bytes:
        entries = {tool.name: entry for tool in tools if (entry := _entry(tool, request.version.name)) is not None}
        names = list(entries)
        places, cursor = page_of("tools", names, request.cursor, PAGE)
        return listing(ListTools, request.version, [entries[names[place]] for place in places], cursor)


def _entry(tool: Tool, version: str) -> dict[str, JSON] | None:
    try:
        return tool.wire(version)
    except RegistrationError as error:
        _log.warning("%s is not listed: %s", tool.name, error)
        return None
