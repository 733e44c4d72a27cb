"""What a client sees of a tool and of its results is what the official schema of its protocol allows.

The judge is `jsonschema`, an implementation of JSON Schema that Accord does not use. The official schemas
are in `tests/data/mcp-schema`, as published.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

from accord import App, Description, Ge, Header, Icon, MinLen, ToolError, Ui
from accord.content import Audio, EmbeddedResource, Image, ResourceLink, Text, ToolResult
from accord.schema.formats import FORMATS
from accord.testing import call_tool

SCHEMAS = Path(__file__).resolve().parents[1] / "data" / "mcp-schema"
PROTOCOLS = sorted(path.name for path in SCHEMAS.iterdir())
# From here on a result may be any JSON value; before, it is an object.
BARE_VALUES = "2026-07-28"


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Row(TypedDict):
    name: str
    count: int


@dataclass
class Address:
    city: Annotated[str, MinLen(1)]
    since: date | None = None


@dataclass
class Circle:
    radius: float
    kind: Literal["circle"] = "circle"


@dataclass
class Square:
    side: float
    kind: Literal["square"] = "square"


@dataclass
class Node:
    value: int
    children: list["Node"] = field(default_factory=list)


app = App("shapes", version="1.0.0")


@app.command(read_only=True, title="Greeting")
def text(name: str = "World") -> str:
    """Greet."""
    return f"Hello, {name}"


@app.command(read_only=True, idempotent=True, open_world=False)
def number(a: int, b: Annotated[int, Ge(0)]) -> int:
    """Add two numbers."""
    return a + b


@app.command
def numbers(count: int = 2) -> list[int]:
    return list(range(count))


@app.command
def mapping(keys: list[str]) -> dict[str, int]:
    return {key: len(key) for key in keys}


@app.command
def anything(value: Any = None) -> Any:
    return value


@app.command
def record(address: Address) -> Address:
    return address


@app.command
def rows() -> list[Row]:
    return [{"name": "a", "count": 1}]


@app.command(destructive=True)
def nothing(target: Annotated[str, Description("What to remove")]) -> None:
    """Remove something."""


@app.command
def maybe(name: str | None = None) -> str | None:
    return name


@app.command
def shape(sides: int) -> Circle | Square:
    return Square(2.0) if sides else Circle(1.0)


@app.command
def shape_or_nothing(sides: int) -> Circle | None:
    return Circle(1.0) if sides == 1 else None


@app.command
def nested(root: Node) -> Node:
    return root


@app.command
def pair(colour: Colour = Colour.RED) -> tuple[int, Colour]:
    return 1, colour


@app.command
def unique(values: set[int]) -> set[int]:
    return values


@app.command
def picture() -> Image:
    return Image(b"\x89PNG", "image/png")


@app.command
def blocks() -> list[Text | Image | Audio | ResourceLink | EmbeddedResource]:
    return [
        Text("hello"),
        Audio(b"RIFF", "audio/wav"),
        ResourceLink("file:///a", "a"),
        EmbeddedResource("file:///a", text="hi", mime_type="text/plain"),
        EmbeddedResource("file:///b", blob=b"\x00"),
    ]


@app.command
def whole() -> ToolResult:
    return ToolResult([Text("half done")], structured={"done": 1}, meta={"example.org/took": 3})


@app.command
def fails(message: str) -> dict[str, str]:
    raise ToolError(message, code="NO_LUCK", data={"why": message}, retryable=True)


@app.command
def breaks() -> int:
    raise KeyError("missing")


@app.command(
    title="Dressed",
    icons=[Icon("https://icons.example/a.png", "image/png", sizes=["48x48"], theme="dark")],
    ui=Ui("ui://shapes/dressed.html", visibility="app"),
    meta={"example.com/team": {"name": "shop"}},
)
def dressed(region: Annotated[str, Header("Region")] = "eu") -> str:
    """All that can be said of a tool."""
    return region


# (tool, arguments, the structured value: ABSENT where there is none, FAILURE where the result is an error)
ABSENT: Any = object()
FAILURE: Any = object()
CASES: list[tuple[str, dict[str, Any], Any]] = [
    ("text", {}, "Hello, World"),
    ("text", {"name": ""}, "Hello, "),
    ("number", {"a": 1, "b": 1}, 2),
    ("numbers", {}, [0, 1]),
    ("numbers", {"count": 0}, []),
    ("mapping", {"keys": ["a", "bc"]}, {"a": 1, "bc": 2}),
    ("mapping", {"keys": []}, {}),
    ("anything", {"value": {"a": [None, 1.5]}}, ...),
    ("anything", {}, ...),
    ("record", {"address": {"city": "Ulm"}}, {"city": "Ulm", "since": None}),
    ("record", {"address": {"city": "Ulm", "since": "2020-02-29"}}, {"city": "Ulm", "since": "2020-02-29"}),
    ("rows", {}, [{"name": "a", "count": 1}]),
    ("nothing", {"target": "x"}, ABSENT),
    ("maybe", {}, None),
    ("maybe", {"name": "a"}, "a"),
    ("shape", {"sides": 0}, {"radius": 1.0, "kind": "circle"}),
    ("shape", {"sides": 4}, {"side": 2.0, "kind": "square"}),
    ("shape_or_nothing", {"sides": 1}, {"radius": 1.0, "kind": "circle"}),
    ("shape_or_nothing", {"sides": 0}, None),
    (
        "nested",
        {"root": {"value": 1, "children": [{"value": 2}]}},
        {"value": 1, "children": [{"value": 2, "children": []}]},
    ),
    ("pair", {}, [1, "red"]),
    ("unique", {"values": [3, 1, 2]}, ...),
    ("picture", {}, ABSENT),
    ("blocks", {}, ABSENT),
    ("whole", {}, ...),
    ("dressed", {}, "eu"),
    ("fails", {"message": "no"}, FAILURE),
    ("breaks", {}, FAILURE),
    ("number", {}, FAILURE),
    ("number", {"a": "1", "b": -1, "c": None}, FAILURE),
    ("record", {"address": {"city": "", "town": 1}}, FAILURE),
    ("nested", {"root": {"value": 1, "children": [{"value": "2"}]}}, FAILURE),
]


@cache
def judge(protocol: str, definition: str) -> Validator:
    """A validator for one definition of the official schema."""
    schema = json.loads((SCHEMAS / protocol / "schema.json").read_text(encoding="utf-8"))
    keyword = "$defs" if "$defs" in schema else "definitions"
    return validator_for(schema)({**schema, "$ref": f"#/{keyword}/{definition}"})


def our_formats() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, check in FORMATS.items():
        checker.checks(name)(_lenient(check))
    return checker


def _lenient(check: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or check(value)


def complaints(validator: Validator, instance: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(instance)]


def wire(name: str, protocol: str) -> dict[str, Any]:
    tool: dict[str, Any] = app.tools[name].wire(protocol)
    return json.loads(json.dumps(tool, allow_nan=False))  # type: ignore[no-any-return]


def result(name: str, arguments: dict[str, Any], protocol: str) -> dict[str, Any]:
    answer = call_tool(app, {"name": name, "arguments": arguments}, protocol=protocol)
    return json.loads(json.dumps(answer, allow_nan=False))  # type: ignore[no-any-return]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", list(app.tools))
def test_a_tool_on_the_wire_is_a_tool_of_the_protocol(name: str, protocol: str) -> None:
    tool = wire(name, protocol)
    assert complaints(judge(protocol, "Tool"), tool) == []
    for schema in (tool["inputSchema"], tool.get("outputSchema", {})):
        Draft202012Validator.check_schema(schema)
        assert "$schema" not in schema, "`$schema` is for files, not for the wire"
    if protocol < BARE_VALUES:
        assert tool.get("outputSchema", {"type": "object"})["type"] == "object"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("name", "arguments", "structured"), CASES)
def test_a_result_on_the_wire_is_a_result_of_the_protocol(
    name: str, arguments: dict[str, Any], structured: Any, protocol: str
) -> None:
    answer = result(name, arguments, protocol)
    # `call_tool` leaves out what the transport stamps.
    stamped = {"resultType": "complete", **answer} if protocol >= BARE_VALUES else answer
    assert complaints(judge(protocol, "CallToolResult"), stamped) == []
    assert answer["isError"] is (structured is FAILURE)
    if structured is FAILURE:
        assert "structuredContent" not in answer
        assert answer["errorData"]["tool"] == name
        assert answer["_meta"]["accord/errorData"] == answer["errorData"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("name", "arguments", "structured"), [case for case in CASES if case[2] is not FAILURE])
def test_a_structured_result_satisfies_the_schema_that_was_published(
    name: str, arguments: dict[str, Any], structured: Any, protocol: str
) -> None:
    schema, answer = wire(name, protocol).get("outputSchema"), result(name, arguments, protocol)
    if structured is ABSENT:
        assert schema is None
        assert "structuredContent" not in answer
        return
    if schema is not None:
        assert "structuredContent" in answer, "a tool with an output schema always sends a structured result"
        checker = Draft202012Validator(schema, format_checker=our_formats())
        assert complaints(checker, answer["structuredContent"]) == []
    if structured is not ...:
        boxed = protocol < BARE_VALUES and "x-accord-box" in (schema or {})
        assert answer["structuredContent"] == ({"result": structured} if boxed else structured)


def test_every_tool_is_called_and_every_refusal_is_seen() -> None:
    assert {name for name, _, _ in CASES} == set(app.tools)
    assert {structured is FAILURE for _, _, structured in CASES} == {True, False}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_judge_refuses_what_the_protocol_does_not_allow(protocol: str) -> None:
    assert complaints(judge(protocol, "Tool"), {"name": "x", "inputSchema": {"type": "array"}})
    assert complaints(judge(protocol, "CallToolResult"), {"content": [{"type": "text"}], "resultType": "complete"})
    assert complaints(judge(protocol, "CallToolResult"), {"structuredContent": {}, "resultType": "complete"})
