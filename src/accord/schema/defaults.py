"""Python default -> the JSON default to publish, or none."""

from typing import Any

import msgspec

from accord._calls import JSON
from accord._encode import encode_default
from accord.schema import tree

__all__ = ["nullable", "published_default"]


def published_default(node: tree.Node, default: Any) -> JSON:
    """The JSON form of a default, or UNSET when it has none, holds a secret, or means "left out".

    ``x: int = None`` is the last case: the argument may be left out, and may not be null.
    """
    if default is None and not nullable(node):
        return msgspec.UNSET
    encoded = encode_default(default)
    return encoded if encoded is msgspec.UNSET else _as_read(node, encoded)


def nullable(node: tree.Node) -> bool:
    """Whether null is among the values the node admits."""
    if isinstance(node, tree.Union):
        return any(map(nullable, node.branches))
    if isinstance(node, tree.Choice):
        return None in node.values
    return isinstance(node, tree.Null | tree.Anything | tree.Foreign | tree.Reference)


def _as_read(node: tree.Node, value: Any) -> JSON:
    """A bounded Decimal is written as text but read from numbers only; inside a default, read counts."""
    if isinstance(node, tree.DecimalNumber) and node.limits and isinstance(value, str):
        return int(value) if value.lstrip("+-").isdigit() else float(value)
    if isinstance(node, tree.Array) and isinstance(value, list):
        return [_as_read(node.items, item) for item in value]
    if isinstance(node, tree.Tuple) and isinstance(value, list):
        return [_as_read(item, element) for item, element in zip(node.items, value, strict=False)]
    if isinstance(node, tree.Map) and isinstance(value, dict):
        return {name: _as_read(node.value, item) for name, item in value.items()}
    if isinstance(node, tree.Record) and isinstance(value, dict):
        nodes = {field.name: field.node for field in node.fields}
        return {name: _as_read(nodes[name], item) if name in nodes else item for name, item in value.items()}
    if isinstance(node, tree.Union):
        bounded = [branch for branch in node.branches if isinstance(branch, tree.DecimalNumber)]
        return _as_read(bounded[0], value) if bounded and _takes_no_text(node) else value
    return value


def _takes_no_text(node: tree.Union) -> bool:
    return not any(isinstance(branch, tree.Text | tree.Choice | tree.Anything) for branch in node.branches)
