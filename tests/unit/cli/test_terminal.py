"""What a stream can show: looks, neutral text, width in cells, cutting."""

import io
import os
import re
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.cli.terminal import Look, cells, cut, ellipsis_of, look_at, neutral, one_line, paint, shown
from tests.unit.cli._screen import ASCII, ASCII_PIPE, COLOURS, LOOKS, PIPE, TERMINAL


class Stream(io.StringIO):
    """A stream that says of itself what it is told to."""

    def __init__(self, tty: bool, encoding: str | None = "utf-8") -> None:
        super().__init__()
        self.tty = tty
        self.given_encoding = encoding

    def isatty(self) -> bool:
        return self.tty

    def fileno(self) -> int:
        return 1

    @property
    def encoding(self) -> str | None:  # type: ignore[override]  # the tests choose it
        return self.given_encoding


@pytest.fixture(autouse=True)
def _terminals_of_a_hundred_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.cli.terminal._understands_escapes", lambda _stream: True)
    monkeypatch.setattr(os, "get_terminal_size", lambda _fd: os.terminal_size((100, 30)))


def test_a_terminal_has_colours_and_its_own_width() -> None:
    assert look_at(Stream(tty=True), {"TERM": "xterm"}) == Look(True, True, 100, True, True)


def test_a_pipe_has_neither() -> None:
    assert look_at(Stream(tty=False), {"TERM": "xterm"}) == Look(False, False, 80, True, True)


@pytest.mark.parametrize(
    ("environ", "on_terminal", "on_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "false"}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ],
)
def test_the_environment_decides_about_colours(environ: dict[str, str], on_terminal: bool, on_pipe: bool) -> None:
    assert look_at(Stream(tty=True), environ).colour is on_terminal
    assert look_at(Stream(tty=False), environ).colour is on_pipe


def test_the_option_wins_over_the_environment() -> None:
    assert not look_at(Stream(tty=True), {"FORCE_COLOR": "1"}, no_color=True).colour


def test_a_dumb_terminal_is_a_terminal_without_escape_sequences() -> None:
    look = look_at(Stream(tty=True), {"TERM": "dumb"})
    assert (look.tty, look.escapes) == (True, False)


@pytest.mark.parametrize(
    ("columns", "width"),
    [("40", 40), ("1", 1), ("", 100), ("0", 100), ("-5", 100), ("wide", 100), ("9" * 5000, 100), ("٤٠", 100)],
)
def test_columns_sets_the_width_when_it_is_a_number(columns: str, width: int) -> None:
    assert look_at(Stream(tty=True), {"COLUMNS": columns}).width == width


def test_a_terminal_that_does_not_know_its_width_has_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _fd: os.terminal_size((0, 0)))
    assert look_at(Stream(tty=True), {}).width == 80


def test_a_terminal_without_a_descriptor_has_the_usual_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stream, "fileno", io.StringIO.fileno)
    assert look_at(Stream(tty=True), {}).width == 80


@pytest.mark.parametrize(
    ("encoding", "unicode"),
    [
        ("utf-8", True),
        ("utf-16", True),
        ("gb18030", True),
        (None, True),
        ("ascii", False),
        ("latin-1", False),
        ("cp437", False),
        ("no such thing", False),
    ],
)
def test_only_an_encoding_that_can_write_anything_is_unicode(encoding: str | None, unicode: bool) -> None:
    assert look_at(Stream(tty=False, encoding=encoding), {}).unicode is unicode


def test_a_stream_that_is_missing_or_closed_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()
    assert not look_at(None, {}).tty
    assert not look_at(closed, {}).tty


NEUTRAL = {
    "\x1b[31mred\x1b[0m": r"\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07": r"\x1b]0;title\x07",
    "\x9b31m": r"\x9b31m",
    "a\x00b\x7f": r"a\x00b\x7f",
    "over\rwritten": r"over\x0dwritten",
    "last\r": r"last\x0d",
    "back\x08space": r"back\x08space",
    "a\u202eb\u2066c\u2069": r"a\u202eb\u2066c\u2069",
    "a\u2028b\u2029c": r"a\u2028b\u2029c",
    "\udc80": r"\udc80",
    "one\n\ttwo\n": "one\n\ttwo\n",
    "one\r\ntwo": "one\r\ntwo",
    "naïve 中文 👍🏽 שלום": "naïve 中文 👍🏽 שלום",
}


