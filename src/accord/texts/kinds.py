"""Which JSON types a schema admits: what decides how something that comes as text is typed.

Knows schemas, and neither options nor text.
"""

import msgspec

from accord._calls import JSON

__all__ = ["ALL", "Kinds", "Schema", "branches", "fits", "kind_of", "kinds_of"]

Schema = dict[str, JSON]
Kinds = frozenset[str]

ALL: Kinds = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}


def kind_of(value: JSON) -> str:
    """The JSON type of a value."""
    return _KINDS.get(type(value), "null")


def branches(schema: JSON, definitions: Schema, within: tuple[str, ...] = ()) -> list[Schema]:
    """The schemas without alternatives that a schema is made of; references are followed, but never in a circle."""
    if not isinstance(schema, dict):
        return [{}] if schema is True else []
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in within:
        inner = definitions.get(reference.rpartition("/")[2], {})
        return branches({**inner, **_without(schema, "$ref")}, definitions, (*within, reference))
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            rest = _without(schema, keyword)
            return [leaf for each in schema[keyword] for leaf in branches(_joined(rest, each), definitions, within)]
    return [schema]


def _without(schema: Schema, keyword: str) -> Schema:
    return {name: value for name, value in schema.items() if name != keyword}


def _joined(outer: Schema, inner: JSON) -> JSON:
    return {**outer, **inner} if isinstance(inner, dict) else inner


def kinds_of(schema: JSON, definitions: Schema) -> Kinds:
    """The JSON types a schema admits."""
    found: set[str] = set()
    for branch in branches(schema, definitions):
        found |= _kinds_of_branch(branch)
    return frozenset(found)


def _kinds_of_branch(branch: Schema) -> Kinds:
    if isinstance(branch.get("enum"), list):
        return frozenset(kind_of(value) for value in branch["enum"])
    if "const" in branch:
        return frozenset((kind_of(branch["const"]),))
    named = branch.get("type", msgspec.UNSET)
    if named is msgspec.UNSET:
        return ALL
    kinds = {named} if isinstance(named, str) else set(named)
    return frozenset(kinds | {"integer"} if "number" in kinds else kinds)


def fits(value: JSON, schema: JSON, definitions: Schema) -> bool:
    """Whether the schema admits the value's type, or the value itself where it lists the ones it admits."""
    kind = kind_of(value)
    for branch in branches(schema, definitions):
        listed = branch.get("enum") if "enum" in branch else [branch["const"]] if "const" in branch else None
        if listed is not None:
            if any(kind_of(item) == kind and item == value for item in listed):
                return True
        elif kind in _kinds_of_branch(branch) or (kind == "number" and _is_whole(value, branch)):
            return True
    return False


def _is_whole(value: float, branch: Schema) -> bool:
    return "integer" in _kinds_of_branch(branch) and value.is_integer()
