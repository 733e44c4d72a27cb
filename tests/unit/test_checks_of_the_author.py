"""What an author says beyond types: kept, or refused at registration with the way out; and run once on a value."""

import dataclasses
import datetime
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, Literal

import annotated_types as at
import attrs
import msgspec
import pydantic
import pytest
import typing_extensions as te
from pydantic import AfterValidator, AliasChoices, AliasPath, BaseModel, Field, ValidationInfo, field_validator

from accord import App, Description, Examples, Ge, Gt, Le, Lt, MinLen, MultipleOf
from accord._encode import encode
from accord.errors import InvalidParams, RegistrationError

RUNS: list[Any] = []


def seen(value: int) -> None:
    RUNS.append(value)
    if value < 0:
        raise ValueError("is below zero")


@dataclasses.dataclass
class Data:
    value: int

    def __post_init__(self) -> None:
        seen(self.value)


@pydantic.dataclasses.dataclass
class Checked:
    value: int

    def __post_init__(self) -> None:
        seen(self.value)


class Shape(msgspec.Struct):
    value: int

    def __post_init__(self) -> None:
        seen(self.value)


@attrs.define
class Attrs:
    value: int = attrs.field(validator=lambda _self, _field, value: seen(value))


class Model(BaseModel):
    value: int

    @field_validator("value")
    @classmethod
    def check(cls, value: int) -> int:
        seen(value)
        return value


class Raising(BaseModel):
    value: int

    @field_validator("value", mode="before")
    @classmethod
    def check(cls, value: int, _info: ValidationInfo) -> int:
        RUNS.append(value)
        if value < 0:
            raise RuntimeError("is below zero")
        return value


def looked_at(value: int) -> int:
    seen(value)
    return value


class Inside(BaseModel):
    values: list[Annotated[int, AfterValidator(looked_at)]]
    checked: bool = True

    @field_validator("checked")
    @classmethod
    def agree(cls, checked: bool) -> bool:
        return checked


CHECKED: list[tuple[Any, Callable[[int], Any]]] = [
    *((cls, lambda value: {"value": value}) for cls in (Data, Checked, Shape, Attrs, Model, Raising)),
    *((list[cls], lambda value: [{"value": value}]) for cls in (Data, Shape, Model)),  # type: ignore[valid-type]
    *((cls | None, lambda value: {"value": value}) for cls in (Data, Shape, Model)),
    (dict[str, Data], lambda value: {"k": {"value": value}}),
    (tuple[Shape, int], lambda value: [{"value": value}, 1]),
    (Data | list[int], lambda value: {"value": value}),
    (Inside, lambda value: {"values": [value]}),
    (Annotated[int, AfterValidator(looked_at)], lambda value: value),
]


def taking(annotation: Any) -> App:
    app = App("tests")

    def tool(value: Any) -> Any:
        return encode(value)

    tool.__annotations__ = {"value": annotation}
    app.command(tool)
    return app


@pytest.mark.parametrize(("annotation", "around"), CHECKED, ids=lambda each: str(each)[:50])
@pytest.mark.parametrize("value", [1, 2.0])
def test_a_value_is_looked_at_once(annotation: Any, around: Callable[[int], Any], value: Any) -> None:
    RUNS.clear()
    taking(annotation).call("tool", value=around(value))
    assert RUNS == [value]


@pytest.mark.parametrize(("annotation", "around"), CHECKED, ids=lambda each: str(each)[:50])
def test_a_rejected_value_is_looked_at_once(annotation: Any, around: Callable[[int], Any]) -> None:
    RUNS.clear()
    with pytest.raises(InvalidParams) as refused:
        taking(annotation).call("tool", value=around(-1))
    assert RUNS == [-1]
    violation = refused.value.error_data["violations"][0]
    assert (violation["keyword"], violation["reason"]) == ("custom", "constraint_violation")
    assert violation["path"].startswith("/value")
    assert "is below zero" in violation["message"]


def test_a_validator_that_changes_a_value_changes_it_once() -> None:
    class Counted(BaseModel):
        values: dict[str, Annotated[int, AfterValidator(lambda value: value + 1)]]
        other: int = 0

        @field_validator("other")
        @classmethod
        def agree(cls, other: int) -> int:
            return other

    assert taking(Counted).call("tool", value={"values": {"k": 1}})["values"] == {"k": 2}


class Named(BaseModel):
    first: Annotated[str, Field(pattern=r"^[\D]+$")] | datetime.date
    cls: int = Field(3, ge=1)
    meta: list[int] = Field(default_factory=list, alias="_fields_set")


@pytest.mark.parametrize(
    "given", [{"first": "٣"}, {"first": "a", "cls": 2.0}, {"cls": 1, "first": "a", "_fields_set": [1]}]
)
def test_a_field_may_be_called_like_an_argument_of_the_constructor(given: dict[str, Any]) -> None:
    app, received = App("tests"), []

    @app.command
    def tool(value: Named) -> None:
        received.append(value)

    app.call("tool", value=given)
    (made,) = received
    assert (made.first, made.cls, made.meta) == (given["first"], given.get("cls", 3), given.get("_fields_set", []))
    assert type(made.cls) is int
    assert made.model_fields_set == {{"_fields_set": "meta"}.get(name, name) for name in given}
    assert list(made.model_dump()) == ["first", "cls", "meta"]
    with pytest.raises(InvalidParams):
        app.call("tool", value={**given, "cls": 0})


