"""Progress as text: the bar of a terminal and the line for anything else."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord._values import replace
from accord.cli.gauge import Stage, bar_line, step_line
from accord.cli.terminal import Look, cells
from tests.unit.cli._screen import ASCII, COLOURS, NARROW, PIPE, TERMINAL

LINES = [
    (Stage("copying", 2, 10), "[2/10] copying"),
    (Stage("copying", 2.0, 10.0), "[2/10] copying"),
    (Stage("copying", 2.5, 10), "[2.5/10] copying"),
    (Stage("copying", 0, 10), "[0/10] copying"),
    (Stage("copying", 1234567, 0), "[1234567] copying"),
    (Stage("copying", 0, 0), "copying"),
    (Stage("", 1, 2), "[1/2]"),
    (Stage("", 0, 0), ""),
    (Stage("a\nb", 1, 2), "[1/2] a\\nb"),
    (Stage("x", 1, -5), "[1] x"),
    (Stage("x", 1, math.inf), "[1] x"),
    (Stage("x", math.nan, 2), "[nan/2] x"),
    (Stage("x", 10**5000, 10**5001), "[?/?] x"),
]


@pytest.mark.parametrize(("stage", "line"), LINES)
def test_a_step_is_a_line(stage: Stage, line: str) -> None:
    assert step_line(stage, PIPE) == line


BARS = [
    (Stage("copying", 0, 4), "--------------------------   0% copying"),
    (Stage("copying", 1, 4), "######--------------------  25% copying"),
    (Stage("copying", 4, 4), "########################## 100% copying"),
    (Stage("copying", 9, 4), "########################## 100% copying"),
    (Stage("copying", -9, 4), "--------------------------   0% copying"),
    (Stage("", 29, 100), "#######-------------------  29%"),
    (Stage("x", 999_999_999, 10**9), "#########################-  99% x"),
    (Stage("x", math.nan, 4), "--------------------------   0% x"),
    (Stage("x", 5.5, 10**400), "--------------------------   0% x"),
    (Stage("x", 10**400, 10**401), "##------------------------  10% x"),
]


@pytest.mark.parametrize(("stage", "line"), BARS)
def test_a_known_total_is_a_bar_with_a_percentage(stage: Stage, line: str) -> None:
    assert bar_line(stage, 1, Look(True, False, 80, False)) == line


def test_a_bar_is_drawn_in_unicode_where_it_can_be() -> None:
    assert bar_line(Stage("x", 1, 2), 1, NARROW) == "━━━───  50% x"
    assert bar_line(Stage("x", 1, 2), 1, ASCII) == "###---  50% x"


def test_a_bar_is_coloured_where_it_can_be() -> None:
    assert bar_line(Stage("x", 1, 2), 1, replace(COLOURS, width=20)) == ("\x1b[36m━━━\x1b[0m───  50% x")


def test_without_a_total_a_block_goes_to_and_fro() -> None:
    bars = [bar_line(Stage("x", 7, 0), turn, ASCII) for turn in range(9)]
    assert bars[:5] == ["##---- 7 x", "-##--- 7 x", "--##-- 7 x", "---##- 7 x", "----## 7 x"]
    assert bars[5:] == [*bars[3:0:-1], bars[0]]


def test_a_status_is_neutral_and_on_one_line() -> None:
    line = bar_line(Stage("a\n\x1b[2Jb\r\u202e", 1, 2), 1, TERMINAL)
    assert line.endswith(r" 50% a\n\x1b[2Jb\r\u202e")


def test_without_unicode_a_status_is_spelled_out() -> None:
    assert bar_line(Stage("é", 1, 2), 1, ASCII).endswith(r"50% \xe9")


@given(
    st.text(),
    st.integers() | st.floats(),
    st.integers() | st.floats(),
    st.integers(0, 60),
    st.integers(1, 70),
    st.booleans(),
)
def test_any_progress_is_less_wide_than_the_terminal(
    status: str, step: float, total: float, turn: int, width: int, unicode: bool
) -> None:
    line = bar_line(Stage(status, step, total), turn, Look(True, False, width, unicode))
    assert cells(line) < max(width, 1)
