"""What is said of arguments that a hand-written schema refuses: every keyword of 2020-12 gets a place and a reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit._tools import run

Case = tuple[dict[str, Any], dict[str, Any], list[tuple[str, str, str]]]

MISSING, UNKNOWN = "missing_required_argument", "unexpected_argument"
WRONG_TYPE, OUT_OF_BOUNDS = "type_mismatch", "constraint_violation"

TEXT, NUMBER = {"type": "string"}, {"type": "number"}
CARD = {"properties": {"card": TEXT, "cvc": TEXT}, "dependentRequired": {"card": ["cvc"]}}
LABELS = {"patternProperties": {"^x-": NUMBER}, "additionalProperties": False}
EITHER = {"if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["a"]}, "else": {"required": ["b"]}}
TREE = {
    "properties": {"tree": {"$ref": "#/$defs/node"}},
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"value": NUMBER, "next": {"$ref": "#/$defs/node"}},
            "required": ["value"],
            "additionalProperties": False,
        }
    },
}

CASES: dict[str, Case] = {
    "a companion is missing": (CARD, {"card": "1"}, [("/cvc", "dependentRequired", MISSING)]),
    "a companion's schema fails": (
        {"dependentSchemas": {"a": {"properties": {"b": NUMBER}}}},
        {"a": 1, "b": "x"},
        [("/b", "type", WRONG_TYPE)],
    ),
    "a member a pattern speaks of": (LABELS, {"x-a": "1"}, [("/x-a", "type", WRONG_TYPE)]),
    "a member no pattern speaks of": (LABELS, {"x-a": 1, "y": 2}, [("/y", "additionalProperties", UNKNOWN)]),
    "a member beside patterns": (
        {"patternProperties": {"^x-": NUMBER}, "additionalProperties": TEXT},
        {"x-a": 1, "y": 2},
        [("/y", "type", WRONG_TYPE)],
    ),
    "then": (EITHER, {"kind": "a"}, [("/a", "required", MISSING)]),
    "else": (EITHER, {"kind": "c"}, [("/b", "required", MISSING)]),
    "all of several": (
        {"allOf": [{"required": ["a"]}, {"properties": {"b": NUMBER}}]},
        {"b": "x"},
        [("/a", "required", MISSING), ("/b", "type", WRONG_TYPE)],
    ),
    "one of several, two fit": (
        {"properties": {"x": {"oneOf": [{"type": "integer"}, {"minimum": 0}]}}},
        {"x": 1},
        [("/x", "oneOf", OUT_OF_BOUNDS)],
    ),
    "not": ({"properties": {"x": {"not": TEXT}}}, {"x": "a"}, [("/x", "not", OUT_OF_BOUNDS)]),
    "contains": ({"properties": {"x": {"contains": TEXT}}}, {"x": [1]}, [("/x", "contains", OUT_OF_BOUNDS)]),
    "items beside a prefix": (
        {"properties": {"x": {"prefixItems": [TEXT], "items": NUMBER}}},
        {"x": [1, 2, "c"]},
        [("/x/0", "type", WRONG_TYPE), ("/x/2", "type", WRONG_TYPE)],
    ),
    "names": (
        {"properties": {"x": {"propertyNames": {"pattern": "^[a-z]+$"}}}},
        {"x": {"A1": 0}},
        [("/x", "propertyNames", OUT_OF_BOUNDS)],
    ),
    "what no branch evaluates": (
        {"allOf": [{"properties": {"a": NUMBER}}], "unevaluatedProperties": False},
        {"a": 1, "b": 2},
        [("", "unevaluatedProperties", UNKNOWN)],
    ),
    "a schema that takes nothing": ({"properties": {"x": False}}, {"x": 1}, [("/x", "additionalProperties", UNKNOWN)]),
    "inside a reference": (TREE, {"tree": {"value": 1, "next": {}}}, [("/tree/next/value", "required", MISSING)]),
}


def tool(**kwargs: Any) -> None: ...


@pytest.mark.parametrize("name", CASES)
def test_every_keyword_is_explained_at_its_place(name: str) -> None:
    schema, arguments, expected = CASES[name]
    data = run(tool, arguments, input_schema={"type": "object", **schema})["errorData"]
    assert [(found["path"], found["keyword"], found["reason"]) for found in data["violations"]] == expected


def test_a_dynamic_reference_to_an_anchor_of_the_same_schema_is_followed() -> None:
    given = {
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"child": {"$dynamicRef": "#node"}},
        "additionalProperties": False,
    }

    def tool(**kwargs: Any) -> None: ...

    assert run(tool, {"child": {"child": {}}}, input_schema=given)["isError"] is False
    assert run(tool, {"child": {"other": 1}}, input_schema=given)["errorData"]["argument"] == "child"