class Tagged(BaseModel, extra="allow"):
    __pydantic_extra__: dict[str, Annotated[datetime.date, "when"]]
    name: str


class Tighter(Tagged):
    __pydantic_extra__: "dict[str, Annotated[int, Ge(0)]]"


def test_typed_extras_are_in_the_contract() -> None:
    app = App("tests")

    @app.command
    def dates(value: Tagged) -> Tagged:
        assert value.model_extra == {"born": datetime.date(2024, 2, 29)}
        return value

    @app.command
    def numbers(value: Tighter) -> list[Any]:
        return [value.model_extra]

    schema = app.tools["dates"].input_schema["properties"]["value"]
    assert schema["additionalProperties"]["format"] == "date"
    arguments = {"name": "a", "born": "2024-02-29"}
    assert encode(app.call("dates", value=arguments)) == arguments
    assert app.call("numbers", value={"name": "a", "n": 2.0}) == [{"n": 2}]
    for name, wrong in (("dates", "soon"), ("numbers", -1), ("numbers", "1")):
        with pytest.raises(InvalidParams) as refused:
            app.call(name, value={"name": "a", "born": wrong})
        assert refused.value.error_data["violations"][0]["path"] == "/value/born"


AWARE, NAIVE = "2024-02-29T00:00:00+01:00", "2024-02-29T00:00:00"


@pytest.mark.parametrize(
    ("annotation", "taken", "refused"),
    [
        (Annotated[datetime.datetime, at.Timezone(...)], AWARE, NAIVE),
        (Annotated[datetime.datetime, at.Timezone(None)], NAIVE, AWARE),
        (Annotated[datetime.datetime | None, at.Timezone(...)], AWARE, NAIVE),
        (Annotated[datetime.time, at.Timezone(None)], "00:00:00", "00:00:00Z"),
    ],
)
def test_a_timezone_is_kept(annotation: Any, taken: str, refused: str) -> None:
    app = taking(annotation)
    app.call("tool", value=taken)
    with pytest.raises(InvalidParams, match="offset"):
        app.call("tool", value=refused)


class Nested(BaseModel):
    inner: int = Field(validation_alias=AliasPath("inner", 0))


class Both(BaseModel):
    inner: int = Field(validation_alias=AliasChoices("plain", AliasPath("inner", 0)))


class Holding(BaseModel):
    below: "list[Holding]" = []
    nested: Nested | None = None


ITSELF = te.TypeAliasType("ITSELF", "ITSELF")  # type: ignore[misc]  # that is the mistake
OR_ITSELF = te.TypeAliasType("OR_ITSELF", "int | OR_ITSELF")  # type: ignore[misc]  # as above
FIRST = te.TypeAliasType("FIRST", "int | SECOND")  # type: ignore[misc]  # as above
SECOND = te.TypeAliasType("SECOND", "str | FIRST")  # type: ignore[misc]  # as above


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (Annotated[datetime.datetime, at.Timezone("UTC")], "Timezone('UTC')"),
        (Annotated[datetime.datetime, at.Timezone(datetime.UTC)], "Timezone("),
        (Annotated[str, at.Timezone(...)], "Timezone cannot apply to text"),
        (Nested, "AliasChoices"),
        (list[Nested] | None, "AliasChoices"),
        (Holding, "AliasChoices"),
        (ITSELF, "ITSELF is defined as itself"),
        (list[OR_ITSELF], "OR_ITSELF is defined as itself"),
        (FIRST, "FIRST is defined as itself"),
        (Literal["a", "\ud800"], "lone surrogate"),
        (Annotated[str, Description("\ud800")], "its description cannot be published"),
        (Annotated[int, "\ud800"], "its description cannot be published"),
        (Annotated[str, Examples("a", object())], "one of its examples"),
        (Annotated[float, Examples(float("nan"))], "one of its examples"),
        (Annotated[int, Ge(1), Le(4), MultipleOf(5)], "leave no value"),
        (Annotated[int, Gt(5), Lt(10), MultipleOf(5)], "leave no value"),
        (Annotated[int, Gt(1), Lt(2)], "leave no value"),
        (Annotated[int, Ge(0.2), Le(0.8)], "leave no value"),
        (Annotated[int, Ge(1), Le(2), MultipleOf(0.75)], "leave no value"),
        (Annotated[float, Gt(1), Lt(1.05), MultipleOf(0.1)], "leave no value"),
        (Annotated[float, Ge(2.0**60 + 1), Lt(2**61), MultipleOf(2**61)], "leave no value"),
        (Annotated[float, Ge(5), Le(5), Lt(5), MultipleOf(5)], "leave no value"),
        (list[Annotated[int, Ge(1), Le(4)]] | Annotated[int, Ge(2), Le(3), MultipleOf(4)], "leave no value"),
    ],
    ids=lambda each: str(each)[:60],
)
def test_what_cannot_be_kept_is_refused_with_the_way_out(annotation: Any, words: str) -> None:
    def tool(value: Any) -> None: ...

    tool.__annotations__ = {"value": annotation}
    with pytest.raises(RegistrationError) as refused:
        App("tests").command(tool)
    assert "tool" in str(refused.value)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, Ge(1), Le(5), MultipleOf(5)],
        Annotated[int, Gt(1), Lt(3)],
        Annotated[int, Ge(0.2), Le(1)],
        Annotated[int, Ge(1), Le(3), MultipleOf(0.75)],
        Annotated[float, Gt(1), Lt(1.2), MultipleOf(0.1)],
        Annotated[float, Gt(1), Lt(1.2)],
        Annotated[float, Ge(-5), Lt(0), MultipleOf(5)],
        Annotated[int, Ge(2**53 + 1), Le(2**53 + 1), MultipleOf(3)],
        Both,
    ],
    ids=lambda each: str(each)[:60],
)
def test_what_leaves_a_value_is_taken(annotation: Any) -> None:
    assert taking(annotation).tools["tool"].input_schema["required"] == ["value"]


