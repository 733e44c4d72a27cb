"""``Policy(repair="report")``: two habits of models are undone, listed and counted; everything else stays refused."""

import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from accord import App, MaxLen, MinLen, Policy
from accord.content import Text, ToolResult
from accord.testing import call_tool
from tests.unit.dispatch._ways import EVERY_WAY, Way, awaited, mcp, python


@dataclass
class Place:
    city: str
    tags: list[str] | None = None
    zip: int = 0


class Color(Enum):
    RED = "red"


def taking(annotation: Any, policy: Policy, **default: Any) -> App:
    app = App("tests", policy=policy)

    def tool(x: Any) -> Any:
        return repr(x)

    tool.__annotations__ = {"x": annotation, "return": str}
    if default:
        tool.__defaults__ = (default["default"],)
    app.command(tool)
    return app


REPORT, OFF = Policy(repair="report"), Policy()
NONE = object()

# (annotation, its default or NONE, what was sent, what the tool gets, the repairs)
REPAIRED: dict[str, tuple[Any, Any, Any, Any, list[tuple[str, str]]]] = {
    "a list in a string": (list[int], NONE, "[1, 2]", [1, 2], [("/x", "parsed_json")]),
    "an object in a string": (dict[str, int], NONE, '{"a": 1}', {"a": 1}, [("/x", "parsed_json")]),
    "a record in a string": (Place, NONE, '{"city": "Oslo"}', Place("Oslo"), [("/x", "parsed_json")]),
    "a number in a string": (int, NONE, "5", 5, [("/x", "parsed_json")]),
    "a bool in a string": (bool, NONE, "true", True, [("/x", "parsed_json")]),
    "a nullable list in a string": (list[int] | None, NONE, "[1]", [1], [("/x", "parsed_json")]),
    "items in strings": (list[list[int]], NONE, ["[1]", [2]], [[1], [2]], [("/x/0", "parsed_json")]),
    "a string in a string": (
        Place,
        NONE,
        json.dumps({"city": "Oslo", "tags": '["a"]'}),
        Place("Oslo", ["a"]),
        [("/x", "parsed_json"), ("/x/tags", "parsed_json")],
    ),
    "null for an optional": (int, 7, None, 7, [("/x", "dropped_null")]),
    "nothing for an optional number": (int, 7, "", 7, [("/x", "dropped_empty")]),
    "nothing for an optional list": (list[int], [], "", [], [("/x", "dropped_empty")]),
    "nothing for an optional word": (Literal["a", "b"], "b", "", "b", [("/x", "dropped_empty")]),
    "nothing for an optional color": (Color, Color.RED, "", Color.RED, [("/x", "dropped_empty")]),
    "null inside a record": (Place, NONE, {"city": "Oslo", "zip": None}, Place("Oslo"), [("/x/zip", "dropped_null")]),
    "null inside a record in a string": (
        Place,
        NONE,
        '{"city": "Oslo", "zip": null}',
        Place("Oslo"),
        [("/x", "parsed_json"), ("/x/zip", "dropped_null")],
    ),
}


@pytest.mark.parametrize(
    ("annotation", "default", "sent", "received", "repairs"), REPAIRED.values(), ids=REPAIRED.keys()
)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_the_schema_decides_is_repaired_and_listed(
    annotation: Any, default: Any, sent: Any, received: Any, repairs: list[tuple[str, str]], way: Way
) -> None:
    defaults = {} if default is NONE else {"default": default}
    app = taking(annotation, REPORT, **defaults)
    answer = way(app, "tool", x=sent)
    assert answer.value == repr(received)
    if way is mcp:
        shown = [(each["path"], each["repair"]) for each in answer.meta["accord/repairs"]]
        assert shown == repairs
    assert sum(app.repairs.values()) == len(repairs)
    assert set(app.repairs) == {("tool", repair) for _, repair in repairs}
    assert way(taking(annotation, OFF, **defaults), "tool", x=sent).reason is not None, "refused where nobody repairs"


# (annotation, its default or NONE, what was sent, what the tool gets)
UNTOUCHED: dict[str, tuple[Any, Any, Any, Any]] = {
    "text that looks like a number": (str, NONE, "5", "5"),
    "text that looks like a list": (str, NONE, "[1]", "[1]"),
    "text that looks like null": (str, NONE, "null", "null"),
    "empty text": (str, "x", "", ""),
    "text where a number would do": (int | str, NONE, "123", "123"),
    "text where a list would do": (list[int] | str, NONE, "[1]", "[1]"),
    "empty text where it may be null": (str | None, "x", "", ""),
    "a null that is taken": (int | None, 7, None, None),
    "text in a list": (list[str], NONE, ["1", "null", ""], ["1", "null", ""]),
    "text anywhere": (Any, NONE, '{"a": 1}', '{"a": 1}'),
    "text in an open object": (dict[str, Any], NONE, {"a": "[1]"}, {"a": "[1]"}),
}


@pytest.mark.parametrize(("annotation", "default", "sent", "received"), UNTOUCHED.values(), ids=UNTOUCHED.keys())
@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_passes_is_not_touched(annotation: Any, default: Any, sent: Any, received: Any, way: Way) -> None:
    app = taking(annotation, REPORT, **({} if default is NONE else {"default": default}))
    answer = way(app, "tool", x=sent)
    assert answer.value == repr(received)
    assert answer.meta is None
    assert app.repairs == {}


