"""Text -> JSON, as the schema decides (R15)."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from accord import App
from accord._tool import Tool
from accord.texts.reading import parsed, read_text
from tests.unit.cli._line import arguments, takes


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


# (annotation, text, JSON)
READINGS: list[tuple[Any, str, Any]] = [
    # one type decides
    *[(str, text, text) for text in ("", " ", "1", "true", "null", "[1]", '{"a": 1}', '"q"', "@f", "-", "é", "a\nb")],
    *[
        (int, text, value)
        for text, value in [("5", 5), ("-5", -5), ("+5", 5), ("007", 7), ("1e2", 100.0), ("5.0", 5.0)]
    ],
    *[(int, text, text) for text in ("", "five", "0x10", "1_000", " 5", "5 ", "--5", "1e", "٣", "1e999", "nan")],
    *[(int, text, value) for text, value in [("5.5", 5.5), ("true", True), ("null", None), ("FALSE", False)]],
    *[(float, text, value) for text, value in [("5", 5), ("-.5", -0.5), ("5.", 5.0), ("1e-3", 0.001), ("-0", 0)]],
    *[(float, text, text) for text in ("inf", "-inf", "nan", "1e400", "1,5", ".", "e5")],
    *[(bool, text, True) for text in ("true", "True", "TRUE", "yes", "on", "1")],
    *[(bool, text, False) for text in ("false", "False", "no", "off", "0")],
    *[(bool, text, text) for text in ("", "maybe", "y")],
    (bool, "2", 2),
    (None, "null", None),
    (None, "", ""),
    # a list takes its items one by one; this reads whole values
    (list[int], "[1]", [1]),
    (dict[str, int], '{"a": 1}', {"a": 1}),
    (dict[str, int], "[1]", [1]),
    # choices
    (Literal["1", "2"], "1", "1"),
    (Literal[1, 2], "1", 1),
    (Literal[1, 2], "3", 3),
    (Literal[1, 2], "x", "x"),
    (Literal[True, "no"], "true", True),
    (Literal[True, "no"], "no", "no"),
    (Literal["null"], "null", "null"),
    (Literal["a", None], "null", None),
    (Color, "red", "red"),
    (Level, "1", 1),
    # nullables
    (int | None, "null", None),
    (int | None, "5", 5),
    (int | None, "", ""),
    (str | None, "null", None),
    (str | None, '"null"', "null"),
    (str | None, '"x"', '"x"'),
    (str | None, "5", "5"),
    (str | None, "NULL", "NULL"),
    (bool | None, "null", None),
    (bool | None, "no", False),
    # unions: the closest, whatever the order
    (int | str, "123", 123),
    (str | int, "123", 123),
    *[(int | str, text, text) for text in ("007", "+49", "1.5", "5.")],
    *[(float | str, text, text) for text in ("007", "+49", ".5", "5.")],
    (int | None, "007", 7),
    (Decimal, ".5", 0.5),
    (int | str, '"123"', "123"),
    (int | str, '"abc"', '"abc"'),
    (int | str, "true", "true"),
    (float | str, "1.5", 1.5),
    (bool | str, "true", True),
    (bool | str, "yes", "yes"),
    (bool | str, '"true"', "true"),
    (bool | int, "1", 1),
    (bool | int, "true", True),
    (dict[str, int] | str, '{"a": 1}', {"a": 1}),
    (dict[str, int] | str, "{", "{"),
    (list[int] | str, "[1]", [1]),
    (list[int] | str, "[a-z]", "[a-z]"),
    (list[int] | dict[str, int], "[1]", [1]),
    (date | int, "5", 5),
    (date | int, "2026-01-02", "2026-01-02"),
    # exact numbers
    (Decimal, "1.10", "1.10"),
    (Decimal, "-1e5", "-1e5"),
    (Decimal, "1.10000000000000000001", "1.10000000000000000001"),
    (Decimal | None, "null", None),
    # anything
    (Any, "5", 5),
    (Any, "five", "five"),
    (Any, "null", None),
    (Any, "true", True),
    (Any, "[1, 2]", [1, 2]),
    (Any, '{"a": null}', {"a": None}),
    (Any, '"5"', "5"),
    (Any, '"five"', '"five"'),
    (Any, "[", "["),
]


def read(annotation: Any, text: str) -> Any:
    schema = Tool(takes(annotation)).canonical_input
    return read_text(text, schema["properties"]["x"], schema.get("$defs", {}))


@pytest.mark.parametrize(("annotation", "text", "value"), READINGS)
def test_a_text_stands_for_what_the_schema_makes_of_it(annotation: Any, text: str, value: Any) -> None:
    found = read(annotation, text)
    assert (found, type(found)) == (value, type(value))


def test_an_integer_of_thousands_of_digits_stays_text() -> None:
    assert read(int, "9" * 5000) == "9" * 5000


def test_json_that_is_nested_without_end_is_no_json() -> None:
    text = "[" * 100_000
    assert read(dict[str, int], text) == text
    assert read(Any, text) == text


def test_no_half_character_breaks_the_reading() -> None:
    for annotation in (str, int, Any, dict, list[int], int | str, Decimal, bool | None):
        assert read(annotation, "\udcff") == "\udcff"


@settings(deadline=None)
@given(text=st.text())
@example("-")
@example("--x")
@example("--")
@example("@x")
@example('"')
@example("\n")
@example("=")
@example("--help")
@example("--format=json")
def test_text_arrives_exactly_as_it_was_typed(text: str) -> None:
    assert arguments(takes(str), [f"--x={text}"]) == {"x": text}
    assert arguments(takes(list[str]), [f"--x={text}", "--x=b"])["x"][-1] == "b"


@settings(deadline=None)
@given(text=st.text())
def test_text_arrives_exactly_at_the_tool_too(text: str) -> None:
    assert ECHO.invoke(["echo", f"--x={text}"]).result == text


ECHO = App("echo")


@ECHO.command
def echo(x: str) -> str:
    return x


#: JSON as the framework's domain has it
_SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    _SCALARS | st.text(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@settings(deadline=None)
@given(value=st.dictionaries(st.text(), _JSON, max_size=4))
def test_an_object_arrives_as_the_json_says(value: dict[str, Any]) -> None:
    text = json.dumps(value)
    for annotation in (dict, dict[str, Any], dict | None, Any, dict[str, Any] | int, dict | str):
        assert arguments(takes(annotation), [f"--x={text}"]) == {"x": value}
    assert arguments(takes(dict), ["--x=-"], files={"-": text}) == {"x": value}
    assert arguments(takes(dict), ["--x=@f"], files={"@f": text}) == {"x": value}


@settings(deadline=None)
@given(value=st.lists(_JSON, max_size=4))
def test_a_list_arrives_as_the_json_says(value: list[Any]) -> None:
    text = json.dumps(value)
    for annotation in (list, list[Any], Any, list | None):
        assert arguments(takes(annotation), [f"--x={text}"]) == {"x": value}


@pytest.mark.parametrize(
    ("annotation", "items"),
    [
        (list[int], st.integers(-(2**53), 2**53)),
        (list[str], st.text()),
        (list[bool], st.booleans()),
        (list[int | None], st.none() | st.integers(-9, 9)),
        (list[list[int]], st.lists(st.integers(-9, 9))),
        (list[list[str]], st.lists(st.text())),
        (list[dict[str, int]], st.dictionaries(st.text(), st.integers(-9, 9))),
        (list[tuple[str, int]], st.tuples(st.text(), st.integers(-9, 9)).map(list)),
        (list[tuple[int, str]], st.tuples(st.integers(-9, 9), st.text()).map(list)),
        (list[list[list[int]]], st.lists(st.lists(st.integers(-9, 9)))),
    ],
)
def test_a_typed_list_arrives_as_the_json_says(annotation: Any, items: st.SearchStrategy[Any]) -> None:
    @settings(deadline=None)
    @given(value=st.lists(items, max_size=4))
    def holds(value: list[Any]) -> None:
        assert arguments(takes(annotation), [f"--x={json.dumps(value)}"]) == {"x": value}

    holds()


@settings(deadline=None)
@given(value=st.tuples(st.text(), st.integers(-9, 9), st.lists(st.text(), max_size=2)).map(list))
def test_a_tuple_arrives_as_the_json_says(value: list[Any]) -> None:
    assert arguments(takes(tuple[str, int, list[str]]), [f"--x={json.dumps(value)}"]) == {"x": value}


@settings(deadline=None)
@given(text=st.text())
def test_what_is_parsed_is_json(text: str) -> None:
    value = parsed(text)
    try:
        expected = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return
    assert value == expected
