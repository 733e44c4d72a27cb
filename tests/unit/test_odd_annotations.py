"""Annotations that are seldom written, and still mean something; and those that cannot work, with the sentence."""

from __future__ import annotations

import collections
import enum
import ipaddress
import typing
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pydantic
import pytest
import typing_extensions
from pydantic import AliasChoices, AliasPath, BaseModel, Field

from accord import App, Ge, Le, function_to_schema
from accord._calls import Failed
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.errors import RegistrationError
from accord.testing import call_tool
from tests.unit._tools import module_of, received, refusal, returns, run, takes

Rest = typing_extensions.TypeVarTuple("Rest")


class Whole(enum.Flag):
    """Its only member is made of bits that have no names."""

    BOTH = 3


class Gaps(enum.Flag):
    ONE = 1
    FOUR = 4
    ALL = 7


class Renamed(BaseModel):
    size: int = Field(validation_alias=AliasChoices("size_in", "sizeIn"))
    deep: str = Field("unset", validation_alias=AliasPath("outer", "inner"))


@dataclass
class Watched:
    n: int

    def __setattr__(self, name: str, value: Any) -> None:
        if value < 0:
            raise ValueError("must not be negative")
        object.__setattr__(self, name, value)


@dataclass
class Made:
    n: int

    def __new__(cls, *_args: Any, **_kwargs: Any) -> Made:
        made = object.__new__(cls)
        vars(made)["marked"] = True
        return made


class Links(BaseModel):
    url: pydantic.HttpUrl
    more: dict[str, pydantic.AnyUrl] = {}


@pytest.mark.parametrize(
    ("annotation", "given", "expected"),
    [
        (typing.List, [1, "a"], [1, "a"]),
        (typing.Sequence, [1], [1]),
        (typing.Dict, {"a": 1}, {"a": 1}),
        (typing.Mapping, {"a": None}, {"a": None}),
        (typing.Set, [1, "a"], {1, "a"}),
        (typing.FrozenSet, [1], frozenset({1})),
        (typing.Tuple, [1, "a"], (1, "a")),
        (typing.Deque, [1], collections.deque([1])),
        (tuple[()], [], ()),
    ],
)
def test_the_names_of_typing_work_without_arguments(annotation: Any, given: Any, expected: Any) -> None:
    got = received(annotation, given)
    assert (type(got), got) == (type(expected), expected)


@pytest.mark.parametrize("annotation", [Decimal | None, None | Decimal, int | (Decimal | None), list[int | Decimal]])
def test_the_alternatives_of_a_decimal_are_alternatives_of_the_union(annotation: Any) -> None:
    schema = function_to_schema(takes(annotation))["properties"]["x"]
    branches = schema.get("items", schema)["anyOf"]
    assert [branch for branch in branches if "anyOf" in branch] == []
    assert {"number", "string"} <= {branch["type"] for branch in branches}


def test_the_empty_tuple_is_empty() -> None:
    assert refusal(tuple[()], [1])["reason"] in ("unexpected_argument", "constraint_violation")


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (tuple[int, typing_extensions.Unpack[tuple[str, ...]]], "unpacked part.*Write its items out"),  # noqa: UP044 - as people write it for 3.10
        (tuple[int, *tuple[str, ...]], "unpacked part.*Write its items out"),
        (tuple[int, *Rest], "unpacked part.*Write its items out"),
    ],
    ids=["Unpack", "a star", "a TypeVarTuple"],
)
def test_what_cannot_work_is_refused_with_the_parameter_and_the_remedy(annotation: Any, words: str) -> None:
    with pytest.raises(RegistrationError, match=f"tool, parameter 'x': .*{words}"):
        function_to_schema(takes(annotation))


def test_a_recursion_without_a_name_is_refused_with_the_parameter_and_the_remedy() -> None:
    module = module_of("""
        from typing import Union
        Endless = Union[int, "list[Endless]"]
        def tool(x: Endless): ...
    """)
    with pytest.raises(RegistrationError, match=r"tool, parameter 'x': .*contains itself.*a name: `type X"):
        function_to_schema(module.tool)


def test_a_bound_may_be_beyond_every_float() -> None:
    assert received(Annotated[int, Ge(10**400)], 10**400) == 10**400
    assert refusal(Annotated[int, Ge(10**400)], 10**400 - 1)["violations"][0]["keyword"] == "minimum"
    assert refusal(Annotated[int, Le(-(10**400))], 0)["violations"][0]["keyword"] == "maximum"


