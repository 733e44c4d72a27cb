"""Bugs the peers have with results (`reference/traps.md`); each id names the trap it would fail on."""

from __future__ import annotations

import datetime
import ipaddress
import json
import math
from collections.abc import Generator
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, TypedDict
from uuid import UUID

import pytest
from pydantic import BaseModel

from accord import App, Policy, Progress, content, return_to_schema
from accord._calls import Failed, Ok
from accord._tool import Tool
from accord.dispatch.normalize import normalize
from tests.unit._tools import accepts, app_of, returns, run, send
from tests.unit.dispatch._ways import EVERY_WAY, Way

ERAS = ["2025-06-18", "2025-11-25", "2026-07-28"]
MOMENT = datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)
HIJACK = {"content": [1], "meta": "m", "isError": True, "structuredContent": None}


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1


@dataclass
class Point:
    x: int
    tags: set[str] = field(default_factory=set)


@dataclass
class Line:
    length: float


class Model(BaseModel):
    when: datetime.datetime


class Pair(NamedTuple):
    a: int
    b: str


class Hijack(TypedDict):
    content: list[int]
    meta: str
    isError: bool
    structuredContent: None


# (trap, annotation, value, its JSON)
VALUES: tuple[tuple[str, Any, Any, Any], ...] = (
    ("M-10 str", str, "hello", "hello"),
    ("M-10 int", int, 3, 3),
    ("M-10 list", list[str], ["a"], ["a"]),
    ("M-11 dataclass", Point, Point(1, {"b", "a"}), {"x": 1, "tags": ["a", "b"]}),
    ("M-11 datetime", datetime.datetime, MOMENT, "2024-01-02T00:00:00+00:00"),
    ("M-11 set", set[int], {3, 1, 2}, [1, 2, 3]),
    ("M-11 Decimal", Decimal, Decimal("1.50"), "1.50"),
    ("M-11 Path", Path, PurePosixPath("a/b"), "a/b"),
    ("M-11 model", Model, Model(when=datetime.datetime(2024, 1, 2)), {"when": "2024-01-02T00:00:00"}),
    ("D-04 union with null", int | None, None, None),
    ("D-04 union", int | str, "x", "x"),
    ("D-04 object or null", Point | None, Point(1), {"x": 1, "tags": []}),
    ("D-04 union of objects", Point | Line, Line(2.5), {"length": 2.5}),
    ("D-04 object", object, [1], [1]),
    ("D-04 dict", dict[str, int], {"a": 1}, {"a": 1}),
    ("D-13 keys of the protocol", Hijack, HIJACK, HIJACK),
    ("D-13 without a contract", dict, {"content": [{"type": "text", "text": "x"}], "isError": True},
     {"content": [{"type": "text", "text": "x"}], "isError": True}),
    ("D-14 pair", tuple[list[int], dict[str, int]], ([1], {"a": 2}), [[1], {"a": 2}]),
    ("D-14 strings", tuple[str, str], ("a", "b"), ["a", "b"]),
    ("D-14 NamedTuple", Pair, Pair(1, "b"), [1, "b"]),
    ("D-15 date", datetime.date, datetime.date(2024, 2, 29), "2024-02-29"),
    ("D-15 time", datetime.time, datetime.time(23, 59, 59), "23:59:59"),
    ("D-15 timedelta", datetime.timedelta, datetime.timedelta(days=-1, hours=1), "-PT23H"),
    ("D-15 UUID", UUID, UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ("D-15 Enum", Color, Color.BLUE, "blue"),
    ("D-15 IntEnum", Level, Level.LOW, 1),
    ("D-15 bytes", bytes, b"\xff\x00", "/wA="),
    ("D-15 frozenset", frozenset[str], frozenset({"b", "a"}), ["a", "b"]),
    ("D-15 address", ipaddress.IPv4Address, ipaddress.IPv4Address("10.0.0.1"), "10.0.0.1"),
    ("D-16 list of objects", list[Point], [Point(1), Point(2)], [{"x": 1, "tags": []}, {"x": 2, "tags": []}]),
    ("D-16 empty list", list[int], [], []),
)  # fmt: skip


def rows() -> list[Any]:
    return [pytest.param(*row[1:], id=row[0]) for row in VALUES]


@pytest.mark.parametrize(("annotation", "value", "encoded"), rows())
def test_a_result_is_json_that_satisfies_its_schema(annotation: Any, value: Any, encoded: Any) -> None:
    schema = return_to_schema(returns(annotation))
    result = run(returns(annotation, value))
    assert result["isError"] is False
    assert json.loads(json.dumps(result["structuredContent"], allow_nan=False)) == encoded
    if schema is not None:
        assert accepts(schema, result["structuredContent"])


@pytest.mark.parametrize(("annotation", "value", "encoded"), rows())
def test_the_content_is_one_text_block_that_says_the_same(annotation: Any, value: Any, encoded: Any) -> None:
    """D-16 for lists, D-13 for dicts that look like results."""
    result = run(returns(annotation, value))
    (block,) = result["content"]
    assert block["type"] == "text"
    if isinstance(value, str):
        assert block["text"] == value
    elif value is None:
        assert block["text"] == ""
    elif isinstance(encoded, str):
        assert block["text"] in {encoded, json.dumps(encoded)}
    else:
        assert json.loads(block["text"]) == encoded


@pytest.mark.parametrize("era", ERAS[:2])
@pytest.mark.parametrize(("annotation", "value", "encoded"), rows())
def test_value_and_schema_are_boxed_together(annotation: Any, value: Any, encoded: Any, era: str) -> None:
    """M-10, D-04. The boxing dialect publishes the schema the structured value has in that era."""
    app = app_of(returns(annotation, value), policy=Policy(dialect="openmcp"))
    schema = app.tools["tool"].output_schema
    structured = send(app, "tool", {}, era)["structuredContent"]
    assert isinstance(structured, dict)
    assert structured == encoded or structured == {"result": encoded}
    if schema is not None:
        assert accepts(schema, structured)
        assert ("x-dedalus-box" in schema) == (structured != encoded)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("annotation", "value", "encoded"), rows())
