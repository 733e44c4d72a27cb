"""Which branch of a union a value is an instance of: how surely it belongs to what a node stands for.

Also where the nodes of a value's members are found. Knows values and trees; writes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from pathlib import PurePath
from typing import Any

from accord.schema import tree
from accord.schema.scalars import SCALARS

__all__ = [
    "ANYTHING",
    "CONTAINERS",
    "JSON_SCALARS",
    "NOT_ONE",
    "Belonging",
    "Find",
    "Lookup",
    "is_json",
    "items_of",
    "members_of",
]

CONTAINERS = (list, tuple, dict, set, frozenset)
JSON_SCALARS: frozenset[type] = frozenset({str, int, float, bool, type(None)})

Find = Callable[[Any], tree.Node | None]
#: finds what a reference leads to, or None while that is still being read
Lookup = Callable[[tree.Reference], tree.Node | None]


def _nowhere(_name: Any) -> None:
    """Of what stands where no annotation says anything."""


def members_of(node: tree.Node | None) -> Find:
    """How the nodes of the members of an object are found."""
    if isinstance(node, tree.Record):
        known: dict[str, tree.Node] = {field.name: field.node for field in node.fields}
        return lambda name: known.get(name, node.extra)
    if isinstance(node, tree.Map):
        return lambda _name: node.value
    return _nowhere


def items_of(node: tree.Node | None) -> Find:
    """How the nodes of the items of an array are found."""
    if isinstance(node, tree.Array):
        return lambda _index: node.items
    if isinstance(node, tree.Tuple):
        return lambda index: node.items[index] if index < len(node.items) else None
    return _nowhere


class Belonging:
    """Ranks values against nodes."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        #: what is known of containers, which are kept with it so that none takes another's place
        self._ranks: dict[tuple[int, int], tuple[Any, tree.Node, int]] = {}

    def target(self, node: tree.Node | None) -> tree.Node | None:
        """The node itself, or what it refers to."""
        while isinstance(node, tree.Reference):
            node = self._lookup(node)
        return node

    def rank(self, value: Any, node: tree.Node) -> int:
        """How surely a value is an instance of what a node stands for."""
        if not isinstance(value, CONTAINERS):
            return self._rank_anew(value, node)
        # Every level asks about all below it, and some more than once.
        place = id(value), id(node)
        if place not in self._ranks:
            self._ranks[place] = value, node, self._rank_anew(value, node)
        return self._ranks[place][2]

    def _rank_anew(self, value: Any, node: tree.Node) -> int:
        target = self.target(node) or tree.Anything()
        if isinstance(target, tree.Union):
            return max(self.rank(value, branch) for branch in target.branches)
        if isinstance(target, tree.Array):
            kind = target.build if isinstance(target.build, type) else list
            return self._rank_of_all(value, kind, value, items_of(target))
        if isinstance(target, tree.Tuple):
            sized = isinstance(value, tuple) and len(value) == len(target.items)
            return self._rank_of_all(value, target.cls, value, items_of(target)) if sized else NOT_ONE
        if isinstance(target, tree.Map):
            return self._rank_of_entries(value, target)
        if isinstance(target, tree.Record) and target.cls is None:
            return self._rank_of_keys(value, target)
        return _rank_of_one(value, target)

    def _rank_of_all(self, value: Any, kind: Any, items: Iterable[Any], node_at: Find) -> int:
        if not isinstance(value, kind):
            return NOT_ONE
        ranks = (self.rank(item, node_at(index) or tree.Anything()) for index, item in enumerate(items))
        return min(ranks, default=_OF_THE_CLASS)

    def _rank_of_entries(self, value: Any, node: tree.Map) -> int:
        if not isinstance(value, Mapping):
            return NOT_ONE
        ranks = (min(self.rank(key, node.key), self.rank(item, node.value)) for key, item in value.items())
        return min(ranks, default=_OF_THE_CLASS)

    def _rank_of_keys(self, value: Any, node: tree.Record) -> int:
        """The same for a TypedDict, whose values have no class of their own."""
        node_of = members_of(node)
        required = {field.name for field in node.fields if field.required}
        if not isinstance(value, Mapping) or not required <= value.keys():
            return NOT_ONE
        found = [(item, node_of(name)) for name, item in value.items()]
        ranks = [NOT_ONE if inner is None else self.rank(item, inner) for item, inner in found]
        return min(ranks, default=_OF_THE_CLASS)

    def converts(self, node: tree.Node, within: tuple[tree.Node, ...] = ()) -> bool:
        """Whether a branch makes something else of its JSON: only then is anybody asked which branch it is."""
        target = self.target(node)
        parts = _parts_of(target)
        if parts:
            around = (*within, node)
            return not any(node is each for each in within) and any(self.converts(each, around) for each in parts)
        if isinstance(target, tree.Choice):
            return any(type(member) is not str for member in target.members)
        if isinstance(target, tree.Text):
            return target.build is not None or target.codec not in (None, "email", "uri")
        return getattr(target, "build", None) is not None or isinstance(target, tree.Tuple | tree.DecimalNumber)


def _parts_of(node: tree.Node | None) -> tuple[tree.Node, ...]:
    """The nodes that decide what becomes of a node's JSON, where it is nothing of its own."""
    if isinstance(node, tree.Union):
        return node.branches
    if getattr(node, "build", None) is not None:
        return ()
    if isinstance(node, tree.Record):
        return tuple(field.node for field in node.fields if field.read)
    if isinstance(node, tree.Array):
        return (node.items,)
    return (node.key, node.value) if isinstance(node, tree.Map) else ()


def is_json(value: Any) -> bool:
    """Whether a value holds nothing but JSON."""
    if type(value) is dict:
        return all(type(name) is str and is_json(item) for name, item in value.items())
    return all(map(is_json, value)) if type(value) is list else type(value) in JSON_SCALARS


NOT_ONE, ANYTHING, _OF_A_SUBCLASS, _OF_THE_CLASS = range(4)

#: the Python types of texts that stand for something else, by their codec
_CODECS: dict[str | None, type] = {
    node.codec: kind
    for kind, node in SCALARS.items()
    if isinstance(kind, type) and isinstance(node, tree.Text) and node.build is None
}


def _rank_of_one(value: Any, node: tree.Node) -> int:
    if isinstance(node, tree.Anything):
        return ANYTHING
    if isinstance(node, tree.Choice):
        known = any(type(value) is type(member) and value == member for member in node.members)
        return _OF_THE_CLASS if known else NOT_ONE
    if isinstance(node, tree.Text) and node.codec == "secret":
        return _OF_THE_CLASS if hasattr(value, "get_secret_value") else NOT_ONE
    kind = _class_of(node)
    if kind is None or not isinstance(value, kind) or (type(value) is bool and kind is not bool):
        return NOT_ONE  # to JSON, True is no number
    return _OF_THE_CLASS if type(value) is kind else _OF_A_SUBCLASS


def _class_of(node: tree.Node) -> type | None:
    """The class of the values that a node stands for."""
    owner = getattr(node, "cls", None) or getattr(node, "build", None)
    if isinstance(node, tree.Text) and node.codec == "path":
        return PurePath if owner is None else owner
    if isinstance(owner, type):
        return owner
    if isinstance(node, tree.Text):
        return _CODECS.get(node.codec)
    return _PLAIN.get(type(node))


_PLAIN: dict[type[tree.Node], type] = {
    tree.Null: type(None),
    tree.Boolean: bool,
    tree.Integer: int,
    tree.Number: float,
    tree.DecimalNumber: Decimal,
}
