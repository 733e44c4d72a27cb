"""Results that are not objects, for protocol versions that only know objects.

Up to 2025-11-25 a structured result must be an object, so anything else is boxed as
``{"result": value}``. Schema and value are boxed by the same decision, taken once per tool.
"""

from accord._calls import JSON
from accord._ready import BOX

__all__ = ["boxed_schema", "is_object", "object_schema"]

Schema = dict[str, JSON]


def is_object(schema: Schema) -> bool:
    """Whether every value the schema admits is an object, as far as its shape tells."""
    if schema.get("type") == "object":
        return True
    branches = schema.get("anyOf") or []
    return bool(branches) and all(is_object(_target(branch, schema)) for branch in branches)


def object_schema(schema: Schema) -> Schema:
    """A schema of objects with ``type: object`` at its root, which older clients insist on."""
    return schema if "type" in schema else {"type": "object", **schema}


def boxed_schema(schema: Schema, marker: str) -> Schema:
    """The schema of the box around a value, marked so that a client can unwrap it."""
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    box: Schema = {"type": "object", "properties": {BOX: inner}, "required": [BOX], marker: {"field": BOX}}
    return {**box, "$defs": schema["$defs"]} if "$defs" in schema else box


def _target(branch: Schema, root: Schema) -> Schema:
    reference = branch.get("$ref", "")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        target: Schema = root.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
        return target
    return branch
