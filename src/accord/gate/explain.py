"""Why a value failed a gate: every violation, found by walking down where the gate says no.

The compiled engine decides at every step (so the explanation cannot contradict the verdict); this
walk only asks it about ever smaller parts. Work is bounded: subtrees that pass are skipped whole,
and counting stops at ``MOST``.
"""

import math
from typing import Any

import msgspec

from accord._calls import JSON
from accord._jsonpatch import steps_of
from accord.gate.validator import DEEPEST, Gate
from accord.gate.wording import expected, json_type, message_for, reason_for

__all__ = ["MOST", "Violation", "explain", "fits_type", "schema_at", "target_of"]

Schema = dict[str, JSON]
Path = tuple[str | int, ...]

#: violations are counted up to here; a caller needs to know "many", not how many
MOST = 1000
#: questions put to the engine in one explanation
_VISITS = 50_000


class Violation(msgspec.Struct, frozen=True):
    """One thing wrong: where in the arguments, which keyword of which subschema says so."""

    path: Path
    keyword: str
    message: str
    pointer: str
    reason: str


def explain(gate: Gate, value: JSON) -> list[Violation]:
    """The violations of a value the gate refused: missing ones first, then unexpected, then schema order."""
    if gate.is_too_deep(value):
        message = f"the arguments are nested more than {DEEPEST} levels deep"
        return [Violation((), "maxDepth", message, "", "constraint_violation")]
    walk = _Walk(gate)
    walk.visit("", gate.schema, value, ())
    return sorted(walk.found, key=lambda violation: _ORDER.get(violation.reason, 2))


_ORDER = {"missing_required_argument": 0, "unexpected_argument": 1}


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
        return _has_type(schema["type"], value)
    return not ("enum" in schema or "const" in schema) or not _foreign_type(schema, value)


class _Walk:
    def __init__(self, gate: Gate, visits: list[int] | None = None, most: int = MOST) -> None:
        self.gate = gate
        self.most = most
        self.found: list[Violation] = []
        self._visits = visits if visits is not None else [_VISITS]

    def visit(self, pointer: str, schema: Any, value: JSON, path: Path) -> None:
        """Record what is wrong with ``value`` under the subschema at ``pointer``."""
        if len(self.found) >= self.most or self._visits[0] <= 0:
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
        if "type" in schema and not _has_type(schema["type"], value):
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
                reason = "type_mismatch" if keyword in ("enum", "const") and _foreign_type(schema, value) else None
                self._say(path, keyword, message_for(keyword, schema, value), pointer, reason)

    def _alternatives(self, pointer: str, branches: list[Any], value: JSON, path: Path) -> None:
        valid = [index for index in range(len(branches)) if self.gate.is_valid_at(f"{pointer}/{index}", value)]
        if valid:
            return  # anyOf holds; a oneOf with two is left to ``_unexplained``
        fitting = [index for index, branch in enumerate(branches) if fits_type(self.gate.schema, branch, value)]
        if not fitting:
            self._say(path, "type", message_for("type", {"anyOf": branches}, value), pointer.rpartition("/")[0])
            return
        trials = [
            (branches[index], self._trial(f"{pointer}/{index}", branches[index], value, path)) for index in fitting
        ]
        _, best = min(trials, key=lambda trial: (not self._is_tagged(trial[0], value), len(trial[1])))
        self.found.extend(best)

    def _is_tagged(self, branch: Any, value: JSON) -> bool:
        return _tag_matches(target_of(self.gate.schema, branch), value)

    def _trial(self, pointer: str, branch: Any, value: JSON, path: Path) -> list[Violation]:
        walk = _Walk(self.gate, self._visits, min(50, self.most - len(self.found)))
        walk.visit(pointer, branch, value, path)
        return walk.found

    def _members(self, pointer: str, schema: Schema, value: dict[str, JSON], path: Path) -> None:
        properties = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in value:
                wanted = expected(target_of(self.gate.schema, properties.get(name, {})))
                self._say((*path, name), "required", f"is required ({wanted}) and missing", pointer)
        for name, inner in properties.items():
            if name in value:
                self.visit(f"{pointer}/properties/{_step(name)}", inner, value[name], (*path, name))
        extra = schema.get("additionalProperties", True)
        if extra is True or "patternProperties" in schema:
            return
        for name, item in value.items():
            if name in properties or len(self.found) >= self.most:
                continue
            if extra is False:
                message = message_for("additionalProperties", schema, value)
                self._say((*path, name), "additionalProperties", message, pointer)
            else:
                self.visit(f"{pointer}/additionalProperties", extra, item, (*path, name))

    def _items(self, pointer: str, schema: Schema, value: Any, path: Path) -> None:
        prefix = schema.get("prefixItems", [])
        for index, inner in enumerate(prefix[: len(value)]):
            self.visit(f"{pointer}/prefixItems/{index}", inner, value[index], (*path, index))
        items = schema.get("items", True)
        if isinstance(items, dict):
            for index in range(len(prefix), len(value)):
                if len(self.found) >= self.most:
                    return
                self.visit(f"{pointer}/items", items, value[index], (*path, index))

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


def _has_type(kinds: JSON, value: JSON) -> bool:
    kind = json_type(value)
    wanted = kinds if isinstance(kinds, list) else [kinds]
    return kind in wanted or (kind == "integer" and "number" in wanted)


def _foreign_type(schema: Schema, value: JSON) -> bool:
    values = schema["enum"] if "enum" in schema else [schema.get("const")]
    return not any(_has_type(json_type(known), value) for known in values)


def _tag_matches(branch: Any, value: JSON) -> bool:
    """Whether a branch's constant properties (its tags) are what the value has."""
    if not isinstance(branch, dict) or not isinstance(value, dict):
        return False
    tags = {name: _only_values(inner) for name, inner in branch.get("properties", {}).items()}
    constant = {name: values[0] for name, values in tags.items() if len(values) == 1}
    return bool(constant) and all(value.get(name) == only for name, only in constant.items())


def _only_values(schema: Any) -> list[JSON]:
    """The values a schema lists, in full; nothing where it lists none."""
    if not isinstance(schema, dict):
        return []
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def _step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
