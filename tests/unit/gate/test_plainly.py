"""A gate's own look at a value is never more generous than the engine."""

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from accord.gate.engine import compile_schema
from accord.gate.plainly import plain_check
from accord.gate.validator import Gate

NUMBERS = [0, 1, -1, 2, 3, 5, 1.0, 2.5, -0.0, 2**53 - 1, 2**53, -(2**53), 2**64, 10**400, 1e300, math.inf, math.nan]
TEXTS = ["", "a", "ab", "abc", "red", "é", "\U0001f600", "\ud800", "a\udfffb", "1", "x" * 300]
NAMES = ["a", "b", "c", "\ud800"]


class Word(str):  # noqa: SLOT000 - a subclass as an author may write it
    """Text that is not quite a str."""


class Number(int):
    """A number that is not quite an int."""


scalars = st.sampled_from([*NUMBERS, *TEXTS, None, True, False, Word("a"), Number(1), b"a", {1}])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from([*NAMES, Word("a"), 1]), inner, max_size=3),
        st.tuples(inner),
    ),
    max_leaves=6,
)

bounds = st.dictionaries(
    st.sampled_from(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
    st.sampled_from([-1, 0, 1, 2, 2.5, 2**53, 2**60]),
    max_size=2,
)
lengths = st.dictionaries(st.sampled_from(["minLength", "maxLength"]), st.integers(0, 3), max_size=2)
notes = st.sampled_from([{}, {}, {"description": "d"}, {"default": 5, "title": "t"}])
leaves = st.one_of(
    st.builds(lambda kind, more: {"type": kind, **more}, st.sampled_from(["integer", "number"]), bounds),
    lengths.map(lambda more: {"type": "string", **more}),
    st.sampled_from(
        [
            {"type": "boolean"},
            {"type": "null"},
            {"type": "string", "enum": ["red", "a"]},
            {"type": "string", "pattern": "^a"},
            {"type": "string", "format": "date"},
            {"type": "array"},
            {"type": "object"},
            {"type": ["string", "null"]},
            {"enum": ["red", 1, None]},
            {"const": 1},
            {},
            {"type": "integer", "multipleOf": 2},
            {"type": "string", "enum": ["red", 1, "é"]},
            {"type": "string", "enum": []},
            {"type": "string", "enum": ["red", "redder"], "minLength": 4},
            {"type": "string", "writeOnly": True, "minLength": 1},
            {"type": "number", "maximum": 1e300},
            {"type": "integer", "minimum": 0.5},
            {"type": "boolean", "const": True},
            {"type": "array", "uniqueItems": True},
            {"type": "array", "items": False},
            {"type": "array", "prefixItems": [{"type": "string"}]},
            {"type": "object", "propertyNames": {"maxLength": 1}},
            {"type": "object", "patternProperties": {"^a": False}},
            {"title": "t", "not": {}},
            {"anyOf": [{"type": "string"}], "minLength": 2},
            True,
            False,
        ]
    ),
)


def records(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(
        lambda named, required, rest: {"type": "object", "properties": named, "required": required, **rest},
        st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
        st.lists(st.sampled_from(["a", "b", "c"]), max_size=2, unique=True),
        st.one_of(
            st.sampled_from([{}, {"additionalProperties": False}, {"additionalProperties": True, "maxProperties": 1}]),
            st.fixed_dictionaries({"additionalProperties": inner}),
        ),
    )


schemas = st.recursive(
    st.builds(lambda leaf, more: leaf if isinstance(leaf, bool) else {**leaf, **more}, leaves, notes),
    lambda inner: st.one_of(
        inner.map(lambda items: {"type": "array", "items": items}),
        st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches}),
        records(inner),
    ),
    max_leaves=5,
)


def engine_says(schema: dict[str, Any], value: Any) -> bool:
    try:
        return bool(compile_schema(schema).is_valid(value))
    except (ValueError, OverflowError):
        return False


def fitting(schema: Any) -> st.SearchStrategy[Any]:
    """Values that are more or less what a schema is about."""
    if isinstance(schema, bool) or "type" not in schema:
        branches = schema.get("anyOf") if isinstance(schema, dict) else None
        return st.one_of(*map(fitting, branches)) if branches else values
    if schema["type"] == "array":
        return st.lists(fitting(schema.get("items", {})), max_size=3)
    if schema["type"] == "object":
        members = st.fixed_dictionaries({}, optional={n: fitting(s) for n, s in schema.get("properties", {}).items()})
        others = st.dictionaries(st.sampled_from(NAMES), fitting(schema.get("additionalProperties", {})), max_size=1)
        return st.builds(lambda first, second: {**second, **first}, members, others)
    simple = {"string": TEXTS, "integer": NUMBERS, "number": NUMBERS, "boolean": [True, False, 1], "null": [None, 0]}
    return st.sampled_from(simple.get(str(schema["type"]), [None]))


