"""Python values in a call: they pass the gate as JSON, and come out as what they were."""

import datetime
import enum
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import msgspec
import pydantic
import pytest
import typing_extensions as te

from accord import App, Ge, Le, MaxLen, MinLen, MultipleOf, Pattern
from accord.errors import InvalidParams
from accord.testing import call_tool


@dataclass
class Cat:
    name: str
    age: Annotated[int, Ge(0)] = 0


@dataclass
class Dog:
    name: str
    age: int = 0


class Kitten(Cat):
    """Has no fields of its own."""


class Small(enum.Enum):
    ONE = "one"


class Large(enum.Enum):
    ONE = "one"


class Point(NamedTuple):
    x: int


class Size(NamedTuple):
    x: int


class Model(pydantic.BaseModel):
    name: str
    when: datetime.datetime | str = ""


class Root(pydantic.RootModel[list[int]]):
    """A model that is a list."""


@dataclass
class Owner:
    pet: Cat | Dog
    kept: list[Cat | Dog] = field(default_factory=list)
    note: datetime.date | str = ""


class Keyed(TypedDict):
    value: str | datetime.date


@dataclass
class Free:
    value: Small | Any | int


@dataclass
class Bounded:
    value: Annotated[float, Ge(0)] | Any | Small


class Priced(TypedDict):
    name: Decimal
    below: NotRequired["list[Priced]"]


@dataclass
class Noted:
    note: Annotated[str, Pattern("^[0-9]+$")] | Literal["red"] | datetime.date | None


@dataclass
class Tree:
    value: Small | Large
    below: "list[Tree]" = field(default_factory=list)


Either = Cat | Dog
#: what a parameter is annotated with, and a value of it
VALUES: list[tuple[Any, Any]] = [
    (Either, Cat("a")),
    (Either, Dog("a")),
    (Either | None, Dog("a", 3)),
    (Dog | Cat | None, Cat("a", 3)),
    (list[Either], [Dog("a"), Cat("b"), Dog("c")]),
    (list[Cat] | list[Dog], [Dog("a")]),
    (dict[str, Cat] | dict[str, Dog], {"k": Dog("a")}),
    (tuple[Either, Either], (Dog("a"), Cat("b"))),
    (tuple[Cat, int] | tuple[Dog, int], (Dog("a"), 1)),
    (list[int] | set[int], {1, 2}),
    (Small | Large, Large.ONE),
    (Large | str, Large.ONE),
    (str | Path, Path("a")),
    (str | datetime.date, datetime.date(2024, 2, 29)),
    (datetime.datetime | datetime.date, datetime.date(2024, 2, 29)),
    (Point | Size, Size(1)),
    (Cat | Model, Model(name="a")),
    (Cat | Root, Root([1])),
    (Decimal | int, Decimal(1)),
    (int | Decimal, Decimal(1)),
    (Owner, Owner(Dog("a"), [Dog("b"), Cat("c")], "2024-02-29")),
    (Owner | Cat, Owner(Dog("a"), note=datetime.date(2024, 2, 29))),
    (Model, Model(name="a", when="2024-02-29T00:00:00Z")),
    (Noted, Noted("red")),
    (Free, Free(True)),
    (Cat | Priced, {"name": Decimal("1.5")}),
    (list[Cat] | list[Priced], [{"name": Decimal("1.5")}]),
    (dict[datetime.date, int] | dict[str, int], {datetime.date(2024, 2, 29): 1}),
    (dict[str, int] | dict[datetime.date, int], {datetime.date(2024, 2, 29): 1}),
    (Annotated[Decimal, MultipleOf(0.1)] | Decimal | str, Decimal("123456789012345678901234567890.5")),
    (Bounded, Bounded(-2.5)),
    (dict[Small, list[Cat]] | dict, {"k": []}),
    (dict[int, Cat] | dict[str, Dog], {1: Cat("a")}),
    (Annotated[list[Cat], MinLen(2)] | set[int] | list[Dog], [Dog("a")]),
    (Annotated[list[Cat], MinLen(2)] | tuple[Cat, ...], (Cat("a"),)),
    (Annotated[Decimal, Ge(9)] | Decimal, Decimal("1.5")),
    (Tree, Tree(Large.ONE, [Tree(Small.ONE), Tree(Large.ONE)])),
    (Literal["one"] | Large, Large.ONE),
    (Keyed | Cat, {"value": datetime.date(2024, 2, 29)}),
    (list[Keyed] | list[Cat], [{"value": "2024"}, {"value": datetime.date(2024, 2, 29)}]),
    (pydantic.SecretStr | int, pydantic.SecretStr("hush")),
    (pydantic.SecretBytes, pydantic.SecretBytes(b"hush")),
    (set[pydantic.SecretStr], {pydantic.SecretStr("hush"), pydantic.SecretStr("hash")}),
    (re.Pattern[str], re.compile("a+b", re.IGNORECASE | re.MULTILINE)),
    (re.Pattern[str], re.compile("(?x) a  # spaced")),
    (Annotated[Decimal, Ge(0), Le(10)], Decimal("1.10")),
    (Annotated[Decimal, MultipleOf(2)], Decimal("1E+2")),
    (Annotated[Decimal, Ge(0)] | str, Decimal("1.5")),
    (list[Annotated[Decimal, Ge(0)]], [Decimal("1.5"), Decimal(10) ** 30]),
]


