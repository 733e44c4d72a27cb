"""Tree -> converters: JSON values that passed the gate become what the annotations promise.

A converter is a plain function, or None where the JSON value is the Python value already. Because
the gate has spoken, a converter may only fail in the user's own code (a ``__post_init__``, a
validator): that failure travels up as ``Rejection`` with the path to the value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from decimal import Decimal
from typing import Any

from accord._branches import choose_branch
from accord._native import compiled, model_type, native_type, validated
from accord._ready import Converter, Rejection, floating, whole_number
from accord.gate.validator import Gate
from accord.schema import tree
from accord.schema.emit import emit
from accord.schema.formats import CONVERTERS

__all__ = ["Converter", "Decoder", "Rejection"]


def _guarded(build: Converter) -> Converter:
    """User code behind a boundary: whatever it raises is a rejection of the value."""

    def convert(value: Any) -> Any:
        try:
            return build(value)
        except (Exception, SystemExit) as error:  # boundary: constructors and validators are the user's code
            raise Rejection.of(error) from error

    return convert


class Decoder:
    """Makes the converters of one tree."""

    def __init__(self, whole: tree.Tree) -> None:
        self._whole = whole
        self._of_definition: dict[Hashable, Converter | None] = {}

    def converter(self, node: tree.Node) -> Converter | None:
        """The converter of a node, or None when there is nothing to convert."""
        convert = self._fastest(node, _MAKE[type(node)](self, node))
        for refine in node.refinements:
            convert = _after(convert, _guarded(refine))
        return convert

    def _fastest(self, node: tree.Node, convert: Converter | None) -> Converter | None:
        """The converter itself, or a compiled library in front of it where there is a structure to build."""
        if convert is None or not isinstance(node, tree.Array | tree.Tuple | tree.Map | tree.Record):
            return convert
        kind = native_type(node)
        if kind is not None:
            return compiled(kind, convert)
        model = model_type(node)
        return convert if model is None else validated(model, convert)

    def reference(self, node: tree.Reference) -> Converter:
        """A recursive type's converter is made when first met, and found again inside itself."""

        def convert(value: Any) -> Any:
            if node.key not in self._of_definition:
                self._of_definition[node.key] = self.converter(self.definition(node))
            inner = self._of_definition[node.key]
            return inner(value) if inner else value

        return convert

    def definition(self, node: tree.Reference) -> tree.Node:
        """What a reference leads to."""
        return self._whole.definitions[node.key][1]

    def gate_of(self, node: tree.Node) -> Gate:
        """The gate of one branch of a union."""
        return Gate(emit(tree.Tree(node, self._whole.definitions), "input"))


def _after(first: Converter | None, then: Converter) -> Converter:
    return then if first is None else lambda value: then(first(value))


def _decimal(value: Any) -> Decimal:
    return Decimal(value) if type(value) is not float else Decimal(repr(value))


def _bytes(text: str) -> bytes:
    from binascii import a2b_base64  # noqa: PLC0415 - few tools take bytes

    return a2b_base64(text)


def _compared_decimal(value: Any) -> Decimal:
    """With limits, what they were held against: from 2**53 on, the gate takes a float for the whole number it holds."""
    return Decimal(int(value)) if type(value) is float and abs(value) >= _WHOLE_FROM else _decimal(value)


_WHOLE_FROM = 2**53


def _number(base: Converter, build: Converter | None) -> Converter:
    return base if build is None else _after(base, _guarded(build))


def _text(_: Decoder, node: tree.Text) -> Converter | None:
    parse = _bytes if node.codec == "bytes" else CONVERTERS.get(node.codec or "")
    if node.build is None:
        return parse
    return node.build if node.codec == "path" else _after(parse, _guarded(node.build))


def _choice(_: Decoder, node: tree.Choice) -> Converter | None:
    if all(type(value) is str and type(member) is str for value, member in zip(node.values, node.members, strict=True)):
        return None
    if all(type(value) is str for value in node.values):
        return dict(zip(node.values, node.members, strict=True)).__getitem__
    members = {(type(value) is bool, value): member for value, member in zip(node.values, node.members, strict=True)}
    return lambda value: members[type(value) is bool, value]


