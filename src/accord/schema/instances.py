"""Instances of the annotated types -> the JSON their annotations read, and which branch of a union each belongs to.

Written under the names they are read by, with their secrets, and without the fields nobody may give. Like-shaped
branches look alike in JSON, so what is an instance of one of them is marked with it, and stays it after the gate.
Knows values and trees; knows no gate.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any

import msgspec

from accord._encode import Unencodable, encode, encode_key, in_stable_order, json_scalar
from accord._records import shape_of
from accord._shapes import Shape
from accord.schema import tree
from accord.schema.belonging import (
    ANYTHING,
    CONTAINERS,
    JSON_SCALARS,
    NOT_ONE,
    Belonging,
    Find,
    Lookup,
    is_json,
    items_of,
    members_of,
)
from accord.typesupport import support_for

__all__ = ["Chosen", "Writer", "without_choices"]


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


class Writer:
    """Writes values; ``chose`` says whether it told any branches.

    ``sparse`` leaves out what has its default: a default needs no JSON form.
    """

    def __init__(self, lookup: Lookup, *, sparse: bool) -> None:
        self.chose: bool = False
        self._belonging = Belonging(lookup)
        self._sparse = sparse
        #: inside an instance, text is text; in the arguments of a call it may be the JSON of something else
        self._inside = False
        #: inside a value that is written for several branches: what nests in it is written for one, or the work would
        #: double with every level
        self._weighing = False

    def write(self, value: Any, node: tree.Node | None) -> Any:
        """The JSON of a value that stands where the node does, branches told."""
        kind = type(value)
        if kind in JSON_SCALARS and not self._inside:
            return json_scalar(value)
        node = self._belonging.target(node)
        if isinstance(node, tree.Union):
            return self._branch(value, node)
        if kind in JSON_SCALARS:
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
            return self._members(value, members_of(node))
        items = self._items(value, items_of(node))
        return in_stable_order(items) if isinstance(value, AbstractSet) else items

    def arguments(self, values: Mapping[str, Any], node: tree.Node) -> dict[str, Any]:
        """The JSON of the arguments that a record of them stands for, branches told."""
        return self._members(values, members_of(self._belonging.target(node)))

    def _members(self, value: Mapping[Any, Any], node_of: Find) -> dict[str, Any]:
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
            members.update(self._members(extra, node_of))
        self._inside = outside
        return members

    # ---- which branch of a union a value is an instance of

    def _branch(self, value: Any, union: tree.Union) -> Any:
        others = [branch for branch in union.branches if not isinstance(branch, tree.Null)]
        if len(others) == 1:
            return self.write(value, others[0])
        if not self._inside and is_json(value):
            return self.write(value, None)  # whatever its JSON is taken for, as over any wire
        ranks = [self._belonging.rank(value, branch) for branch in union.branches]
        best = max(ranks)
        if best == NOT_ONE:
            return self.write(value, None)
        # What JSON has, too, is of no class: where the likeliest branch will not have it, the next one may.
        of_no_class = type(value) in JSON_SCALARS or isinstance(value, CONTAINERS)
        least = ANYTHING if of_no_class else best
        likeliest = sorted(range(len(ranks)), key=lambda index: -ranks[index])
        own = [(index, union.branches[index]) for index in likeliest if ranks[index] >= least]
        nests = isinstance(value, CONTAINERS) or shape_of(type(value)) is not None
        if nests and self._weighing:
            own = own[:1]
        outside, self.chose = self.chose, False
        weighing, self._weighing = self._weighing, self._weighing or (nests and len(own) > 1)
        choices = self._written_for(own, value)
        self._weighing = weighing
        # A branch told further inside is only found by who knows of this one, too.
        deciding = others if self._inside else [branch for _, branch in own]
        told = self.chose or any(map(self._belonging.converts, deciding))
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
