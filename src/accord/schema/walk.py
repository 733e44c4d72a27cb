"""Where schemas stand inside a schema, so that a property *named* ``title`` is never taken for the keyword."""

from collections.abc import Callable, Iterator
from typing import Any

from accord._calls import JSON

__all__ = ["map_subschemas", "subschemas"]

Schema = dict[str, JSON]

_ONE = (
    "items",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
)
_LIST = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")


def map_subschemas(schema: Schema, change: Callable[[Any], Any]) -> Schema:
    """A copy of ``schema`` in which each schema directly inside went through ``change``."""
    copy = dict(schema)
    for keyword in _ONE:
        if isinstance(copy.get(keyword), dict):
            copy[keyword] = change(copy[keyword])
    for keyword in _LIST:
        if isinstance(copy.get(keyword), list):
            copy[keyword] = [change(inner) if isinstance(inner, dict) else inner for inner in copy[keyword]]
    for keyword in _NAMED:
        if isinstance(copy.get(keyword), dict):
            copy[keyword] = {
                name: change(inner) if isinstance(inner, dict) else inner for name, inner in copy[keyword].items()
            }
    return copy


def subschemas(schema: Schema, pointer: str = "") -> Iterator[tuple[str, Schema]]:
    """Every schema in ``schema``, itself first, with its JSON Pointer."""
    yield pointer, schema
    for keyword in _ONE:
        if isinstance(schema.get(keyword), dict):
            yield from subschemas(schema[keyword], f"{pointer}/{keyword}")
    for keyword in _LIST:
        inners = schema.get(keyword)
        for index, inner in enumerate(inners if isinstance(inners, list) else ()):
            if isinstance(inner, dict):
                yield from subschemas(inner, f"{pointer}/{keyword}/{index}")
    for keyword in _NAMED:
        named = schema.get(keyword)
        for name, inner in (named if isinstance(named, dict) else {}).items():
            if isinstance(inner, dict):
                step = name.replace("~", "~0").replace("/", "~1")
                yield from subschemas(inner, f"{pointer}/{keyword}/{step}")
