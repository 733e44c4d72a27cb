"""Violations -> a JSON Patch that makes the arguments pass, where nothing has to be made up.

Renames a near-miss key, drops an unknown one, parses a JSON string, takes away a null or an empty
string that stands for "nothing", clamps to a bound, corrects the spelling of an enum value. The
patch is tried on the gate before anybody sees it.
"""

import math
from fractions import Fraction
from typing import Any

import msgspec

from accord._calls import JSON
from accord._jsonpatch import Operation, apply_patch, pointer_of, value_at
from accord.gate.explain import Violation, explain
from accord.gate.fit import fits_type, schema_at
from accord.gate.resemblance import nearest, same_word
from accord.gate.validator import Gate
from accord.schema.walk import subschemas

__all__ = ["patch_for", "stands_for_nothing", "suggestion_for"]

_ROUNDS = 3
_MOST_OPERATIONS = 20
_LARGEST_VALUE = 2048
_LARGEST_PATCH = 4096


def patch_for(gate: Gate, arguments: JSON, violations: list[Violation]) -> list[Operation] | None:
    """A patch after which the gate passes, or None."""
    patch: list[Operation] = []
    for _ in range(_ROUNDS):
        operations = _operations(gate, arguments, violations)
        if not operations or len(patch) + len(operations) > _MOST_OPERATIONS:
            return None
        patch = _joined(patch, operations)
        arguments = apply_patch(arguments, operations)
        if gate.is_valid(arguments):
            return patch if _may_be_shown(patch) else None
        violations = explain(gate, arguments)
    return None


def _joined(patch: list[Operation], more: list[Operation]) -> list[Operation]:
    """One list of operations in which the last one's replacement is replaced at once, not twice."""
    for operation in more:
        last = next((old for old in reversed(patch) if old["path"].startswith(operation["path"])), None)
        if last is not None and last["op"] == operation["op"] == "replace" and last["path"] == operation["path"]:
            patch = [operation if old is last else old for old in patch]
        else:
            patch = [*patch, operation]
    return patch


def _may_be_shown(patch: list[Operation]) -> bool:
    """A key of ten megabytes would make a patch of ten megabytes, and one that is not Unicode none at all."""
    if sum(len(operation["path"]) for operation in patch) > _LARGEST_PATCH:
        return False
    try:
        return len(msgspec.json.encode(patch)) <= _LARGEST_PATCH
    except UnicodeEncodeError:
        return False


def suggestion_for(gate: Gate, arguments: JSON, violation: Violation) -> str | None:
    """The key or enum value that was probably meant."""
    schema = schema_at(gate.schema, violation.pointer)
    if violation.keyword == "additionalProperties" and isinstance(schema, dict):
        given = value_at(arguments, violation.path[:-1])
        free = [name for name in schema.get("properties", {}) if name not in given]
        return nearest(str(violation.path[-1]), free)
    if violation.keyword in ("enum", "const"):
        value = value_at(arguments, violation.path)
        options = violation.known or (schema["enum"] if "enum" in schema else [schema["const"]])
        return nearest(value, filter(_is_text, options)) if isinstance(value, str) else None
    return None


def _operations(gate: Gate, arguments: JSON, violations: list[Violation]) -> list[Operation] | None:
    if len(violations) > _MOST_OPERATIONS:
        return None
    moved: set[str] = set()
    operations: list[Operation] = []
    bounded = {violation.path for violation in violations if violation.keyword in _BOUNDS}
    for violation in sorted(violations, key=lambda violation: violation.reason != "unexpected_argument"):
        if violation.keyword == "multipleOf" and violation.path in bounded:
            continue  # the clamp lands on a multiple
        operation = _operation(gate, arguments, violation, moved)
        if operation is None:
            return None
        operations += operation
    return operations


