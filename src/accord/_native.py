"""Which parts of a tree a compiled library converts exactly as we would, and the converters that let it.

msgspec and pydantic convert whole structures at once and much faster than closures can. They are used
where their result is ours by construction, and anything they will not take (``1.0`` for an int, say)
falls back to the closures: the fast path may only be fast.
"""

import datetime
import enum
import sys
import uuid
from collections.abc import Callable
from functools import cache
from types import GenericAlias
from typing import Any, cast, get_args

import msgspec

from accord._ready import Rejection
from accord.schema import tree

__all__ = ["compiled", "model_type", "native_type", "validated"]

Converter = Callable[[Any], Any]


def compiled(kind: Any, slow: Converter) -> Converter:
    """A converter that asks msgspec for a ``kind``, and ``slow`` when msgspec declines."""
    box: Any = None

    def convert(value: Any) -> Any:
        nonlocal box
        if box is None:
            # In a Struct the type is understood once; bare, it would be taken apart on every call.
            box = msgspec.defstruct("Box", [("value", kind)], array_like=True)
        try:
            return msgspec.convert((value,), box).value
        except Exception:  # noqa: BLE001 - whatever the reason, ``slow`` converts or explains
            return slow(value)

    return convert


def model_type(node: tree.Node) -> Any:
    """The pydantic model (or list of one) that converts itself from plain JSON, or None."""
    if isinstance(node, tree.Array) and node.build is None and not node.refinements:
        items = model_type(node.items)
        return None if items is None else GenericAlias(list, (items,))
    if isinstance(node, tree.Record) and node.model is not None and not node.refinements:
        return node.model if all(_is_plain(field.node) for field in node.fields if field.read) else None
    return None


def validated(kind: Any, slow: Converter) -> Converter:
    """A converter that asks pydantic for a ``kind``, and ``slow`` when pydantic declines."""
    validate: Any = None

    def convert(value: Any) -> Any:
        nonlocal validate
        if validate is None:
            validate = sys.modules["pydantic"].TypeAdapter(kind).validate_python
        try:
            return validate(value)
        except Exception as error:
            # What the author's checks refused they are not asked about again.
            if _is_of_the_author(error):
                raise Rejection.of(error) from error
            return slow(value)  # converts, or explains

    return convert


def _is_of_the_author(error: Exception) -> bool:
    """Whether a validator of the author's own raised it: pydantic's own objections all have names of its own."""
    core: Any = sys.modules["pydantic_core"]
    if not isinstance(error, core.ValidationError):
        return True
    raised: Any = error
    return any(each["type"] not in _objections() for each in raised.errors(include_url=False, include_input=False))


@cache
def _objections() -> frozenset[str]:
    """The names of what pydantic itself objects to."""
    schema: Any = sys.modules["pydantic_core.core_schema"]
    return frozenset(get_args(schema.ErrorType)) - {"value_error", "assertion_error"}


def _is_plain(node: tree.Node) -> bool:
    """Whether pydantic reads a node's JSON as we would: no encodings, no choice between like branches."""
    if node.refinements:
        return False
    if isinstance(node, tree.Text | tree.Integer | tree.Number):
        return node.build is None and getattr(node, "codec", None) is None
    if isinstance(node, tree.Array):
        return node.build is None and _is_plain(node.items)
    if isinstance(node, tree.Map):
        return node.build is None and node.key == tree.Text() and _is_plain(node.value)
    if isinstance(node, tree.Record):
        return model_type(node) is not None
    if isinstance(node, tree.Union):
        return _nullable_of(node) is not None and all(map(_is_plain, node.branches))
    if isinstance(node, tree.Choice):
        return all(type(value) is str for value in node.values)
    return isinstance(node, tree.Boolean | tree.Null | tree.Anything)


def native_type(node: tree.Node) -> Any:
    """The type msgspec converts exactly as we do, or None."""
    if node.refinements or (getattr(node, "build", None) not in _BUILDS and not isinstance(node, tree.Record)):
        return None
    find = _TYPES.get(type(node))
    return None if find is None else find(node)


_BUILDS = (None, tuple, set, frozenset)


def _text_type(node: tree.Text) -> Any:
    return {None: str, "uuid": uuid.UUID, "date": datetime.date}.get(node.codec)


def _choice_type(node: tree.Choice) -> Any:
    owner: Any = type(node.members[0])
    if all(type(member) is str for member in node.members):
        return str
    if not issubclass(owner, enum.Enum):
        return None
    whole = all(type(member) is owner for member in node.members) and len(node.members) == len(list(owner))
    kinds = {type(value) for value in node.values}
    return owner if whole and kinds in ({str}, {int}) else None


def _array_type(node: tree.Array) -> Any:
    items = native_type(node.items)
    if items is None:
        return None
    if node.build is tuple:
        return GenericAlias(tuple, (items, ...))
    return GenericAlias(cast("type", node.build or list), (items,))


def _tuple_type(node: tree.Tuple) -> Any:
    items = tuple(native_type(item) for item in node.items)
    return None if None in items or node.build is not tuple else GenericAlias(tuple, items)


def _map_type(node: tree.Map) -> Any:
    value = native_type(node.value)
    fits = value is not None and isinstance(node.key, tree.Text) and not node.key.codec
    return GenericAlias(dict, (str, value)) if fits else None


def _record_type(node: tree.Record) -> Any:
    if node.native is None or any(native_type(field.node) is None for field in node.fields):
        return None
    return node.native


def _nullable_of(node: tree.Union) -> tree.Node | None:
    rest = [branch for branch in node.branches if not isinstance(branch, tree.Null)]
    return rest[0] if len(rest) == 1 else None


def _union_type(node: tree.Union) -> Any:
    only = _nullable_of(node)
    inner = native_type(only) if only is not None else None
    return None if inner is None else inner | None


_TYPES: dict[type[tree.Node], Callable[[Any], Any]] = {
    tree.Anything: lambda _node: Any,
    tree.Null: lambda _node: type(None),
    tree.Boolean: lambda _node: bool,
    tree.Integer: lambda _node: int,
    tree.Number: lambda _node: float,
    tree.Text: _text_type,
    tree.Choice: _choice_type,
    tree.Array: _array_type,
    tree.Tuple: _tuple_type,
    tree.Map: _map_type,
    tree.Record: _record_type,
    tree.Union: _union_type,
}
