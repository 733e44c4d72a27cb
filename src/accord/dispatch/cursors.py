"""The cursors of a call: what they belong to, while its arguments are read and its result is written.

Only tools that have cursors come here. ``accord.types`` is never imported for it: whoever names a Cursor has.
"""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from accord._calls import JSON, Call, Failed
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch.arguments import as_json

__all__ = ["binding_of", "with_cursors_as_json"]

_FREE = nullcontext()


def binding_of(registry: Registry, tool: Tool, arguments: JSON, call: Call) -> AbstractContextManager[Any]:
    """What the cursors of a call with these JSON arguments belong to: the tool, the query and who asks."""
    if tool.cursors is None:
        return _FREE
    binding: AbstractContextManager[Any] = sys.modules["accord.types"].bound_to(
        registry.seal, tool.name, arguments, call.principal, tool.cursors
    )
    return binding


def with_cursors_as_json(registry: Registry, tool: Tool, call: Call) -> dict[str, JSON] | Failed:
    """The arguments as JSON. A ``Cursor`` object comes from our own process, and is sealed for this very call."""
    with sys.modules["accord.types"].nowhere():
        query = as_json(tool, call.arguments)
    if isinstance(query, Failed):
        return query
    with binding_of(registry, tool, query, call):
        return as_json(tool, call.arguments)
