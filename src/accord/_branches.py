"""Which branch of a union a value belongs to, and the failure of a user's own type code.

Exact JSON type first, then the most specific branch (enum, then format, then record), then the
order of declaration. Where types and tags do not decide, each branch's own gate does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from accord._ready import Converter, Rejection
from accord.gate.wording import json_type
from accord.schema import tree
from accord.schema.instances import Chosen, without_choices

if TYPE_CHECKING:
    from accord._decode import Decoder

__all__ = ["choose_branch"]


class _Option:
    """One branch: its node, its converter and, when needed, its gate."""

    def __init__(self, decoder: Decoder, node: tree.Node) -> None:
        self.node = node
        self.convert = decoder.converter(node) or _same
        self.gate = decoder.gate_of(node)
        self.accepts = _accepted(node, decoder)

    def takes(self, kind: str) -> bool:
        """Whether values of that JSON type may belong here, counting 1 and 1.0 as either."""
        return kind in self.accepts or _NUMERIC.get(kind) in self.accepts

    def is_exact(self, kind: str, value: Any) -> bool:
        """Whether the branch names the number's very type: int for 1, float for 1.0."""
        if isinstance(self.node, tree.Choice):
            return any(type(known) is type(value) and known == value for known in self.node.values)
        return kind in self.accepts


def choose_branch(decoder: Decoder, node: tree.Union) -> Converter | None:
    """The converter of a union, or None when no branch converts anything."""
    options = [_Option(decoder, branch) for branch in node.branches]
    if all(option.convert is _same for option in options):
        return None
    others = [option for option in options if not isinstance(option.node, tree.Null)]
    if len(others) == 1 and "null" not in others[0].accepts:
        only = others[0].convert
        return lambda value: None if value is None else only(value)
    choose = _chooser(options)
    by_tag = _by_tag(options)
    if by_tag is None:
        return choose

    def convert(value: Any) -> Any:
        tagged = by_tag(value) if type(value) is dict else None
        return choose(value) if tagged is None else tagged(value)

    return convert


def _chooser(options: list[_Option]) -> Converter:
    """The general way: by type, then by gate."""
    ranked = sorted(options, key=lambda option: _specificity(option.node))
    by_type = {kind: [option for option in ranked if option.takes(kind)] for kind in _PYTHON_TYPES.values()}

    def choose(value: Any) -> Any:
        kind = _PYTHON_TYPES.get(type(value))
        if kind is None:
            if type(value) is Chosen:
                return _converted(options, value)
            kind = _kind(value)
        fitting = by_type[kind]
        if len(fitting) == 1:
            return fitting[0].convert(value)
        if kind in _NUMERIC:
            # 1 and 1.0 are the same to every schema; the branch of exactly that type comes first.
            fitting = sorted(fitting, key=lambda option: not option.is_exact(kind, value))
        return _first_that_takes(fitting, value)

    return choose


def _converted(options: list[_Option], chosen: Chosen) -> Any:
    """Convert what is known to belong to a branch, unless that branch's own contract says no."""
    for branch, value in chosen.choices:
        if options[branch].gate.is_valid(without_choices(value)):
            return options[branch].convert(value)
    names = " or ".join(dict.fromkeys(_name_of(options[branch].node) for branch, _ in chosen.choices))
    raise Rejection([((), f"is a {names}, and not one that the contract takes")])


def _by_tag(options: list[_Option]) -> Callable[[Any], Converter | None] | None:
    """A short cut for objects that a constant field tells apart, which is how unions are usually written."""
    records = [option for option in options if "object" in option.accepts]
    if not all(isinstance(option.node, tree.Record) for option in records):
        return None
    for name in dict.fromkeys(field.name for option in records for field in _fields(option)):
        tags = [_constants(option, name) for option in records]
        known = {value: option.convert for option, values in zip(records, tags, strict=True) for value in values}
        if all(tags) and len(known) == sum(map(len, tags)):
            return _tag_reader(name, known)
    return None


def _fields(option: _Option) -> tuple[tree.Field, ...]:
    return option.node.fields if isinstance(option.node, tree.Record) else ()


def _constants(option: _Option, name: str) -> tuple[Any, ...]:
    """The texts a record's field is limited to."""
    for field in _fields(option):
        if field.name == name and isinstance(field.node, tree.Choice):
            return field.node.values if all(isinstance(value, str) for value in field.node.values) else ()
    return ()


def _tag_reader(name: str, known: dict[Any, Converter]) -> Callable[[Any], Converter | None]:
    return lambda value: known.get(value.get(name))


def _first_that_takes(options: list[_Option], value: Any) -> Any:
    refused: Rejection | None = None
    for option in options:
        if option.gate.is_valid(value):
            try:
                return option.convert(value)
            except Rejection as rejection:
                # A later branch may still take it: EmailStr | str.
                refused = refused or rejection
    raise refused or Rejection([((), "fits no alternative")])


_NUMERIC = {"integer": "number", "number": "integer"}
_PYTHON_TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def _kind(value: Any) -> str:
    """The JSON type of a value that is no plain JSON type: a subclass, a tuple."""
    return "number" if isinstance(value, float) else json_type(value)


def _name_of(node: tree.Node) -> str:
    owner = getattr(node, "cls", None) or (type(node.members[0]) if isinstance(node, tree.Choice) else None)
    return owner.__name__ if owner is not None else type(node).__name__


def _same(value: Any) -> Any:
    return value


_SPECIFICITY: tuple[tuple[Callable[[Any], bool], int], ...] = (
    (lambda node: isinstance(node, tree.Choice), 0),
    (lambda node: isinstance(node, tree.Text) and node.codec not in (None, "path", "secret"), 1),
    (lambda node: isinstance(node, tree.Record | tree.Tuple | tree.Reference), 1),
    (lambda node: isinstance(node, tree.Anything | tree.Foreign), 4),
    (lambda node: bool(node.limits), 2),
)


def _specificity(node: tree.Node) -> int:
    return next((rank for matches, rank in _SPECIFICITY if matches(node)), 3)


_ACCEPTS: dict[type[tree.Node], frozenset[str]] = {
    tree.Null: frozenset({"null"}),
    tree.Boolean: frozenset({"boolean"}),
    tree.Integer: frozenset({"integer"}),
    tree.FlagBits: frozenset({"integer"}),
    tree.Number: frozenset({"number"}),
    tree.DecimalNumber: frozenset({"number", "string"}),
    tree.Text: frozenset({"string"}),
    tree.Array: frozenset({"array"}),
    tree.Tuple: frozenset({"array"}),
    tree.Map: frozenset({"object"}),
    tree.Record: frozenset({"object"}),
}
_ALL = frozenset(_PYTHON_TYPES.values())


def _accepted(node: tree.Node, decoder: Decoder) -> frozenset[str]:
    """The JSON types a node may take, generously."""
    if isinstance(node, tree.Choice):
        return frozenset(json_type(value) for value in node.values)
    if isinstance(node, tree.Union):
        return frozenset().union(*(_accepted(branch, decoder) for branch in node.branches))
    if isinstance(node, tree.Reference):
        inner = decoder.definition(node)
        return _ALL if isinstance(inner, tree.Union | tree.Reference) else _accepted(inner, decoder)
    return _ACCEPTS.get(type(node), _ALL)
