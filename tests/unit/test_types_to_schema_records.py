"""Classes with fields -> canonical JSON Schema, in and out: dataclass, TypedDict, attrs, Struct, pydantic."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NotRequired, Required, TypedDict, TypeVar, Union

import attrs
import msgspec
import pydantic.dataclasses
import pytest
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field, computed_field

from accord import Description, Ge, MinLen, function_to_schema, return_to_schema
from accord.schema import type_to_schema
from tests.unit._tools import accepts, returns, takes

T = TypeVar("T")
INT = {"type": "integer"}
STR = {"type": "string"}


def closed(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    """An object read: no other names."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **more,
    }
    return {**schema, "required": list(required)} if required else schema


def opened(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    """An object written: other names may come later."""
    schema: dict[str, Any] = {"type": "object", "properties": properties, **more}
    return {**schema, "required": list(required)} if required else schema


@dataclass
class Plain:
    a: int
    b: Annotated[str, MinLen(1)] = "x"


@dataclass
class Child(Plain):
    c: int = 3


@dataclass(kw_only=True, slots=True, frozen=True)
class Modern:
    a: int = 1
    b: int


@dataclass
class Computed:
    a: int
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.a * 2


@dataclass
class Described:
    a: int = field(metadata={"description": "from the field"})
    b: Annotated[int, Description("from the marker")] = 1


@dataclass
class Empty:
    pass


@dataclass
class Nested:
    plain: Plain
    many: list[Plain]


@dataclass
class Box(Generic[T]):
    content: T


class Total(TypedDict):
    a: int
    b: NotRequired[str]


class Partial(TypedDict, total=False):
    a: Required[int]
    b: Annotated[int, Ge(1)]


class Merged(Partial):
    c: str


class Extended(typing_extensions.TypedDict):
    a: typing_extensions.ReadOnly[int]
    b: typing_extensions.NotRequired[typing_extensions.ReadOnly[str]]


class PairTotal(TypedDict, Generic[T]):
    first: T
    second: NotRequired[T]


@attrs.define
class Attrs:
    a: int
    b: str = "x"


class Struct(msgspec.Struct):
    a: int
    b: str = "x"


class Renamed(msgspec.Struct, rename="camel"):
    first_name: str


class Tagged(msgspec.Struct, tag="tagged", tag_field="kind"):
    a: int


class Model(BaseModel):
    a: int
    b: str = Field("x", min_length=1, description="d")


class Aliased(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    first: int = Field(alias="1st")


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class WithComputed(BaseModel):
    a: int

    @computed_field
    @property
    def twice(self) -> int:
        return self.a * 2


class GenericModel(BaseModel, Generic[T]):
    content: T


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


@pydantic.dataclasses.dataclass
class PydanticData:
    a: Annotated[int, Field(ge=1)]
    b: str = "x"


B_IN = {"type": "string", "default": "x"}
B_LONG_IN = {"type": "string", "minLength": 1, "default": "x"}
B_LONG = {"type": "string", "minLength": 1}
PLAIN_IN = closed({"a": INT, "b": B_LONG_IN}, "a")
PLAIN_OUT = opened({"a": INT, "b": B_LONG}, "a", "b")
KINDS = [{"type": "string", "enum": [name]} for name in ("cat", "dog")]

ROWS: tuple[tuple[Any, Any, Any], ...] = (
    (Plain, PLAIN_IN, PLAIN_OUT),
    (
        Child,
        closed({"a": INT, "b": B_LONG_IN, "c": {"type": "integer", "default": 3}}, "a"),
        opened({"a": INT, "b": B_LONG, "c": INT}, "a", "b", "c"),
    ),
    (
        Modern,
        closed({"a": {"type": "integer", "default": 1}, "b": INT}, "b"),
        opened({"a": INT, "b": INT}, "a", "b"),
    ),
    (Computed, closed({"a": INT}, "a"), opened({"a": INT, "total": INT}, "a", "total")),
    (
        Described,
        closed(
            {
                "a": {"type": "integer", "description": "from the field"},
                "b": {"type": "integer", "description": "from the marker", "default": 1},
            },
            "a",
        ),
        opened(
            {
                "a": {"type": "integer", "description": "from the field"},
                "b": {"type": "integer", "description": "from the marker"},
            },
            "a",
            "b",
        ),
    ),
    (Empty, closed({}), opened({})),
    (
        Nested,
        closed({"plain": PLAIN_IN, "many": {"type": "array", "items": PLAIN_IN}}, "plain", "many"),
        opened({"plain": PLAIN_OUT, "many": {"type": "array", "items": PLAIN_OUT}}, "plain", "many"),
    ),
    (Box[int], closed({"content": INT}, "content"), opened({"content": INT}, "content")),
    (
        Box[list[str]],
        closed({"content": {"type": "array", "items": STR}}, "content"),
        opened({"content": {"type": "array", "items": STR}}, "content"),
    ),
    (Total, closed({"a": INT, "b": STR}, "a"), opened({"a": INT, "b": STR}, "a")),
    (
        Partial,
        closed({"a": INT, "b": {"type": "integer", "minimum": 1}}, "a"),
        opened({"a": INT, "b": {"type": "integer", "minimum": 1}}, "a"),
    ),
    (
        Merged,
        closed({"a": INT, "b": {"type": "integer", "minimum": 1}, "c": STR}, "a", "c"),
        opened({"a": INT, "b": {"type": "integer", "minimum": 1}, "c": STR}, "a", "c"),
    ),
    (Extended, closed({"a": INT, "b": STR}, "a"), opened({"a": INT, "b": STR}, "a")),
    (
        PairTotal[int],
        closed({"first": INT, "second": INT}, "first"),
        opened({"first": INT, "second": INT}, "first"),
    ),
    (Attrs, closed({"a": INT, "b": B_IN}, "a"), opened({"a": INT, "b": STR}, "a", "b")),
    (Struct, closed({"a": INT, "b": B_IN}, "a"), opened({"a": INT, "b": STR}, "a", "b")),
    (Renamed, closed({"firstName": STR}, "firstName"), opened({"firstName": STR}, "firstName")),
    (
        Model,
        closed({"a": INT, "b": {"type": "string", "minLength": 1, "description": "d", "default": "x"}}, "a"),
        opened({"a": INT, "b": {"type": "string", "minLength": 1, "description": "d"}}, "a", "b"),
    ),
    (Aliased, closed({"1st": INT}, "1st"), opened({"1st": INT}, "1st")),
    (WithComputed, closed({"a": INT}, "a"), opened({"a": INT, "twice": INT}, "a", "twice")),
    (GenericModel[int], closed({"content": INT}, "content"), opened({"content": INT}, "content")),
    (
        PydanticData,
        closed({"a": {"type": "integer", "minimum": 1}, "b": B_IN}, "a"),
        opened({"a": {"type": "integer", "minimum": 1}, "b": STR}, "a", "b"),
    ),
    (
        Annotated[Union[Cat, Dog], Field(discriminator="kind")],
        {"anyOf": [closed({"kind": kind}, "kind") for kind in KINDS]},
        {"anyOf": [opened({"kind": kind}, "kind") for kind in KINDS]},
    ),
    (Plain | None, {"anyOf": [PLAIN_IN, {"type": "null"}]}, {"anyOf": [PLAIN_OUT, {"type": "null"}]}),
    (
        dict[str, Plain],
        {"type": "object", "additionalProperties": PLAIN_IN},
        {"type": "object", "additionalProperties": PLAIN_OUT},
    ),
)


@pytest.mark.parametrize(("annotation", "read", "written"), [pytest.param(*row, id=str(row[0])) for row in ROWS])
def test_a_class_with_fields_is_closed_when_read_and_open_when_written(
    annotation: Any, read: dict[str, Any], written: dict[str, Any]
) -> None:
    assert type_to_schema(annotation, direction="input") == read
    assert type_to_schema(annotation, direction="output") == written
    if "properties" in read:
        assert list(type_to_schema(annotation, direction="input")["properties"]) == list(read["properties"])


def test_an_open_model_takes_and_gives_any_other_name() -> None:
    for direction in ("input", "output"):
        schema = type_to_schema(Open, direction=direction)
        assert accepts(schema, {"a": 1, "more": [None]})
        assert not accepts(schema, {"more": 1})


def test_a_tagged_struct_carries_its_tag_in_both_directions() -> None:
    assert accepts(type_to_schema(Tagged, direction="output"), {"kind": "tagged", "a": 1})
    assert not accepts(type_to_schema(Tagged, direction="output"), {"kind": "other", "a": 1})
    assert accepts(type_to_schema(Tagged, direction="input"), {"kind": "tagged", "a": 1})
    assert not accepts(type_to_schema(Tagged, direction="input"), {"kind": "other", "a": 1})


@dataclass
class Tree:
    value: int
    children: list[Tree] = field(default_factory=list)


def test_a_recursive_type_is_one_definition_at_the_root() -> None:
    schema = function_to_schema(takes(list[Tree]))
    assert schema["properties"]["x"] == {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
    definition = schema["$defs"]["Tree"]
    assert list(schema["$defs"]) == ["Tree"]
    assert definition["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert definition["additionalProperties"] is False
    written = return_to_schema(returns(Tree))
    assert accepts(written, {"value": 1, "children": [{"value": 2, "children": []}]})
    assert not accepts(written, {"value": 1, "children": [{"value": "x", "children": []}]})


def test_a_type_that_is_used_twice_is_inlined_twice() -> None:
    """R6. Definitions are for recursion only."""
    schema = function_to_schema(takes(tuple[Plain, Plain]))
    assert "$defs" not in schema
    assert schema["properties"]["x"]["prefixItems"] == [PLAIN_IN, PLAIN_IN]


@pytest.mark.parametrize(
    ("dialect", "annotation", "schema"),
    [
        ("accord", Plain | None, {"anyOf": [PLAIN_IN, {"type": "null"}]}),
        ("governed", Plain, closed({"a": INT, "b": B_LONG}, "a")),
        ("openmcp", list[Plain], {"type": "array", "items": PLAIN_IN}),
        ("milo", int | None, INT),
        ("milo", list[int | None], {"type": "array", "items": INT}),
        ("omni", int | None, INT),
        ("omni", dict[str, int], {"type": "object"}),
    ],
)
def test_a_dialect_changes_what_is_read_on_paper(dialect: Any, annotation: Any, schema: dict[str, Any]) -> None:
    assert type_to_schema(annotation, direction="input", dialect=dialect) == schema


def test_a_governed_output_is_closed_and_keeps_its_required_names() -> None:
    schema = type_to_schema(Nested, direction="output", dialect="governed")
    inner = closed({"a": INT, "b": B_LONG}, "a", "b")
    assert schema == closed({"plain": inner, "many": {"type": "array", "items": inner}}, "plain", "many")


def test_an_unannotated_parameter_is_text_in_milo_and_anything_elsewhere() -> None:
    def tool(x) -> None: ...

    assert function_to_schema(tool, dialect="milo")["properties"] == {"x": STR}
    assert function_to_schema(tool)["properties"] == {"x": {}}


def test_a_tool_without_parameters_is_the_closed_empty_object() -> None:
    def tool() -> None: ...

    assert function_to_schema(tool) == {"type": "object", "properties": {}, "additionalProperties": False}


def test_flatten_lifts_the_fields_of_one_model() -> None:
    """R11."""
    from tests.unit._tools import app_of, send

    def tool(x: Plain) -> str:
        return f"{x.a}{x.b}"

    app = app_of(tool, flatten=True)
    assert app.tools["tool"].input_schema == PLAIN_IN
    assert send(app, "tool", {"a": 1})["structuredContent"] == "1x"
    assert send(app, "tool", {"a": 1, "b": ""})["errorData"]["violations"][0]["path"] == "/b"


def test_no_docstring_nobody_wrote_becomes_a_description() -> None:
    """dataclass and NamedTuple write docstrings of their own."""
    for annotation in (Plain, Attrs, Struct, dataclasses.make_dataclass("Made", [("a", int)])):
        assert "description" not in type_to_schema(annotation, direction="input")