def echoing(annotation: Any) -> tuple[App, list[Any]]:
    """An app with one tool, and what the tool was given."""
    app, given = App("tests"), []

    def keep(value: Any) -> None:
        given.append(value)

    keep.__annotations__["value"] = annotation
    app.command(keep)
    return app, given


@pytest.mark.parametrize(("annotation", "value"), VALUES, ids=lambda each: str(each)[:60])
def test_an_instance_comes_out_as_the_instance_it_was(annotation: Any, value: Any) -> None:
    app, given = echoing(annotation)
    app.call("keep", value=value)
    assert type(given[0]) is type(value)
    if isinstance(value, re.Pattern):
        assert (given[0].flags, bool(given[0].search("xAB"))) == (value.flags, bool(value.search("xAB")))
    else:
        assert given == [value]


@pytest.mark.parametrize(("annotation", "value"), VALUES, ids=lambda each: str(each)[:60])
def test_the_instance_is_not_the_callers_own(annotation: Any, value: Any) -> None:
    app, given = echoing(annotation)
    app.call("keep", value=value)
    mutable = isinstance(value, list | dict | set) or hasattr(value, "__dict__")
    assert given[0] is not value or not mutable or isinstance(value, enum.Enum)


def test_the_json_of_a_branch_is_chosen_as_over_any_wire() -> None:
    app, given = echoing(Dog | Cat)
    app.call("keep", value={"name": "a"})
    call_tool(app, {"name": "keep", "arguments": {"value": {"name": "a"}}})
    assert given == [Dog("a"), Dog("a")]


def test_json_is_json_whatever_stands_beside_it() -> None:
    app, given = App("tests"), []

    @app.command
    def tool(value: set[int] | list[int], plain: Cat | Priced, other: Cat | None = None) -> None:
        given.append((value, plain))

    for more in ({}, {"other": Cat("a")}):
        app.call("tool", value=[1], plain={"name": "1.5"}, **more)
    assert given == [({1}, Cat("1.5"))] * 2


def test_text_for_a_date_is_its_json_and_text_in_an_instance_is_text() -> None:
    app, given = echoing(Owner | datetime.date | str)
    app.call("keep", value="2024-02-29")
    app.call("keep", value=Owner(Cat("a"), note="2024-02-29"))
    assert given[0] == datetime.date(2024, 2, 29)
    assert given[1].note == "2024-02-29"


def test_an_instance_that_breaks_its_own_contract_does_not_become_another() -> None:
    app, given = echoing(Cat | Dog)
    with pytest.raises(InvalidParams) as refused:
        app.call("keep", value=Cat("a", -1))
    assert given == []
    violation = refused.value.error_data["violations"][0]
    assert (violation["path"], violation["reason"]) == ("/value", "constraint_violation")
    assert "Cat" in violation["message"]


def test_an_instance_of_a_subclass_comes_out_as_the_annotated_class() -> None:
    app, given = echoing(Dog | Cat)
    app.call("keep", value=Kitten("a"))
    assert type(given[0]) is Cat


def test_instances_that_look_alike_are_kept_apart() -> None:
    app = App("tests")

    @app.command(cache_ttl=60, read_only=True)
    def kind(value: Cat | Dog) -> str:
        return type(value).__name__

    assert [app.call("kind", value=value) for value in (Cat("a"), Dog("a"), Cat("a"))] == ["Cat", "Dog", "Cat"]


