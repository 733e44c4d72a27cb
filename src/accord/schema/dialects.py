"""Dialects: how the canonical schema is written for a reader with habits of its own.

A dialect is a frozen value, and ``lower`` is the pure function that applies one. What is published
changes; what is enforced never does.
"""

from typing import Literal

import msgspec

from accord._calls import JSON
from accord.schema.walk import map_subschemas
from accord.typesupport import Direction

__all__ = ["CANONICAL", "DIALECTS", "Dialect", "dialect_named", "lower"]

Schema = dict[str, JSON]


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """The habits of one reader.

    ``closed`` says which direction writes ``additionalProperties: false`` on objects that do not say
    otherwise. ``box`` is the marker keyword under which non-object results are wrapped on paper.
    ``flatten`` lifts the fields of a single model parameter unless the author decides. ``filler`` is
    the description of a parameter nobody described. ``variadics`` replaces the whole schema of a
    function with ``*args`` or ``**kwargs``.
    """

    name: str
    nullables: Literal["keep", "unwrap"] = "keep"
    closed_inputs: bool = True
    closed_outputs: bool = False
    defaults: Literal["all", "but-null", "none"] = "all"
    maps: Literal["typed", "bare"] = "typed"
    required_outputs: bool = True
    unannotated: Schema = {}
    filler: str | None = None
    box: str | None = None
    flatten: bool = False
    variadics: Schema | None = None


DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(name="accord"),
        Dialect(name="milo", nullables="unwrap", unannotated={"type": "string"}),
        Dialect(
            name="openmcp",
            closed_outputs=True,
            required_outputs=False,
            filler="Parameter {name}",
            box="x-dedalus-box",
            flatten=True,
            variadics={"type": "object", "additionalProperties": True},
        ),
        Dialect(name="governed", closed_outputs=True, defaults="none"),
        Dialect(name="omni", nullables="unwrap", closed_inputs=False, defaults="but-null", maps="bare"),
    )
}


#: the dialect that writes schemas as they are enforced
CANONICAL = DIALECTS["accord"]


def dialect_named(name: str) -> Dialect:
    """The dialect of that name.

    Raises:
        ValueError: there is none; the message lists those there are.
    """
    try:
        return DIALECTS[name]
    except KeyError:
        raise ValueError(f"no dialect is called {name!r}; there are {', '.join(DIALECTS)}") from None


def lower(schema: Schema, dialect: Dialect, direction: Direction, *, unannotated: tuple[str, ...] = ()) -> Schema:
    """The canonical schema as the dialect writes it. ``unannotated`` names parameters without a type."""
    if dialect == CANONICAL:
        return schema
    lowered = _lower(schema, dialect, direction)
    if direction == "input":
        lowered = _with_parameters(lowered, dialect, unannotated)
    return lowered


def _lower(schema: Schema, dialect: Dialect, direction: Direction) -> Schema:
    schema = map_subschemas(schema, lambda inner: _lower(inner, dialect, direction))
    if dialect.nullables == "unwrap":
        schema = _unwrapped(schema)
    if dialect.defaults == "none" or (dialect.defaults == "but-null" and schema.get("default", 0) is None):
        schema.pop("default", None)
    if schema.get("type") == "object" and "properties" in schema:
        _close(schema, dialect, direction)
    elif schema.get("type") == "object" and dialect.maps == "bare":
        schema.pop("additionalProperties", None)
        schema.pop("propertyNames", None)
    return schema


def _close(schema: Schema, dialect: Dialect, direction: Direction) -> None:
    if direction == "output":
        if dialect.closed_outputs:
            schema.setdefault("additionalProperties", False)
        if not dialect.required_outputs:
            schema.pop("required", None)
    elif not dialect.closed_inputs and schema.get("additionalProperties") is False:
        del schema["additionalProperties"]


def _unwrapped(schema: Schema) -> Schema:
    branches = schema.get("anyOf")
    if not branches or {"type": "null"} not in branches:
        return schema
    rest = [branch for branch in branches if branch != {"type": "null"}]
    others = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**rest[0], **others} if len(rest) == 1 else {"anyOf": rest, **others}


def _with_parameters(schema: Schema, dialect: Dialect, unannotated: tuple[str, ...]) -> Schema:
    properties = dict(schema.get("properties", {}))
    for name, inner in properties.items():
        if name in unannotated:
            inner = {**dialect.unannotated, **inner}
        if dialect.filler and "description" not in inner:
            inner = {**inner, "description": dialect.filler.format(name=name)}
        properties[name] = inner
    return {**schema, "properties": properties} if properties else schema
