"""One table of formats, wherever a schema comes from; others say what a text is for, and refuse nothing."""

from typing import Any

import pytest

from accord import App
from accord.errors import InvalidParams, OutputInvalid
from accord.gate.explain import explain
from accord.gate.validator import Gate
from accord.schema.formats import FORMATS
from accord.testing import call_tool

#: text that is none of these
NOT_OF_IT = "not one \x00 of them at all ~2 %zz {"
FOREIGN = (
    "hostname idn-hostname idn-email iri iri-reference uri-reference uri-template json-pointer relative-json-pointer "
    "password file-path my-own"
).split()


def taking(schema: dict[str, Any]) -> App:
    app = App("tests")

    @app.command(input_schema={"type": "object", "properties": {"value": schema}}, output_schema=schema)
    def tool(value: str) -> str:
        return value

    return app


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("place", [lambda each: each, lambda each: {"anyOf": [{"type": "integer"}, each]}])
def test_a_format_that_is_not_ours_is_published_and_not_enforced(name: str, place: Any) -> None:
    schema = place({"type": "string", "format": name})
    app = taking(schema)
    assert app.call("tool", value=NOT_OF_IT) == NOT_OF_IT
    assert call_tool(app, {"name": "tool", "arguments": {"value": NOT_OF_IT}})["isError"] is False
    assert app.tools["tool"].input_schema["properties"]["value"] == schema
    assert app.tools["tool"].output_schema == schema


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_of_ours_is_enforced_in_a_schema_of_the_authors_own(name: str) -> None:
    wrong = "(" if name == "regex" else NOT_OF_IT
    with pytest.raises(InvalidParams) as refused:
        taking({"type": "string", "format": name}).call("tool", value=wrong)
    assert refused.value.error_data["violations"][0]["keyword"] == "format"


def test_results_know_the_same_table() -> None:
    app = App("tests")

    @app.command(output_schema={"type": "string", "format": "date"})
    def tool() -> str:
        return "someday"

    with pytest.raises(OutputInvalid):
        app.call("tool")


def test_a_property_called_format_is_no_format() -> None:
    gate = Gate({"type": "object", "properties": {"format": {"type": "string", "format": "hostname", "maxLength": 3}}})
    assert gate.is_valid({"format": "a b"})
    assert not gate.is_valid({"format": "abcd"})
    assert [each.keyword for each in explain(gate, {"format": "a b d"})] == ["maxLength"]


def test_a_foreign_format_behind_a_reference_or_beside_a_failure_explains_nothing() -> None:
    gate = Gate({
        "$defs": {"host": {"type": "string", "format": "hostname", "minLength": 2}},
        "patternProperties": {r"^\w$": {"$ref": "#/$defs/host"}},
    })  # fmt: skip
    assert gate.is_valid({"a": "- -"})
    assert [(each.path, each.keyword) for each in explain(gate, {"a": " "})] == [(("a",), "minLength")]
