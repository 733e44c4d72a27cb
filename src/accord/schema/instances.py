"""Instances of the annotated types -> the JSON their annotations read, and which branch of a union each belongs to.

Written under the names they are read by, with their secrets, and without the fields nobody may give. Like-shaped
branches look alike in JSON, so what is an instance of one of them is marked with it, and stays it after the gate.
Knows values and trees; knows no gate.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from pathlib import PurePath
from typing import Any

import msgspec

from accord._encode import Unencodable, encode, encode_key, in_stable_order, json_scalar
from accord._records import shape_of
from accord._shapes import Shape
from accord.schema import tree
from accord.schema.scalars import SCALARS
from accord.typesupport import support_for

__all__ = ["Chosen", "Lookup", "Writer", "members_of", "without_choices"]

_CONTAINERS = (list, tuple, dict, set, frozenset)
_JSON_SCALARS = {str, int, float, bool, type(None)}


class Chosen(msgspec.Struct, frozen=True):
    """A value that belongs to some branches of its union, whatever the others would make of its JSON.

    ``choices`` are those branches and its JSON there, the likeliest first: nearly always one, and more where several
    are of its class.
    """

    choices: tuple[tuple[int, Any], ...]


def without_choices(value: Any) -> Any:
    """The JSON of a value in which branches are told."""
    if type(value) is Chosen:
        return without_choices(value.choices[0][1])
    if type(value) is list:
        return [without_choices(item) for item in value]
    return {name: without_choices(item) for name, item in value.items()} if type(value) is dict else value


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


def _nodes_in(node: tree.Node | None) -> Find:
    """How the nodes of the items of an array are found."""
    if isinstance(node, tree.Array):
        return lambda _index: node.items
    if isinstance(node, tree.Tuple):
        return lambda index: node.items[index] if index < len(node.items) else None
    return _nowhere


class Writer:
    """Writes values; ``chose`` says whether it told any branches.

    ``sparse`` leaves out what has its default: a default needs no JSON form.
    """

    def __init__(self, lookup: Lookup, *, sparse: bool) -> None:
        self.chose: bool = False
        self._lookup = lookup
        self._sparse = sparse
        #: inside an instance, text is text; in the arguments of a call it may be the JSON of something else
        self._inside = False
        #: inside a value that is written for several branches: what nests in it is written for one, or the work would
        #: double with every level
        self._weighing = False
        #: what is known of containers, which are kept with it so that none takes another's place
        self._ranks: dict[tuple[int, int], tuple[Any, tree.Node, int]] = {}

    def target(self, node: tree.Node | None) -> tree.Node | None:
        """The node itself, or what it refers to."""
        while isinstance(node, tree.Reference):
            node = self._lookup(node)
        return node

    def write(self, value: Any, node: tree.Node | None) -> Any:
        """The JSON of a value that stands where the node does, branches told."""
        kind = type(value)
        if kind in _JSON_SCALARS and not self._inside:
            return json_scalar(value)
        node = self.target(node)
        if isinstance(node, tree.Union):
            return self._branch(value, node)
        if kind in _JSON_SCALARS:
            return json_scalar(value)
        shape = None if support_for(kind) else shape_of(kind)
        if shape is not None:
            return self._record(shape, value, node)
        if isinstance(value, Mapping | list | tuple | deque | AbstractSet) and not support_for(kind):
            return self._container(value, node)
        if hasattr(value, "get_secret_value"):
            return self._secret(value.get_secret_value(), node)
        if isinstance(value, Decimal) and isinstance(node, tree.DecimalNumber) and node.limits:
            return _number(value)
        return encode(value)

    def _container(self, value: Any, node: tree.Node | None) -> Any:
        if isinstance(value, Mapping):
            return self.members(value, members_of(node))
        items = self._items(value, _nodes_in(node))
        return in_stable_order(items) if isinstance(value, AbstractSet) else items

    def members(self, value: Mapping[Any, Any], node_of: Find) -> dict[str, Any]:
        """The JSON of a mapping, branches told."""
        members: dict[str, Any] = {}
        for key, item in value.items():
            name = key if type(key) is str else encode_key(key)
            json_scalar(name)
            if name in members:
                raise Unencodable(f"two keys are both written as {name!r}")
            try:
                members[name] = self.write(item, node_of(name))
            except Unencodable as error:
                error.path.append(name)
                raise
        return members

    def _items(self, value: Iterable[Any], node_at: Find) -> list[Any]:
        items: list[Any] = []
        try:
            for item in value:
                items.append(self.write(item, node_at(len(items))))
        except Unencodable as error:
            error.path.append(len(items))
            raise
        return items

    def _secret(self, value: Any, node: tree.Node | None) -> Any:
        if isinstance(value, bytes) and isinstance(node, tree.Text):
            try:
                return value.decode()
            except UnicodeDecodeError:
                raise Unencodable("holds bytes that are no text") from None
        return self.write(value, node)

    def _record(self, shape: Shape, value: Any, node: tree.Node | None) -> Any:
        if shape.dump is not None:
            return _as_read(encode(value), node)
        node_of = members_of(node)
        outside, self._inside = self._inside, True
        members: dict[str, Any] = {shape.tag[0]: shape.tag[1]} if shape.tag else {}
        for field in shape.fields:
            item = getattr(value, field.attribute, field.default)
            may_go = not field.required and (self._sparse or item is msgspec.UNSET)
            if not field.read or (may_go and item is field.default):
                continue
            try:
                members[field.name] = self.write(item, node_of(field.name))
            except Unencodable as error:
                error.path.append(field.name)
                raise
        extra = shape.extra_of(value) if shape.extra_of else None
        if extra:
            members.update(self.members(extra, node_of))
        self._inside = outside
        return members

    # ---- which branch of a union a value is an instance of

    def _branch(self, value: Any, union: tree.Union) -> Any:
        others = [branch for branch in union.branches if not isinstance(branch, tree.Null)]
        if len(others) == 1:
            return self.write(value, others[0])
        ranks = [self._rank(value, branch) for branch in union.branches]
        best = max(ranks)
        if best == _NOT_ONE:
            return self.write(value, None)
        # What JSON has, too, is of no class: where the likeliest branch will not have it, the next one may.
        of_no_class = type(value) in _JSON_SCALARS or isinstance(value, _CONTAINERS)
        least = _ANYTHING if of_no_class else best
        likeliest = sorted(range(len(ranks)), key=lambda index: -ranks[index])
        own = [(index, union.branches[index]) for index in likeliest if ranks[index] >= least]
        nests = isinstance(value, _CONTAINERS) or shape_of(type(value)) is not None
        if nests and self._weighing:
            own = own[:1]
        outside, self.chose = self.chose, False
        weighing, self._weighing = self._weighing, self._weighing or (nests and len(own) > 1)
        choices = self._written_for(own, value)
        self._weighing = weighing
        # A branch told further inside is only found by who knows of this one, too.
        deciding = others if self._inside else [branch for _, branch in own]
        told = self.chose or any(map(self._converts, deciding))
        self.chose = outside or told
        if not told:
            return choices[0][1]
        return Chosen(choices)

    def _written_for(self, branches: list[tuple[int, tree.Node]], value: Any) -> tuple[tuple[int, Any], ...]:
        """The value as each branch reads it, those aside that cannot be given it."""
        choices, problems = [], []
        for index, branch in branches:
            before = self.chose, self._inside, self._weighing
            try:
                choices.append((index, self.write(value, branch)))
            except Unencodable as problem:
                self.chose, self._inside, self._weighing = before
                problems.append(problem)
        if not choices:
            raise problems[0]
        return tuple(choices)

    def _rank(self, value: Any, node: tree.Node) -> int:
        """How surely a value is an instance of what a node stands for."""
        if not isinstance(value, _CONTAINERS):
            return self._rank_anew(value, node)
        # Every level asks about all below it, and some more than once.
        place = id(value), id(node)
        if place not in self._ranks:
            self._ranks[place] = value, node, self._rank_anew(value, node)
        return self._ranks[place][2]

    def _rank_anew(self, value: Any, node: tree.Node) -> int:
        target = self.target(node) or tree.Anything()
        if isinstance(target, tree.Union):
            return max(self._rank(value, branch) for branch in target.branches)
        if isinstance(target, tree.Array):
            kind = target.build if isinstance(target.build, type) else list
            return self._rank_of_all(value, kind, value, _nodes_in(target))
        if isinstance(target, tree.Tuple):
            sized = isinstance(value, tuple) and len(value) == len(target.items)
            return self._rank_of_all(value, target.cls, value, _nodes_in(target)) if sized else _NOT_ONE
        if isinstance(target, tree.Map):
            return self._rank_of_entries(value, target)
        if isinstance(target, tree.Record) and target.cls is None:
            return self._rank_of_keys(value, target)
        return _rank_of_one(value, target)

    def _rank_of_all(self, value: Any, kind: Any, items: Iterable[Any], node_at: Find) -> int:
        if not isinstance(value, kind):
            return _NOT_ONE
        ranks = (self._rank(item, node_at(index) or tree.Anything()) for index, item in enumerate(items))
        return min(ranks, default=_OF_THE_CLASS)

    def _rank_of_entries(self, value: Any, node: tree.Map) -> int:
        if not isinstance(value, Mapping):
            return _NOT_ONE
        ranks = (min(self._rank(key, node.key), self._rank(item, node.value)) for key, item in value.items())
        return min(ranks, default=_OF_THE_CLASS)

    def _rank_of_keys(self, value: Any, node: tree.Record) -> int:
        """The same for a TypedDict, whose values have no class of their own."""
        node_of = members_of(node)
        required = {field.name for field in node.fields if field.required}
        if not isinstance(value, Mapping) or not required <= value.keys():
            return _NOT_ONE
        found = [(item, node_of(name)) for name, item in value.items()]
        ranks = [_NOT_ONE if inner is None else self._rank(item, inner) for item, inner in found]
        return min(ranks, default=_OF_THE_CLASS)

    def _converts(self, node: tree.Node) -> bool:
        """Whether a branch makes something else of its JSON: only then is anybody asked which branch it is."""
        target = self.target(node)
        if isinstance(target, tree.Array | tree.Map) and target.build is None:
            return self._converts(target.items if isinstance(target, tree.Array) else target.value)
        if isinstance(target, tree.Union):
            return any(map(self._converts, target.branches))
        if isinstance(target, tree.Choice):
            return any(type(member) is not str for member in target.members)
        if isinstance(target, tree.Text):
            return target.build is not None or target.codec not in (None, "email", "uri")
        return getattr(target, "build", None) is not None or isinstance(target, tree.Tuple | tree.DecimalNumber)


_NOT_ONE, _ANYTHING, _OF_A_SUBCLASS, _OF_THE_CLASS = range(4)

#: the Python types of texts that stand for something else, by their codec
_CODECS: dict[str | None, type] = {
    node.codec: kind
    for kind, node in SCALARS.items()
    if isinstance(kind, type) and isinstance(node, tree.Text) and node.build is None
}


def _rank_of_one(value: Any, node: tree.Node) -> int:
    if isinstance(node, tree.Anything):
        return _ANYTHING
    if isinstance(node, tree.Choice):
        known = any(type(value) is type(member) and value == member for member in node.members)
        return _OF_THE_CLASS if known else _NOT_ONE
    if isinstance(node, tree.Text) and node.codec == "secret":
        return _OF_THE_CLASS if hasattr(value, "get_secret_value") else _NOT_ONE
    kind = _class_of(node)
    if kind is None or not isinstance(value, kind) or (type(value) is bool and kind is not bool):
        return _NOT_ONE  # to JSON, True is no number
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


def _as_read(written: Any, node: tree.Node | None) -> Any:
    """What a class wrote by itself, under the names it is read by."""
    if not isinstance(node, tree.Record) or not isinstance(written, dict):
        return written
    fields = {field.output_name: field for field in node.fields}
    known = {name: fields[name] for name in written if name in fields}
    read = {field.name: written[name] for name, field in known.items() if field.read}
    return {**{name: item for name, item in written.items() if name not in known}, **read}


def _number(value: Decimal) -> int | float:
    """The number a Decimal is, where nothing is lost: with bounds, text would slip past them."""
    if not value.is_finite():
        raise Unencodable(f"{value} is not a JSON number")
    if value == value.to_integral_value() and value.adjusted() < _MOST_DIGITS:
        return int(value)
    number = float(value)
    if Decimal(repr(number)) != value:
        raise Unencodable("has more digits than a JSON number keeps")
    return number


_MOST_DIGITS = 4300
