"""Arguments that break a contract -> arguments that keep it, where the schema alone decides what was meant.

Two habits of models are undone: JSON inside a string where no text is taken, and null or "" for an argument that
may simply be left out. Whatever is not one of these stays refused, and every repair is accounted for.
"""

from typing import Any

import msgspec

from accord._calls import JSON
from accord._jsonpatch import Operation, apply_patch, pointer_of, short_pointer, value_at
from accord.gate.explain import Violation, explain
from accord.gate.repair import stands_for_nothing
from accord.gate.validator import Gate

__all__ = ["Repair", "mend"]

#: a repaired object may hold something to repair itself
_ROUNDS = 3
_MOST = 50
_LONGEST_TEXT = 1_000_000


class Repair(msgspec.Struct, frozen=True):
    """One thing that was undone: where, and what (``parsed_json``, ``dropped_null`` or ``dropped_empty``)."""

    path: str
    repair: str


def mend(gate: Gate, arguments: JSON) -> tuple[JSON, list[Repair]] | None:
    """The arguments repaired, and how; None when that is not all that is wrong with them."""
    repairs: list[Repair] = []
    for _ in range(_ROUNDS):
        violations = explain(gate, arguments)
        if len(violations) > _MOST:
            return None
        found = [_repair(gate, arguments, violation) for violation in violations]
        mended = [each for each in found if each is not None]
        if len(mended) < len(found):
            return None
        repairs += [repair for _, repair in mended]
        arguments = apply_patch(arguments, [operation for operation, _ in mended])
        if gate.is_valid(arguments):
            return arguments, repairs
    return None


def _repair(gate: Gate, arguments: JSON, violation: Violation) -> tuple[Operation, Repair] | None:
    if violation.reason in ("missing_required_argument", "unexpected_argument") or not violation.path:
        return None
    place, shown = pointer_of(violation.path), short_pointer(violation.path)
    value = value_at(arguments, violation.path)
    if value in (None, "") and stands_for_nothing(gate, arguments, violation):
        return {"op": "remove", "path": place}, Repair(shown, "dropped_null" if value is None else "dropped_empty")
    if violation.reason == "type_mismatch" and isinstance(value, str) and 0 < len(value) <= _LONGEST_TEXT:
        parsed = _parsed(value)
        if parsed is not msgspec.UNSET and not isinstance(parsed, str):
            return {"op": "replace", "path": place, "value": parsed}, Repair(shown, "parsed_json")
    return None


def _parsed(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return msgspec.UNSET