def test_a_default_of_one_branch_is_published_as_that_branch_reads_it() -> None:
    app = App("tests")

    @app.command
    def tool(value: Annotated[Decimal, Le(0)] | bytes | None = Decimal(0)) -> None: ...

    assert app.tools["tool"].input_schema["properties"]["value"]["default"] == 0


def holding(inner: Any) -> Any:
    inner_list: list[Any] = [inner]
    return inner_list


class Endless(dict[str, Any]):
    """A dict that is in itself."""

    def __init__(self) -> None:
        super().__init__(self=self)


REFUSED: list[tuple[Any, Any, str]] = [
    (Any, "\ud800", "/value"),
    (Any, {"k": ["\ud800"]}, "/value/k/0"),
    (Any, {"k": {"\ud800": 1}}, "/value/k"),
    (dict[str, Any], {"k": "\ud800"}, "/value/k"),
    (Any, 10**4300, "/value"),
    (int, -(10**4300), "/value"),
    (Any, {"k": [1, 10**5000]}, "/value/k/1"),
    (Any, {"k": float("nan")}, "/value/k"),
    (Any, float("inf"), "/value"),
    (dict, {1: "a", "1": "b"}, "/value"),
    (list[dict], [{}, {Small.ONE: "a", "one": "b"}], "/value/1"),
    (dict, {"k": {(1, 2): 1}}, "/value/k"),
    (dict, {"k": object()}, "/value/k"),
    (list, [1, Endless()], ""),
    (Annotated[Decimal, Ge(0)], Decimal("0.1000000000000000000000000001"), "/value"),
    (Annotated[Decimal, Ge(0)], Decimal("1E+100000000"), "/value"),
    (list[Annotated[Decimal, Ge(0)]], [Decimal("NaN")], "/value/0"),
    (re.Pattern, re.compile(b"a"), "/value"),
    (pydantic.SecretBytes, pydantic.SecretBytes(b"\xff"), "/value"),
]


@pytest.mark.parametrize(("annotation", "value", "path"), REFUSED, ids=lambda each: ascii(type(each)))
def test_what_json_cannot_say_is_refused_naming_the_place(annotation: Any, value: Any, path: str) -> None:
    app, given = echoing(annotation)
    with pytest.raises(InvalidParams) as refused:
        app.call("keep", value=value)
    violation = refused.value.error_data["violations"][0]
    assert given == []
    assert violation["reason"] == "type_mismatch"
    assert violation["path"].startswith(path)
    json.dumps(refused.value.error_data)


@pytest.mark.parametrize("value", [10**4299, -(10**4299), 2**64, "é", {"é": ["é", {"k": None}]}, [[], [{}]], 1e300])
def test_what_json_can_say_is_given_as_it_is(value: Any) -> None:
    app, given = echoing(Any)
    app.call("keep", value=value)
    assert given == [value]


def test_a_tool_gets_lists_and_dicts_of_its_own() -> None:
    app, given = echoing(dict[str, list[int]])
    mine = {"k": [1]}
    app.call("keep", value=mine)
    given[0]["k"].append(2)
    assert mine == {"k": [1]}


Nest = te.TypeAliasType("Nest", "Annotated[list[Nest], MaxLen(9)] | list[Nest] | Cat | Dog | int")


def test_branches_alike_at_every_level_are_weighed_once() -> None:
    app, given = echoing(Nest)
    value: Any = Dog("a")
    for _ in range(60):  # twice the work at every level would never end
        value = [value]
    app.call("keep", value=value)
    assert given == [value]


class Stamped(msgspec.Struct, tag="stamped"):
    at: datetime.date | str = "2024-02-29"


@pytest.mark.parametrize("make", [lambda: Stamped(), lambda: Stamped("2024-02-28"), lambda: Stamped("soon")])
def test_a_struct_keeps_its_text(make: Callable[[], Stamped]) -> None:
    app, given = echoing(Stamped | None)
    app.call("keep", value=make())
    assert given == [make()]


def test_a_pattern_is_published_with_its_flags() -> None:
    app = App("tests")

    @app.command
    def tool(value: re.Pattern[str] = re.compile("a", re.IGNORECASE), name: Annotated[str, MinLen(1)] = "x") -> str:
        return f"{bool(value.flags & re.IGNORECASE)} {name}"

    assert app.tools["tool"].input_schema["properties"]["value"]["default"] == "(?i)a"
    assert app.call("tool", name="y") == "True y"
