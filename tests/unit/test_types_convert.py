"""JSON value -> what the handler receives, by annotation: the value and its exact type, or a refusal."""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import ipaddress
import re
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, NotRequired, TypedDict, TypeVar
from uuid import UUID

import annotated_types
import attrs
import msgspec
import pydantic.dataclasses
import pytest
from pydantic import AnyUrl, BaseModel, EmailStr, Field, SecretStr, field_validator

from accord import Ge, MultipleOf, Pattern
from accord._calls import Failed
from accord._tool import Tool
from accord.errors import RegistrationError
from tests.unit._tools import received, refusal, run, takes

T = TypeVar("T")
UserId = NewType("UserId", int)


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Access(Flag):
    READ = 1
    WRITE = 2


class Bits(IntFlag):
    A = 1


@dataclass
class Point:
    x: int
    y: float = 0.5


@dataclass
class Box(Generic[T]):
    content: T


@dataclass(frozen=True)
class Frozen:
    x: int


@dataclass
class Checked:
    x: int

    def __post_init__(self) -> None:
        if self.x == 13:
            raise ValueError("thirteen is not lucky")


@attrs.define
class Rule:
    name: str
    weight: int = 1


@attrs.define
class Private:
    _key: str


class Record(msgspec.Struct):
    name: str


class Renamed(msgspec.Struct, rename="camel"):
    first_name: str


class Model(BaseModel):
    name: str
    when: datetime.date | None = None


