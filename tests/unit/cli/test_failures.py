"""Failures as a person reads them: every problem, in the words of the command line."""

from typing import Annotated, Any

import pytest

from accord._calls import KINDS, Failed
from accord._jsonpatch import steps_of
from accord.app import App
from accord.cli.failures import _COUNTED, failure_text
from accord.gate import explain
from accord.gate.refusal import failure, refuse, refuse_arguments
from accord.markers import Ge, Le, MinLen
from tests.unit.cli._screen import ASCII, ASCII_PIPE, COLOURS, LOOKS, PIPE, TERMINAL


def spell(pointer: str) -> str:
    """As options are typed; the first parameter is given by its place."""
    return "SERVICE" if pointer == "/service" else "--" + ".".join(steps_of(pointer)).replace("_", "-")


def deploy(
    service: Annotated[str, MinLen(1)],
    copies: Annotated[int, Ge(1), Le(9)] = 1,
    size: str = "small",
    file_pattern: str = "",
) -> None:
    """Deploy a service."""


def _refused(arguments: Any) -> Failed:
    app = App("test")
    app.command(deploy)
    compiled = app.tools["deploy"].compiled
    return refuse_arguments("deploy", compiled.gate, arguments, compiled.published_input)


def _text(failed: Failed, look: Any = PIPE) -> str:
    return failure_text(failed.error_data, failed.text, spell, look)


def test_every_violation_is_a_line_in_the_words_of_the_command_line() -> None:
    failed = _refused({"copies": 12, "file_patern": "*"})
    assert _text(failed).splitlines() == [
        "Error: invalid arguments for deploy:",
        "  SERVICE: " + failed.error_data["violations"][0]["message"],
        "  --file-patern: " + failed.error_data["violations"][1]["message"] + " (did you mean --file-pattern?)",
        "  --copies: must be at most 9",
    ]


def test_a_patch_of_json_is_not_for_people() -> None:
    failed = _refused({"service": "api", "copies": 12})
    assert failed.error_data["patch"]
    assert "JSON Patch" in failed.text
    assert "JSON Patch" not in _text(failed)
    assert '"op"' not in _text(failed)


def _violation(path: str, **more: str) -> dict[str, Any]:
    return {
        "path": path,
        "argument": None,
        "reason": "constraint_violation",
        "message": "must be good",
        **more,
    }


LINES = [
    (_violation("/address/city"), "--address.city: must be good"),
    (_violation("/a~1b"), "--a/b: must be good"),
    (_violation(""), "the arguments: must be good"),
    (_violation("/size", suggestion="small"), "--size: must be good (did you mean small?)"),
    (
        _violation("/address/citty", suggestion="city", reason="unexpected_argument"),
        "--address.citty: must be good (did you mean --address.city?)",
    ),
    (
        _violation("/a~1c", suggestion="a/b", reason="unexpected_argument"),
        "--a/c: must be good (did you mean --a/b?)",
    ),
    (_violation("/x", message="first\nsecond"), "--x: first\n    second"),
]


@pytest.mark.parametrize(("violation", "line"), LINES)
def test_a_violation_says_where_what_and_what_was_meant(violation: dict[str, Any], line: str) -> None:
    failed = refuse("deploy", [violation], {})
    assert _text(failed) == f"Error: invalid arguments for deploy:\n  {line}\n"


@pytest.mark.parametrize(("total", "said"), [(25, "25"), (_COUNTED, f"{_COUNTED} or more")])
def test_the_total_is_told_when_not_all_are_shown(total: int, said: str) -> None:
    failed = refuse("deploy", [_violation("/a"), _violation("/b")], {}, total=total)
    assert _text(failed).splitlines()[-1] == f"  ... {said} problems in all"


def test_no_total_is_told_when_all_are_shown() -> None:
    assert "in all" not in _text(refuse("deploy", [_violation("/a")], {}, total=1))


def test_counting_stops_where_the_gate_stops() -> None:
    assert _COUNTED == explain.MOST


@pytest.mark.parametrize("reason", [reason for reason, kind in KINDS.items() if kind.code != "INVALID_PARAMS"])
def test_any_other_failure_is_its_own_text(reason: str) -> None:
    failed = failure("deploy", reason, "Error: it\nbroke", violations=[_violation("/a")])
    assert _text(failed) == "Error: it\nbroke\n"


def test_invalid_arguments_without_violations_are_their_own_text() -> None:
    failed = failure("deploy", "type_mismatch", "Error: not an object")
    assert _text(failed) == "Error: not an object\n"


def test_a_text_ends_in_one_newline() -> None:
    assert _text(failure("deploy", "tool_error", "no prefix\n\n")) == "no prefix\n"


def test_nothing_in_a_failure_steers_the_terminal() -> None:
    hostile = "\x1b[2J\u202e"
    failed = refuse(hostile, [_violation(f"/{hostile}", message=hostile, suggestion=f"{hostile}\n")], {})
    for text in (_text(failed, TERMINAL), _text(failure("x", "tool_error", f"Error: {hostile}"), TERMINAL)):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert r"\x1b[2J\u202e" in text


def test_a_failure_can_be_written_in_any_encoding() -> None:
    failed = refuse("中", [_violation("/é", message="🙂 \udc80", suggestion="ü")], {})
    for look in LOOKS:
        _text(failed, look).encode("utf-8" if look.unicode else "ascii")
    assert r"--\xe9: \U0001f642 \udc80" in _text(failed, ASCII_PIPE)
    assert r"caf\xe9" in _text(failure("x", "tool_error", "Error: café"), ASCII)


def test_colours_mark_the_error_the_option_and_the_suggestion() -> None:
    failed = refuse("deploy", [_violation("/size", suggestion="small")], {})
    assert _text(failed, COLOURS) == (
        "\x1b[31mError:\x1b[0m invalid arguments for deploy:\n"
        "  \x1b[1m--size\x1b[0m: must be good (did you mean \x1b[32msmall\x1b[0m?)\n"
    )
    assert "\x1b" not in _text(failed, TERMINAL)
