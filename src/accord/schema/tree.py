"""The small typed tree between an annotation and its JSON Schema.

``read`` makes a tree from an annotation; ``emit`` writes it as schema, ``convert.decode`` turns it
into a converter. Nodes are frozen values and know neither: they only say what a type is. A node
that stands for a user's class also holds how to build one (``build``), because nobody else knows.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

import msgspec

from accord._calls import JSON

__all__ = [
    "Anything",
    "Array",
    "Boolean",
    "Choice",
    "DecimalNumber",
    "Field",
    "FlagBits",
    "Foreign",
    "Integer",
    "Map",
    "Node",
    "Null",
    "Number",
    "Record",
    "Reference",
    "Text",
    "Tree",
    "Tuple",
    "Union",
    "fields_of",
]

Keywords = dict[str, JSON]


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """What every node has.

    ``limits`` are validation keywords (``minimum``, ``minItems`` ...), ``notes`` annotations
    (``description``, ``examples`` ...), ``refinements`` the author's own functions, run on the converted
    value in turn: each returns the value to go on with, or raises.
    """

    limits: Keywords = {}
    notes: Keywords = {}
    refinements: tuple[Callable[[Any], Any], ...] = ()


class Anything(Node, frozen=True, kw_only=True):
    """Any JSON value. ``annotated`` is False where the author wrote no annotation at all."""

    annotated: bool = True


class Null(Node, frozen=True, kw_only=True):
    """None."""


class Boolean(Node, frozen=True, kw_only=True):
    """True or False, never 0 or 1."""


class Integer(Node, frozen=True, kw_only=True):
    """A whole number of any size; ``1.0`` counts. ``build`` makes the author's subclass of int."""

    build: Callable[[int], Any] | None = None


class Number(Node, frozen=True, kw_only=True):
    """A JSON number, received as float. ``build`` makes the author's subclass of float."""

    build: Callable[[float], Any] | None = None


class DecimalNumber(Node, frozen=True, kw_only=True):
    """A number or numeric string in, a string out."""


class Text(Node, frozen=True, kw_only=True):
    """A string; ``codec`` names the Python type it stands for, when that is not ``str``.

    ``build`` makes the author's own class from the text, or from what the codec made of it.
    """

    codec: str | None = None
    build: Callable[[Any], Any] | None = None


class Choice(Node, frozen=True, kw_only=True):
    """One of some JSON scalars; ``members`` are the Python values they stand for, in the same order."""

    values: tuple[JSON, ...]
    members: tuple[Any, ...]


class FlagBits(Node, frozen=True, kw_only=True):
    """A set of bits as an integer: up to ``mask``, or one of ``sums`` when the bits have gaps, or any."""

    build: Callable[[int], Any]
    mask: int | None = None
    sums: tuple[int, ...] = ()


class Array(Node, frozen=True, kw_only=True):
    """Items of one type. ``build`` is None for list."""

    items: Node
    unique: bool = False
    build: Callable[[list[Any]], Any] | None = None


class Tuple(Node, frozen=True, kw_only=True):
    """A fixed number of items, each of its own type. ``cls`` is the class of its values."""

    items: tuple[Node, ...]
    build: Callable[[list[Any]], Any] = tuple
    cls: type = tuple
    frozen: bool = True


class Map(Node, frozen=True, kw_only=True):
    """Names the type does not know, values of one type. ``build`` is None for dict."""

    key: Node
    value: Node
    build: Callable[[dict[Any, Any]], Any] | None = None


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a record.

    ``name`` is the JSON name read, ``output_name`` the one written, ``argument`` the keyword that
    ``build`` takes (None for a tag, which the class knows by itself). ``default`` is the JSON default,
    or UNSET when there is none to publish. ``elsewhere``: it is needed, and only read from inside another property.
    """

    name: str
    node: Node
    argument: str | None
    output_name: str
    required: bool = True
    default: JSON = msgspec.UNSET
    read: bool = True
    written: bool = True
    always_written: bool = True
    elsewhere: bool = False


class Record(Node, frozen=True, kw_only=True):
    """Named fields of their own types: a dataclass, a model, a TypedDict.

    ``extra`` is what other names may hold: None when there may be none, a node otherwise. ``cls`` is the class of
    its values, where they have one. ``native`` is the class when msgspec builds it as its constructor would,
    ``model`` when it is a pydantic model. ``written_as`` is the output schema of a class that serialises itself.
    """

    type_name: str
    fields: tuple[Field, ...]
    build: Callable[..., Any] | None
    extra: Node | None = None
    hashable: bool = False
    cls: type | None = None
    native: type | None = None
    model: type | None = None
    written_as: Keywords | None = None


class Union(Node, frozen=True, kw_only=True):
    """One of several types. ``tag`` names the property that tells records apart, if the author named it."""

    branches: tuple[Node, ...]
    tag: str | None = None


class Reference(Node, frozen=True, kw_only=True):
    """A type inside itself: ``key`` leads to its definition in the tree."""

    key: Hashable


class Foreign(Node, frozen=True, kw_only=True):
    """A type a TypeSupport speaks for: its schemas and its converter come ready-made.

    ``cls`` is the type itself where it is a class.
    """

    input_schema: Keywords
    output_schema: Keywords
    build: Callable[[Any], Any] | None
    cls: type | None = None
    hashable: bool = False


class Tree(msgspec.Struct, frozen=True):
    """A node and the definitions its references lead to, each under a unique name."""

    root: Node
    definitions: dict[Hashable, tuple[str, Node]] = {}


def fields_of(node: Node) -> Iterator[Field]:
    """Every field of every record in a tree, definitions aside."""
    if isinstance(node, Record):
        for field in node.fields:
            yield field
            yield from fields_of(field.node)
    elif isinstance(node, Union):
        for branch in node.branches:
            yield from fields_of(branch)
    elif isinstance(node, Array):
        yield from fields_of(node.items)
    elif isinstance(node, Tuple):
        for item in node.items:
            yield from fields_of(item)
    elif isinstance(node, Map):
        yield from fields_of(node.value)