# (annotation, its default or NONE, what was sent, the reason it is refused for)
REFUSED: dict[str, tuple[Any, Any, Any, str]] = {
    "null for a required one": (int, NONE, None, "type_mismatch"),
    "nothing for a required one": (int, NONE, "", "type_mismatch"),
    "text that is no JSON": (list[int], NONE, "1, 2", "type_mismatch"),
    "JSON of another type": (list[int], NONE, '{"a": 1}', "type_mismatch"),
    "JSON with the wrong items": (list[int], NONE, '["a"]', "type_mismatch"),
    "JSON with too few items": (Annotated[list[int], MinLen(2)], NONE, "[1]", "constraint_violation"),
    "JSON with too many items": (Annotated[list[int], MaxLen(1)], NONE, "[1, 2]", "constraint_violation"),
    "JSON that lacks a field": (Place, NONE, '{"zip": 1}', "missing_required_argument"),
    "JSON with a field too many": (Place, NONE, '{"city": "Oslo", "town": 1}', "unexpected_argument"),
    "a string of a string": (list[int], NONE, '"[1]"', "type_mismatch"),
    "a number that is no text": (str, NONE, 5, "type_mismatch"),
    "a fraction for an integer": (int, NONE, "1.5", "type_mismatch"),
    "NaN": (float, NONE, "NaN", "type_mismatch"),
    "an empty key word of a required one": (Literal["a", "b"], NONE, "", "constraint_violation"),
    "too short a text": (Annotated[str, MinLen(1)], NONE, "", "constraint_violation"),
}


@pytest.mark.parametrize(("annotation", "default", "sent", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_schema_does_not_decide_stays_refused_as_it_was_sent(
    annotation: Any, default: Any, sent: Any, reason: str
) -> None:
    defaults = {} if default is NONE else {"default": default}
    strict, lenient = taking(annotation, OFF, **defaults), taking(annotation, REPORT, **defaults)
    for way in EVERY_WAY:
        refusal = way(lenient, "tool", x=sent)
        assert refusal.reason is not None
        assert refusal.data == way(strict, "tool", x=sent).data, "a repair that fails leaves no trace"
    assert lenient.repairs == {}
    if not isinstance(sent, str):
        assert mcp(lenient, "tool", x=sent).reason == reason


def test_one_thing_that_cannot_be_repaired_refuses_the_call_whole() -> None:
    app = App("tests", policy=REPORT)

    @app.command
    def tool(numbers: list[int], name: str) -> str:
        return name

    for arguments in ({"numbers": "[1]"}, {"numbers": "[1]", "name": 5}, {"numbers": "[1]", "name": "x", "nmae": 1}):
        assert mcp(app, "tool", **arguments).reason is not None
    assert app.repairs == {}


def test_an_empty_optional_text_that_is_too_short_is_left_out() -> None:
    app = taking(Annotated[str, MinLen(1)], REPORT, default="latest")
    assert mcp(app, "tool", x="").value == "'latest'"
    assert app.repairs == {("tool", "dropped_empty"): 1}


def test_repairs_are_counted_by_tool_and_kind_and_the_count_is_a_copy() -> None:
    app = App("tests", policy=REPORT)

    @app.command
    def one(x: list[int] = []) -> int:
        return len(x)

    @app.command
    def two(x: int = 0) -> int:
        return x

    for _ in range(3):
        python(app, "one", x="[1]")
    awaited(app, "two", x=None)
    mcp(app, "two", x="")
    assert app.repairs == {("one", "parsed_json"): 3, ("two", "dropped_null"): 1, ("two", "dropped_empty"): 1}
    app.repairs.clear()
    assert sum(app.repairs.values()) == 5


def test_a_tool_that_fails_after_a_repair_counts_it_and_says_its_own_failure() -> None:
    app = App("tests", policy=REPORT)

    @app.command
    def fails(x: list[int]) -> int:
        raise ValueError(f"got {x}")

    assert mcp(app, "fails", x="[1]").reason == "tool_error"
    assert app.repairs == {("fails", "parsed_json"): 1}


def test_the_tools_own_meta_stands_beside_the_repairs() -> None:
    app = App("tests", policy=REPORT)

    @app.command
    def show(x: list[int]) -> ToolResult:
        return ToolResult([Text("x")], meta={"mine": 1})

    meta = call_tool(app, {"name": "show", "arguments": {"x": "[1]"}})["_meta"]
    assert meta == {"mine": 1, "accord/repairs": [{"path": "/x", "repair": "parsed_json"}]}


def test_a_secret_in_a_string_is_repaired_without_being_shown() -> None:
    app = App("tests", policy=REPORT)

    @app.command
    def login(password: str, attempts: int) -> str:
        return "in"

    result = call_tool(app, {"name": "login", "arguments": {"password": "hunter2", "attempts": "3"}})
    assert result["_meta"]["accord/repairs"] == [{"path": "/attempts", "repair": "parsed_json"}]
    assert "hunter2" not in json.dumps(result)


def test_very_long_text_is_not_looked_into() -> None:
    app = taking(list[int], REPORT)
    assert mcp(app, "tool", x="[" + "1," * 600_000 + "1]").reason == "type_mismatch"