def _operation(gate: Gate, arguments: JSON, violation: Violation, moved: set[str]) -> list[Operation] | None:
    place = pointer_of(violation.path)
    schema = schema_at(gate.schema, violation.pointer)
    if violation.keyword == "additionalProperties":
        meant = suggestion_for(gate, arguments, violation)
        target = pointer_of((*violation.path[:-1], meant)) if meant is not None else None
        if target is None or target in moved:
            return [{"op": "remove", "path": place}]
        moved.add(target)
        return [{"op": "move", "from": place, "path": target}]
    if violation.reason == "missing_required_argument":
        return [] if place in moved else _only_possible(schema, violation, place)
    replacement = _replacement(gate, schema, violation, arguments)
    if replacement is not msgspec.UNSET:
        return [{"op": "replace", "path": place, "value": replacement}]
    if violation.keyword == "type" and stands_for_nothing(gate, arguments, violation):
        return [{"op": "remove", "path": place}]
    return None


def _only_possible(schema: dict[str, Any], violation: Violation, place: str) -> list[Operation] | None:
    """A missing argument that can only have one value may be filled in."""
    wanted = schema.get("properties", {}).get(violation.path[-1], {})
    options = [wanted["const"]] if "const" in wanted else wanted.get("enum", [])
    return [{"op": "add", "path": place, "value": options[0]}] if len(options) == 1 else None


def _replacement(gate: Gate, schema: Any, violation: Violation, arguments: JSON) -> JSON:
    value = value_at(arguments, violation.path)
    if violation.reason == "type_mismatch" and isinstance(value, str) and len(value) <= _LARGEST_VALUE:
        try:
            parsed = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return msgspec.UNSET
        return parsed if _closer(gate, violation, parsed) and not _is_secret(schema) else msgspec.UNSET
    if violation.keyword in ("enum", "const"):
        meant = suggestion_for(gate, arguments, violation)
        return meant if meant is not None and same_word(meant, str(value)) else msgspec.UNSET
    if violation.keyword in _BOUNDS and isinstance(schema, dict):
        return _clamped(schema, violation.keyword)
    return msgspec.UNSET


def _closer(gate: Gate, violation: Violation, parsed: JSON) -> bool:
    """A parsed value helps when it passes, or has the right type and can be repaired further."""
    return gate.is_valid_at(violation.pointer, parsed) or fits_type(
        gate.schema, schema_at(gate.schema, violation.pointer), parsed
    )


def _is_secret(schema: Any) -> bool:
    """Whether a value under this schema may hold what must not be echoed."""
    return isinstance(schema, dict) and any(inner.get("writeOnly") for _, inner in subschemas(schema))


_BOUNDS = {"minimum": 0, "maximum": 0, "exclusiveMinimum": 1, "exclusiveMaximum": -1}


def _clamped(schema: dict[str, Any], keyword: str) -> JSON:
    """The value nearest to the bound that the schema takes, where there is a nearest one."""
    bound, step, low = schema[keyword], schema.get("multipleOf"), "inimum" in keyword
    if step is None and schema.get("type") != "integer":
        return bound if _BOUNDS[keyword] == 0 else msgspec.UNSET
    unit = Fraction(repr(step if step is not None else 1))
    count = Fraction(repr(bound)) / unit
    nearest_whole = math.ceil(count) if low else math.floor(count)
    if nearest_whole == count:
        nearest_whole += _BOUNDS[keyword]
    value = nearest_whole * unit
    return int(value) if value.denominator == 1 else float(value)


def stands_for_nothing(gate: Gate, arguments: JSON, violation: Violation) -> bool:
    """null or "" given for an argument that may simply be left out."""
    if not violation.path or value_at(arguments, violation.path) not in (None, ""):
        return False
    parent, _, last = violation.pointer.rpartition("/properties/")
    # An item of an argument called "properties" stands at /properties/properties/items, and is none.
    if not last or pointer_of(violation.path[-1:]) != f"/{last}":
        return False
    return violation.path[-1] not in schema_at(gate.schema, parent).get("required", ())


def _is_text(value: JSON) -> bool:
    return isinstance(value, str)