#: a contract is an object; true and false stand inside one
whole_schemas = schemas.filter(lambda schema: isinstance(schema, dict))
pairs = whole_schemas.flatmap(lambda schema: st.tuples(st.just(schema), st.one_of(fitting(schema), values)))


def test_a_gate_says_what_the_engine_says_before_and_after_it_is_compiled() -> None:
    plain: Counter[bool] = Counter()

    @settings(max_examples=1500, deadline=None)
    @given(pairs)
    def agree(pair: tuple[Any, Any]) -> None:
        schema, value = pair
        verdict, gate = engine_says(schema, value), Gate(schema)
        check = plain_check(schema)
        plain[check is not None and check(value)] += 1
        assert gate.is_valid(value) is verdict
        gate.compile()
        assert gate.is_valid(value) is verdict

    agree()
    assert plain[True] > plain.total() / 10


@settings(max_examples=1500, deadline=None)
@given(whole_schemas, values)
@example({"type": "integer"}, True)
@example({"type": "object"}, {"a": {1}})
@example({"type": "array"}, ["\ud800"])
@example({"anyOf": [{"type": "string", "pattern": "x"}, {"type": "null"}]}, None)
@example({"type": "object", "properties": {"a": {"pattern": "x"}}, "additionalProperties": {}}, {"a": "y"})
def test_what_is_plainly_admitted_the_engine_admits(schema: dict[str, Any], value: Any) -> None:
    check = plain_check(schema)
    if check is not None and check(value):
        assert engine_says(schema, value)
        assert Gate(schema).is_valid(value)


EVERYDAY = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "count": {"type": "integer", "minimum": 1, "default": 3},
        "share": {"type": "number"},
        "dry": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "colour": {"type": "string", "enum": ["red", "green"]},
        "when": {"type": "string", "format": "date"},
        "more": {"type": "object"},
    },
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "x"},
        {"name": "é", "count": 1, "share": 2, "dry": False},
        {"name": "x", "share": 0.5, "tags": ["a", "b"], "note": None, "colour": "red"},
        {"name": "x", "note": "", "more": {"a": [1, {"b": None}]}},
    ],
)
def test_an_everyday_call_is_plain(arguments: dict[str, Any]) -> None:
    check = plain_check(EVERYDAY)
    assert check is not None
    assert check(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        None,
        [],
        {},
        {"name": ""},
        {"name": "x", "typo": 1},
        {"name": "x", "count": True},
        {"name": "x", "count": 1.0},
        {"name": "x", "count": 0},
        {"name": "x", "count": 2**60},
        {"name": "x", "share": math.nan},
        {"name": "x", "when": "2026-01-01"},
        {"name": "\ud800"},
        {"name": "x", "more": {"a": "\ud800"}},
    ],
)
def test_what_is_doubtful_is_left_to_the_engine(arguments: Any) -> None:
    check = plain_check(EVERYDAY)
    assert check is not None
    assert not check(arguments)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"type": "string", "pattern": "a"},
        {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": {"type": "array"}}}},
        {"type": "object", "properties": {f"p{index}": {"type": "string"} for index in range(100)}},
        {"type": "object", "minProperties": 1},
        {"allOf": [{"type": "string"}]},
    ],
)
def test_what_is_large_or_unusual_is_not_looked_at(schema: Any) -> None:
    check = plain_check(schema)
    assert check is None or not check({"p99": "x"})


def test_a_gate_in_use_becomes_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate({"type": "string"})
    compiled: list[Gate] = []
    compile_gate = Gate.compile
    monkeypatch.setattr(Gate, "compile", lambda gate: (compiled.append(gate), compile_gate(gate))[1])
    assert gate.is_valid("a")
    assert not compiled
    assert all(gate.is_valid("a") for _ in range(1000))
    assert compiled == [gate]


def test_a_doubtful_value_makes_a_gate_compile() -> None:
    gate = Gate({"type": "integer"})
    assert gate.is_valid(1)
    assert not gate.is_valid(True)
    assert gate.is_valid(1.0)
    assert not gate.is_valid("1")
