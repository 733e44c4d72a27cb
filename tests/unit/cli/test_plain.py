"""The plain form: for reading, and nothing is lost."""

from collections.abc import Iterator
from itertools import product
from textwrap import dedent
from typing import Any

import pytest

from accord.cli.render import render
from tests.unit.cli._screen import ASCII_PIPE, COLOURS, NARROW, PIPE, TERMINAL

LAYOUTS: dict[str, tuple[Any, str]] = {
    "scalars, one per line": ([1, "two", None, True, 2.5, ""], "1\ntwo\nnull\ntrue\n2.5\n\n"),
    "scalars that are not one line": (["a\nb", "c\rd", '"e"', "  f"], '"a\\nb"\n"c\\rd"\n"\\"e\\""\n  f\n'),
    "an object, aligned": (
        {"name": "api", "copies": 3, "on": False},
        """
        name:   api
        copies: 3
        on:     false
        """,
    ),
    "wide characters, aligned by cells": ({"中文": 1, "abcde": 2}, "中文:  1\nabcde: 2\n"),
    "a very long key does not push the others away": ({"k" * 40: 1, "a": 2}, f"{'k' * 40}: 1\na: 2\n"),
    "nested objects and lists": (
        {"site": {"url": "http://a", "tags": ["x", "y"]}, "ports": [80, [1, 2], {"a": 1, "b": [2]}]},
        """
        site:
          url: http://a
          tags:
            - x
            - y
        ports:
          - 80
          - - 1
            - 2
          - a: 1
            b:
              - 2
        """,
    ),
    "empty ones": (
        {"list": [], "object": {}, "text": "", "none": None},
        'list:   []\nobject: {}\ntext:   ""\nnone:   null\n',
    ),
    "text of several lines": (
        {"log": "one\n\n  two\n", "end": "a\nb", "list": ["c\nd\n", 1]},
        """
        log: |
          one

            two
        end: |-
          a
          b
        list:
          - |
            c
            d
          - 1
        """,
    ),
    "text that looks like structure": (
        {"a": "|", "b": "[]", "c": '"q"', "d": " edge", "e": "k: v", "f": ["- x", "k: v", "end:", "-"]},
        """
        a: "|"
        b: "[]"
        c: "\\"q\\""
        d: " edge"
        e: k: v
        f:
          - "- x"
          - "k: v"
          - "end:"
          - "-"
        """,
    ),
    "keys that look like something else": (
        {"": 1, "a\nb": 2, "k: v": 3, "- x": 4, ' y"': 5, "a:b": 6},
        """
        "":     1
        "a\\nb": 2
        "k: v": 3
        "- x":  4
        " y\\"": 5
        a:b:    6
        """,
    ),
    "records that fit, a table": (
        [{"name": "api", "n": 3}, {"n": 12, "name": "db"}],
        """
        name   n
        api    3
        db    12
        """,
    ),
    "records with something inside, blocks": (
        [{"name": "api", "tags": ["a"]}, {"name": "db", "tags": []}],
        """
        name: api
        tags:
          - a

        name: db
        tags: []
        """,
    ),
    "records with different keys, blocks": ([{"a": 1}, {"b": 2}], "a: 1\n\nb: 2\n"),
    "records with text that fills no cell, blocks": ([{"a": "x\ny"}, {"a": " z"}], 'a: |-\n  x\n  y\n\na: " z"\n'),
    "a list of all sorts": ([1, {"a": 1}, [], {}, [2]], "- 1\n- a: 1\n- []\n- {}\n- - 2\n"),
    "a list of empty objects": ([{}, {}], "- {}\n- {}\n"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_plain_lays_out(name: str) -> None:
    value, text = LAYOUTS[name]
    assert render(value, "plain", PIPE) == (dedent(text).removeprefix("\n") if text.startswith("\n") else text)


def test_records_wider_than_the_terminal_are_blocks_and_are_not_cut() -> None:
    rows = [{"name": "api", "note": "longer than twenty cells"}, {"name": "db", "note": "x"}]
    assert render(rows, "plain", NARROW) == "name: api\nnote: longer than twenty cells\n\nname: db\nnote: x\n"


def test_plain_never_cuts_a_very_long_value() -> None:
    long = "x" * 100_000
    for value in (long, [long], {"k": long}, [{"k": long, "n": 1}], [{"k": [long]}]):
        assert long in render(value, "plain", NARROW)


def test_the_header_of_a_table_is_bold_on_a_terminal() -> None:
    assert render([{"a": 1}], "plain", COLOURS) == "\x1b[1ma\x1b[0m\n1\n"


def test_keys_and_values_are_neutral_on_a_terminal() -> None:
    value = {"k\x1b": "v\x1b[0m", "t": "one\n\x1b[2J\r\ntwo\r\n", "s": "a\u2028b"}
    assert render(value, "plain", TERMINAL) == (
        'k\\x1b: v\\x1b[0m\nt: |\n  one\n  \\x1b[2J\r\n  two\r\ns:     "a\\u2028b"\n'
    )


def test_spelled_out_characters_are_aligned_as_they_are_shown() -> None:
    assert render({"é": 1, "abcdef": 2}, "plain", ASCII_PIPE) == "\\xe9:   1\nabcdef: 2\n"


def test_deep_levels_are_json_on_one_line() -> None:
    value: Any = {"end": [1, "x"]}
    for _ in range(40):
        value = {"k": value}
    lines = render(value, "plain", PIPE).splitlines()
    assert len(lines) < 20
    assert lines[-1].strip().startswith('k: {"k":{"k":')
    assert lines[-1].endswith('{"end":[1,"x"]}' + "}" * (lines[-1].count("k") - 1))


TEXTS = [
    "",
    "a",
    "- a",
    "-",
    "a: b",
    "a:",
    "a\nb",
    "a\nb\n",
    "\n",
    "\n\n",
    "a\n  b",
    "|",
    "|-",
    '"a"',
    "[]",
    "{}",
    " a",
    "a\r",
]


def _small_values() -> Iterator[Any]:
    pairs = [*TEXTS[:8], "- |", "a\n- b", "a: |\n  b"]
    yield from TEXTS
    for one in TEXTS:
        yield from ([one], {one: "a"}, {"a": one}, [[one]], [{"a": one}], {"a": [one]}, {one: ["a"]}, {one: {"a": "b"}})
    for one, two in product(pairs, repeat=2):
        yield from ([one, two], {"a": one, "b": two}, [[one], two], [[one], [two]], [one, [two]], [{"a": one}, two])
        yield from (
            [{"a": one, "b": two}],
            [{"a": one}, {"b": two}],
            {"a": [one], "b": two},
            {"a": {"b": one}, "c": two},
        )
    yield from ([], {}, [[]], [{}], {"a": []}, {"a": {}})


def test_different_values_never_look_the_same() -> None:
    seen: dict[str, Any] = {}
    for value in _small_values():
        text = render({"value": value}, "plain", PIPE)
        assert seen.setdefault(text, value) == value, text
    assert len(seen) > 1000
