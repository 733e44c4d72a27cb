"""What a violation is called: reasons, and messages made from the schema and the value's JSON type.

A message never quotes the value, so it can leak neither a secret nor ten megabytes.
"""

from collections.abc import Callable
from typing import Any

from accord._calls import JSON

__all__ = ["expected", "json_type", "message_for", "reason_for"]

Schema = dict[str, JSON]

_REASONS = {
    "required": "missing_required_argument",
    "dependentRequired": "missing_required_argument",
    "additionalProperties": "unexpected_argument",
    "unevaluatedProperties": "unexpected_argument",
    "type": "type_mismatch",
}
_TYPE_WORDS = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "an array",
    "object": "an object",
}
_LIMIT = 160


def json_type(value: object) -> str:
    """The JSON type of a value; ``integer`` for whole floats too, as JSON Schema sees them."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list | tuple):
        return "array"
    return "object" if isinstance(value, dict) else type(value).__name__


def reason_for(keyword: str) -> str:
    """The error table's reason for a failed keyword."""
    return _REASONS.get(keyword, "constraint_violation")


def expected(schema: Any) -> str:
    """What a schema wants, in a few words."""
    if not isinstance(schema, dict):
        return "nothing"
    if "enum" in schema:
        return "one of " + _listed(schema["enum"])
    if "const" in schema:
        return _listed([schema["const"]])
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return _TYPE_WORDS.get(kinds, kinds)
    if isinstance(kinds, list):
        return _either([_TYPE_WORDS.get(kind, str(kind)) for kind in kinds])
    branches = schema.get("anyOf") or schema.get("oneOf") or []
    return _either(list(dict.fromkeys(expected(branch) for branch in branches))) if branches else "a value"


def message_for(keyword: str, schema: Schema, value: JSON) -> str:
    """What is wrong, as the end of a sentence about the value."""
    say = _MESSAGES.get(keyword)
    return say(schema, value) if say else f"does not satisfy {keyword}"


def _listed(values: list[JSON]) -> str:
    import json  # noqa: PLC0415 - only failures pay for it

    shown = ", ".join(json.dumps(value, ensure_ascii=False) for value in values[:12])
    return shown if len(shown) <= _LIMIT and len(values) <= 12 else f"{shown[:_LIMIT]} ... ({len(values)} values)"


def _either(words: list[str]) -> str:
    shown = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return shown if len(shown) <= 2 * _LIMIT else f"{shown[: 2 * _LIMIT]} ..."


def _bound(keyword: str, words: str) -> Callable[[Schema, JSON], str]:
    return lambda schema, _value: f"must be {words} {schema[keyword]}"


def _count(keyword: str, words: str, unit: str) -> Callable[[Schema, JSON], str]:
    def say(schema: Schema, value: Any) -> str:
        return f"must have {words} {schema[keyword]} {unit}, has {len(value)}"

    return say


_MESSAGES: dict[str, Callable[[Schema, JSON], str]] = {
    "type": lambda schema, value: (
        f"must be {expected(schema)}, is {_TYPE_WORDS.get(json_type(value), json_type(value))}"
    ),
    "enum": lambda schema, _value: f"must be {expected(schema)}",
    "const": lambda schema, _value: f"must be {expected(schema)}",
    "minimum": _bound("minimum", "at least"),
    "maximum": _bound("maximum", "at most"),
    "exclusiveMinimum": _bound("exclusiveMinimum", "greater than"),
    "exclusiveMaximum": _bound("exclusiveMaximum", "less than"),
    "multipleOf": _bound("multipleOf", "a multiple of"),
    "minLength": _count("minLength", "at least", "characters"),
    "maxLength": _count("maxLength", "at most", "characters"),
    "minItems": _count("minItems", "at least", "items"),
    "maxItems": _count("maxItems", "at most", "items"),
    "minProperties": _count("minProperties", "at least", "entries"),
    "maxProperties": _count("maxProperties", "at most", "entries"),
    "pattern": lambda schema, _value: f"must match the pattern {str(schema['pattern'])[:_LIMIT]}",
    "format": lambda schema, _value: f"must be a valid {schema['format']}",
    "uniqueItems": lambda _schema, _value: "must not hold the same item twice",
    "propertyNames": lambda schema, _value: f"has a key that is not allowed ({_key_rule(schema['propertyNames'])})",
    "additionalProperties": lambda schema, _value: f"is not an argument here ({_known(schema)})",
    "oneOf": lambda _schema, _value: "fits more than one alternative",
    "not": lambda _schema, _value: "is excluded",
}


def _known(schema: Schema) -> str:
    names = ", ".join(schema.get("properties", {}))
    return f"there are: {names[:_LIMIT]}{' ...' if len(names) > _LIMIT else ''}" if names else "there are none"


def _key_rule(schema: Any) -> str:
    if isinstance(schema, dict) and "pattern" in schema:
        return f"keys must match the pattern {schema['pattern']}"
    if isinstance(schema, dict) and "format" in schema:
        return f"keys must be a valid {schema['format']}"
    return f"keys must be {expected(schema)}"