class Validated(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def not_bob(cls, value: str) -> str:
        if value == "bob":
            raise ValueError("bob is not allowed")
        return value


@pydantic.dataclasses.dataclass
class PydanticData:
    x: int


class Pair(NamedTuple):
    a: int
    b: str


class Options(TypedDict):
    depth: int
    level: NotRequired[Level]


UTC = datetime.UTC
ZERO_UUID = "00000000-0000-0000-0000-000000000000"

CONVERSIONS: tuple[tuple[Any, Any, Any], ...] = (
    (str, "a", "a"),
    (str, "", ""),
    (int, 5, 5),
    (int, 10**30, 10**30),
    (float, 5, 5.0),
    (float, 5.5, 5.5),
    (bool, True, True),
    (None, None, None),
    (Any, {"a": [1.0]}, {"a": [1.0]}),
    (object, 1.0, 1.0),
    (list, [1, "a"], [1, "a"]),
    (list[float], [1], [1.0]),
    (list[Color], ["red"], [Color.RED]),
    (collections.abc.Sequence[int], [1], [1]),
    (collections.abc.Iterable[int], [1], [1]),
    (deque[int], [1], deque([1])),
    (tuple[int, ...], [1, 2], (1, 2)),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[Color, Point], ["red", {"x": 1}], (Color.RED, Point(1))),
    (tuple[()], [], ()),
    (Pair, [1, "a"], Pair(1, "a")),
    (set[int], [1, 2], {1, 2}),
    (set[Frozen], [{"x": 1}], {Frozen(1)}),
    (frozenset[str], ["a"], frozenset({"a"})),
    (set[tuple[int, str]], [[1, "a"]], {(1, "a")}),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (dict[int, str], {"-3": "a", "0": "b"}, {-3: "a", 0: "b"}),
    (dict[Color, int], {"red": 1}, {Color.RED: 1}),
    (dict[Level, int], {"1": 1}, {Level.LOW: 1}),
    (dict[datetime.date, int], {"2024-02-29": 1}, {datetime.date(2024, 2, 29): 1}),
    (dict[UUID, int], {ZERO_UUID: 1}, {UUID(int=0): 1}),
    (dict[str, Point], {"a": {"x": 1}}, {"a": Point(1)}),
    (OrderedDict[str, int], {"b": 1, "a": 2}, OrderedDict(b=1, a=2)),
    (defaultdict[str, int], {"a": 1}, defaultdict(None, a=1)),
    (collections.abc.Mapping[str, int], {"a": 1}, {"a": 1}),
    (Color, "red", Color.RED),
    (Level, 1, Level.LOW),
    (Access, 3, Access.READ | Access.WRITE),
    (Access, 0, Access(0)),
    (Bits, 1, Bits.A),
    (Literal["a", 1], 1, 1),
    (Literal[True], True, True),
    (int | None, None, None),
    (Point, {"x": 1}, Point(1)),
    (Point, {"x": 1.0, "y": 2}, Point(1, 2.0)),
    (Box[int], {"content": 1}, Box(1)),
    (Box[Point], {"content": {"x": 1}}, Box(Point(1))),
    (Rule, {"name": "a"}, Rule("a")),
    (Record, {"name": "a"}, Record("a")),
    (Renamed, {"firstName": "a"}, Renamed("a")),
    (Model, {"name": "a", "when": "2024-02-29"}, Model(name="a", when=datetime.date(2024, 2, 29))),
    (list[Model], [{"name": "a"}], [Model(name="a")]),
    (PydanticData, {"x": 1}, PydanticData(1)),
    (Options, {"depth": 1, "level": 1}, {"depth": 1, "level": Level.LOW}),
    (UserId, 3, 3),
    (datetime.datetime, "2024-01-02T03:04:05Z", datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
    (datetime.date, "2024-01-02", datetime.date(2024, 1, 2)),
    (datetime.time, "03:04:05", datetime.time(3, 4, 5)),
    (datetime.timedelta, "P1DT1H", datetime.timedelta(days=1, hours=1)),
    (UUID, ZERO_UUID, UUID(int=0)),
    (ipaddress.IPv4Address, "10.0.0.1", ipaddress.IPv4Address("10.0.0.1")),
    (ipaddress.IPv6Address, "::1", ipaddress.IPv6Address("::1")),
    (EmailStr, "a@b.io", "a@b.io"),
    (AnyUrl, "https://accord.test/", AnyUrl("https://accord.test/")),
    (re.Pattern, "^a+$", re.compile("^a+$")),
    (Path, "a/b", Path("a/b")),
    (PurePosixPath, "a/b", PurePosixPath("a/b")),
    (SecretStr, "s", SecretStr("s")),
    (Decimal, "1.50", Decimal("1.50")),
    (Decimal, 3, Decimal(3)),
    (Decimal, 0.1, Decimal("0.1")),
    (bytes, "/wA=", b"\xff\x00"),
    (bytes, "", b""),
)

REFUSALS: tuple[tuple[Any, Any], ...] = (
    (str, 1),
    (str, None),
    (str, ["a"]),
    (bool, "true"),
    (list[int], {"0": 1}),
    (list[int], "12"),
    (tuple[int, str], [1]),
    (Pair, {"a": 1, "b": "x"}),
    (set[int], [1, 1]),
    (dict[int, str], {"01": "a"}),
    (dict[int, str], {"1.0": "a"}),
    (dict[int, str], {"-0": "a"}),
    (dict[int, str], {"١": "a"}),
    (dict[Color, int], {"green": 1}),
    (dict[datetime.date, int], {"today": 1}),
    (Color, "RED"),
    (Access, 4),
    (Access, -1),
    (UUID, "0" * 32),
    (UUID, "{" + ZERO_UUID + "}"),
    (ipaddress.IPv4Address, "10.0.0.256"),
    (ipaddress.IPv4Address, "010.0.0.1"),
    (ipaddress.IPv6Address, "::1%eth0"),
    (EmailStr, "nobody"),
    (EmailStr, "a b@c.io"),
    (AnyUrl, "no scheme"),
    (re.Pattern, "("),
    (Decimal, "NaN"),
    (Decimal, "1_000"),
    (Decimal, " 1"),
    (bytes, "/wA"),
    (bytes, "YQ==\n"),
    (str | bytes | None, 5),
    (bytes, "not base64!"),
    (Point, {"x": 1, "z": 1}),
    (Point, {"y": 1.5}),
    (Point, [1, 2]),
    (Options, {"depth": 1, "level": 2}),
    (Annotated[float, MultipleOf(0.1)], 0.25),
    (Annotated[list[Annotated[int, Ge(0)]], "inner"], [-1]),
)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [pytest.param(*row, id=f"{row[0]} {row[1]!r}") for row in CONVERSIONS],
)
def test_a_value_arrives_as_the_annotated_type(annotation: Any, value: Any, expected: Any) -> None:
    got = received(annotation, value)
    assert not isinstance(got, Failed), got.text
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(("annotation", "value"), [pytest.param(*row, id=f"{row[0]} {row[1]!r}") for row in REFUSALS])
def test_a_value_outside_the_contract_is_refused(annotation: Any, value: Any) -> None:
    assert refusal(annotation, value)["code"] == "INVALID_PARAMS"