@pytest.mark.parametrize(("flag", "taken"), [(Whole, (0, 3)), (Gaps, (0, 1, 4, 5, 7))])
def test_a_flag_takes_what_its_members_combine_to(flag: Any, taken: tuple[int, ...]) -> None:
    for bits in range(9):
        got = received(flag, bits)
        assert isinstance(got, Failed) if bits not in taken else got is flag(bits)
    assert received(flag, float(taken[-1])) is flag(taken[-1])


def test_a_model_is_read_by_the_first_of_its_alias_choices() -> None:
    assert received(Renamed, {"size_in": 1}).size == 1
    assert refusal(Renamed, {"size": 1})["reason"] == "missing_required_argument"


def test_a_field_read_from_inside_another_cannot_be_given_and_is_not_dropped() -> None:
    assert received(Renamed, {"size_in": 1}).deep == "unset"
    assert refusal(Renamed, {"size_in": 1, "deep": "x"})["reason"] == "unexpected_argument"


def test_no_short_cut_goes_around_a_dataclass_that_watches_its_attributes() -> None:
    assert received(Watched, {"n": 1}) == Watched(1)
    app = App("tests")
    app.command("tool")(takes(list[Watched]))
    result = call_tool(app, {"name": "tool", "arguments": {"x": [{"n": 1}, {"n": -1}]}})
    (violation,) = result["errorData"]["violations"]
    assert (violation["path"], violation["keyword"]) == ("/x/1", "custom")


def test_no_short_cut_goes_around_a_dataclass_that_makes_its_instances() -> None:
    assert vars(received(Made, {"n": 1})) == {"n": 1, "marked": True}


CUSTOM = [
    (pydantic.Json[int], "1", 1, "text"),
    (pydantic.Base64Str, "aGk=", "hi", "a"),
    (pydantic.UUID4, str(uuid.UUID(int=0, version=4)), uuid.UUID(int=0, version=4), str(uuid.UUID(int=0, version=1))),
    (Annotated[Decimal, Field(max_digits=3)], "1.23", Decimal("1.23"), "1.234"),
    (pydantic.constr(strip_whitespace=True), " a ", "a", None),
]


@pytest.mark.parametrize(("annotation", "given", "expected", "refused"), CUSTOM)
def test_what_pydantic_adds_to_a_bare_annotation_is_not_lost(
    annotation: Any, given: Any, expected: Any, refused: Any
) -> None:
    tool = Tool(takes(annotation))
    assert bind(tool, {"x": given}).kwargs == {"x": expected}
    if refused is not None:
        failed = bind(tool, {"x": refused})
        assert isinstance(failed, Failed)
        assert failed.error_data["violations"][0]["keyword"] == "custom"


def test_a_generic_secret_is_as_secret_as_the_others() -> None:
    schema = function_to_schema(takes(pydantic.Secret[int]))["properties"]["x"]
    assert schema == {"type": "integer", "writeOnly": True}
    assert received(pydantic.Secret[int], 5).get_secret_value() == 5
    assert run(returns(pydantic.Secret[int], pydantic.Secret[int](5)))["structuredContent"] == "**********"


@pytest.mark.parametrize(
    ("annotation", "value", "written"),
    [
        (pydantic.HttpUrl, pydantic.HttpUrl("http://a.example"), "http://a.example/"),
        (Links, Links(url="http://a.example/b"), {"url": "http://a.example/b", "more": {}}),  # type: ignore[arg-type]  # pydantic reads the text
        (pydantic.NameEmail, pydantic.NameEmail("Jo", "jo@a.example"), "Jo <jo@a.example>"),
        (pydantic.IPvAnyAddress, ipaddress.ip_address("::1"), "::1"),
    ],
    ids=["a URL", "URLs in a model", "a mailbox", "an address"],
)
def test_a_result_may_hold_what_only_pydantic_can_write(annotation: Any, value: Any, written: Any) -> None:
    assert run(returns(annotation, value))["structuredContent"] == written


def test_an_integer_too_long_for_any_reader_is_an_output_error() -> None:
    for annotation, value in ((int, 10**5000), (Any, 10**5000), (list[int], [10**5000])):
        assert run(returns(annotation, value))["errorData"]["reason"] == "output_invalid"
    assert run(returns(int, 10**4000))["structuredContent"] == 10**4000
