"""Small flat schemas, checked without the engine: True only where the engine is certain to say True, too.

The engine judges (R1). But it has to be loaded and a schema compiled before its first word, and a program that makes
one call and ends would pay more for that than for the call. False here means "not certain", never "no". Knows
schemas and values, and neither tools nor the engine.
"""

from __future__ import annotations

from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from accord._calls import JSON

__all__ = ["plain_check"]

Check: TypeAlias = "Callable[[Any], bool]"

#: schemas inside schemas: what is larger or deeper is not an everyday signature, and the engine is faster there
_MOST = 64
_DEEPEST = 4
#: from here on numbers are the engine's business: not all of its arithmetic is in integers
_EXACT_BELOW = 2**53
#: containers inside an unconstrained value
_LEVELS = 8

#: keywords that say nothing about validity
_NOTES = {"description", "default", "examples", "deprecated", "title", "x-mcp-header"}


def plain_check(schema: JSON) -> Check | None:
    """A predicate that holds only for values the schema admits, or None for a schema that is not plain."""
    return _Plain().check(schema, _DEEPEST)


class _Plain:
    def __init__(self) -> None:
        self._seen = 0

    def check(self, schema: JSON, levels: int) -> Check | None:
        self._seen += 1
        if type(schema) is not dict or self._seen > _MOST or not levels:
            return None
        kind = schema.get("type")
        if kind is None:
            return self._without_type(schema, levels)
        make = _MAKE.get(kind) if type(kind) is str else None
        if make is None or not schema.keys() <= make[1]:
            return None
        found: Check | None = make[0](self, schema, levels)
        return found

    def _without_type(self, schema: dict[str, JSON], levels: int) -> Check | None:
        rest = schema.keys() - _NOTES
        if not rest:
            return _is_json
        branches = schema.get("anyOf")
        if rest != {"anyOf"} or type(branches) is not list:
            return None
        checks = [self.check(branch, levels) for branch in branches]
        # A branch that is not plain is only one way less to be certain.
        plain = tuple(check for check in checks if check is not None)
        if not plain:
            return None
        if len(plain) == 2:
            first, second = plain
            return lambda value: first(value) or second(value)
        return lambda value: any(check(value) for check in plain)

    def array(self, schema: dict[str, JSON], levels: int) -> Check | None:
        item = self.check(schema.get("items", {}), levels - 1)
        return None if item is None else lambda value: type(value) is list and all(map(item, value))

    def object(self, schema: dict[str, JSON], levels: int) -> Check | None:
        named, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        required = schema.get("required", [])
        if type(named) is not dict or type(required) is not list or not all(map(_is_text, required)):
            return None
        checks: dict[str, Check] = {}
        for name, inner in named.items():
            check = self.check(inner, levels - 1)
            if check is not None and _is_text(name):  # without one, only calls that leave it out are plain
                checks[name] = check
        others = None if rest is False else self.check({} if rest is True else rest, levels - 1)
        # With values under any name, a property whose schema is not plain would be taken for one of them.
        if others is not None and len(checks) < len(named):
            return None
        return _object_check(checks, others, required)


def _object_check(checks: dict[str, Check], others: Check | None, required: list[JSON]) -> Check:
    def check(value: Any) -> bool:
        if type(value) is not dict:
            return False
        for name in required:
            if name not in value:
                return False
        for name, item in value.items():
            inner = checks.get(name, others)
            if inner is None or not _is_text(name) or not inner(item):
                return False
        return True

    return check


def _is_text(value: Any) -> bool:
    return type(value) is str and (value.isascii() or _is_unicode(value))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


def _is_integer(value: Any) -> bool:
    return type(value) is int and -_EXACT_BELOW < value < _EXACT_BELOW


def _is_number(value: Any) -> bool:
    return (type(value) is float and isfinite(value)) or _is_integer(value)


def _is_boolean(value: Any) -> bool:
    return value is True or value is False


def _is_null(value: Any) -> bool:
    return value is None


def _is_json(value: Any, levels: int = _LEVELS) -> bool:
    """Whether a value is JSON that no engine could object to."""
    kind = type(value)
    if kind is dict:
        return levels > 0 and all(_is_text(name) and _is_json(item, levels - 1) for name, item in value.items())
    if kind is list:
        return levels > 0 and all(_is_json(item, levels - 1) for item in value)
    return value is None or kind is bool or _is_text(value) or _is_number(value)


def _text(_: _Plain, schema: dict[str, JSON], _levels: int) -> Check | None:
    options = schema.get("enum")
    if options is not None:
        known = frozenset(filter(_is_text, options)) if type(options) is list else ()
        if not known or "minLength" in schema or "maxLength" in schema:
            return None
        return lambda value: type(value) is str and value in known
    least, most = schema.get("minLength", 0), schema.get("maxLength", _EXACT_BELOW)
    if type(least) is not int or type(most) is not int:
        return None
    if least == 0 and most == _EXACT_BELOW:
        return _is_text
    return lambda value: _is_text(value) and least <= len(value) <= most


def _limited(is_kind: Check) -> Callable[[_Plain, dict[str, JSON], int], Check | None]:
    def make(_: _Plain, schema: dict[str, JSON], _levels: int) -> Check | None:
        limits = schema.keys() & _BOUNDS
        if not limits:
            return is_kind
        if not all(_is_number(schema[name]) and abs(schema[name]) < _EXACT_BELOW for name in limits):
            return None
        least, most = schema.get("minimum", -_EXACT_BELOW), schema.get("maximum", _EXACT_BELOW)
        above, below = schema.get("exclusiveMinimum", -_EXACT_BELOW), schema.get("exclusiveMaximum", _EXACT_BELOW)
        return lambda value: is_kind(value) and least <= value <= most and above < value < below

    return make


_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}

#: type -> (what makes its check, every keyword that check knows)
_MAKE: dict[str, tuple[Callable[[Any, dict[str, JSON], int], Check | None], set[str]]] = {
    "string": (_text, {"type", "enum", "minLength", "maxLength", "writeOnly", *_NOTES}),
    "integer": (_limited(_is_integer), {"type", *_BOUNDS, *_NOTES}),
    "number": (_limited(_is_number), {"type", *_BOUNDS, *_NOTES}),
    "boolean": (lambda _plain, _schema, _levels: _is_boolean, {"type", *_NOTES}),
    "null": (lambda _plain, _schema, _levels: _is_null, {"type", *_NOTES}),
    "array": (_Plain.array, {"type", "items", *_NOTES}),
    "object": (_Plain.object, {"type", "properties", "required", "additionalProperties", *_NOTES}),
}
