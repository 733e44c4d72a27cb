"""The cases the contract names: numbers, times, unions and results where JSON and Python hardly agree."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, Literal

import pytest

from accord._calls import Failed
from accord.schema.formats import FORMATS
from tests.unit._tools import accepts, app_of, received, refusal, returns, run, send, takes

HUGE = 10**400
UTC = datetime.UTC


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass
class Cat:
    name: str
    lives: int = 9


@dataclass
class Dog:
    name: str
    tricks: list[str]


@dataclass
class Circle:
    kind: Literal["circle"]
    radius: float


@dataclass
class Square:
    kind: Literal["square"]
    side: float


# ---- numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (int, 1.0, 1),
        (int, 1e20, 10**20),
        (int, -0.0, 0),
        (int, 2.0**70, 2**70),
        (list[int], [1.0, 2], [1, 2]),
        (dict[str, int], {"a": 3.0}, {"a": 3}),
        (int | None, 4.0, 4),
        (tuple[int, str], [5.0, "a"], (5, "a")),
        (Literal[1, 2], 1.0, 1),
        (Level, 1.0, Level.LOW),
        (set[int], [1.0], {1}),
        (int, HUGE, HUGE),
        (int, -HUGE, -HUGE),
        (float, 1, 1.0),
        (float, 1e308, 1e308),
    ],
)
def test_a_number_arrives_as_the_annotated_type_with_the_same_value(annotation: Any, value: Any, expected: Any) -> None:
    got = received(annotation, value)
    assert got == expected
    assert type(got) is type(expected)
    if isinstance(got, list | tuple):
        assert [type(item) for item in got] == [type(item) for item in expected]
    if isinstance(got, dict | set):
        assert all(type(item) is int for item in (got.values() if isinstance(got, dict) else got))


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (int, 1.5),
        (int, True),
        (int, "1"),
        (float, True),
        (float, "1.0"),
        (bool, 1),
        (bool, 0.0),
        (Literal[1], 2.0),
        (Literal[1], True),
        (Level, 2.0),
        (Level, True),
        (Level, "LOW"),
    ],
)
def test_a_number_of_another_kind_is_refused(annotation: Any, value: Any) -> None:
    assert refusal(annotation, value)["code"] == "INVALID_PARAMS"


def test_a_whole_number_no_float_can_hold_is_taken_exactly_or_refused_for_a_float() -> None:
    """`received` also proves that the gate and the conversion say the same."""
    got = received(float, HUGE)
    assert isinstance(got, Failed) or got == HUGE


@pytest.mark.parametrize("annotation", [int, float, str, int | None, list[int], Any, Literal[1], datetime.datetime])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_json_does_not_have_never_reaches_a_handler(annotation: Any, value: float) -> None:
    """The domain is JSON; in-process callers can still hand these in."""
    result = run(takes(annotation), {"x": value})
    assert result["isError"] is True
    assert result["errorData"]["code"] == "INVALID_PARAMS"


# ---- times -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "text", "expected"),
    [
        (datetime.datetime, "2024-02-29T23:59:59Z", datetime.datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC)),
        (datetime.datetime, "2024-01-02T03:04:05", datetime.datetime(2024, 1, 2, 3, 4, 5)),
        (datetime.datetime, "2024-01-02t03:04:05z", datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        (datetime.datetime, "0001-01-01T00:00:00", datetime.datetime(1, 1, 1)),
        (datetime.datetime, "9999-12-31T23:59:59.999999", datetime.datetime.max),
        (datetime.datetime, "2024-01-02T03:04:05.5", datetime.datetime(2024, 1, 2, 3, 4, 5, 500000)),
        (
            datetime.datetime,
            "2024-01-02T03:04:05-02:30",
            datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone(-datetime.timedelta(minutes=150))),
        ),
        (datetime.date, "2024-02-29", datetime.date(2024, 2, 29)),
        (datetime.time, "23:59:59", datetime.time(23, 59, 59)),
        (datetime.time, "00:00:00Z", datetime.time(0, tzinfo=UTC)),
        (datetime.timedelta, "P1D", datetime.timedelta(days=1)),
        (datetime.timedelta, "-P1DT2H", -datetime.timedelta(days=1, hours=2)),
        (datetime.timedelta, "PT0.5S", datetime.timedelta(milliseconds=500)),
        (datetime.timedelta, "PT36H", datetime.timedelta(hours=36)),
    ],
)
def test_a_time_is_read(annotation: Any, text: str, expected: Any) -> None:
    got = received(annotation, text)
    assert got == expected
    assert getattr(got, "tzinfo", None) == getattr(expected, "tzinfo", None)


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        pytest.param(datetime.datetime, "2016-12-31T23:59:60Z", id="leap second"),
        pytest.param(datetime.time, "23:59:60", id="leap second of a time"),
        pytest.param(datetime.time, "23:59:60Z", id="leap second of a time with offset"),
        pytest.param(datetime.datetime, "0000-01-01T00:00:00Z", id="year 0000"),
        pytest.param(datetime.date, "0000-01-01", id="year 0000 of a date"),
        pytest.param(datetime.datetime, "2024-01-02T24:00:00Z", id="hour 24"),
        pytest.param(datetime.time, "24:00:00", id="hour 24 of a time"),
        pytest.param(datetime.date, "2023-02-29", id="no leap year"),
        pytest.param(datetime.date, "2024-2-9", id="no zeros"),
        pytest.param(datetime.date, "20240209", id="basic form"),
        pytest.param(datetime.date, "2024-W05-1", id="week date"),
        pytest.param(datetime.date, "２０２４-02-29", id="digits of another script"),
        pytest.param(datetime.datetime, "2024-01-02", id="date without time"),
        pytest.param(datetime.datetime, "1700000000", id="seconds as text"),
        pytest.param(datetime.datetime, "2024-01-02T03:04:05+24:00", id="offset of a day"),
        pytest.param(datetime.datetime, "2024-01-02T03:04:05Z\n", id="a line end"),
        pytest.param(datetime.timedelta, "P1Y", id="years"),
        pytest.param(datetime.timedelta, "P1M", id="months"),
        pytest.param(datetime.timedelta, "P1W", id="weeks"),
        pytest.param(datetime.timedelta, "P", id="nothing"),
        pytest.param(datetime.timedelta, "P1DT", id="nothing after T"),
        pytest.param(datetime.timedelta, "P999999999999D", id="longer than a timedelta"),
        pytest.param(datetime.timedelta, "+P1D", id="a plus"),
    ],
)
def test_a_time_outside_the_contract_is_refused_by_gate_and_format_table_alike(annotation: Any, text: str) -> None:
    error = refusal(annotation, text)
    assert error["reason"] == "constraint_violation"
    assert error["violations"][0]["keyword"] == "format"
    formats = {datetime.datetime: "date-time", datetime.timedelta: "duration"}
    assert FORMATS[formats.get(annotation, annotation.__name__)](text) is False


@pytest.mark.parametrize(
    ("annotation", "value", "text"),
    [
        (datetime.datetime, datetime.datetime(2024, 1, 2, 3, 4, 5), "2024-01-02T03:04:05"),
        (datetime.time, datetime.time(3, 4, 5), "03:04:05"),
        (datetime.datetime, datetime.datetime(1, 1, 1), "0001-01-01T00:00:00"),
        (datetime.timedelta, datetime.timedelta(0), "PT0S"),
        (datetime.timedelta, -datetime.timedelta(seconds=90), "-PT1M30S"),
        (datetime.timedelta, datetime.timedelta.min, "-P999999999D"),
    ],
)
def test_a_naive_or_negative_time_comes_out_in_a_form_that_goes_in_again(
    annotation: Any, value: Any, text: str
) -> None:
    result = run(returns(annotation, value))
    assert result["structuredContent"] == text
    assert received(annotation, text) == value


@pytest.mark.parametrize(
    "value",
    [
        datetime.timedelta.max,
        datetime.timedelta(days=400, microseconds=1),
        datetime.datetime.max,
        datetime.time.max,
        datetime.date.min,
    ],
)
def test_an_extreme_time_goes_out_and_in_again(value: Any) -> None:
    text = run(returns(type(value), value))["structuredContent"]
    assert received(type(value), text) == value


# ---- unions ----------------------------------------------------------------------------------------------

MOMENT = datetime.datetime(2024, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (datetime.datetime | str, "2024-01-02T00:00:00Z", MOMENT),
        (str | datetime.datetime, "2024-01-02T00:00:00Z", MOMENT),
        (datetime.datetime | str, "tomorrow", "tomorrow"),
        (datetime.date | datetime.datetime, "2024-01-02", datetime.date(2024, 1, 2)),
        (datetime.datetime | datetime.date, "2024-01-02", datetime.date(2024, 1, 2)),
        (Color | str, "red", Color.RED),
        (str | Color, "red", Color.RED),
        (Color | str, "green", "green"),
        (Level | int, 1, Level.LOW),
        (int | Level, 3.0, Level.HIGH),
        (Level | int, 2, 2),
        (Literal["a"] | str, "a", "a"),
        (Cat | Dog, {"name": "Tom"}, Cat("Tom")),
        (Cat | Dog, {"name": "Rex", "tricks": []}, Dog("Rex", [])),
        (Dog | Cat, {"name": "Tom", "lives": 7}, Cat("Tom", 7)),
        (Circle | Square, {"kind": "square", "side": 2}, Square("square", 2.0)),
        (Cat | dict, {"name": "Tom"}, Cat("Tom")),
        (dict | Cat, {"name": "Tom"}, Cat("Tom")),
        (Cat | dict, {"other": 1}, {"other": 1}),
        (Cat | dict[str, int], {"lives": 1}, {"lives": 1}),
        (list[Cat | Color], [{"name": "Tom"}, "blue"], [Cat("Tom"), Color.BLUE]),
        (Cat | list[Cat] | None, [{"name": "Tom"}], [Cat("Tom")]),
        (list[int] | list[str], ["a"], ["a"]),
        (int | float, 1, 1),
        (int | float, 1.5, 1.5),
        (float | int, 1, 1),
    ],
)
def test_a_union_gives_the_exact_then_the_most_specific_branch(annotation: Any, value: Any, expected: Any) -> None:
    got = received(annotation, value)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (Cat | Dog, {"name": 1}),
        (Cat | Dog, {"name": "x", "lives": 1, "tricks": []}),
        (Circle | Square, {"kind": "circle", "side": 1}),
        (Circle | Square, {"kind": "triangle", "side": 1}),
        (Cat | dict[str, int], {"name": 1, "lives": "many"}),
        (Color | int, "green"),
        (datetime.datetime | int, "tomorrow"),
    ],
)
def test_what_fits_no_branch_is_refused(annotation: Any, value: Any) -> None:
    assert refusal(annotation, value)["code"] == "INVALID_PARAMS"


# ---- results ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "value", "encoded"),
    [
        (set[str], {"pear", "apple", "fig"}, ["apple", "fig", "pear"]),
        (set[int], {10, 9, -1, 100}, [-1, 9, 10, 100]),
        (frozenset[Color], frozenset(Color), ["blue", "red"]),
        (dict[str, set[int]], {"a": {2, 1}}, {"a": [1, 2]}),
    ],
)
def test_a_set_comes_out_in_one_order(annotation: Any, value: Any, encoded: Any) -> None:
    assert run(returns(annotation, value))["structuredContent"] == encoded


def test_a_set_of_mixed_members_comes_out_in_one_order_however_it_was_built() -> None:
    members: list[Any] = ["b", 2, None, 1.5, "a", (1, 2), False]
    orders = [run(returns(Any, set(order)))["structuredContent"] for order in (members, members[::-1])]
    assert orders[0] == orders[1]
    assert len(orders[0]) == len(members)


def test_two_members_of_a_set_that_are_one_in_json_break_the_contract_of_unique_items() -> None:
    """A date and its own text are two values in Python and one in JSON: an error, not a broken promise."""
    both = {datetime.date(2024, 1, 2), "2024-01-02"}
    result = run(returns(set[datetime.date | str], both))
    assert result["isError"] is True
    assert result["errorData"]["reason"] == "output_invalid"


@pytest.mark.parametrize("depth", [10, 200])
def test_moderate_nesting_works(depth: int) -> None:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    result = run(returns(Any, value))
    assert result["structuredContent"] == value
    assert accepts({}, value)
    assert received(Any, value) == value


def test_several_tools_do_not_share_what_they_took() -> None:
    """A mutable default is the function's own, and is never changed by binding."""

    def tool(x: list[int] = [], y: dict[str, int] = {}) -> int:
        return len(x) + len(y)

    app = app_of(tool)
    assert send(app, "tool", {"x": [1], "y": {"a": 1}})["structuredContent"] == 2
    assert send(app, "tool", {})["structuredContent"] == 0
