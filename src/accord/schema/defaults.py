"""Python default -> the JSON default to publish, or none."""

from typing import Any

import msgspec

from accord._calls import JSON
from accord._encode import Unencodable, holds_secret
from accord.schema import tree
from accord.schema.belonging import Lookup
from accord.schema.instances import Writer, without_choices

__all__ = ["nullable", "published_default"]


def published_default(node: tree.Node, default: Any, lookup: Lookup) -> JSON:
    """The JSON form of a default, or UNSET when it has none, holds a secret, or means "left out".

    ``x: int = None`` is the last case: the argument may be left out, and may not be null.
    """
    if default is None and not nullable(node):
        return msgspec.UNSET
    try:
        return (
            msgspec.UNSET
            if holds_secret(default)
            else without_choices(Writer(lookup, sparse=False).write(default, node))
        )
    except (Unencodable, RecursionError):
        return msgspec.UNSET


def nullable(node: tree.Node) -> bool:
    """Whether null is among the values the node admits."""
    if isinstance(node, tree.Union):
        return any(map(nullable, node.branches))
    if isinstance(node, tree.Choice):
        return None in node.values
    if isinstance(node, tree.Reference):
        # A class that contains itself is an object; an alias that does may well have None in it.
        return not (isinstance(node.key, tuple) and isinstance(node.key[0], type))
    if isinstance(node, tree.Foreign):
        return _admits_null(node.input_schema)
    return isinstance(node, tree.Null | tree.Anything)


def _admits_null(schema: dict[str, Any]) -> bool:
    """Whether a ready-made schema takes null, as far as its shape tells; a bare one takes anything."""
    kinds = schema.get("type")
    if kinds is not None:
        return "null" in (kinds if isinstance(kinds, list) else [kinds])
    branches = schema.get("anyOf") or schema.get("oneOf")
    return not branches or any(map(_admits_null, branches))
