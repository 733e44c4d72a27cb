"""A schema an author wrote is published as it was written, to clients of every version, and enforced to the letter."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from accord import App
from tests.conformance._tools import CONTACT
from tests.unit.server._eras import VERSIONS, asking

RESULT: dict[str, Any] = {
    **{key: each for key, each in CONTACT.items() if key not in ("if", "then", "else")},
    "dependentRequired": {"name": ["address"]},
    "unevaluatedProperties": False,
}

app = App("fixtures")


@app.command("json_schema_2020_12_tool", input_schema=CONTACT)
def contact(**given: Any) -> dict[str, Any]:
    """Says what it was given."""
    return given


@app.command("echo", output_schema=RESULT)
def echo(value: dict[str, Any]) -> dict[str, Any]:
    """Says what it was given, under a promise."""
    return value


def in_order(schema: Any) -> Any:
    """With the order of keys told, which `==` does not see."""
    if isinstance(schema, dict):
        return [(key, in_order(each)) for key, each in schema.items()]
    return [in_order(each) for each in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_published_untouched(version: str) -> None:
    with asking(app, version) as ask:
        listed = {entry["name"]: entry for entry in ask("tools/list")["tools"]}
    assert in_order(listed["json_schema_2020_12_tool"]["inputSchema"]) == in_order(CONTACT)
    assert in_order(listed["echo"]["outputSchema"]) == in_order(RESULT)


GOOD = [
    {"contactMethod": "phone", "phone": "1"},
    {"email": "a", "name": "b", "address": {"city": "Ulm", "zone": 1}},
]
#: arguments, and where they go wrong
BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "/phone"),
    ({"contactMethod": "phone", "email": "a"}, "/phone"),
    ({"contactMethod": "email", "phone": "1"}, "/email"),
    ({"contactMethod": "fax", "email": "a"}, "/contactMethod"),
    ({"email": "a", "address": {"city": 1}}, "/address/city"),
    ({"email": "a", "fax": "1"}, "/fax"),
    ({"email": 1}, "/email"),
]


@pytest.mark.parametrize("version", VERSIONS)
def test_arguments_are_held_against_it(version: str) -> None:
    with asking(app, version) as ask:
        for arguments in GOOD:
            answer = ask("tools/call", name="json_schema_2020_12_tool", arguments=arguments)
            assert answer["structuredContent"] == arguments
        for arguments, path in BAD:
            answer = ask("tools/call", name="json_schema_2020_12_tool", arguments=arguments)
            assert answer["isError"] is True
            paths = [each["path"] for each in answer["errorData"]["violations"]]
            assert path in paths, f"{arguments}: {answer['errorData']['violations']}"


@pytest.mark.parametrize("version", VERSIONS)
def test_results_are_held_against_it(version: str) -> None:
    with asking(app, version) as ask:
        good = {"email": "a", "name": "b", "address": {"street": "c"}}
        assert ask("tools/call", name="echo", arguments={"value": good})["structuredContent"] == good
        for value in ({}, {"email": "a", "name": "b"}, {"email": "a", "fax": "1"}, {"email": "a", "address": []}):
            answer = ask("tools/call", name="echo", arguments={"value": value})
            assert answer["isError"] is True
            assert answer["errorData"]["reason"] == "output_invalid"
            assert "structuredContent" not in answer


def test_a_schema_is_what_it_was_when_it_was_given() -> None:
    given = copy.deepcopy(CONTACT)
    tool_app = App("tests")
    tool_app.command("tool", input_schema=given)(contact)
    given["properties"].clear()
    assert tool_app.tools["tool"].input_schema == CONTACT
