"""Document 001: what it promises beyond the printed schemas (the numbers name the promises)."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter

from accord import App, Ge, Policy, content, function_to_schema, return_to_schema
from accord.errors import RegistrationError
from accord.schema import type_to_schema
from accord.testing import call_tool
from tests.contract.documents import openmcp, returns, takes

ERA = "2025-06-18"
CUSTOM = {
    "type": "object",
    "properties": {"custom_field": {"type": "string", "enum": ["a", "b", "c"]}},
    "required": ["custom_field"],
    "additionalProperties": False,
}
OFFICIAL_NAMES = (
    ("001-143", "CallToolResult"),
    ("001-144", "ServerResult"),
    ("001-145", "TextContent"),
    ("001-146", "ImageContent"),
    ("001-147", "AudioContent"),
    ("001-148", "ResourceLink"),
    ("001-149", "EmbeddedResource"),
)
OUR_NAMES = (
    ("001-143", content.ToolResult),
    ("001-145", content.Text),
    ("001-146", content.Image),
    ("001-147", content.Audio),
    ("001-148", content.ResourceLink),
    ("001-149", content.EmbeddedResource),
)


def served(function: Callable[..., Any], **options: Any) -> App:
    app = App("openmcp", policy=Policy(dialect="openmcp"))
    app.command(**options)(function)
    return app


def call(app: App, arguments: dict[str, Any]) -> dict[str, Any]:
    (name,) = app.tools
    return call_tool(app, {"name": name, "arguments": arguments}, protocol=ERA)


@pytest.mark.parametrize(
    ("function", "arguments", "structured"),
    [
        pytest.param(openmcp.answer, {}, {"result": 7}, id="001-154 001-124 001-156"),
        pytest.param(openmcp.get_temperature, {"city": "Oslo"}, {"result": 72.5}, id="001-188 001-187"),
        pytest.param(openmcp.greet, {"name": "Bo", "age": 3}, {"result": "Bo (3)"}, id="001-156 001-122"),
        pytest.param(openmcp.find, {"query": "x"}, {"result": []}, id="001-163"),
        pytest.param(
            openmcp.create_profile,
            {"name": "Bo", "street": "Main 1", "city": "Oslo"},
            {
                "name": "Bo",
                "address": {"street": "Main 1", "city": "Oslo", "postal_code": 10115},
                "tags": ["fresh"],
            },
            id="001-168",
        ),
        pytest.param(openmcp.choose_action, {"chat": True}, {"kind": "chat", "message": "hello"}, id="001-174 chat"),
        pytest.param(
            openmcp.choose_action,
            {"chat": False},
            {"kind": "navigate", "url": "https://accord.test"},
            id="001-174 navigate",
        ),
        pytest.param(
            openmcp.weather,
            {"city": "Oslo"},
            {
                "temperature": 72.5,
                "location": {"latitude": 37.7749, "longitude": -122.4194},
                "humidity": None,
            },
            id="001-190",
        ),
        pytest.param(openmcp.analyze, {"values": [1, 2], "metadata": {"k": "v"}}, {"mean": 1.5}, id="001-160"),
    ],
)
def test_structured_content_matches_the_published_output(
    function: Callable[..., Any], arguments: dict[str, Any], structured: dict[str, Any]
) -> None:
    result = call(served(function), arguments)
    assert result["isError"] is False
    assert result["structuredContent"] == structured


def test_a_flattened_model_arrives_as_an_instance() -> None:
    """001-171. The published fields are flat, the handler takes the model."""
    app = served(openmcp.register_user, flatten=True)
    result = call(app, {"username": "alice", "email": "a@b.io", "age": 30})
    assert result["content"][0]["text"] == "User:alice"


@pytest.mark.parametrize(
    ("promise", "function", "arguments", "argument"),
    [
        ("001-172", openmcp.register_user, {"username": "al", "email": "a@b.io", "age": 30}, "username"),
        ("001-172", openmcp.register_user, {"username": "alice", "email": "nobody", "age": 30}, "email"),
        ("001-172", openmcp.register_user, {"username": "alice", "email": "a@b.io", "age": 121}, "age"),
        ("001-192", openmcp.create_user, {"username": "alice", "email": "nobody", "age": 30}, "email"),
        ("001-192", openmcp.create_user, {"username": "alice", "email": "a@b.io", "age": 12}, "age"),
        ("001-192", openmcp.create_user, {"username": "a b c", "email": "a@b.io", "age": 30}, "username"),
    ],
)
def test_a_broken_constraint_is_refused_before_the_handler(
    promise: str, function: Callable[..., Any], arguments: dict[str, Any], argument: str
) -> None:
    ran: list[Any] = []

    def tool(request: Any) -> str:
        ran.append(request)
        return "ran"

    (model,) = [hint for name, hint in function.__annotations__.items() if name != "return"]
    tool.__annotations__ = {"request": getattr(openmcp, model, model), "return": str}
    result = call(served(tool, flatten=True), arguments)
    assert (result["isError"], ran) == (True, [])
    assert result["errorData"]["argument"] == argument
    assert result["errorData"]["reason"] == "constraint_violation"


def test_a_valid_user_reaches_the_handler_in_the_same_tool() -> None:
    """001-192. The counterpart of the refusals."""
    result = call(served(openmcp.create_user, flatten=True), {"username": "alice", "email": "a@b.io", "age": 30})
    assert result["structuredContent"] == {"user_id": "usr_123", "status": "created"}


def test_every_tool_has_an_input_schema_and_both_are_objects() -> None:
    """001-125, 001-126."""
    app = App("all", policy=Policy(dialect="openmcp"))
    for function in (openmcp.greet, openmcp.analyze, openmcp.unannotated):
        app.command(function)
    assert all(tool.input_schema["type"] == "object" for tool in app.tools.values())
    assert app.tools["unannotated"].output_schema is None
    assert isinstance(app.tools["greet"].output_schema, dict)


def test_string_annotations_and_forward_references_resolve() -> None:
    """001-140, 001-141."""

    def later(values: "list[openmcp.Mean]") -> "openmcp.Mean": ...

    schema = function_to_schema(later)["properties"]["values"]
    assert schema["items"]["properties"] == {"mean": {"type": "number"}}
    assert return_to_schema(later, dialect="openmcp") == return_to_schema(returns(openmcp.Mean), dialect="openmcp")


def test_a_locally_defined_return_type_is_found_through_the_closure() -> None:
    """001-142."""

    class Local(BaseModel):
        count: int

    def tool() -> "Local":
        return Local(count=1)

    schema = return_to_schema(tool, dialect="openmcp")
    assert schema is not None
    assert schema["properties"] == {"count": {"type": "integer"}}


@pytest.mark.parametrize(("promise", "kind"), [pytest.param(*row, id=row[0]) for row in OUR_NAMES])
@pytest.mark.parametrize("around", ["alone", "union", "list"])
def test_our_content_types_have_no_output_schema(promise: str, kind: Any, around: str) -> None:
    """001-150, 001-151 for the union and the list."""
    annotation = {"alone": kind, "union": kind | str, "list": list[kind]}[around]
    assert return_to_schema(returns(annotation), dialect="openmcp") is None
    assert return_to_schema(returns(annotation)) is None


@pytest.mark.parametrize(("promise", "name"), [pytest.param(*row, id=row[0]) for row in OFFICIAL_NAMES])
@pytest.mark.parametrize("around", ["alone", "union", "list"])
def test_the_official_content_types_have_no_output_schema(
    promise: str, name: str, around: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """001-150, 001-151 for the union and the list. The class is a stand-in at the official import path."""
    official = types.ModuleType("mcp.types")
    kind: Any = type(name, (BaseModel,), {"__module__": "mcp.types"})
    setattr(official, name, kind)
    monkeypatch.setitem(sys.modules, "mcp", types.ModuleType("mcp"))
    monkeypatch.setitem(sys.modules, "mcp.types", official)
    annotation = {"alone": kind, "union": kind | str, "list": list[kind]}[around]
    assert return_to_schema(returns(annotation), dialect="openmcp") is None


def test_a_schema_never_changes_after_registration() -> None:
    """001-178, 001-179, 001-180, 001-181. Neither the function nor a reader of the schema can change it."""

    def tool(count: Annotated[int, Ge(1)]) -> int:
        return count

    app = served(tool)
    before = json.dumps([app.tools["tool"].input_schema, app.tools["tool"].output_schema])
    tool.__annotations__ = {"count": str, "return": str}
    tool.__defaults__ = (5,)
    assert json.dumps([app.tools["tool"].input_schema, app.tools["tool"].output_schema]) == before
    assert call(app, {"count": 0})["isError"] is True
    assert call(app, {"count": 3})["structuredContent"] == {"result": 3}
    assert call(app, {})["errorData"]["reason"] == "missing_required_argument"
    assert json.dumps([app.tools["tool"].input_schema, app.tools["tool"].output_schema]) == before


def test_a_second_tool_of_one_name_is_refused() -> None:
    """001-182. Replacing must be asked for."""
    app = served(openmcp.greet)
    with pytest.raises(RegistrationError, match="greet"):
        app.command(openmcp.greet)


@pytest.mark.parametrize("direction", ["input", "output"])
def test_no_title_is_published_at_any_depth_and_the_schema_is_smaller(direction: str) -> None:
    """001-135, 001-183, 001-184."""
    ours = json.dumps(type_to_schema(list[openmcp.User], direction=direction, dialect="openmcp"))
    theirs = json.dumps(TypeAdapter(list[openmcp.User]).json_schema())
    assert '"title"' in theirs
    assert '"title"' not in ours
    assert '"title"' not in json.dumps(type_to_schema(openmcp.Profile, direction=direction, dialect="openmcp"))
    assert len(ours) <= 0.8 * len(theirs)


def test_definitions_are_inlined() -> None:
    """001-134, 001-166."""
    text = json.dumps(function_to_schema(takes(list[openmcp.Profile] | None), dialect="openmcp"))
    assert "$defs" not in text
    assert "$ref" not in text
    assert "postal_code" in text


def test_a_given_input_schema_is_published_untouched_and_enforced() -> None:
    """001-193, 001-195, 001-196, 001-197."""

    async def custom_tool(**kwargs: Any) -> str:
        return str(kwargs.get("custom_field", "default"))

    app = served(custom_tool, input_schema=CUSTOM)
    assert app.tools["custom_tool"].input_schema == CUSTOM
    assert call(app, {"custom_field": "b"})["content"][0]["text"] == "b"
    for arguments in ({"custom_field": "d"}, {}, {"custom_field": "a", "more": 1}):
        assert call(app, arguments)["errorData"]["code"] == "INVALID_PARAMS"


def test_a_given_output_schema_is_published_and_enforced() -> None:
    """001-194."""
    given = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}, "required": ["n"]}

    def tool(n: int) -> dict[str, Any]:
        return {"n": n}

    app = served(tool, output_schema=given)
    assert app.tools["tool"].output_schema == given
    assert call(app, {"n": 3})["structuredContent"] == {"n": 3}
    assert call(app, {"n": 4})["errorData"]["reason"] == "output_invalid"
