"""JSON on one line and as text: safe anywhere, whatever its size."""

import msgspec

from accord.cli.jsontext import json_line, number_text, quoted
from tests.unit.cli._screen import ASCII_PIPE, PIPE


def test_one_line_of_json_is_compact_and_safe_even_in_a_pipe() -> None:
    value = {"a": [1, "x\n\x1b\x85\u2028"], "b": {}}
    line = json_line(value, PIPE)
    assert line == r'{"a":[1,"x\n\u001b\u0085\u2028"],"b":{}}'
    assert msgspec.json.decode(line) == value


def test_quoted_text_can_be_read_back() -> None:
    for look in (PIPE, ASCII_PIPE):
        assert msgspec.json.decode(quoted('é "\\" 🙂', look)) == 'é "\\" 🙂'


def test_numbers_are_written_as_json_writes_them() -> None:
    assert [number_text(value) for value in (True, 1, 1.0, 1e300, -0.0)] == ["true", "1", "1.0", "1e300", "-0.0"]


def test_an_integer_beyond_the_limit_of_digits_is_written_whole() -> None:
    assert number_text(-(10**5000)) == "-1" + "0" * 5000
    assert json_line([10**5000, {"a": None}], PIPE) == "[1" + "0" * 5000 + ',{"a":null}]'


def test_nesting_beyond_the_limit_of_the_stack_is_one_line_too() -> None:
    value: object = 1
    for _ in range(5000):
        value = [value]
    assert json_line(value, PIPE) == "[" * 5000 + "1" + "]" * 5000