def test_a_model_that_nobody_has_to_give_may_be_read_from_anywhere() -> None:
    app = App("tests")

    @app.command
    def tool() -> Nested:
        return Nested.model_validate({"inner": [3]})

    assert encode(app.call("tool")) == {"inner": 3}


@pytest.mark.parametrize("value", [1, 1.0])
def test_equal_constants_of_a_literal_are_one(value: Any) -> None:
    app = taking(Literal[1, 1.0, True])  # type: ignore[valid-type]  # as people write it
    assert app.tools["tool"].input_schema["properties"]["value"]["enum"] == [1, True]
    received = app.call("tool", value=value)
    assert (received, type(received)) == (1, int)
    assert app.call("tool", value=True) is True


class Cat(BaseModel):
    kind: Literal["cat", "kitten"]
    name: Annotated[str, MinLen(1)]


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


@pytest.mark.parametrize("annotation", [Pet, Cat | Dog, Cat | Dog | None, list[Pet], Cat | Dog | str])
def test_a_wrong_tag_is_told_all_tags(annotation: Any) -> None:
    pet = {"kind": "kittn", "name": ""}
    with pytest.raises(InvalidParams) as refused:
        taking(annotation).call("tool", value=[pet] if annotation == list[Pet] else pet)
    (violation,) = refused.value.error_data["violations"]
    assert violation["path"].endswith("/kind")
    assert violation["message"] == 'must be one of "cat", "kitten", "dog"'
    assert (violation["reason"], violation["suggestion"]) == ("constraint_violation", "kitten")


@pytest.mark.parametrize(
    ("pet", "path", "reason"),
    [
        ({"kind": 5, "name": "a"}, "/value/kind", "type_mismatch"),
        ({"kind": "cat", "name": ""}, "/value/name", "constraint_violation"),
        ({"kind": "dog"}, "/value/name", "missing_required_argument"),
    ],
)
def test_a_tag_decides_what_else_is_wrong(pet: Any, path: str, reason: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        taking(Pet).call("tool", value=pet)
    (violation,) = refused.value.error_data["violations"]
    assert (violation["path"], violation["reason"]) == (path, reason)


def test_a_misspelt_tag_is_repaired() -> None:
    with pytest.raises(InvalidParams) as refused:
        taking(Pet).call("tool", value={"kind": "DOG", "name": "a"})
    assert refused.value.error_data["patch"] == [{"op": "replace", "path": "/value/kind", "value": "dog"}]


@pytest.mark.parametrize(
    ("annotation", "examples", "shown"),
    [
        (datetime.date, [datetime.date(2024, 2, 29), "2024-03-01"], ["2024-02-29", "2024-03-01"]),
        (Annotated[Decimal, Ge(0)], [Decimal("1.5"), 2], [1.5, 2]),
        (Data, [Data(1), {"value": 2}], [{"value": 1}, {"value": 2}]),
        (list[int] | set[int], [{3, 2}], [[2, 3]]),
        (pydantic.SecretStr, [pydantic.SecretStr("hush"), "shown"], ["shown"]),
    ],
)
def test_examples_are_shown_as_callers_would_give_them(annotation: Any, examples: list[Any], shown: list[Any]) -> None:
    schema = taking(Annotated[annotation, Examples(*examples)]).tools["tool"].input_schema["properties"]["value"]
    assert schema["examples"] == shown
    assert json.loads(json.dumps(schema)) == schema


def test_markers_that_are_written_differently_are_different() -> None:
    assert Ge(1) == Ge(1)
    assert Ge(1) != Ge(1.0)
    assert Ge(1) != Gt(1)
    assert len({Ge(1), Ge(1.0), Ge(1), Gt(1)}) == 3
    schemas = [taking(Annotated[float, Ge(one)]).tools["tool"].input_schema for one in (1.0, 1)]
    assert [repr(schema["properties"]["value"]["minimum"]) for schema in schemas] == ["1.0", "1"]
