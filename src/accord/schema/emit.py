"""Tree -> canonical JSON Schema 2020-12.

One function per node, found in a table. The direction matters in few places: inputs are closed and
carry defaults, outputs are open and every field that is always written is required.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from accord._calls import JSON
from accord.schema import tree
from accord.schema.mirroring import MIRRORED, header_name
from accord.schema.walk import map_subschemas
from accord.typesupport import Direction

__all__ = ["BASE64_PATTERN", "NUMERIC_PATTERN", "emit", "emit_property"]

Schema = dict[str, JSON]

BASE64_PATTERN = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
NUMERIC_PATTERN = r"^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,8})?$"
_INTEGER_KEY = "^(0|-?[1-9][0-9]*)$"

#: what a codec adds to ``{"type": "string"}``
_CODEC_KEYWORDS: dict[str | None, Schema] = {
    "bytes": {"contentEncoding": "base64", "pattern": BASE64_PATTERN},
    "path": {},
    "secret": {"writeOnly": True},
    **{
        name: {"format": name}
        for name in ("date-time", "date", "time", "duration", "uuid", "ipv4", "ipv6", "regex", "email", "uri")
    },
}


class _Emitter:
    def __init__(self, whole: tree.Tree, direction: Direction) -> None:
        self.whole = whole
        self.direction = direction
        self.used: dict[Any, None] = {}
        self.holds_foreign = False

    def schema(self, node: tree.Node) -> Schema:
        body = _EMIT[type(node)](self, node)
        if not node.limits and not node.notes:
            return body
        if self.direction == "input":
            return {**body, **node.limits, **node.notes}
        limits = {} if isinstance(node, tree.DecimalNumber) else node.limits  # it is written as text
        return {**body, **limits, **{key: note for key, note in node.notes.items() if key != MIRRORED}}

    def definitions(self) -> Schema:
        """The definitions referred to so far, and those they refer to in turn."""
        emitted: Schema = {}
        while len(emitted) < len(self.used):
            for key in [key for key in self.used if self.whole.definitions[key][0] not in emitted]:
                name, node = self.whole.definitions[key]
                emitted[name] = self.schema(node)
        return emitted


def emit(whole: tree.Tree, direction: Direction) -> Schema:
    """The canonical schema of a tree: self-contained, ``$defs`` only for recursive types."""
    emitter = _Emitter(whole, direction)
    schema, definitions = emitter.schema(whole.root), emitter.definitions()
    if emitter.holds_foreign:
        schema = _gather(schema, definitions)
        for name in list(definitions):
            definitions[name] = _gather(definitions[name], definitions)
    return {**schema, "$defs": definitions} if definitions else schema


def _gather(schema: Schema, gathered: Schema) -> Schema:
    """Move nested ``$defs`` (a TypeSupport's schema may bring its own) to the root."""
    inner = map_subschemas(schema, lambda sub: _gather(sub, gathered))
    for name, definition in inner.pop("$defs", {}).items():
        gathered.setdefault(name, definition)
    return inner


def emit_property(field: tree.Field, emit_node: Callable[[tree.Node], Schema], direction: Direction) -> Schema:
    """The schema of one field; where it is read, with its default and the name of its header."""
    schema = emit_node(field.node)
    if direction == "output":
        return schema
    if schema.get(MIRRORED, "") is None:
        schema = {**schema, MIRRORED: header_name(field.name)}
    return schema if field.default is msgspec.UNSET else {**schema, "default": field.default}


def _text(_: _Emitter, node: tree.Text) -> Schema:
    return {"type": "string", **_CODEC_KEYWORDS[node.codec]} if node.codec else {"type": "string"}


def _decimal(emitter: _Emitter, node: tree.DecimalNumber) -> Schema:
    text: Schema = {"type": "string", "pattern": NUMERIC_PATTERN}
    if emitter.direction == "output":
        return text
    # A numeric string would slip past a bound, so a bounded Decimal is read from numbers only.
    return {"type": "number"} if node.limits else {"anyOf": [{"type": "number"}, text]}


def _choice(_: _Emitter, node: tree.Choice) -> Schema:
    kinds = {_json_type(value) for value in node.values}
    values = list(node.values)
    return {"type": kinds.pop(), "enum": values} if len(kinds) == 1 else {"enum": values}


def _json_type(value: JSON) -> str:
    return {bool: "boolean", int: "integer", float: "number", str: "string"}.get(type(value), "null")


def _flag(_: _Emitter, node: tree.FlagBits) -> Schema:
    if node.sums:
        return {"type": "integer", "enum": list(node.sums)}
    return {"type": "integer"} if node.mask is None else {"type": "integer", "minimum": 0, "maximum": node.mask}


def _array(emitter: _Emitter, node: tree.Array) -> Schema:
    schema: Schema = {"type": "array"}
    items = emitter.schema(node.items)
    if items:
        schema["items"] = items
    if node.unique:
        schema["uniqueItems"] = True
    return schema


def _tuple(emitter: _Emitter, node: tree.Tuple) -> Schema:
    size = len(node.items)
    schema: Schema = {"type": "array"}
    if size:
        schema["prefixItems"] = [emitter.schema(item) for item in node.items]
    return {**schema, "items": False, "minItems": size, "maxItems": size}


def _map(emitter: _Emitter, node: tree.Map) -> Schema:
    schema: Schema = {"type": "object"}
    keys = _key_schema(emitter, node.key)
    if keys:
        schema["propertyNames"] = keys
    values = emitter.schema(node.value)
    if values:
        schema["additionalProperties"] = values
    return schema


def _key_schema(emitter: _Emitter, key: tree.Node) -> Schema:
    if isinstance(key, tree.Integer):
        return {"pattern": _INTEGER_KEY}
    if isinstance(key, tree.Choice):
        return {"enum": [str(value) for value in key.values]}
    schema = emitter.schema(key)
    schema.pop("type", None)
    return schema


def _record(emitter: _Emitter, node: tree.Record) -> Schema:
    reading = emitter.direction == "input"
    if node.written_as is not None and not reading:
        emitter.holds_foreign = True
        return dict(node.written_as)
    properties: Schema = {}
    required = []
    for field in node.fields:
        if not (field.read if reading else field.written):
            continue
        name = field.name if reading else field.output_name
        properties[name] = emit_property(field, emitter.schema, emitter.direction)
        if field.required if reading else field.always_written:
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if node.extra is not None:
        schema["additionalProperties"] = emitter.schema(node.extra) or True
    elif reading:
        schema["additionalProperties"] = False
    return schema


def _union(emitter: _Emitter, node: tree.Union) -> Schema:
    branches: list[Schema] = []
    for branch in node.branches:
        schema = emitter.schema(branch)
        if node.tag and node.tag in schema.get("properties", {}):
            # The tag decides between the branches, so it has to be there.
            others = [name for name in schema.get("required", []) if name != node.tag]
            schema = {**schema, "required": [node.tag, *others]}
        if not schema:
            return {}  # one branch takes anything: so does the union, though conversion still tells them apart
        # A Decimal is a number or text by itself, and its alternatives are the union's.
        for flat in schema["anyOf"] if schema.keys() == {"anyOf"} else [schema]:
            if flat not in branches:
                branches.append(flat)
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _reference(emitter: _Emitter, node: tree.Reference) -> Schema:
    emitter.used[node.key] = None
    return {"$ref": f"#/$defs/{emitter.whole.definitions[node.key][0]}"}


def _foreign(emitter: _Emitter, node: tree.Foreign) -> Schema:
    emitter.holds_foreign = True
    return dict(node.input_schema if emitter.direction == "input" else node.output_schema)


_EMIT: dict[type[tree.Node], Callable[[_Emitter, Any], Schema]] = {
    tree.Anything: lambda _emitter, _node: {},
    tree.Null: lambda _emitter, _node: {"type": "null"},
    tree.Boolean: lambda _emitter, _node: {"type": "boolean"},
    tree.Integer: lambda _emitter, _node: {"type": "integer"},
    tree.Number: lambda _emitter, _node: {"type": "number"},
    tree.DecimalNumber: _decimal,
    tree.Text: _text,
    tree.Choice: _choice,
    tree.FlagBits: _flag,
    tree.Array: _array,
    tree.Tuple: _tuple,
    tree.Map: _map,
    tree.Record: _record,
    tree.Union: _union,
    tree.Reference: _reference,
    tree.Foreign: _foreign,
}
