"""A tool as clients see it, per protocol version: its entry in a list, and whether its results travel in a box.

2026-07-28 knows any JSON value as a structured result. Earlier versions know only objects, so there
anything else is boxed; schema and value by the same test, so that they can never disagree.
"""

from typing import TYPE_CHECKING

import msgspec

from accord._calls import JSON
from accord._ready import OBJECTS_ONLY_BEFORE, Boxing
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
    name: str, description: str | None, annotations: dict[str, JSON], compiled: "Compiled", protocol: str
) -> dict[str, JSON]:
    """The entry of ``tools/list``."""
    wired: dict[str, JSON] = {"name": name}
    if description:
        wired["description"] = description
    wired["inputSchema"] = compiled.published_input
    output = _output_schema(compiled, protocol)
    if output is not None:
        wired["outputSchema"] = output
    if annotations:
        wired["annotations"] = annotations
    copy: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(wired))
    return copy


def _output_schema(compiled: "Compiled", protocol: str) -> dict[str, JSON] | None:
    if compiled.published_output is None or compiled.output is None or compiled.dialect.box:
        return compiled.published_output
    if protocol >= OBJECTS_ONLY_BEFORE:
        return compiled.published_output
    if is_object(compiled.output):
        return object_schema(compiled.published_output)
    return boxed_schema(compiled.published_output, _MARKER)
