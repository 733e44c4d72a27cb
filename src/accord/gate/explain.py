"""Why a value failed a gate: every violation, found by walking down where the gate says no.

The compiled engine decides at every step (so the explanation cannot contradict the verdict); this
walk only asks it about ever smaller parts. Work is bounded: subtrees that pass are skipped whole,
and counting stops at ``MOST``.
"""

import math
from collections.abc import Iterable
from itertools import islice
from typing import Any

import msgspec

from accord._calls import JSON
from accord.gate.fit import fits_type, has_foreign_type, has_type, matches_tags, schema_at, target_of, wrong_tag
from accord.gate.validator import DEEPEST, Gate
from accord.gate.wording import expected, json_type, message_for, reason_for

__all__ = ["MOST", "Violation", "explain"]

Schema = dict[str, JSON]
Path = tuple[str | int, ...]

#: violations are counted up to here; a caller needs to know "many", not how many
MOST = 1000
#: questions put to the engine in one explanation
_VISITS = 50_000
#: members or items the engine is asked about at once; where they pass, none of them is visited
_AT_ONCE = 256


class Violation(msgspec.Struct, frozen=True):
    """One thing wrong: where in the arguments, which keyword of which subschema says so.

    ``known`` are the constants that would do, where several subschemas list them.
    """

    path: Path
    keyword: str
    message: str
    pointer: str
    reason: str
    known: tuple[JSON, ...] = ()


def explain(gate: Gate, value: JSON) -> list[Violation]:
    """The violations of a value the gate refused: missing ones first, then unexpected, then schema order."""
    if gate.is_too_deep(value):
        message = f"the arguments are nested more than {DEEPEST} levels deep"
        return [Violation((), "maxDepth", message, "", "constraint_violation")]
    walk = _Walk(gate)
    walk.visit("", gate.schema, value, ())
    return sorted(walk.found, key=lambda violation: _ORDER.get(violation.reason, 2))


_ORDER = {"missing_required_argument": 0, "unexpected_argument": 1}


