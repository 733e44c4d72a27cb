"""Where schemas stand inside a schema, so that a property *named* ``title`` is never taken for the keyword."""

from collections.abc import Callable, Iterator
from typing import Any

from accord._calls import JSON

__all__ = ["map_subschemas", "subschemas"]

Schema = dict[str, JSON]

#: what stands under a keyword: one schema, a list of them, or schemas by name
_HOLDS = {
    **dict.fromkeys(
        (
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
        ),
        "one",
    ),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), "list"),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"), "named"),
}


def map_subschemas(schema: Schema, change: Callable[[Any], Any]) -> Schema:
    """A copy of ``schema`` in which each schema directly inside went through ``change``."""
    copy = dict(schema)
    for keyword, inner in schema.items():
        holds = _HOLDS.get(keyword)
        if holds is None:
            continue
        if holds == "one":
            if isinstance(inner, dict):
                copy[keyword] = change(inner)
        elif holds == "list":
            if isinstance(inner, list):
                copy[keyword] = [change(item) if isinstance(item, dict) else item for item in inner]
        elif isinstance(inner, dict):
            copy[keyword] = {name: change(item) if isinstance(item, dict) else item for name, item in inner.items()}
    return copy


def subschemas(schema: Schema, pointer: str = "") -> Iterator[tuple[str, Schema]]:
    """Every schema in ``schema``, itself first, with its JSON Pointer."""
    yield pointer, schema
    for keyword, inner in schema.items():
        holds = _HOLDS.get(keyword)
        if holds is None:
            continue
        if holds == "one":
            steps = [("", inner)]
        elif holds == "list":
            steps = [(f"/{index}", item) for index, item in enumerate(inner if isinstance(inner, list) else ())]
        else:
            named = inner if isinstance(inner, dict) else {}
            steps = [(f"/{name.replace('~', '~0').replace('/', '~1')}", item) for name, item in named.items()]
        for step, item in steps:
            if isinstance(item, dict):
                yield from subschemas(item, f"{pointer}/{keyword}{step}")
