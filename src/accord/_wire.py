"""A tool as clients see it, per protocol version: its entry in a list, and whether its results travel in a box.

2026-07-28 knows any JSON value as a structured result. Earlier versions know only objects, so there
anything else is boxed; schema and value by the same test, so that they can never disagree.
"""

from typing import TYPE_CHECKING

import msgspec

from accord._calls import JSON
from accord._entries import wire_icon
from accord._options import Options
from accord._pages import wire_ui
from accord._ready import Boxing
from accord.protocol.versions import VERSIONS
from accord.schema.boxing import boxed_schema, is_object, object_schema

if TYPE_CHECKING:
    from accord._compile import Compiled

__all__ = ["boxing_of", "wire_tool"]

_MARKER = "x-accord-box"


def boxing_of(compiled: "Compiled") -> Boxing:
    """The boxing of a tool with this contract."""
    is_boxed = None if compiled.output is None else not is_object(compiled.output)
    return Boxing(is_boxed=is_boxed, always=compiled.dialect.box is not None)


def wire_tool(
    name: str,
    description: str | None,
    annotations: dict[str, JSON],
    options: Options,
    compiled: "Compiled",
    protocol: str,
) -> dict[str, JSON]:
    """The entry of ``tools/list``: what is said of the tool, as far as that version knows it."""
    said: dict[str, JSON] = {
        "title": options.title,
        "description": description or None,
        "inputSchema": compiled.published_input,
        "outputSchema": _output_schema(compiled, protocol),
        "annotations": annotations or None,
        "icons": [wire_icon(icon) for icon in options.icons] or None,
        "_meta": {**(options.meta or {}), **({} if options.ui is None else {"ui": wire_ui(options.ui)})} or None,
    }
    hidden = VERSIONS[protocol].hidden if protocol in VERSIONS else frozenset()
    wired = {"name": name, **{key: each for key, each in said.items() if each is not None and key not in hidden}}
    copy: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(wired))
    return copy


def _output_schema(compiled: "Compiled", protocol: str) -> dict[str, JSON] | None:
    if compiled.published_output is None or compiled.output is None or compiled.dialect.box:
        return compiled.published_output
    if VERSIONS[protocol].any_structured:
        return compiled.published_output
    if is_object(compiled.output):
        return object_schema(compiled.published_output)
    return boxed_schema(compiled.published_output, _MARKER)