class _Walk:
    def __init__(self, gate: Gate, visits: list[int] | None = None, most: int = MOST) -> None:
        self.gate = gate
        self.most = most
        self.found: list[Violation] = []
        self._visits = visits if visits is not None else [_VISITS]

    def visit(self, pointer: str, schema: Any, value: JSON, path: Path) -> None:
        """Record what is wrong with ``value`` under the subschema at ``pointer``."""
        if self._has_enough():
            return
        self._visits[0] -= 1
        if self.gate.is_valid_at(pointer, value):
            return
        before = len(self.found)
        if schema is False:
            self._say(path, "additionalProperties", "is not expected here", pointer)
        elif isinstance(schema, dict):
            self._inside(pointer, schema, value, path)
        if len(self.found) == before:
            self._say(path, *_unexplained(schema, value), pointer)

    def _inside(self, pointer: str, schema: Schema, value: Any, path: Path) -> None:
        if "type" in schema and not has_type(schema["type"], value):
            self._say(path, "type", message_for("type", schema, value), pointer)
            return
        self._references(pointer, schema, value, path)
        self._own_keywords(pointer, schema, value, path)
        if isinstance(value, dict):
            self._members(pointer, schema, value, path)
        elif isinstance(value, list | tuple):
            self._items(pointer, schema, value, path)

    def _references(self, pointer: str, schema: Schema, value: JSON, path: Path) -> None:
        reference = schema.get("$ref")
        if isinstance(reference, str) and (reference == "#" or reference.startswith("#/")):
            self.visit(reference[1:], schema_at(self.gate.schema, reference[1:]), value, path)
        for index, branch in enumerate(schema.get("allOf", ())):
            self.visit(f"{pointer}/allOf/{index}", branch, value, path)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                self._alternatives(f"{pointer}/{keyword}", schema[keyword], value, path)
        if "if" in schema:
            chosen = "then" if self.gate.is_valid_at(f"{pointer}/if", value) else "else"
            if chosen in schema:
                self.visit(f"{pointer}/{chosen}", schema[chosen], value, path)

    def _own_keywords(self, pointer: str, schema: Schema, value: JSON, path: Path) -> None:
        for keyword in [keyword for keyword in schema if keyword in _ALONE]:
            if not self.gate.holds(pointer, keyword, schema[keyword], value):
                reason = "type_mismatch" if keyword in ("enum", "const") and has_foreign_type(schema, value) else None
                self._say(path, keyword, message_for(keyword, schema, value), pointer, reason)

    def _alternatives(self, pointer: str, branches: list[Any], value: JSON, path: Path) -> None:
        valid = [index for index in range(len(branches)) if self.gate.is_valid_at(f"{pointer}/{index}", value)]
        if valid:
            return  # anyOf holds; a oneOf with two is left to ``_unexplained``
        fitting = [index for index, branch in enumerate(branches) if fits_type(self.gate.schema, branch, value)]
        if not fitting:
            self._say(path, "type", message_for("type", {"anyOf": branches}, value), pointer.rpartition("/")[0])
            return
        if self._wrong_tag(pointer, [(index, branches[index]) for index in fitting], value, path):
            return
        trials = [
            (branches[index], self._trial(f"{pointer}/{index}", branches[index], value, path)) for index in fitting
        ]
        _, best = min(trials, key=lambda trial: (not self._is_tagged(trial[0], value), len(trial[1])))
        self.found.extend(best)

    def _wrong_tag(self, pointer: str, branches: list[tuple[int, Any]], value: Any, path: Path) -> bool:
        """Name every tag, where the value has none of them: each branch by itself would only name its own."""
        found = wrong_tag([target_of(self.gate.schema, branch) for _, branch in branches], value)
        if found is None:
            return False
        name, known = found
        listed = {"enum": known}
        reason = "type_mismatch" if has_foreign_type(listed, value[name]) else reason_for("enum")
        message, place = message_for("enum", listed, value[name]), f"{pointer}/{branches[0][0]}"
        self.found.append(Violation((*path, name), "enum", message, place, reason, tuple(known)))
        return True

    def _is_tagged(self, branch: Any, value: JSON) -> bool:
        return matches_tags(target_of(self.gate.schema, branch), value)

    def _trial(self, pointer: str, branch: Any, value: JSON, path: Path) -> list[Violation]:
        walk = _Walk(self.gate, self._visits, min(50, self.most - len(self.found)))
        walk.visit(pointer, branch, value, path)
        return walk.found

    def _members(self, pointer: str, schema: Schema, value: dict[str, JSON], path: Path) -> None:
        self._missing(pointer, schema, value, path)
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                self.visit(f"{pointer}/properties/{_step(name)}", inner, value[name], (*path, name))
        for name, inner in schema.get("dependentSchemas", {}).items():
            if name in value:
                self.visit(f"{pointer}/dependentSchemas/{_step(name)}", inner, value, path)
        self._others(pointer, schema, value, path)

    def _missing(self, pointer: str, schema: Schema, value: dict[str, JSON], path: Path) -> None:
        for name in schema.get("required", ()):
            if name not in value:
                wanted = expected(target_of(self.gate.schema, schema.get("properties", {}).get(name, {})))
                self._say((*path, name), "required", f"is required ({wanted}) and missing", pointer)
        for name, needed in schema.get("dependentRequired", {}).items():
            for missing in [other for other in needed if name in value and other not in value]:
                self._say((*path, missing), "dependentRequired", f"is required beside {name} and missing", pointer)

    def _others(self, pointer: str, schema: Schema, value: dict[str, JSON], path: Path) -> None:
        """Members that ``properties`` does not name."""
        properties, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        for pattern, inner in patterns.items():
            named = [(name, item) for name, item in value.items() if self.gate.matches(pattern, name)]
            self._each(f"{pointer}/patternProperties/{_step(pattern)}", inner, named, path)
        others = (
            (name, item)
            for name, item in value.items()
            if name not in properties and not any(self.gate.matches(pattern, name) for pattern in patterns)
        )
        extra = schema.get("additionalProperties", True)
        if extra is False:
            self._unexpected(pointer, message_for("additionalProperties", schema, value), others, path)
        elif extra is not True:
            self._each(f"{pointer}/additionalProperties", extra, others, path)

    def _unexpected(self, pointer: str, message: str, entries: Iterable[tuple[str, JSON]], path: Path) -> None:
        for name, _ in entries:
            if self._has_enough():
                return
            self._say((*path, name), "additionalProperties", message, pointer)

    def _items(self, pointer: str, schema: Schema, value: Any, path: Path) -> None:
        prefix = schema.get("prefixItems", [])
        for index, inner in enumerate(prefix[: len(value)]):
            self.visit(f"{pointer}/prefixItems/{index}", inner, value[index], (*path, index))
        rest = enumerate(islice(value, len(prefix), None), len(prefix))
        if "items" in schema:
            self._each(f"{pointer}/items", schema["items"], rest, path)

    def _each(self, pointer: str, schema: Any, entries: Iterable[tuple[str | int, JSON]], path: Path) -> None:
        """Visit the values that stand under one subschema, skipping those that pass by the hundred."""
        waiting = iter(entries)
        while (chunk := list(islice(waiting, _AT_ONCE))) and not self._has_enough():
            if not self.gate.are_valid_at(pointer, [item for _, item in chunk]):
                for step, item in chunk:
                    self.visit(pointer, schema, item, (*path, step))

    def _has_enough(self) -> bool:
        return len(self.found) >= self.most or self._visits[0] <= 0

    def _say(self, path: Path, keyword: str, message: str, pointer: str, reason: str | None = None) -> None:
        if len(self.found) < self.most:
            self.found.append(Violation(path, keyword, message, pointer, reason or reason_for(keyword)))


#: keywords that mean the same on their own as beside their siblings
_ALONE = {
    "enum",
    "const",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "propertyNames",
}


def _unexplained(schema: Any, value: JSON) -> tuple[str, str]:
    """The keyword to blame when no part of the schema is to blame on its own."""
    if isinstance(value, str) and not _is_unicode(value):
        return "type", "must be Unicode text, and holds a lone surrogate"
    if json_type(value) not in _JSON_TYPES or (isinstance(value, float) and not math.isfinite(value)):
        return "type", "is not a JSON value"
    keywords = [keyword for keyword in (schema if isinstance(schema, dict) else ()) if keyword in _TOGETHER]
    keyword = keywords[0] if keywords else "type"
    return keyword, message_for(keyword, schema, value) if keywords else "is not allowed here"


_JSON_TYPES = {"null", "boolean", "integer", "number", "string", "array", "object"}
_TOGETHER = (
    "oneOf",
    "not",
    "contains",
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "items",
)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
