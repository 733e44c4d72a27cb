"""References inside a schema: inlining those that need not be there, and refusing those that lead out."""

from collections.abc import Iterator
from typing import Any

from accord._calls import JSON
from accord.schema.walk import map_subschemas, subschemas

__all__ = ["dangling_references", "inlined"]

Schema = dict[str, JSON]

_PREFIX = "#/$defs/"


def inlined(schema: Schema) -> Schema:
    """The schema with every reference to a non-recursive definition replaced by the definition."""
    definitions: Schema = schema.get("$defs", {})
    recursive = {name for name in definitions if name in _reachable(name, definitions)}

    def expand(inner: Schema) -> Schema:
        inner = map_subschemas(inner, expand)
        name = _defined_name(inner)
        if name is None or name in recursive or name not in definitions:
            return inner
        siblings = {key: value for key, value in inner.items() if key != "$ref"}
        return {**expand(definitions[name]), **siblings}

    root = expand({key: value for key, value in schema.items() if key != "$defs"})
    kept = {name: expand(definitions[name]) for name in definitions if name in recursive}
    return {**root, "$defs": kept} if kept else root


def dangling_references(schema: Schema) -> Iterator[tuple[str, str]]:
    """Each ``$ref`` that does not lead to a schema in this very document, as (pointer, reference)."""
    named = (inner.get(word) for _, inner in subschemas(schema) for word in ("$anchor", "$dynamicAnchor"))
    anchors = {f"#{name}" for name in named if isinstance(name, str)}
    own = schema.get("$id")
    for pointer, inner in subschemas(schema):
        for keyword in ("$ref", "$dynamicRef"):
            reference = inner.get(keyword)
            if not isinstance(reference, str):
                continue
            local = reference.removeprefix(own) if isinstance(own, str) else reference
            if local not in anchors and not _resolves(schema, local):
                yield pointer, reference


def _defined_name(schema: Schema) -> str | None:
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith(_PREFIX):
        return _unescaped(reference.removeprefix(_PREFIX))
    return None


def _reachable(start: str, definitions: Schema) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for _, inner in subschemas(definitions.get(waiting.pop(), {})):
            name = _defined_name(inner)
            if name is not None and name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def _resolves(schema: Schema, reference: str) -> bool:
    if reference in ("#", ""):
        return True
    if not reference.startswith("#/"):
        return False
    target: Any = schema
    for step in reference[2:].split("/"):
        key = _unescaped(step)
        if isinstance(target, list) and key.isdigit() and int(key) < len(target):
            target = target[int(key)]
        elif isinstance(target, dict) and key in target:
            target = target[key]
        else:
            return False
    return isinstance(target, dict | bool)


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
