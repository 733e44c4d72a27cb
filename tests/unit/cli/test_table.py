"""The table form: columns that fit a terminal, and are whole anywhere else."""

from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.cli.render import render
from accord.cli.terminal import Look, cells
from tests.unit.cli._screen import ASCII, COLOURS, NARROW, PIPE, TERMINAL

TABLES: dict[str, tuple[Any, str]] = {
    "objects, with the keys in the order they were first seen": (
        [{"b": "x", "a": "y"}, {"a": "z", "c": "w"}],
        """
        b  a  c
        x  y
           z  w
        """,
    ),
    "numbers to the right, and only those": (
        [{"n": 3, "mixed": 3, "on": True}, {"n": -1.25, "mixed": "x", "on": False}, {"n": None}],
        """
            n  mixed  on
            3  3      true
        -1.25  x      false
         null
        """,
    ),
    "wide characters": (
        [{"name": "中文", "n": 1}, {"name": "e\u0301te\u0301s", "n": 2}, {"name": "👍🏽", "n": 3}],
        "name  n\n中文  1\ne\u0301te\u0301s  2\n👍🏽    3\n",
    ),
    "an object": (
        {"name": "api", "copies": 3, "tags": ["a", {"b": None}]},
        """
        name    api
        copies  3
        tags    ["a",{"b":null}]
        """,
    ),
    "scalars": ([1, "two", None, "a\nb"], "1\ntwo\nnull\na\\nb\n"),
    "lists and all sorts": ([[1, 2], {"a": 1}, "x"], '[1,2]\n{"a":1}\nx\n'),
    "cells are one line": ([{"a\nb": "c\td\x1b\u2028"}], "a\\nb\nc\\td\\x1b\\u2028\n"),
    "nested values": ([{"a": {"b": [1, "x"]}}], 'a\n{"b":[1,"x"]}\n'),
    "empty objects": ([{}, {}], "{}\n{}\n"),
    "an empty object among others": ([{"a": 1}, {}, {"a": 2}], "a\n1\n\n2\n"),
    "an empty key": ([{"": 1, "a": 2}], "   a\n1  2\n"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of(name: str) -> None:
    value, text = TABLES[name]
    assert render(value, "table", PIPE) == (dedent(text).removeprefix("\n") if text.startswith("\n") else text)


def test_columns_are_cut_to_fit_a_terminal_and_numbers_are_cut_last() -> None:
    rows = [{"id": 123456, "note": "a note that is too long"}, {"id": 7, "note": "short"}]
    assert render(rows, "table", NARROW) == dedent("""\
            id  note
        123456  a note that…
             7  short
        """)


def test_short_columns_keep_their_width_and_long_ones_share_the_rest() -> None:
    rows = [{"a": "x", "b": "y" * 50, "c": "z" * 50}]
    assert render(rows, "table", NARROW) == "a  b         c\nx  yyyyyyy…  zzzzzz…\n"


def test_numbers_are_cut_when_nothing_else_is_left() -> None:
    rows = [{"a": 10**30, "b": "text that is long"}]
    lines = render(rows, "table", NARROW).splitlines()
    assert lines[1] == "10000000…  text tha…"


def test_a_table_is_never_cut_when_nobody_looks() -> None:
    rows = [{"a": "x" * 500, "b": 10**500, "c": "end"}]
    assert render(rows, "table", PIPE).splitlines()[1] == f"{'x' * 500}  {10**500}  end"


def test_columns_that_cannot_fit_become_blocks() -> None:
    rows = [{"alpha": 1, "beta": "two", "gamma": None, "delta": "a long long text"}, {"alpha": 2}]
    assert render(rows, "table", NARROW) == dedent("""\
        alpha  1
        beta   two
        gamma  null
        delta  a long long …

        alpha  2
        """)


def test_without_unicode_cells_end_in_dots() -> None:
    assert render([{"a": "x" * 30}], "table", ASCII) == f"a\n{'x' * 18}..\n"


def test_the_header_is_bold_where_there_are_colours_and_only_there() -> None:
    assert render([{"a": 1, "b": 2}], "table", COLOURS) == "\x1b[1ma  b\x1b[0m\n1  2\n"
    assert "\x1b" not in render([{"a": 1, "b": 2}], "table", TERMINAL)
    assert "\x1b" not in render({"a": 1}, "table", COLOURS)


def test_no_line_ends_in_spaces() -> None:
    rows = [{"a": "wide cell", "b": "x"}, {"a": "y", "b": ""}, {"a": "z"}]
    assert all(line == line.rstrip() for line in render(rows, "table", PIPE).splitlines())


words = st.text(st.sampled_from("ab 中e\u0301👍\n\x1b"), max_size=40)
cells_of_rows = st.integers() | words | st.none() | st.lists(words, max_size=2)


@given(
    st.lists(st.dictionaries(words, cells_of_rows, max_size=8), max_size=5)
    | st.dictionaries(words, cells_of_rows, max_size=8)
    | st.lists(cells_of_rows, max_size=5),
    st.integers(1, 60),
    st.booleans(),
)
def test_no_line_is_wider_than_the_terminal(value: Any, width: int, unicode: bool) -> None:
    text = render(value, "table", Look(True, False, width, unicode))
    assert all(cells(line) <= width for line in text.splitlines())


@given(st.lists(st.dictionaries(st.sampled_from("abc"), cells_of_rows, min_size=3, max_size=3), min_size=1, max_size=5))
def test_every_column_begins_in_the_same_cell(rows: list[dict[str, Any]]) -> None:
    marked = [{"k": "|", **{key: row[key] for key in "abc"}, "end": "|"} for row in rows]
    lines = render(marked, "table", Look(False, False, 80, True)).splitlines()
    ends = {cells(line[: line.rindex("|")]) for line in lines[1:]}
    assert len(ends) == 1