def test_what_a_listing_promises_is_what_a_call_sends(annotation: Any, value: Any, encoded: Any, era: str) -> None:
    """M-10, D-04. A client of that era validates the one against the other."""
    app = app_of(returns(annotation, value))
    listed = app.tools["tool"].wire(era).get("outputSchema")
    structured = send(app, "tool", {}, era)["structuredContent"]
    if listed is not None:
        assert accepts(listed, structured)
        assert era == "2026-07-28" or listed["type"] == "object"
    assert era == "2026-07-28" or isinstance(structured, dict)


@pytest.mark.parametrize("era", ERAS)
def test_a_str_tool_sends_the_structured_content_its_schema_promises(era: str) -> None:
    """M-10, number 1 of the short list."""
    result = run(returns(str, "hi"), protocol=era)
    assert result["structuredContent"] == ("hi" if era == "2026-07-28" else {"result": "hi"})
    assert result["content"] == [{"type": "text", "text": "hi"}]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, Decimal("NaN")])
@pytest.mark.parametrize("annotation", [float, Any, dict[str, Any]])
def test_a_number_json_does_not_have_is_an_output_error_naming_its_place(value: Any, annotation: Any) -> None:
    """M-12."""
    place = {"a": [1.0, value]} if annotation == dict[str, Any] else value
    result = run(returns(annotation, place))
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert result["errorData"]["reason"] == "output_invalid"
    if annotation == dict[str, Any]:
        assert "/a/1" in json.dumps(result["errorData"])
    json.dumps(result, allow_nan=False)


@pytest.mark.parametrize("default", [math.inf, math.nan, -math.inf])
def test_a_default_json_does_not_have_leaves_the_tool_callable(default: float) -> None:
    """M-12."""

    def tool(limit: float = default) -> bool:
        return math.isfinite(limit)

    app = app_of(tool)
    assert app.tools["tool"].input_schema["properties"] == {"limit": {"type": "number"}}
    assert send(app, "tool", {})["structuredContent"] is False


class Opaque:
    pass


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        pytest.param(Any, Opaque(), id="M-11 an unknown object"),
        pytest.param(Any, {"a": [Opaque()]}, id="M-11 an unknown object inside"),
        pytest.param(Any, {(1, 2): 3}, id="M-11 a key that is no text"),
        pytest.param(int, "three", id="D-02 another type"),
        pytest.param(Point, {"x": "one", "tags": []}, id="D-02 another type inside"),
        pytest.param(list[int], None, id="D-02 null"),
        pytest.param(tuple[int, int], (1, 2, 3), id="D-14 another length"),
        pytest.param(Any, "\ud800", id="M-11 a lone surrogate"),
    ],
)
def test_what_cannot_be_sent_or_breaks_its_schema_is_an_error_never_a_success(annotation: Any, value: Any) -> None:
    result = run(returns(annotation, value))
    assert result["isError"] is True
    assert result["errorData"]["reason"] == "output_invalid"
    assert "Traceback" not in json.dumps(result)
    assert "Opaque object at" not in json.dumps(result)


def test_a_result_that_contains_itself_is_an_error() -> None:
    """M-11."""
    loop: list[Any] = []
    loop.append(loop)
    assert run(returns(Any, loop))["errorData"]["reason"] == "output_invalid"