def test_the_fields_of_a_converted_object_have_their_types_too() -> None:
    point = received(Point, {"x": 1.0, "y": 2})
    assert (type(point.x), type(point.y)) == (int, float)
    record = received(dict[str, list[Point]], {"a": [{"x": 2.0}]})
    assert type(record["a"][0].x) is int


@pytest.mark.parametrize("value", [0.3, 0.7, 1e22, 4.35, -0.1, 1, 123456789.1])
def test_a_step_is_exact_in_decimal(value: float) -> None:
    """0.3 is a multiple of 0.1, whatever binary floats make of it."""
    step = 0.05 if value == 4.35 else 0.1
    assert received(Annotated[float, MultipleOf(step)], value) == value


def test_a_private_attrs_field_is_built() -> None:
    outcome = received(Private, {"_key": "a"})
    if isinstance(outcome, Failed):
        outcome = received(Private, {"key": "a"})
    assert outcome == Private("a")


def test_what_a_function_does_not_get_is_its_own_default() -> None:
    marker = dataclasses.make_dataclass("Marked", [("x", int, 4)])
    assert received(marker, {}) == marker(4)


@pytest.mark.parametrize(
    ("annotation", "value", "path", "word"),
    [
        (Checked, {"x": 13}, "/x", "thirteen"),
        (list[Checked], [{"x": 1}, {"x": 13}], "/x/1", "thirteen"),
        (Validated, {"name": "bob"}, "/x", "bob is not allowed"),
        (Annotated[int, annotated_types.Predicate(lambda number: number % 2 == 0)], 3, "/x", ""),
        (Annotated[str, Field(pattern="^a")] | Checked, {"x": 13}, "/x", "thirteen"),
    ],
)
def test_a_rejection_by_the_authors_own_code_is_a_constraint_violation(
    annotation: Any, value: Any, path: str, word: str
) -> None:
    """R23. The gate lets these through, so `received` and its agreement check do not apply."""
    result = run(takes(annotation), {"x": value})
    assert result["isError"] is True
    (violation,) = result["errorData"]["violations"]
    assert violation["reason"] == "constraint_violation"
    assert violation["keyword"] == "custom"
    assert violation["path"].startswith(path)
    assert word in violation["message"]
    assert result["errorData"]["argument"] == "x"


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^\d$", "\u0663", False),
        (r"^\w$", "\u00e9", False),
        (r"^[\w-]$", "\u00e9", False),
        (r"^\s$", "\ufeff", True),
        (r"^\s$", "\x85", False),
        (r"^.$", "\x85", True),
        (r"^.$", "\r", False),
        (r"^.$", "\u2028", False),
        (r"^.$", "\U0001f600", True),
        (r"^a$", "a\n", False),
        (r"^a$", "b\na", False),
        (r"\b\u00e9", "\u00e9", False),
        (r"^(?!\d)", "\u0663", True),
        (r"^(?=\w)", "\u00e9", False),
        (r"^[a&&b]$", "&", True),
        (r"^(?<year>[0-9]{4})$", "2024", True),
        (r"(?<=a)b", "ab", True),
        (r"^\p{L}+$", "\u00e9", True),
    ],
)
def test_a_pattern_means_what_ecma_262_says_or_is_refused_at_registration(
    pattern: str, text: str, matches: bool
) -> None:
    """Other languages read the published pattern, so it may not mean something else here."""
    try:
        taken: bool | str = Tool(takes(Annotated[str, Pattern(pattern)])).gate.is_valid({"x": text})
    except RegistrationError as error:
        taken = str(error)
    assert taken is matches or (isinstance(taken, str) and "ECMA-262" in taken)
