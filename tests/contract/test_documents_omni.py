"""Document 004: the tools/call result contract and what else it promises beyond printed schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from accord import App, Context, Policy, function_to_schema, result
from accord.errors import OutputInvalid
from accord.testing import call_tool
from tests.contract.documents import omni

CANONICAL = {"content": [{"type": "text", "text": "done"}], "isError": False}
NOT_CANONICAL: tuple[Any, ...] = (
    None,
    "text",
    [],
    {},
    {"content": None, "isError": False},
    {"content": [{"type": "text"}], "isError": False},
    {"content": [{"type": "text", "text": None}], "isError": False},
    {"content": "text", "isError": False},
)


def test_the_shared_schema_is_a_file_of_the_package() -> None:
    """004-248, 004-249, 004-263."""
    path = Path(result.schema_path())
    assert path.name == "accord.tool_result.v1.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_validator_agrees_with_the_file() -> None:
    """004-250, 004-248."""
    schema = json.loads(Path(result.schema_path()).read_text(encoding="utf-8"))
    oracle = jsonschema.Draft202012Validator(schema)
    validator = result.validator()
    for value in (CANONICAL, *NOT_CANONICAL):
        assert validator.is_valid(value) == oracle.is_valid(value), value


@pytest.mark.parametrize("payload", NOT_CANONICAL)
def test_a_payload_of_another_shape_is_refused(payload: Any) -> None:
    """004-251, 004-253, 004-254, 004-256."""
    assert result.is_canonical(payload) is False
    with pytest.raises(OutputInvalid):
        result.validate(payload)


def test_a_canonical_payload_is_accepted() -> None:
    """004-251, 004-253."""
    result.validate(CANONICAL)
    assert result.is_canonical(CANONICAL) is True


@pytest.mark.parametrize("is_error", [False, True])
def test_build_makes_one_text_item(is_error: bool) -> None:
    """004-252, 004-256, 004-258."""
    built = result.build("said", is_error=is_error)
    assert built == {"content": [{"type": "text", "text": "said"}], "isError": is_error}
    assert result.build("said")["isError"] is False


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ("said", "said"),
        ({"a": [1]}, {"a": [1]}),
        ([1, 2], [1, 2]),
        (7, 7),
        (True, True),
    ],
)
def test_any_value_becomes_a_payload_of_the_contract(value: Any, text: Any) -> None:
    """004-255, 004-257, 004-261, 004-265, 004-266."""
    payload = result.normalize(value)
    result.validate(payload)
    assert payload.keys() == {"content", "isError"}
    (item,) = payload["content"]
    assert item["text"] == text or json.loads(item["text"]) == text


def test_a_canonical_value_is_used_as_it_is() -> None:
    """004-264."""
    assert result.normalize(CANONICAL) == CANONICAL
    failed = result.build("no", is_error=True)
    assert result.normalize(failed) == failed


@pytest.mark.parametrize("value", [None, "", "said", {"a": 1}, [1], 7, 1.5, False])
def test_every_answer_to_a_call_validates_against_the_shared_schema(value: Any) -> None:
    """004-254, 004-256, 004-257, 004-266."""
    app = App("omni", policy=Policy(dialect="omni"))

    @app.command
    def tool():
        return value

    answer = call_tool(app, {"name": "tool", "arguments": {}})
    result.validate({"content": answer["content"], "isError": answer["isError"]})
    assert answer["isError"] is False
    assert len(answer["content"]) == 1


def test_the_context_is_left_out_of_the_schema() -> None:
    """004-313."""

    def tool(message: str, ctx: Context) -> str:
        return message

    assert function_to_schema(tool, dialect="omni") == {
        "type": "object",
        "properties": {"message": {"type": "string"}},
        "required": ["message"],
    }


def test_the_registry_gives_the_input_schema() -> None:
    """004-320."""
    app = App("omni", policy=Policy(dialect="omni"))
    app.command(omni.example)
    assert app.tools["example"].input_schema == omni.INPUTS[2][2]


def test_null_is_taken_where_the_published_schema_does_not_say_so() -> None:
    """004-277. The dialect drops the null branch on paper; enforcement stays canonical."""
    app = App("omni", policy=Policy(dialect="omni"))
    app.command(omni.example)
    arguments = {"required_param": "x", "optional_list": None}
    assert call_tool(app, {"name": "example", "arguments": arguments})["isError"] is False