@pytest.mark.parametrize("text", NEUTRAL)
def test_what_could_steer_a_terminal_is_spelled_out(text: str) -> None:
    assert neutral(text) == NEUTRAL[text]


@given(st.text())
def test_neutral_text_holds_no_control_but_newline_and_tab(text: str) -> None:
    left = {unicodedata.category(character) for character in re.sub(r"\r?\n|\t", "", neutral(text))}
    assert not left & {"Cc", "Cs", "Zl", "Zp"}
    assert neutral(neutral(text)) == neutral(text)


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) == bool(line)
    assert "\t" not in line
    assert neutral(line) == line


def test_newlines_and_tabs_on_one_line_are_short() -> None:
    assert one_line("a\tb\r\nc\x1b") == r"a\tb\r\nc\x1b"


@given(st.text(st.characters()))
def test_whatever_is_shown_can_be_written(text: str) -> None:
    for look in LOOKS:
        shown(text, look).encode("utf-8" if look.unicode else "ascii")


def test_a_pipe_gets_text_as_it_is() -> None:
    assert shown("\x1b[31m\u202e é", PIPE) == "\x1b[31m\u202e é"


def test_what_an_encoding_lacks_is_spelled_with_backslashes() -> None:
    assert shown("é 中 🙂", ASCII_PIPE) == r"\xe9 \u4e2d \U0001f642"
    assert shown("half \udc80", PIPE) == r"half \udc80"


def test_paint_only_paints_where_there_are_colours() -> None:
    assert paint("hot", "red", COLOURS) == "\x1b[31mhot\x1b[0m"
    assert paint("hot", "red", TERMINAL) == "hot"
    assert paint("", "red", COLOURS) == ""


CELLS = {
    "": 0,
    "plain": 5,
    "naïve": 5,
    "中文": 4,
    "ｆｕｌｌ": 8,
    "ﾊﾝ": 2,
    "e\u0301": 1,
    "\u0301": 0,
    "한": 2,
    "\u1112\u1161\u11ab": 2,
    "🙂": 2,
    "👍🏽": 2,
    "👩\u200d🚀": 2,
    "👨\u200d👩\u200d👧": 2,
    "🤷\u200d♂\ufe0f": 2,
    "❤\ufe0f": 2,
    "❤": 1,
    "🇫🇷": 2,
    "a\u200bb": 2,
    "क\u094d\u200dष": 2,
    "soft\xadhyphen": 11,
    "…━": 2,
}


@pytest.mark.parametrize("text", CELLS)
def test_the_width_of_a_text_is_counted_in_cells(text: str) -> None:
    assert cells(text) == CELLS[text]


CUTS = [
    ("plain", 5, "plain"),
    ("plain", 4, "pla…"),
    ("plain", 1, "…"),
    ("plain", 0, ""),
    ("plain", -3, ""),
    ("", 0, ""),
    ("中文字", 6, "中文字"),
    ("中文字", 5, "中文…"),
    ("中文字", 4, "中…"),
    ("中", 1, "…"),
    ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
    ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ("a👩\u200d🚀b", 3, "a…"),
    ("a👩\u200d🚀b", 4, "a👩\u200d🚀b"),
]


@pytest.mark.parametrize(("text", "width", "expected"), CUTS)
def test_a_text_is_cut_between_characters(text: str, width: int, expected: str) -> None:
    assert cut(text, width) == expected


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 12), st.sampled_from(["…", ".."]))
def test_a_cut_text_fits_and_a_text_that_fits_is_not_cut(text: str, width: int, ellipsis: str) -> None:
    result = cut(text, width, ellipsis)
    if cells(text) <= width:
        assert result == text
    else:
        assert cells(result) <= width
        assert result.endswith(ellipsis[:width])
        assert text.startswith(result.removesuffix(ellipsis[:width]))


def test_without_unicode_a_cut_text_ends_in_dots() -> None:
    assert (ellipsis_of(TERMINAL), ellipsis_of(ASCII)) == ("…", "..")


def test_ascii_needs_no_tables_of_characters() -> None:
    program = (
        "import sys\n"
        "from accord.cli.terminal import Look, cut, cells, look_at, shown\n"
        "from accord.cli.render import render\n"
        "look = look_at(sys.stdout, {})\n"
        "render([{'a': 1, 'b': 'x' * 200}], 'table', Look(True, True, 20, True))\n"
        "loaded = {'unicodedata', 'argparse', 'asyncio', 'jsonschema_rs', 'accord.app'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-I", "-c", program], check=True, timeout=60)
