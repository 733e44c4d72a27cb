"""Annotation -> canonical JSON Schema, in and out, for every row of the contract's type table.

A row is (annotation, schema): these types are written the way they are read. Classes
with fields are in test_types_to_schema_records.py, conversions in test_types_convert.py.
"""

from __future__ import annotations

import collections.abc
import datetime
import ipaddress
import re
import typing
from collections import OrderedDict, deque
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from pathlib import Path, PurePath, PurePosixPath
from typing import Annotated, Any, Final, Literal, NamedTuple, NewType, Optional, TypeVar, Union
from uuid import UUID

import annotated_types
import msgspec
import pytest
import typing_extensions
from pydantic import AnyUrl, EmailStr, Field, SecretStr

from accord import Description, Examples, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern
from accord.schema import type_to_schema
from tests.unit._tools import accepts

STR, INT, NUM, BOOL, NULL = ({"type": name} for name in ("string", "integer", "number", "boolean", "null"))


def array(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def fixed(*items: Any) -> dict[str, Any]:
    return {
        "type": "array",
        "prefixItems": list(items),
        "items": False,
        "minItems": len(items),
        "maxItems": len(items),
    }


def mapping(values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values, **more}


def any_of(*branches: Any, **more: Any) -> dict[str, Any]:
    return {"anyOf": list(branches), **more}


def text(**more: Any) -> dict[str, Any]:
    return {"type": "string", **more}


def integer(**more: Any) -> dict[str, Any]:
    return {"type": "integer", **more}


def number(**more: Any) -> dict[str, Any]:
    return {"type": "number", **more}


def unique(items: Any, **more: Any) -> dict[str, Any]:
    return array(items, uniqueItems=True, **more)


class Color(Enum):
    RED = "red"
    BLUE = "blue"
    CRIMSON = "red"  # noqa: PIE796  # an alias of RED


class Level(IntEnum):
    LOW = 3
    HIGH = 1


class Tone(StrEnum):
    SOFT = "soft"
    LOUD = "loud"


class Ratio(float, Enum):
    HALF = 0.5
    FULL = 1.25


class Mixed(Enum):
    ONE = 1
    WORD = "word"
    NOTHING = None


class Access(Flag):
    READ = 1
    WRITE = 2
    RUN = 4


class Gap(Flag):
    A = 1
    C = 4


class Bits(IntFlag):
    A = 1
    B = 2


class Pair(NamedTuple):
    a: int
    b: Annotated[str, MinLen(1)]


UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Bounded = TypeVar("Bounded", bound=str)
Positive = Annotated[int, Ge(1)]
Alias = typing_extensions.TypeAliasType("Alias", list[int])

SCALARS: tuple[Any, ...] = (
    (str, STR),
    (int, INT),
    (float, NUM),
    (bool, BOOL),
    (None, NULL),
    (type(None), NULL),
    (Any, {}),
    (object, {}),
    (datetime.datetime, text(format="date-time")),
    (datetime.date, text(format="date")),
    (datetime.time, text(format="time")),
    (datetime.timedelta, text(format="duration")),
    (UUID, text(format="uuid")),
    (ipaddress.IPv4Address, text(format="ipv4")),
    (ipaddress.IPv6Address, text(format="ipv6")),
    (EmailStr, text(format="email")),
    (AnyUrl, text(format="uri")),
    (re.Pattern, text(format="regex")),
    (re.Pattern[str], text(format="regex")),
    (Path, STR),
    (PurePath, STR),
    (PurePosixPath, STR),
    (SecretStr, text(writeOnly=True)),
)

COLLECTIONS: tuple[Any, ...] = (
    (list[int], array(INT)),
    (typing.List[int], array(INT)),
    (typing.Sequence[str], array(STR)),
    (collections.abc.Sequence[str], array(STR)),
    (collections.abc.MutableSequence[str], array(STR)),
    (collections.abc.Iterable[bool], array(BOOL)),
    (collections.abc.Collection[float], array(NUM)),
    (deque[int], array(INT)),
    (list[list[int]], array(array(INT))),
    (list[int | None], array(any_of(INT, NULL))),
    (tuple[int, ...], array(INT)),
    (tuple[Positive, ...], array(integer(minimum=1))),
    (tuple[int, str], fixed(INT, STR)),
    (tuple[int], fixed(INT)),
    (tuple[int, tuple[str, bool]], fixed(INT, fixed(STR, BOOL))),
    (tuple[int | None, list[str]], fixed(any_of(INT, NULL), array(STR))),
    (Pair, fixed(INT, text(minLength=1))),
    (set[int], unique(INT)),
    (frozenset[str], unique(STR)),
    (typing.Set[str], unique(STR)),
    (typing.FrozenSet[str], unique(STR)),
    (collections.abc.Set[str], unique(STR)),
    (collections.abc.MutableSet[str], unique(STR)),
    (set[tuple[int, str]], unique(fixed(INT, STR))),
    (set[Color], unique(text(enum=["red", "blue"]))),
    (set[frozenset[int]], unique(unique(INT))),
    (dict, {"type": "object"}),
    (dict[str, Any], {"type": "object"}),
    (dict[str, object], {"type": "object"}),
    (dict[str, int], mapping(INT)),
    (typing.Dict[str, int], mapping(INT)),
    (collections.abc.Mapping[str, float], mapping(NUM)),
    (collections.abc.MutableMapping[str, float], mapping(NUM)),
    (typing.Mapping[str, list[int]], mapping(array(INT))),
    (OrderedDict[str, int], mapping(INT)),
    (typing.DefaultDict[str, int], mapping(INT)),
    (dict[str, int | None], mapping(any_of(INT, NULL))),
    (dict[str, dict[str, bool]], mapping(mapping(BOOL))),
    (dict[int, str], mapping(STR, propertyNames={"pattern": "^(0|-?[1-9][0-9]*)$"})),
    (dict[Color, int], mapping(INT, propertyNames={"enum": ["red", "blue"]})),
    (dict[Level, str], mapping(STR, propertyNames={"enum": ["3", "1"]})),
    (dict[Literal["a", "b"], int], mapping(INT, propertyNames={"enum": ["a", "b"]})),
    (dict[datetime.date, int], mapping(INT, propertyNames={"format": "date"})),
    (dict[UUID, int], mapping(INT, propertyNames={"format": "uuid"})),
    (dict[Annotated[str, MinLen(2)], int], mapping(INT, propertyNames={"minLength": 2})),
    (dict[Annotated[str, Pattern("^x")], int], mapping(INT, propertyNames={"pattern": "^x"})),
)

CHOICES: tuple[Any, ...] = (
    (Color, text(enum=["red", "blue"])),
    (Level, integer(enum=[3, 1])),
    (Tone, text(enum=["soft", "loud"])),
    (Ratio, number(enum=[0.5, 1.25])),
    (Mixed, {"enum": [1, "word", None]}),
    (Literal["b", "a"], text(enum=["b", "a"])),
    (Literal["only"], text(enum=["only"])),
    (Literal[3, 1, 2], integer(enum=[3, 1, 2])),
    (Literal[True], {"type": "boolean", "enum": [True]}),
    (Literal["a", 1], {"enum": ["a", 1]}),
    (Literal["a", None], {"enum": ["a", None]}),
    (Literal[1, True], {"enum": [1, True]}),
    (Literal["a", Literal["b", "c"]], text(enum=["a", "b", "c"])),  # noqa: RUF041  # nested on purpose
    (Literal["a", "a", "b"], text(enum=["a", "b"])),
    (Access, integer(minimum=0, maximum=7)),
    (Gap, integer(enum=[0, 1, 4, 5])),
    (Bits, INT),
)

UNIONS: tuple[Any, ...] = (
    (int | str, any_of(INT, STR)),
    (Union[str, int], any_of(STR, INT)),
    (Optional[int], any_of(INT, NULL)),
    (int | None, any_of(INT, NULL)),
    (int | str | None, any_of(INT, STR, NULL)),
    (Union[int, Union[str, Union[bool, None]]], any_of(INT, STR, BOOL, NULL)),
    (int | float, any_of(INT, NUM)),
    (bool | int, any_of(BOOL, INT)),
    (str | Path, STR),
    (str | Path | None, any_of(STR, NULL)),
    (list[int] | typing.Sequence[int], array(INT)),
    (list[int] | list[str], any_of(array(INT), array(STR))),
    (datetime.datetime | str, any_of(text(format="date-time"), STR)),
    (Color | str, any_of(text(enum=["red", "blue"]), STR)),
    (Literal["a"] | None, any_of(text(enum=["a"]), NULL)),
    (dict[str, int] | list[int], any_of(mapping(INT), array(INT))),
    (list[int | str] | int, any_of(array(any_of(INT, STR)), INT)),
    (Positive | None, any_of(integer(minimum=1), NULL)),
    (Alias | None, any_of(array(INT), NULL)),
)

NAMES: tuple[Any, ...] = (
    (UserId, INT),
    (AdminId, INT),
    (Annotated[AdminId, Ge(1)], integer(minimum=1)),
    (Bounded, STR),
    (list[Bounded], array(STR)),
    (Positive, integer(minimum=1)),
    (Annotated[Positive, Le(9)], integer(minimum=1, maximum=9)),
    (Alias, array(INT)),
    (Final[int], INT),
    (Annotated[int, "no marker of anybody", object()], integer(description="no marker of anybody")),
)

MARKERS: tuple[Any, ...] = (
    (Annotated[str, MinLen(1), MaxLen(5)], text(minLength=1, maxLength=5)),
    (Annotated[str, Pattern("^a+$")], text(pattern="^a+$")),
    (Annotated[list[int], MinLen(1), MaxLen(5)], array(INT, minItems=1, maxItems=5)),
    (Annotated[tuple[int, ...], MinLen(1)], array(INT, minItems=1)),
    (Annotated[set[int], MaxLen(5)], unique(INT, maxItems=5)),
    (Annotated[dict[str, int], MinLen(1), MaxLen(5)], mapping(INT, minProperties=1, maxProperties=5)),
    (Annotated[dict, MinLen(1)], {"type": "object", "minProperties": 1}),
    (Annotated[int, Gt(0), Lt(9)], integer(exclusiveMinimum=0, exclusiveMaximum=9)),
    (Annotated[float, Ge(0.5), Le(9)], number(minimum=0.5, maximum=9)),
    (Annotated[int, MultipleOf(5)], integer(multipleOf=5)),
    (Annotated[float, MultipleOf(0.1)], number(multipleOf=0.1)),
    (Annotated[int, Description("d")], integer(description="d")),
    (Annotated[int, Examples(1, 2)], integer(examples=[1, 2])),
    (Annotated[int | None, Ge(1)], any_of(integer(minimum=1), NULL)),
    (Annotated[str | list[str], MinLen(1)], any_of(text(minLength=1), array(STR, minItems=1))),
    (Annotated[int | str, Ge(1), Description("d")], any_of(integer(minimum=1), STR, description="d")),
    (list[Annotated[str, MaxLen(3)]], array(text(maxLength=3))),
    (Annotated[list[Annotated[str, MaxLen(3)]], MinLen(1)], array(text(maxLength=3), minItems=1)),
    (Annotated[int, Ge(1), Ge(3)], integer(minimum=3)),
    (Annotated[Path, Pattern("^/")], text(pattern="^/")),
    (Annotated[SecretStr, MinLen(8)], text(writeOnly=True, minLength=8)),
    (Annotated[int, annotated_types.Ge(1), annotated_types.Lt(9)], integer(minimum=1, exclusiveMaximum=9)),
    (Annotated[int, annotated_types.Interval(gt=0, le=9)], integer(exclusiveMinimum=0, maximum=9)),
    (Annotated[int, annotated_types.MultipleOf(3)], integer(multipleOf=3)),
    (Annotated[str, annotated_types.Len(1, 5)], text(minLength=1, maxLength=5)),
    (Annotated[list[int], annotated_types.MinLen(2)], array(INT, minItems=2)),
    (Annotated[int, Field(ge=1, lt=9)], integer(minimum=1, exclusiveMaximum=9)),
    (
        Annotated[str, Field(min_length=1, pattern="^a", description="d")],
        text(minLength=1, pattern="^a", description="d"),
    ),
    (Annotated[str, Field(examples=["a"])], text(examples=["a"])),
    (Annotated[int, msgspec.Meta(ge=1, multiple_of=2)], integer(minimum=1, multipleOf=2)),
    (
        Annotated[str, msgspec.Meta(min_length=1, max_length=5, pattern="^a", description="d")],
        text(minLength=1, maxLength=5, pattern="^a", description="d"),
    ),
    (Annotated[int, typing_extensions.Doc("d")], integer(description="d")),
    (Annotated[Decimal, Ge(0), Le(1)], number(minimum=0, maximum=1)),
)  # fmt: skip

ROWS = [
    pytest.param(*row, id=f"{table} {str(row[0]).replace('typing.', '')}")
    for table, rows in (
        ("scalar", SCALARS),
        ("collection", COLLECTIONS),
        ("choice", CHOICES),
        ("union", UNIONS),
        ("name", NAMES),
        ("marker", MARKERS),
    )
    for row in rows
]
OUTPUT_DIFFERS = {Annotated[Decimal, Ge(0), Le(1)]}


@pytest.mark.parametrize(("annotation", "schema"), ROWS)
def test_a_type_is_published_as_its_canonical_input_schema(annotation: Any, schema: dict[str, Any]) -> None:
    published = type_to_schema(annotation, direction="input")
    assert published == schema
    assert list(map(type, published.get("enum", ()))) == list(map(type, schema.get("enum", ())))


@pytest.mark.parametrize(("annotation", "schema"), [row for row in ROWS if row.values[0] not in OUTPUT_DIFFERS])
def test_without_fields_and_decimals_the_output_schema_is_the_same(annotation: Any, schema: dict[str, Any]) -> None:
    assert type_to_schema(annotation, direction="output") == schema


def test_the_table_is_as_long_as_promised() -> None:
    assert len(ROWS) >= 120


@pytest.mark.parametrize(
    ("annotation", "direction", "good", "bad"),
    [
        (Decimal, "input", [1, 1.5, "1.50", "-0.1", "10"], ["x", "", "1,5", True, None, "NaN", "Infinity"]),
        (Decimal, "output", ["1.50", "-3", "1E+5"], [1, 1.5, "x", "NaN"]),
        (bytes, "input", ["", "/wA=", "YQ=="], ["a", "/wA", "!!!!", 1, None, "YQ=a"]),
        (bytes, "output", ["", "/wA="], ["a", 1]),
        (list, "input", [[], [1, "a", None]], [{}, "a", None]),
        (list[Any], "output", [[], [1, "a", None]], [{}, "a", None]),
        (tuple, "input", [[], [1, "a"]], [{}, "a"]),
        (tuple[()], "input", [[]], [[1], {}]),
        (set, "input", [[], [1, "a", True, None, 1.5]], [[1, 1], [[]], [{}], {}]),
        (set[Any], "input", [[], [1, "a", True, None, 1.5]], [[1, 1], [[]], [{}], {}]),
        (frozenset, "input", [[], [1, "a"]], [[1, 1], [[]]]),
        (collections.abc.Sequence, "input", [[], [1]], [{}, "text"]),
        (collections.abc.Mapping, "input", [{}, {"a": 1}], [[], "text"]),
    ],
)
def test_a_type_whose_pattern_is_ours_takes_the_good_and_refuses_the_bad(
    annotation: Any, direction: Any, good: list[Any], bad: list[Any]
) -> None:
    schema = type_to_schema(annotation, direction=direction)
    assert [value for value in good if not accepts(schema, value)] == []
    assert [value for value in bad if accepts(schema, value)] == []


def test_the_shape_around_our_patterns_is_the_documented_one() -> None:
    decimal_in = type_to_schema(Decimal, direction="input")
    decimal_out = type_to_schema(Decimal, direction="output")
    pattern = decimal_out["pattern"]
    assert decimal_in == any_of(NUM, text(pattern=pattern))
    assert decimal_out == text(pattern=pattern)
    raw = type_to_schema(bytes, direction="input")
    assert raw == text(contentEncoding="base64", pattern=raw["pattern"])
    assert type_to_schema(bytes, direction="output") == raw


def test_the_items_of_a_bare_set_are_the_four_scalar_types() -> None:
    schema = type_to_schema(set, direction="input")
    assert schema["uniqueItems"] is True
    assert {branch["type"] for branch in schema["items"]["anyOf"]} == {"string", "number", "boolean", "null"}


def test_a_constrained_decimal_is_a_string_on_the_way_out() -> None:
    assert type_to_schema(Annotated[Decimal, Ge(0)], direction="output")["type"] == "string"
