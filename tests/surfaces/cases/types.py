"""Every type of the schema table that can be typed on a command line, in and out again.

Each row becomes a tool with one parameter `x`, which returns what it was given; so a case holds three things at once:
that the type was constructed, that it was read the same from each surface, and that it is written the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, NewType, TypeVar
from uuid import UUID

import pydantic

from accord import App, Ge, MaxLen, MinLen, Pattern
from tests.surfaces._case import Case

app = App("types")


class Color(Enum):
    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    LOW = 1
    HIGH = 3


class Rights(Flag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    left: int
    right: str = "none"


UserId = NewType("UserId", int)
Word = TypeVar("Word", bound=str)
Names = list[str]
MAIL = "a@example.org"
ID = "12345678-1234-5678-1234-567812345678"

#: (id, annotation, options, JSON in, value where JSON is not it, JSON out where it is not JSON in)
ROWS: list[tuple[Any, ...]] = [
    ("text", str, "--x hello", "hello"),
    ("text like a number", str, "--x 123", "123"),
    ("text like a truth", str, "--x true", "true"),
    ("text like null", str, "--x null", "null"),
    ("text like JSON", str, """--x '{"a": 1}'""", '{"a": 1}'),
    ("text with a dash", str, "--x -foo", "-foo"),
    ("text like an option", str, "--x=--x", "--x"),
    ("text with an at", str, "--x @home", "@home"),
    ("a dash as text", str, "--x -", "-"),
    ("empty text", str, "--x ''", ""),
    ("text of two lines", str, "--x 'a\nb'", "a\nb"),
    ("text with quotes", str, """--x '"quoted"'""", '"quoted"'),
    ("text beyond ASCII", str, "--x 'naïve 🙂 中'", "naïve 🙂 中"),
    ("int", int, "--x 5", 5),
    ("negative int", int, "--x -5", -5),
    ("int with a plus", int, "--x +5", 5),
    ("int with an exponent", int, "--x 1e3", 1000),
    ("int of 18 digits", int, "--x 123456789012345678", 123456789012345678),
    ("float", float, "--x 2.5", 2.5),
    ("negative float", float, "--x -1e3", -1000.0),
    ("float without a dot", float, "--x 3", 3, 3.0),
    ("float without a zero", float, "--x .5", 0.5),
    ("true", bool, "--x", True),
    ("false", bool, "--no-x", False),
    ("true in words", bool, "--x=yes", True),
    ("false in words", bool, "--x=false", False),
    ("no null", bool | None, "--no-x", False),
    ("None", None, "--x null", None),
    ("Any as an object", Any, """--x '{"a": [1, null]}'""", {"a": [1, None]}),
    ("Any as a number", Any, "--x 7", 7),
    ("Any as text", Any, "--x seven", "seven"),
    ("object", object, "--x true", True),
    ("list repeated", list[int], "--x 1 --x 2", [1, 2]),
    ("list as JSON", list[int], "--x '[1, 2]'", [1, 2]),
    ("list in both ways", list[int], "--x '[1, 2]' --x 3", [1, 2, 3]),
    ("list of one", list[str], "--x one", ["one"]),
    ("list of none", list[str], "--x '[]'", []),
    ("list of texts like patterns", list[str], "--x '[a-z]' --x '*'", ["[a-z]", "*"]),
    ("list of lists", list[list[int]], "--x '[1]' --x '[2, 3]'", [[1], [2, 3]]),
    ("list of unions", list[int | str], "--x 1 --x a", [1, "a"]),
    ("list of nullables", list[int | None], "--x 1 --x null", [1, None]),
    ("list or null", list[int] | None, "--x null", None),
    ("Sequence", Sequence[int], "--x 1", [1]),
    ("Iterable", Iterable[str], "--x a --x b", ["a", "b"]),
    ("open tuple", tuple[int, ...], "--x 1 --x 2", [1, 2], (1, 2)),
    ("tuple repeated", tuple[int, str], "--x 1 --x 2", [1, "2"], (1, "2")),
    ("tuple as JSON", tuple[int, str], """--x '[1, "2"]'""", [1, "2"], (1, "2")),
    ("tuple of text first", tuple[str, int], """--x '["1", 2]'""", ["1", 2], ("1", 2)),
    ("tuple of text first, repeated", tuple[str, int], "--x 1 --x 2", ["1", 2], ("1", 2)),
    ("tuple of lists", tuple[list[int], str], """--x '[[1, 2], "b"]'""", [[1, 2], "b"], ([1, 2], "b")),
    (
        "list of tuples",
        list[tuple[str, int]],
        """--x '["a", 1]' --x '["b", 2]'""",
        [["a", 1], ["b", 2]],
        [("a", 1), ("b", 2)],
    ),
    ("list of tuples as JSON", list[tuple[str, int]], """--x '[["a", 1]]'""", [["a", 1]], [("a", 1)]),
    ("NamedTuple", Pair, """--x '[1, "b"]'""", [1, "b"], Pair(1, "b")),
    ("set", set[int], "--x 2 --x 1", [2, 1], {1, 2}, [1, 2]),
    ("frozenset", frozenset[str], "--x b --x a", ["b", "a"], frozenset("ab"), ["a", "b"]),
    ("dict", dict, "--x a=1 --x b=two", {"a": 1, "b": "two"}),
    ("dict of ints", dict[str, int], "--x a=1 --x b=-2", {"a": 1, "b": -2}),
    ("dict of texts", dict[str, str], "--x a=1 --x b=x=y", {"a": "1", "b": "x=y"}),
    ("dict as JSON", dict[str, int], """--x '{"a": 1}'""", {"a": 1}),
    ("dict in both ways", dict[str, int], """--x '{"a": 1}' --x b=2""", {"a": 1, "b": 2}),
    ("dict of nothing", dict[str, int], "--x '{}'", {}),
    ("Mapping", Mapping[str, float], "--x pi=3.14", {"pi": 3.14}),
    ("dict of lists", dict[str, list[int]], "--x a=1 --x a=2 --x b='[3, 4]'", {"a": [1, 2], "b": [3, 4]}),
    ("dict with int keys", dict[int, str], "--x 7=seven", {"7": "seven"}, {7: "seven"}),
    ("dict with Enum keys", dict[Color, int], "--x red=1", {"red": 1}, {Color.RED: 1}),
    ("Enum", Color, "--x green", "green", Color.GREEN),
    ("IntEnum", Level, "--x 3", 3, Level.HIGH),
    ("Flag", Rights, "--x 3", 3, Rights.READ | Rights.WRITE),
    ("Literal", Literal["b", "a"], "--x a", "a"),
    ("Literal of numbers", Literal[1, 2], "--x 2", 2),
    ("mixed Literal, the number", Literal[1, "a"], "--x 1", 1),
    ("mixed Literal, the text", Literal[1, "a"], "--x a", "a"),
    ("Literal of a number and its text", Literal[1, "1"], "--x 1", 1),
    ("Literal of a truth", Literal[True, "auto"], "--x true", True),
    ("union, the number", int | str, "--x 123", 123),
    ("union, the text", int | str, "--x abc", "abc"),
    ("union, a number in quotes", int | str, """--x '"123"'""", "123"),
    ("union written the other way", str | int, "--x 123", 123),
    ("union of a truth and text", bool | str, "--x true", True),
    ("union of a truth and text, a yes", bool | str, "--x yes", "yes"),
    ("union of containers", dict[str, int] | list[int], "--x '[1]'", [1]),
    ("union of an object and text", dict[str, int] | str, """--x '{"a": 1}'""", {"a": 1}),
    ("union of a float and an int", int | float, "--x 2.5", 2.5),
    ("union of a date and an int", date | int, "--x 2026-01-02", "2026-01-02", date(2026, 1, 2)),
    ("null for an int", int | None, "--x null", None),
    ("an int that may be null", int | None, "--x 4", 4),
    ("null for text", str | None, "--x null", None),
    ("null in quotes for text", str | None, """--x '"null"'""", "null"),
    ("text that may be null", str | None, "--x nil", "nil"),
    ("datetime", datetime, "--x 2026-01-02T03:04:05", "2026-01-02T03:04:05", datetime(2026, 1, 2, 3, 4, 5)),
    (
        "datetime with an offset",
        datetime,
        "--x 2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05Z",
        datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "2026-01-02T03:04:05+00:00",
    ),
    ("date", date, "--x 2026-01-02", "2026-01-02", date(2026, 1, 2)),
    ("time", time, "--x 03:04:05", "03:04:05", time(3, 4, 5)),
    ("timedelta", timedelta, "--x P1DT2H", "P1DT2H", timedelta(days=1, hours=2)),
    ("negative timedelta", timedelta, "--x -PT5S", "-PT5S", timedelta(seconds=-5)),
    ("UUID", UUID, f"--x {ID}", ID, UUID(ID)),
    ("IPv4Address", IPv4Address, "--x 127.0.0.1", "127.0.0.1", IPv4Address("127.0.0.1")),
    ("IPv6Address", IPv6Address, "--x ::1", "::1", IPv6Address("::1")),
    ("EmailStr", pydantic.EmailStr, f"--x {MAIL}", MAIL),
    (
        "AnyUrl",
        pydantic.AnyUrl,
        "--x https://example.org/a",
        "https://example.org/a",
        pydantic.AnyUrl("https://example.org/a"),
    ),
    ("Pattern", re.Pattern[str], "--x '^a+$'", "^a+$", re.compile("^a+$")),
    ("Decimal keeps its digits", Decimal, "--x 1.10", "1.10", Decimal("1.10")),
    ("negative Decimal", Decimal, "--x -0.5", "-0.5", Decimal("-0.5")),
    ("bytes", bytes, "--x aGk=", "aGk=", b"hi"),
    ("Path", Path, "--x a/b.txt", "a/b.txt", Path("a/b.txt")),
    ("NewType", UserId, "--x 9", 9),
    ("alias", Names, "--x a --x b", ["a", "b"]),
    ("Final", Final[int], "--x 9", 9),
    ("TypeVar with a bound", Word, "--x w", "w"),
    ("markers that hold", Annotated[str, MinLen(1), MaxLen(3), Pattern("^a")], "--x abc", "abc"),
    ("a bound that holds", Annotated[int, Ge(-1)], "--x -1", -1),
    ("items with bounds", list[Annotated[int, Ge(0)]], "--x 0 --x 1", [0, 1]),
]

#: what each tool was given, the last one first
received: list[Any] = []


def _tool(number: int, annotation: Any) -> str:
    def echo(x):
        received.insert(0, x)
        return x

    echo.__annotations__ = {"x": annotation, "return": annotation}
    name = f"echo{number}"
    app.command(name)(echo)
    return name


def _case(number: int, label: str, annotation: Any, options: str, given: Any, *more: Any) -> Case:
    name = _tool(number, annotation)
    value = more[0] if more else given
    return Case(
        label,
        app,
        name,
        f"{name} {options}",
        {"x": given},
        result=more[1] if len(more) > 1 else given,
        values={"x": value},
        returned=value,
    )


CASES = [_case(number, *row) for number, row in enumerate(ROWS)]