def test_the_result_of_a_generator_function_is_what_it_returns() -> None:
    """Number 9 of the short list."""

    def tool(good: bool = True) -> Generator[Progress, None, int]:
        yield Progress("half", 1, 2)
        return 3 if good else "three"

    assert return_to_schema(tool) == {"type": "integer"}
    assert run(tool)["structuredContent"] == 3
    assert run(tool, {"good": False})["errorData"]["reason"] == "output_invalid"


def test_a_generator_inside_a_result_is_an_error() -> None:
    """Number 9 of the short list."""
    result = run(returns(Any, {"rows": (number for number in range(3))}))
    assert result["isError"] is True
    assert result["errorData"]["violations"][0]["path"] == "/rows"


def test_none_is_an_empty_text_without_structured_content_unless_it_was_promised() -> None:
    """Number 9 of the short list."""
    silent = run(returns(None))
    assert silent["content"] == [{"type": "text", "text": ""}]
    assert "structuredContent" not in silent
    promised = run(returns(int | None, None))
    assert promised["structuredContent"] is None
    assert "structuredContent" in promised


def test_a_number_beyond_every_float_stays_exact() -> None:
    """Number 9 of the short list."""
    huge = 10**400
    result = run(returns(int, huge))
    assert result["structuredContent"] == huge
    assert json.loads(result["content"][0]["text"]) == huge


def test_normalize_gives_the_plain_value_and_the_failure_by_name() -> None:
    """D-04, at the one place that looks at results."""
    good = normalize(Tool(returns(Point)), Point(1, {"a"}))
    assert isinstance(good, Ok)
    assert good.structured == {"x": 1, "tags": ["a"]}
    bad = normalize(Tool(returns(Point)), 5)
    assert isinstance(bad, Failed)
    assert bad.reason == "output_invalid"
    assert bad.error_data["code"] == "OUTPUT_INVALID"


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("annotation", "value", "blocks"),
    [
        (content.Text, content.Text("hi"), [{"type": "text", "text": "hi"}]),
        (content.Image, content.Image(b"hi"), [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]),
        (content.Audio, content.Audio(b"hi"), [{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}]),
        (
            content.ResourceLink,
            content.ResourceLink("file:///a", "a"),
            [{"type": "resource_link", "uri": "file:///a", "name": "a"}],
        ),
        (
            content.EmbeddedResource,
            content.EmbeddedResource("file:///a", text="t", mime_type="text/plain"),
            [{"type": "resource", "resource": {"uri": "file:///a", "text": "t", "mimeType": "text/plain"}}],
        ),
        (
            list[content.Text | content.Image],
            [content.Text("a"), content.Image("aGk=", "image/gif")],
            [{"type": "text", "text": "a"}, {"type": "image", "data": "aGk=", "mimeType": "image/gif"}],
        ),
        (str | content.Text, content.Text("a"), [{"type": "text", "text": "a"}]),
    ],
)
def test_content_is_asked_for_by_type_not_by_keys(annotation: Any, value: Any, blocks: Any, era: str) -> None:
    """The counterpart of D-13 and D-16: who wants several blocks says so."""
    result = run(returns(annotation, value), protocol=era)
    assert result["content"] == blocks
    assert result["isError"] is False
    assert "structuredContent" not in result


def test_a_whole_result_keeps_every_part_of_it() -> None:
    """The counterpart of D-13."""
    good = content.ToolResult([content.Text("yes")], structured={"a": 1}, meta={"k": "v"})
    result = run(returns(content.ToolResult, good))
    assert result["content"] == [{"type": "text", "text": "yes"}]
    assert (result["isError"], result["structuredContent"]) == (False, {"a": 1})
    assert result["_meta"]["k"] == "v"
    bad = content.ToolResult([content.Text("no")], is_error=True, meta={"k": "v"})
    result = run(returns(content.ToolResult, bad))
    assert (result["content"], result["isError"]) == ([{"type": "text", "text": "no"}], True)
    assert result["_meta"]["k"] == "v"


class Lazy(dict[str, int]):
    """Computes what it holds, and fails."""

    def items(self) -> Any:
        raise OSError("the connection is gone")


class LazyList(list[int]):
    def __iter__(self) -> Any:
        raise SystemExit(4)


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("kind", [Lazy, LazyList])
def test_a_result_that_fails_when_it_is_read_is_an_invalid_one(way: Way, kind: Any) -> None:
    app = App("tests")

    @app.command
    def gives() -> Any:
        return kind([("a", 1)])

    answer = way(app, "gives")
    assert answer.reason == "output_invalid"
    assert "it cannot be read" in answer.data["message"]
