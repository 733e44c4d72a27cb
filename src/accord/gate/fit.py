"""Whether a value is of the kind a subschema takes: its JSON type and its tags, not its constraints.

Looks at schemas as data and never asks the engine, so it can say "of the right type, and still refused".
"""

from typing import Any

from accord._calls import JSON
from accord._jsonpatch import steps_of
from accord.gate.wording import json_type

__all__ = ["fits_type", "has_foreign_type", "has_type", "matches_tags", "schema_at", "target_of", "wrong_tag"]

Schema = dict[str, JSON]


def schema_at(root: Schema, pointer: str) -> Any:
    """The subschema at a JSON Pointer."""
    target: Any = root
    for step in steps_of(pointer):
        target = target[int(step)] if isinstance(target, list) else target[step]
    return target


def target_of(root: Schema, schema: Any) -> Any:
    """The schema itself, or what its local reference leads to."""
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    if isinstance(reference, str) and reference.startswith("#/"):
        return target_of(root, schema_at(root, reference[1:]))
    return schema


def fits_type(root: Schema, schema: Any, value: JSON) -> bool:
    """Whether a value is of a JSON type the schema takes, whatever else the schema asks."""
    schema = target_of(root, schema)
    if not isinstance(schema, dict):
        return schema is True
    inner = schema.get("anyOf") or schema.get("oneOf")
    if inner and "type" not in schema:
        return any(fits_type(root, alternative, value) for alternative in inner)
    if "type" in schema:
        return has_type(schema["type"], value)
    return not ("enum" in schema or "const" in schema) or not has_foreign_type(schema, value)


def has_type(kinds: JSON, value: JSON) -> bool:
    """Whether a value is of the JSON type, or of one of the types; an integer is a number, too."""
    kind = json_type(value)
    wanted = kinds if isinstance(kinds, list) else [kinds]
    return kind in wanted or (kind == "integer" and "number" in wanted)


def has_foreign_type(schema: Schema, value: JSON) -> bool:
    """Whether none of the constants a schema lists is of the value's JSON type."""
    values = schema["enum"] if "enum" in schema else [schema.get("const")]
    return not any(has_type(json_type(known), value) for known in values)


def matches_tags(branch: Any, value: JSON) -> bool:
    """Whether a branch's constant properties (its tags) are what the value has."""
    if not isinstance(branch, dict) or not isinstance(value, dict):
        return False
    tags = {name: _only_values(inner) for name, inner in branch.get("properties", {}).items()}
    constant = {name: values[0] for name, values in tags.items() if len(values) == 1}
    return bool(constant) and all(value.get(name) == only for name, only in constant.items())


def wrong_tag(branches: list[Any], value: JSON) -> tuple[str, list[JSON]] | None:
    """The property that tells the branches apart, and all it may be, where the value has something else there."""
    if len(branches) < 2 or not isinstance(value, dict):
        return None
    properties = [branch.get("properties", {}) if isinstance(branch, dict) else {} for branch in branches]
    for name in properties[0]:
        known = [_only_values(each.get(name)) for each in properties]
        listed = [constant for constants in known for constant in constants]
        apart = all(known) and not any(_is_among(constant, listed[:at]) for at, constant in enumerate(listed))
        if apart and name in value and not _is_among(value[name], listed):
            return name, listed
    return None


def _is_among(value: JSON, constants: list[JSON]) -> bool:
    return any(value == known and isinstance(value, bool) is isinstance(known, bool) for known in constants)


def _only_values(schema: Any) -> list[JSON]:
    """The values a schema lists, in full; nothing where it lists none."""
    if not isinstance(schema, dict):
        return []
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))