def _array(decoder: Decoder, node: tree.Array) -> Converter | None:
    item, build = decoder.converter(node.items), node.build
    if item is None:
        return build
    kind = ready_type(node.items)
    if kind is not None:
        return _numbers(item, kind, build)
    convert_item = item

    def convert(value: Any) -> Any:
        items: list[Any] = []
        try:
            for element in value:
                items.append(convert_item(element))  # noqa: PERF401 - the length so far is the path of a rejection
        except Rejection as rejection:
            rejection.path.append(len(items))
            raise
        return items if build is None else build(items)

    return convert


def _numbers(convert_item: Converter, kind: type, build: Converter | None) -> Converter:
    """Of a list of numbers, which no code of the author's can reject: nearly all of them are as they should be."""

    def convert(value: Any) -> Any:
        items = [item if type(item) is kind else convert_item(item) for item in value]
        return items if build is None else build(items)

    return convert


def ready_type(node: tree.Node) -> type | None:
    """The type whose values are what the function wants already, where most JSON values are of it."""
    if isinstance(node, tree.Integer | tree.Number) and not node.refinements and node.build is None:
        return int if isinstance(node, tree.Integer) else float
    return None


def _tuple(decoder: Decoder, node: tree.Tuple) -> Converter:
    converters = [decoder.converter(item) or _same for item in node.items]
    build = node.build if node.build is tuple else _guarded(node.build)

    def convert(value: Any) -> Any:
        items: list[Any] = []
        try:
            for convert_item, element in zip(converters, value, strict=True):
                items.append(convert_item(element))
        except Rejection as rejection:
            rejection.path.append(len(items))
            raise
        return build(items)

    return convert


def _same(value: Any) -> Any:
    return value


def _key_converter(decoder: Decoder, key: tree.Node) -> Converter | None:
    if isinstance(key, tree.Integer):
        return _number(_long_integer, key.build)
    if isinstance(key, tree.Choice):
        members = {str(value): member for value, member in zip(key.values, key.members, strict=True)}
        return members.__getitem__
    return decoder.converter(key)


def _long_integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # more digits than int() reads from text; Decimal has no such limit
        return int(Decimal(text))


def _map(decoder: Decoder, node: tree.Map) -> Converter | None:
    key, item, build = _key_converter(decoder, node.key), decoder.converter(node.value), node.build
    if key is None and item is None:
        return build
    convert_key, convert_item = key or _same, item or _same

    def convert(value: Any) -> Any:
        entries: dict[Any, Any] = {}
        for name, element in value.items():
            try:
                entries[convert_key(name)] = convert_item(element)
            except Rejection as rejection:
                rejection.path.append(name)
                raise
        return entries if build is None else build(entries)

    return convert


def _record(decoder: Decoder, node: tree.Record) -> Converter | None:
    fields = [
        (field.name, field.argument, ready_type(field.node), decoder.converter(field.node))
        for field in node.fields
        if field.read
    ]
    extra = (decoder.converter(node.extra) or _same) if node.extra is not None else None
    build = _guarded(node.build) if node.build else None
    if build is None and all(convert is None for *_, convert in fields) and extra in (None, _same):
        return None

    def convert(value: Any) -> Any:
        arguments: dict[str, Any] = {}
        for name, argument, kind, convert_field in fields:
            if name in value and argument is not None:
                item = value[name]
                if convert_field is not None and type(item) is not kind:
                    try:
                        item = convert_field(item)
                    except Rejection as rejection:
                        rejection.path.append(name)
                        raise
                arguments[argument] = item
        if extra is not None:
            known = {name for name, *_ in fields}
            arguments.update((name, extra(item)) for name, item in value.items() if name not in known)
        return arguments if build is None else build(arguments)

    return convert


_MAKE: dict[type[tree.Node], Callable[[Decoder, Any], Converter | None]] = {
    tree.Anything: lambda _decoder, _node: None,
    tree.Null: lambda _decoder, _node: None,
    tree.Boolean: lambda _decoder, _node: None,
    tree.Integer: lambda _decoder, node: _number(whole_number, node.build),
    tree.Number: lambda _decoder, node: _number(floating, node.build),
    tree.DecimalNumber: lambda _decoder, node: _compared_decimal if node.limits else _decimal,
    tree.Text: _text,
    tree.Choice: _choice,
    tree.FlagBits: lambda _decoder, node: lambda value: node.build(whole_number(value)),
    tree.Array: _array,
    tree.Tuple: _tuple,
    tree.Map: _map,
    tree.Record: _record,
    tree.Union: choose_branch,
    tree.Reference: lambda decoder, node: decoder.reference(node),
    tree.Foreign: lambda _decoder, node: _guarded(node.build) if node.build else None,
}
