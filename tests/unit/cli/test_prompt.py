"""Questions at a terminal, with the answers typed in advance: what is asked, what is said of them, what comes of it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from accord import Description, Ge, MinLen
from accord.cli.keyboard import Keyboard
from accord.cli.prompt import ask, confirm
from accord.dispatch.question import question_of
from tests.unit.cli._screen import PIPE, TERMINAL


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Server:
    host: Annotated[str, MinLen(1), Description("Where it runs")]
    port: Annotated[int, Ge(1)] = 80
    note: str | None = None


def _ask(typed: str, kind: Any = str, look: Any = PIPE, message: str = "Tell me", **fields: Any) -> tuple[Any, str]:
    """The answer as the tool gets it (None when there was no more to read), and everything that was shown."""
    shown = io.StringIO()
    question = question_of(kind, fields)
    answer = ask(message, question.schema, Keyboard(io.StringIO(typed), shown), look)
    return (None if answer is None else question.read(answer)), shown.getvalue()


# (type, what is typed, the answer, what is shown after the message)
ANSWERS: list[tuple[Any, str, Any, str]] = [
    (str, "text\n", "text", "answer: "),
    (str, "\n", "", "answer: "),
    (str, " padded \r\n", " padded ", "answer: "),
    (str, "null\n", "null", "answer: "),
    (int, "5\n", 5, "answer: "),
    (int, "-5\n", -5, "answer: "),
    (int, "five\n5\n", 5, "answer:   answer must be an integer, is a string\nanswer: "),
    (int, "\n5\n", 5, "answer:   answer must be an integer, is a string\nanswer: "),
    (int, "5.5\n5\n", 5, "answer:   answer must be an integer, is a number\nanswer: "),
    (float, "5\n", 5.0, "answer: "),
    (bool, "y\n", True, "answer [y/n]: "),
    (bool, "N\n", False, "answer [y/n]: "),
    (bool, "yes\n", True, "answer [y/n]: "),
    (bool, "perhaps\nno\n", False, "answer [y/n]:   answer must be a boolean, is a string\nanswer [y/n]: "),
    (int | None, "null\n", None, "answer: "),
    (Color, "blue\n", Color.BLUE, "answer [red/blue]: "),
    (Literal[1, 2], "2\n", 2, "answer [1/2]: "),
    (date, "2026-01-02\n", date(2026, 1, 2), "answer: "),
    (date, "today\n2026-01-02\n", date(2026, 1, 2), "answer:   answer must be a valid date\nanswer: "),
    (Annotated[int, Ge(1)], "0\n1\n", 1, "answer:   answer must be at least 1\nanswer: "),
    (Annotated[str, MinLen(2)], "\nab\n", "ab", "answer:   answer is required.\nanswer: "),
]


@pytest.mark.parametrize(("kind", "typed", "answer", "shown"), ANSWERS)
def test_one_value_is_asked_for_until_it_fits(kind: Any, typed: str, answer: Any, shown: str) -> None:
    found, text = _ask(typed, kind)
    assert (found, type(found)) == (answer, type(answer))
    assert text == f"Tell me\n{shown}"


def test_a_record_is_asked_for_field_by_field() -> None:
    found, shown = _ask("\nexample.org\n8080\nnote\n", Server)
    assert found == Server("example.org", 8080, "note")
    assert shown.splitlines()[1].startswith("host (Where it runs): ")
    assert "host is required" in shown
    assert "port [default 80]: " in shown


def test_what_may_be_left_out_is_left_out_with_an_empty_line() -> None:
    assert _ask("example.org\n\n\n", Server)[0] == Server("example.org", 80, None)


def test_several_questions_come_back_by_name() -> None:
    found, _ = _ask("h\n5\n", None, host=str, port=int)
    assert found == {"host": "h", "port": 5}


@pytest.mark.parametrize("typed", ["", "h\n", "h\nx\n"])
def test_the_end_of_the_input_answers_nothing(typed: str) -> None:
    found, shown = _ask(typed, None, host=str, port=int)
    assert found is None
    assert shown.endswith("\n")


def test_a_message_cannot_steer_the_terminal() -> None:
    _, shown = _ask("x\n", str, TERMINAL, message="\x1b[2Jgone")
    assert "\x1b[2J" not in shown


# (what is typed, consent, how often it is asked)
CONSENTS = [
    ("y\n", True, 1),
    ("Yes\n", True, 1),
    (" y \n", True, 1),
    ("n\n", False, 1),
    ("\n", False, 1),
    ("", False, 1),
    ("maybe\nno\n", False, 2),
    ("true\n1\ny\n", True, 3),
]


@pytest.mark.parametrize(("typed", "consent", "times"), CONSENTS)
def test_consent_is_a_yes_and_nothing_else(typed: str, consent: bool, times: int) -> None:
    shown = io.StringIO()
    assert confirm("Really?", Keyboard(io.StringIO(typed), shown), PIPE) is consent
    assert shown.getvalue().count("Really? [y/N] ") == times


@pytest.mark.parametrize("streams", [(None, io.StringIO()), (io.StringIO("y\n"), None), (None, None)])
def test_nobody_is_asked_where_a_stream_is_missing(streams: Any) -> None:
    assert confirm("Really?", Keyboard(*streams), PIPE) is False


def test_a_schema_is_asked_field_by_field_with_the_titles_of_its_choices() -> None:
    sizes = [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}, {"const": 3}]
    fields = {"size": {"oneOf": sizes}, "number": {"type": "integer"}}
    answer, shown = _ask("l\n2\n", {"type": "object", "properties": fields, "required": ["size"]})
    assert answer == {"size": "l", "number": 2}
    assert shown == "Tell me\nsize [s = Small/l = Large/3]: number: "
