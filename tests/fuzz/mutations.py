"""Near misses: a valid instance with one or two things wrong, or looking wrong, at a random place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.instances import JSON, Instance, Path, Schema, decoded, instances
from tests.fuzz.meaning import is_number
from tests.fuzz.patterns import PATTERNS
from tests.fuzz.samples import ANYTHING, BAD, BAD_BASE64, BAD_NUMERIC_TEXT, GOOD, KEYS, NUMERIC_TEXT, WORDS
from tests.fuzz.writer import Writer

MISSING = {pattern.source: pattern.missing for pattern in PATTERNS}

Change = Callable[[Writer, JSON, Schema], JSON]
"""A Change makes another value of a value that was drawn for a schema; the old one back means "not here"."""


def replaced(w: Writer, value: JSON, schema: Schema) -> JSON:
    return copy.deepcopy(w.pick(ANYTHING))


def retyped(w: Writer, value: JSON, schema: Schema) -> JSON:
    """The same thing as another JSON type: the confusions that coercing frameworks let through."""
    twins: list[JSON] = [json.dumps(value), [value], {"value": value}, None]
    if isinstance(value, bool):
        twins += [int(value), float(value), str(value)]
    elif is_number(value):
        twins += [str(value), bool(value)]
        if abs(value) < 10**300:  # larger ones have no float
            twins += [float(value), int(value), value + 0.5]
    elif isinstance(value, str):
        twins += [text_as_number(value), [*value[:3]], bool(value)]
    elif isinstance(value, list):
        twins += [dict.fromkeys(map(str, value[:2])), *value[:1]]
    elif isinstance(value, dict):
        twins += [list(value.values()), list(map(list, value.items()))]
    return w.pick(twins)


def text_as_number(text: str) -> JSON:
    try:
        number = json.loads(text)
    except ValueError:
        return 0
    return number if is_number(number) and abs(number) < 1e308 else 0


def off_by_one(w: Writer, value: JSON, schema: Schema) -> JSON:
    """Onto the schema's own bounds, and just across them."""
    steps = [1, -1, 0.5, -0.5, 1e-9, schema.get("multipleOf", 1) / 2]
    if is_number(value):
        steps = steps if abs(value) < 10**300 else [1, -1]
        bounds = [schema[word] for word in BOUNDS if word in schema] or [value]
        return w.pick([bound + step for bound in bounds for step in (0, *steps)])
    if isinstance(value, str):
        size = w.pick([schema[word] for word in ("minLength", "maxLength") if word in schema] or [len(value)])
        return stretched(w, value, w.pick((size, size + 1, max(size - 1, 0))))
    if isinstance(value, list):
        size = w.pick([schema[word] for word in ("minItems", "maxItems") if word in schema] or [len(value)])
        size = w.pick((size, size + 1, max(size - 1, 0)))
        return value[:size] + [copy.deepcopy(value[-1]) if value else None] * (size - len(value))
    return value


BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def stretched(w: Writer, text: str, size: int) -> str:
    return text[:size] + w.pick(("a", "😀", "é", "0")) * (size - len(text))


def misspelled(w: Writer, value: JSON, schema: Schema) -> JSON:
    """Strings that are nearly what was asked: other formats' texts, a newline too much, another case."""
    if not isinstance(value, str):
        return value
    texts: list[str] = [
        value + "\n",
        value + " ",
        " " + value,
        value.swapcase(),
        value[:-1],
        value + value,
        "\x00" + value,
    ]
    texts += BAD.get(schema.get("format", ""), ()) * 2
    texts += MISSING.get(schema.get("pattern", ""), ()) * 2
    if "contentEncoding" in schema:
        texts += BAD_BASE64
    elif "pattern" in schema:
        texts += (*BAD_NUMERIC_TEXT, *NUMERIC_TEXT)
    texts += [other for constant in schema.get("enum", ()) for other in (str(constant), f"{constant}s")]
    if w.chance(4):
        texts = [text for table in (GOOD, BAD) for row in table.values() for text in row]
    return w.pick(texts)


def regrouped(w: Writer, value: JSON, schema: Schema) -> JSON:
    """Members dropped, doubled, swapped; keys dropped, renamed, invented."""
    if isinstance(value, list) and value:
        index = w.number(0, len(value) - 1)
        return w.pick((
            value[:index] + value[index + 1 :],
            [*value, copy.deepcopy(value[index])],
            [*value, *map(twin, value[index : index + 1])],
            value[::-1],
            [*value, None],
        ))  # fmt: skip
    if isinstance(value, dict):
        return rekeyed(w, value, schema)
    return value


def twin(value: JSON) -> JSON:
    """Another spelling of the same JSON value where there is one, else a Python equal of another type."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and abs(value) < 2**53:
        return float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else copy.deepcopy(value)


def rekeyed(w: Writer, value: dict[str, JSON], schema: Schema) -> JSON:
    known = [*value, *schema.get("properties", {})]
    name = w.pick(known) if known else ""
    change = w.number(0, 3)
    out = dict(value)
    if change == 0:
        out.pop(name, None)
    elif change == 1:
        held = out.pop(name, None)
        out[w.pick((name + "_", name.swapcase(), name[:-1], name[1:] + name[:1], name.replace("_", "-")))] = held
    elif change == 2:
        out[w.pick((*KEYS, "extra", f"{name}s"))] = w.pick(ANYTHING)
    else:
        # Keys that int("...") refuses or that are not as Python would write them, for dict[int, T] above all.
        out[w.pick(("01", "-0", "1.0", "1e3", " 1", "٣", "9" * 5000, "+1", "1_0"))] = out.pop(name, None)
    return out


CHANGES: tuple[Change, ...] = (retyped, replaced, off_by_one, misspelled, regrouped, regrouped)


def places(value: JSON, path: Path = ()) -> Iterator[Path]:
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in pairs:
        yield from places(member, (*path, name))


def changed_at(value: JSON, path: Path, change: Callable[[JSON], JSON]) -> JSON:
    if not path:
        return change(value)
    out = copy.copy(value)
    out[path[0]] = changed_at(value[path[0]], path[1:], change)
    return out


@st.composite
def near_misses(draw: Any, schema: Schema) -> JSON:
    w = Writer(draw, {}, {})
    start: Instance = draw(instances(schema))
    value = start.value
    for _ in range(1 if not w.chance(4) else 2):
        path = w.pick(list(places(value)))
        # The arguments as a whole stay an object: anything else is refused before there is a tool to ask.
        change = w.pick(CHANGES) if path else regrouped
        value = changed_at(value, path, lambda old, c=change, p=path: c(w, old, start.places.get(p, {})))
    return decoded(value)


def arguments(schema: Schema) -> st.SearchStrategy[JSON]:
    """What the agreement is tested on: as often right as wrong."""
    return st.one_of(instances(schema).map(lambda one: one.value), near_misses(schema), near_misses(schema))


__all__ = ["WORDS", "arguments", "near_misses"]
