"""The three forms of a result, and what they share: deterministic, writable, safe, linear."""

import sys
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.cli.render import Form, render
from accord.cli.terminal import neutral
from tests.unit.cli._screen import ASCII, ASCII_PIPE, COLOURS, LOOKS, NARROW, PIPE, TERMINAL

FORMS: tuple[Form, ...] = get_args(Form)

SCALARS: list[tuple[Any, str]] = [
    (True, "true\n"),
    (False, "false\n"),
    (0, "0\n"),
    (-1.5, "-1.5\n"),
    (1e300, "1e300\n"),
    (10**40, "1" + "0" * 40 + "\n"),
    (10**6000, "1" + "0" * 6000 + "\n"),
    ("text", "text\n"),
    ("ended\n", "ended\n"),
    ("two\n\n", "two\n\n"),
    ("", ""),
    (None, ""),
    ([], ""),
    ({}, ""),
]


@pytest.mark.parametrize("form", ["plain", "table"])
@pytest.mark.parametrize(("value", "text"), SCALARS, ids=lambda value: repr(value)[:12] if type(value) is str else "")
def test_a_scalar_is_itself_and_nothing_is_nothing(value: Any, text: str, form: Form) -> None:
    assert render(value, form, PIPE) == text


@pytest.mark.parametrize("form", ["plain", "table"])
def test_text_is_neutral_on_a_terminal_and_as_it_is_in_a_pipe(form: Form) -> None:
    assert render("\x1b[2Jgone\n", form, TERMINAL) == "\\x1b[2Jgone\n"
    assert render("\x1b[2Jgone\n", form, PIPE) == "\x1b[2Jgone\n"


def test_json_is_indented_and_ends_in_a_newline() -> None:
    assert render({"a": [1, {}], "b": None}, "json", PIPE) == ('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": null\n}\n')
    assert render(None, "json", PIPE) == "null\n"
    assert render("text", "json", PIPE) == '"text"\n'
    assert render([], "json", PIPE) == "[]\n"


def test_json_keeps_characters_where_they_can_be_written() -> None:
    assert render("é 🙂", "json", PIPE) == '"é 🙂"\n'
    assert render("é 🙂", "json", ASCII_PIPE) == r'"\u00e9 \ud83d\ude42"' + "\n"


def test_json_on_a_terminal_escapes_what_could_steer_it() -> None:
    assert render("\x1b\x9b\x7f\u202e\u2028", "json", TERMINAL) == r'"\u001b\u009b\u007f\u202e\u2028"' + "\n"
    assert render("\x1b\x9b\u202e", "json", PIPE) == '"\\u001b\x9b\u202e"\n'


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


@given(values)
def test_json_is_the_value_whatever_the_stream(value: Any) -> None:
    for look in LOOKS:
        assert msgspec.json.decode(render(value, "json", look)) == value


@given(values)
def test_no_form_steers_a_terminal_or_breaks_an_encoding(value: Any) -> None:
    for form in FORMS:
        for look in LOOKS:
            text = render(value, form, look)
            text.encode("utf-8" if look.unicode else "ascii")
            assert not text or text.endswith("\n")
            if look.tty:
                unpainted = text.replace("\x1b[1m", "").replace("\x1b[0m", "") if look.colour else text
                assert neutral(unpainted) == unpainted


@pytest.mark.parametrize("form", FORMS)
def test_halves_of_characters_are_spelled_out(form: Form) -> None:
    for value in ("\udc80", ["\udc80"], {"\udc80": ["\udc80"]}):
        for look in LOOKS:
            text = render(value, form, look)
            text.encode()
            assert "\\udc80" in text


def test_json_with_halves_of_characters_is_still_json() -> None:
    text = render({"a": ["\udc80", {"b": 1}]}, "json", PIPE)
    assert text == '{\n  "a": [\n    "\\udc80",\n    {\n      "b": 1\n    }\n  ]\n}\n'


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("depth", [3, 100, 5000])
def test_nesting_of_any_depth_is_shown(form: Form, depth: int) -> None:
    value: Any = "innermost"
    for level in range(depth):
        value = {"k": value} if level % 2 else [value]
    for look in (PIPE, ASCII_PIPE):
        text = render(value, form, look)
        assert "innermost" in text
        assert text.count("k") == depth // 2


def test_a_terminal_gets_deep_nesting_too() -> None:
    value: Any = []
    for _ in range(3000):
        value = [value]
    assert all(render(value, form, look) for form in FORMS for look in (TERMINAL, NARROW, ASCII))


def test_json_that_is_written_the_slow_way_is_the_same() -> None:
    value = {"a": [], "b": {}, "c": [1, [True, None], {"x": "é\n", "y": -0.5}], "": [[[]]]}
    slow = render([value, 10**5000], "json", PIPE)
    fast = render([value, 12345], "json", PIPE)
    assert slow.replace("1" + "0" * 5000, "12345") == fast


def _calls(value: Any, form: Form) -> int:
    """How many functions run, C functions included: work that a clock of a busy machine cannot blur."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        render(value, form, COLOURS)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", ["records", "scalars", "irregular", "strangers", "members", "wide"])
def test_the_work_grows_with_the_result_and_not_with_its_square(form: Form, shape: str) -> None:
    def made(size: int) -> Any:
        return {
            "records": [{"id": number, "name": f"n{number}", "kind": "中文"} for number in range(size)],
            "scalars": list(range(size)),
            "irregular": [{"id": number, "tags": ["a", "b"]} for number in range(size)],
            "strangers": [{f"k{number}": number} for number in range(size)],
            "members": {f"k{number}": {"n": number} for number in range(size)},
            "wide": [{f"k{number}": number for number in range(size)}],
        }[shape]

    render(made(10), form, COLOURS)
    assert _calls(made(10_000), form) <= 12 * _calls(made(1_000), form) + 1_000


@pytest.mark.parametrize("form", FORMS)
def test_rows_that_share_no_keys_do_not_fill_the_memory(form: Form) -> None:
    rows = [{f"key{number}": number} for number in range(10_000)]
    assert len(render(rows, form, PIPE)) < 50 * len(rows)


@pytest.mark.parametrize("form", FORMS)
def test_the_same_value_gives_the_same_text(form: Form) -> None:
    value = [{"b": 1, "a": [3, 1, 2]}, {"c": {"z": 1, "y": 2}}]
    assert render(value, form, TERMINAL) == render(msgspec.json.decode(msgspec.json.encode(value)), form, TERMINAL)
