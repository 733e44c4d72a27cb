"""Bugs the peers have with argument values (`reference/traps.md`); the ids name the traps they fail on."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID

import attrs
import msgspec
import pytest
from pydantic import BaseModel

from accord import App, Ge, function_to_schema, return_to_schema
from accord._calls import Failed
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.errors import ProtocolError
from tests.unit._tools import accepts, app_of, module_of, received, refusal, run, send, takes

ODD_NAMES = (
    "title", "format", "h", "verbose", "force", "command_name", "self", "content", "meta", "default", "type",
    "name", "arguments", "protocol", "app", "fn", "args", "kwargs", "properties", "required", "enum", "items",
)  # fmt: skip
Odd = TypedDict("Odd", dict.fromkeys((*ODD_NAMES, "ctx", "$ref", "$defs", "a-b", "x/y~z"), int))


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass
class Place:
    city: str


@attrs.define
class Rule:
    name: str


class Record(msgspec.Struct):
    name: str


class Model(BaseModel):
    name: str


class Pair(NamedTuple):
    a: int
    b: str


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        pytest.param(int | str, "123", id="M-19 int or str"),
        pytest.param(bool | str, "yes", id="M-19 bool or str"),
        pytest.param(dict | str, '{"a": 1}', id="M-19 dict or str"),
        pytest.param(list[int] | str, "[1]", id="M-19 list or str"),
        pytest.param(None | str, "null", id="M-19 null or str"),
        pytest.param(float | str, "1e3", id="M-19 float or str"),
        pytest.param(str | int, 123, id="M-19 int stays int"),
        pytest.param(str | bool, True, id="M-19 bool stays bool"),
        pytest.param(int | bool, True, id="M-19 bool is no int"),
        pytest.param(float | bool, False, id="M-19 bool is no float"),
    ],
)
def test_a_union_never_converts_one_json_type_into_another(annotation: Any, value: Any) -> None:
    """Number 8 of the short list is the first row."""
    got = received(annotation, value)
    assert (type(got), got) == (type(value), value)


@pytest.mark.parametrize("annotation", [int, float, bool, list[int], dict[str, int], int | None, Literal[1], Level])
@pytest.mark.parametrize("text", ["1", "true", "[1]", '{"a":1}', "", "null"])
def test_text_is_never_read_as_another_type(annotation: Any, text: str) -> None:
    """M-19, D-02."""
    assert refusal(annotation, text)["reason"] in {"type_mismatch", "constraint_violation"}


@pytest.mark.parametrize(
    ("annotation", "value", "taken"),
    [
        pytest.param(set[int | bool], [1, True], True, id="1 and true differ"),
        pytest.param(set[int | bool], [0, False], True, id="0 and false differ"),
        pytest.param(set[int], [1, 1.0], False, id="1 and 1.0 are one number"),
        pytest.param(set[str], ["1", 1], False, id="no coercion before the check"),
        pytest.param(set[int], [2, 1], True, id="order is free"),
        pytest.param(Literal[1], True, False, id="true is not 1"),
        pytest.param(Literal[1], 1.0, True, id="1.0 is 1"),
        pytest.param(Literal[1], "1", False, id="text is not 1"),
        pytest.param(Literal[True], 1, False, id="1 is not true"),
        pytest.param(Literal[0, "x"], False, False, id="false is not 0"),
        pytest.param(Level, True, False, id="true is no member"),
    ],
)
def test_equality_is_that_of_json_not_of_python(annotation: Any, value: Any, taken: bool) -> None:
    """M-31."""
    assert isinstance(received(annotation, value), Failed) is not taken
    assert accepts(function_to_schema(takes(annotation)), {"x": value}) is taken


def test_keywords_reach_a_function_that_takes_any_under_a_given_schema() -> None:
    """M-32."""

    def tool(a: int, /, *rest: int, **extras: Any) -> dict[str, Any]:
        return {"a": a, "rest": list(rest), **extras}

    given = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a"]}
    result = run(tool, {"a": 1, "b": [2], "c": None}, input_schema=given)
    assert result["structuredContent"] == {"a": 1, "rest": [], "b": [2], "c": None}


def test_variadic_parameters_are_left_out_and_the_rest_works() -> None:
    """M-32."""

    def tool(a: int, *rest: int, b: int = 2, **extras: int) -> list[int]:
        return [a, b, len(rest), len(extras)]

    assert list(function_to_schema(tool)["properties"]) == ["a", "b"]
    assert run(tool, {"a": 1})["structuredContent"] == [1, 2, 0, 0]
    assert run(tool, {"a": 1, "rest": [1]})["errorData"]["reason"] == "unexpected_argument"


@pytest.mark.parametrize("arguments", [None, [], "x", 3, [["a", 1]]])
def test_arguments_that_are_no_object_are_refused_in_words_about_them(arguments: Any) -> None:
    """M-33."""
    app = app_of(takes(int))
    try:
        result = send(app, "tool", arguments)
    except ProtocolError as error:
        text, code = str(error), error.code
        assert code == -32602
    else:
        text = result["content"][0]["text"]
        assert result["isError"] is True
        assert result["errorData"]["code"] == "INVALID_PARAMS"
    assert "**" not in text
    assert "mapping" not in text
    assert "NoneType" not in text


def test_absent_arguments_are_no_arguments() -> None:
    """M-33. The member is optional on the wire."""
    from accord.testing import call_tool

    app = app_of(takes(int | None, default=None))
    assert call_tool(app, {"name": "tool"})["isError"] is False


@pytest.mark.parametrize(
    ("trap", "body"),
    [
        ("M-23", lambda: len(5)),
        ("M-23", lambda: takes(int)()),
        ("M-23", lambda: {}["missing"]),
        ("number 16 of the short list", lambda: int("x")),
    ],
)
def test_an_exception_of_the_handler_is_not_an_argument_error(trap: str, body: Any) -> None:
    def tool(x: int) -> Any:
        return body()

    result = run(tool, {"x": 1})
    assert result["isError"] is True
    assert result["errorData"]["reason"] == "tool_error"
    assert result["errorData"]["code"] == "TOOL_ERROR"


def test_what_the_schema_forbids_never_reaches_the_handler() -> None:
    """D-02."""
    ran: list[Any] = []

    def tool(n: Annotated[int, Ge(1)], mode: Literal["a"] = "a") -> None:
        ran.append(n)

    app = app_of(tool)
    for arguments in ({}, {"n": 0}, {"n": "1"}, {"n": 1, "mode": "b"}, {"n": 1, "x": 1}, {"n": None}):
        assert send(app, "tool", arguments)["isError"] is True
    assert ran == []
    assert send(app, "tool", {"n": 1})["isError"] is False
    assert ran == [1]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        pytest.param(Place, {"city": "Oslo"}, Place("Oslo"), id="D-03 dataclass"),
        pytest.param(Rule, {"name": "a"}, Rule("a"), id="D-03 attrs"),
        pytest.param(Record, {"name": "a"}, Record("a"), id="D-03 Struct"),
        pytest.param(Model, {"name": "a"}, Model(name="a"), id="D-03 model"),
        pytest.param(Pair, [1, "a"], Pair(1, "a"), id="D-03 NamedTuple"),
        pytest.param(Color, "blue", Color.BLUE, id="D-03 Enum"),
        pytest.param(list[Place], [{"city": "Oslo"}], [Place("Oslo")], id="D-03 in a list"),
        pytest.param(dict[str, Model], {"k": {"name": "a"}}, {"k": Model(name="a")}, id="D-03 in a dict"),
        pytest.param(Place | None, {"city": "Oslo"}, Place("Oslo"), id="D-03 in a union"),
        pytest.param(Path, "a/b", Path("a/b"), id="D-03 Path"),
        pytest.param(datetime.date, "2024-02-29", datetime.date(2024, 2, 29), id="D-03 date"),
        pytest.param(UUID, "0" * 8 + "-0000-0000-0000-" + "0" * 12, UUID(int=0), id="D-03 UUID"),
        pytest.param(set[int], [1, 2], {1, 2}, id="D-03 set"),
        pytest.param(tuple[int, ...], [1, 2], (1, 2), id="D-03 tuple"),
    ],
)
def test_the_handler_receives_the_annotated_type(annotation: Any, value: Any, expected: Any) -> None:
    got = received(annotation, value)
    assert got == expected
    assert type(got) is type(expected)


def test_a_null_reaches_a_required_nullable_parameter() -> None:
    """Number 5 of the short list."""
    assert received(int | Place | None, None) is None
    assert received(list[Place | None], [None, {"city": "a"}]) == [None, Place("a")]
    assert refusal(int, None)["reason"] == "type_mismatch"


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_parameter_of_any_name_is_published_and_received(name: str) -> None:
    """Number 2 of the short list."""
    module = module_of(f"def tool({name}: int, other: str = 'x') -> int:\n    return {name} + 1\n")
    app = app_of(module.tool)
    assert app.tools["tool"].input_schema["properties"][name] == {"type": "integer"}
    assert app.tools["tool"].input_schema["required"] == [name]
    assert send(app, "tool", {name: 41})["structuredContent"] == 42
    refused = send(app, "tool", {name: "a"})
    assert refused["errorData"]["argument"] == name


def test_fields_of_any_name_go_in_and_come_out() -> None:
    """Number 2 of the short list, for fields."""
    value = {name: number for number, name in enumerate(Odd.__annotations__)}

    def tool(odd: Odd) -> Odd:
        return odd

    app = app_of(tool)
    schema = app.tools["tool"].input_schema
    assert list(schema["properties"]["odd"]["properties"]) == list(value)
    assert list(return_to_schema(tool)["properties"]) == list(value)
    assert accepts(schema, {"odd": value})
    assert send(app, "tool", {"odd": value})["structuredContent"] == value
    assert not accepts(schema, {"odd": {**value, "$ref": "text"}})
    assert send(app, "tool", {"odd": {**value, "$ref": "text"}})["errorData"]["violations"][0]["path"] == "/odd/$ref"


def test_two_classes_of_one_name_stay_two() -> None:
    """Number 4 of the short list. Recursion gives both a definition, whose names would collide."""
    text = """
        from __future__ import annotations
        from dataclasses import dataclass

        @dataclass
        class Item:
            {name}: {kind}
            child: Item | None = None
    """
    first = module_of(text.format(name="a", kind="int")).Item
    second = module_of(text.format(name="b", kind="str")).Item

    def tool(x: first, y: second) -> str:
        return f"{x.child.a} {y.child.b}"

    tool.__annotations__ = {"x": first, "y": second, "return": str}
    good = {"x": {"a": 1, "child": {"a": 2}}, "y": {"b": "p", "child": {"b": "q"}}}
    crossed = {"x": {"a": 1, "child": {"b": "q"}}, "y": {"b": "p"}}
    schema = function_to_schema(tool)
    assert accepts(schema, good)
    assert not accepts(schema, crossed)
    assert run(tool, good)["structuredContent"] == "2 q"
    assert run(tool, crossed)["isError"] is True


def test_a_bad_tool_leaves_the_others_callable() -> None:
    """Number 15 of the short list."""
    app = App("mixed")
    app.command("good")(takes(int))
    module = module_of("def bad(x: 'NeverDefined') -> None: ...")
    app.command(module.bad)
    assert app.tools["good"].input_schema["properties"] == {"x": {"type": "integer"}}
    assert send(app, "good", {"x": 1})["isError"] is False


@pytest.mark.parametrize("annotation", [list[Model], Model | None, Model | Place, dict[str, Model]])
def test_models_inside_other_types_validate_where_they_stand(annotation: Any) -> None:
    """Number 4 of the short list."""
    bad: Any = {"name": 3} if annotation in (Model | None, Model | Place) else None
    bad = bad or ([{"name": 3}] if annotation == list[Model] else {"k": {"name": 3}})
    good: Any = {"name": "a"} if isinstance(bad, dict) and "name" in bad else None
    good = good or ([{"name": "a"}] if isinstance(bad, list) else {"k": {"name": "a"}})
    assert not isinstance(received(annotation, good), Failed)
    assert isinstance(received(annotation, bad), Failed)


def test_binding_ends_before_the_function_runs() -> None:
    """M-23. A default is the function's own; binding only names what was given."""
    ran: list[int] = []

    def tool(a: int, b: int = 5) -> None:
        ran.append(a)

    bound = bind(Tool(tool), {"a": 1})
    assert not isinstance(bound, Failed)
    assert ran == []
    tool(*bound.args, **bound.kwargs)
    assert ran == [1]
