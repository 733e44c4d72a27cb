"""Random JSON for a schema, and nothing but the schema: the published contract is all that a caller has.

`Instance.value` is meant to be valid; it is no promise (a length and a pattern may not meet), since the
oracle decides. `Instance.places` remembers which schema every part was drawn for: that is where mutations.py
strikes.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st

from tests.fuzz.meaning import is_number, json_key
from tests.fuzz.patterns import PATTERNS, python_pattern
from tests.fuzz.samples import ANYTHING, BASE64, GOOD, KEYS, NUMERIC_TEXT, REAL, WHOLE, WORDS
from tests.fuzz.writer import Writer

JSON = Any
Schema = Any
Path = tuple[str | int, ...]

MATCHING = {pattern.source: pattern.matching for pattern in PATTERNS}


def decoded(value: JSON) -> JSON:
    """As msgspec decodes it from bytes: the domain of the whole claim (R1)."""
    return msgspec.json.decode(json.dumps(value).encode())


@cache
def strings_matching(pattern: str) -> st.SearchStrategy[str]:
    return st.from_regex(python_pattern(pattern), alphabet=st.characters(codec="ascii"))


@dataclass
class Instance:
    value: JSON
    places: dict[Path, Schema]


@dataclass
class Drawing:
    """One instance in the making."""

    w: Writer
    root: Schema
    places: dict[Path, Schema] = field(default_factory=dict)

    def value(self, schema: Schema, path: Path = (), depth: int = 0) -> JSON:
        schema = self.settled(schema, depth)
        self.places[path] = schema
        for known in ("default", "examples"):
            if known in schema and path and self.w.chance(12):
                return schema[known] if known == "default" else self.w.pick(schema[known])
        if "const" in schema or "enum" in schema:
            return self.respelled(self.w.pick(schema.get("enum") or [schema["const"]]))
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self.w.pick(kind)
        if kind is None and is_number(schema.get("minimum", schema.get("maximum"))):
            kind = "number"
        draw = getattr(self, f"a_{kind}", None)
        return draw(schema, path, depth) if draw else self.w.pick(ANYTHING)

    def settled(self, schema: Schema, depth: int) -> dict[str, JSON]:
        """Without references, `allOf` and unions: one branch of each, with what stands beside it."""
        if isinstance(schema, bool):
            return {}
        while any(word in schema for word in ("$ref", "allOf", "anyOf", "oneOf")):
            rest = {word: s for word, s in schema.items() if word not in ("$ref", "allOf", "anyOf", "oneOf")}
            parts: list[Schema] = list(schema.get("allOf", ()))
            if "$ref" in schema:
                parts.append(self.resolved(schema["$ref"]))
            for word in ("anyOf", "oneOf"):
                if word in schema:
                    # Deep inside a recursive type only an exit will do.
                    exits = [branch for branch in schema[word] if "$ref" not in branch]
                    parts.append(self.w.pick(exits if depth > 5 and exits else schema[word]))
            for part in parts:
                rest = {**part, **rest} if isinstance(part, dict) else rest
            schema = rest
        return dict(schema)

    def resolved(self, reference: str) -> Schema:
        target = self.root
        for word in reference.removeprefix("#").split("/")[1:]:
            target = target[word.replace("~1", "/").replace("~0", "~")]
        return target

    def respelled(self, constant: JSON) -> JSON:
        """1 is 1.0 to JSON Schema."""
        exact = isinstance(constant, int) and not isinstance(constant, bool) and abs(constant) <= 2**53
        return float(constant) if exact and self.w.chance(6) else constant

    # One method per JSON type.

    def a_null(self, schema: Schema, path: Path, depth: int) -> JSON:
        return None

    def a_boolean(self, schema: Schema, path: Path, depth: int) -> JSON:
        return self.w.chance(2)

    def a_integer(self, schema: Schema, path: Path, depth: int) -> JSON:
        step = schema.get("multipleOf")
        drawn = self.near_bounds(schema, WHOLE)
        number = round(Fraction(repr(drawn)) / (1 if step is None else Fraction(repr(step))))
        whole = Fraction(number) * (1 if step is None else Fraction(repr(step)))
        number = math.floor(whole)
        if self.w.chance(5) and abs(number) < 10**300 and int(float(number)) == number:
            return float(number)
        return number

    def a_number(self, schema: Schema, path: Path, depth: int) -> JSON:
        drawn = self.near_bounds(schema, (*REAL, *WHOLE) if self.w.chance(3) else REAL)
        if "multipleOf" not in schema:
            return drawn
        step = Fraction(repr(schema["multipleOf"]))
        exact = round(Fraction(repr(drawn)) / step) * step
        return float(exact) if abs(exact) < 10**300 else math.floor(exact)

    def near_bounds(self, schema: Schema, corners: tuple[Any, ...]) -> Any:
        """A corner inside the bounds, or a number beside one of them."""
        bounds = [
            schema[word] for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum") if word in schema
        ]
        near = [bound + delta for bound in bounds for delta in (0, 1, -1, 0.5, -0.5, schema.get("multipleOf", 0.25))]
        inside = [number for number in (*near, *corners) if in_bounds(schema, number)]
        return self.w.pick(inside or near or corners)

    def a_string(self, schema: Schema, path: Path, depth: int) -> JSON:
        candidates = self.texts(schema)
        low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
        fitting = [text for text in candidates if low <= len(text) <= high]
        if fitting or "pattern" in schema or "format" in schema:
            return self.w.pick(fitting or candidates)
        text = self.w.pick(("a", "é", "😀")) * max(low, 1)
        return text[: int(min(high, len(text)))]

    def texts(self, schema: Schema) -> tuple[str, ...]:
        if "format" in schema:
            return GOOD.get(schema["format"], WORDS)
        if "pattern" not in schema:
            return WORDS
        if schema["pattern"] in MATCHING:
            return MATCHING[schema["pattern"]]
        if schema.get("contentEncoding") == "base64":
            return BASE64
        python = python_pattern(schema["pattern"])
        known = tuple(text for text in (*NUMERIC_TEXT, *KEYS, "0", "7", "-12", str(10**25)) if python.search(text))
        return known if known and not self.w.chance(8) else (self.w.draw(strings_matching(schema["pattern"])),)

    def a_array(self, schema: Schema, path: Path, depth: int) -> JSON:
        out: list[JSON] = []
        for item in schema.get("prefixItems", ()):
            out.append(self.value(item, (*path, len(out)), depth + 1))
        more = schema.get("items", True)
        low, high = schema.get("minItems", 0), schema.get("maxItems", math.inf)
        if more is False:
            return out
        wanted = min(max(low, self.w.number(0, 3 if depth < 4 else 0)), high)
        seen = set(map(json_key, out))
        for _ in range(int(wanted) * 3):
            if len(out) >= wanted:
                break
            member = self.value(more, (*path, len(out)), depth + 1)
            if not schema.get("uniqueItems") or json_key(member) not in seen:
                out.append(member)
                seen.add(json_key(member))
        return out

    def a_object(self, schema: Schema, path: Path, depth: int) -> JSON:
        out: dict[str, JSON] = {}
        required = schema.get("required", ())
        for name, member in schema.get("properties", {}).items():
            if name in required or (depth < 5 and self.w.chance(2)):
                out[name] = self.value(member, (*path, name), depth + 1)
        more = schema.get("additionalProperties", True)
        if more is False:
            return out
        wanted = max(schema.get("minProperties", 0), self.w.number(0, 2 if depth < 4 else 0))
        for _ in range(wanted * 3):
            if len(out) >= min(wanted, schema.get("maxProperties", wanted)):
                break
            name = self.key(schema.get("propertyNames", {}))
            if name not in out:
                out[name] = self.value(more, (*path, name), depth + 1)
        return out

    def key(self, names: Schema) -> str:
        if not names:
            return self.w.pick(KEYS)
        drawn = self.w.pick(names["enum"]) if "enum" in names else self.a_string(names, (), 0)
        return str(drawn)


def in_bounds(schema: Schema, number: Any) -> bool:
    return (
        number >= schema.get("minimum", number)
        and number <= schema.get("maximum", number)
        and ("exclusiveMinimum" not in schema or number > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or number < schema["exclusiveMaximum"])
    )


@st.composite
def instances(draw: Any, schema: Schema) -> Instance:
    drawing = Drawing(Writer(draw, {}, {}), schema)
    value = drawing.value(schema)
    return Instance(decoded(value), drawing.places)
