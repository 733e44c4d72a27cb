"""Python default -> the JSON default to publish, or none."""

from collections.abc import Callable
from typing import Any

import msgspec

from accord._calls import JSON
from accord._encode import encode_default
from accord.schema import tree
from accord.schema.formats import FORMATS

__all__ = ["nullable", "published_default"]


#: finds what a reference leads to, or None while that is still being read
Lookup = Callable[[tree.Reference], tree.Node | None]


def published_default(node: tree.Node, default: Any, lookup: Lookup) -> JSON:
    """The JSON form of a default, or UNSET when it has none, holds a secret, or means "left out".

    ``x: int = None`` is the last case: the argument may be left out, and may not be null.
    """
    if default is None and not nullable(node):
        return msgspec.UNSET
    encoded = encode_default(default)
    return encoded if encoded is msgspec.UNSET else _Reading(lookup).of(node, encoded)


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


class _Reading:
    """Rewrites a value as it is written into one as it is read, where the two differ.

    They do for names with two aliases, for fields that are written and never read, and for a bounded
    Decimal, which is written as text and read from numbers only.
    """

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup

    def of(self, node: tree.Node | None, value: Any) -> JSON:
        if isinstance(node, tree.Reference):
            return self.of(self._lookup(node), value)
        if isinstance(node, tree.DecimalNumber) and node.limits and isinstance(value, str):
            return int(value) if value.lstrip("+-").isdigit() else float(value)
        if isinstance(value, list):
            return self._items(node, value)
        if isinstance(node, tree.Map) and isinstance(value, dict):
            return {name: self.of(node.value, item) for name, item in value.items()}
        if isinstance(node, tree.Record) and isinstance(value, dict):
            return self._record(node, value)
        return self._branch(node, value) if isinstance(node, tree.Union) else value

    def _items(self, node: tree.Node | None, value: list[JSON]) -> JSON:
        if isinstance(node, tree.Array):
            return [self.of(node.items, item) for item in value]
        if isinstance(node, tree.Tuple):
            return [self.of(item, element) for item, element in zip(node.items, value, strict=False)]
        return self._branch(node, value) if isinstance(node, tree.Union) else value

    def _record(self, node: tree.Record, value: dict[str, JSON]) -> JSON:
        written = {field.output_name: field for field in node.fields}
        read: dict[str, JSON] = {}
        for name, item in value.items():
            field = written.get(name)
            if field is None:
                read[name] = item
            elif field.read:
                read[field.name] = self.of(field.node, item)
        return read

    def _branch(self, node: tree.Union, value: JSON) -> JSON:
        """The reading of the first branch that takes the value's shape; text stays text where a branch has text."""
        if isinstance(value, str):
            takes_text = any(_takes_text(branch, value) for branch in node.branches)
            bounded = [branch for branch in node.branches if isinstance(branch, tree.DecimalNumber)]
            return self.of(bounded[0], value) if bounded and not takes_text else value
        for branch in node.branches:
            inner = self._lookup(branch) if isinstance(branch, tree.Reference) else branch
            if _shaped_like(inner, value):
                return self.of(inner, value)
        return value


def _takes_text(node: tree.Node, text: str) -> bool:
    if isinstance(node, tree.Text):
        return FORMATS[node.codec](text) if node.codec in FORMATS else True
    return isinstance(node, tree.Anything) or (isinstance(node, tree.Choice) and text in node.values)


def _shaped_like(node: tree.Node | None, value: JSON) -> bool:
    if isinstance(node, tree.Record) and isinstance(value, dict):
        return value.keys() <= {field.output_name for field in node.fields}
    if isinstance(value, dict):
        return isinstance(node, tree.Map)
    return isinstance(value, list) and isinstance(node, tree.Array | tree.Tuple)
