"""``assert_parity``: passes where the surfaces are alike, and shows the difference where they are not."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from accord import App, Context, Ge, Policy, Positional, ToolError
from accord._parity import Answer, argv_of, ask_cli
from accord.testing import SURFACES, assert_parity


class Color(Enum):
    RED = "red"


@dataclass
class Place:
    city: str
    tags: list[str] | None = None


def app_of_many(policy: Policy = Policy()) -> App:
    app = App("tests", policy=policy)

    @app.command
    def add(a: int, b: int = 2) -> int:
        return a + b

    @app.command
    def echo(
        text: str = "",
        number: float = 0.0,
        clean: bool = True,
        maybe: str | None = None,
        either: int | str = 0,
        items: list[int] = [],
        names: list[str] = [],
        place: Place | None = None,
        table: dict[str, int] = {},
        color: Color = Color.RED,
        path: Path = Path(),
        word: Literal["a", "b"] = "a",
    ) -> dict[str, Any]:
        return dict(locals())

    @app.group("site").command
    def build(target: Annotated[str, Positional()] = "all") -> str:
        return target

    @app.command
    def nothing() -> None:
        print("on the way")

    @app.command
    def fails(how: str) -> int:
        raise ToolError("no", code="NO") if how == "on purpose" else ValueError("oops")

    @app.command(confirm=True)
    def delete() -> None:
        """Ask first."""

    @app.command(max_items=1)
    def many() -> list[int]:
        return [1, 2]

    @app.command
    def broken() -> int:
        return "no number"

    @app.command(surfaces=["python", "mcp"])
    def hidden() -> int:
        return 1

    return app


DEFAULTS: dict[str, Any] = {
    "text": "",
    "number": 0.0,
    "clean": True,
    "maybe": None,
    "either": 0,
    "items": [],
    "names": [],
    "place": None,
    "table": {},
    "color": "red",
    "path": ".",
    "word": "a",
}

ECHOED: tuple[dict[str, Any], ...] = (
    {},
    {"text": "hello"},
    {"text": "-x"},
    {"text": "--clean"},
    {"text": "5"},
    {"text": "null"},
    {"text": "[1]"},
    {"text": "two words"},
    {"text": "a=b"},
    {"text": "@home"},
    {"number": 5},
    {"number": -1e3},
    {"clean": False},
    {"maybe": None},
    {"maybe": "null"},
    {"maybe": "x"},
    {"either": 5},
    {"either": "5"},
    {"either": "five"},
    {"items": [1, 2]},
    {"items": []},
    {"names": ["1", "null", "x y"]},
    {"place": {"city": "Oslo", "tags": ["a"]}},
    {"place": None},
    {"table": {"a": 1}},
    {"color": "red"},
    {"path": "/a/b"},
    {"word": "b"},
)


@pytest.mark.parametrize("given", ECHOED, ids=str)
def test_arguments_of_every_kind_arrive_alike(given: dict[str, Any]) -> None:
    result = {**DEFAULTS, **given}
    if isinstance(given.get("place"), dict):
        result["place"] = {"tags": None, **given["place"]}
    assert_parity(app_of_many(), "echo", [(given, result)])


# (tool, the cases)
ALIKE: tuple[tuple[str, list[tuple[dict[str, Any], Any]]], ...] = (
    ("add", [({"a": 1}, 3), ({"a": 1, "b": -4}, -3), ({"a": 1.0}, 3)]),
    ("add", [({}, "missing_required_argument"), ({"a": "x"}, "type_mismatch"), ({"a": None}, "type_mismatch")]),
    ("add", [({"a": 1, "c": "x"}, "unexpected_argument"), ({"a": "5"}, "type_mismatch")]),
    ("site.build", [({}, "all"), ({"target": "docs"}, "docs")]),
    ("nothing", [({}, None)]),
    ("fails", [({"how": "on purpose"}, "tool_error"), ({"how": "by accident"}, "tool_error")]),
    ("delete", [({}, "confirmation_required")]),
    ("many", [({}, "cap_exceeded")]),
    ("broken", [({}, "output_invalid")]),
    ("hidden", [({}, 1)]),
    ("unheard of", [({}, "unknown_tool")]),
    ("echo", [({"word": "c"}, "constraint_violation"), ({"color": "green"}, "constraint_violation")]),
    ("echo", [({"place": {"town": "Oslo"}}, "missing_required_argument"), ({"items": ["x"]}, "type_mismatch")]),
)


@pytest.mark.parametrize(("name", "cases"), ALIKE)
def test_results_and_refusals_are_alike(name: str, cases: list[tuple[dict[str, Any], Any]]) -> None:
    assert_parity(app_of_many(), name, cases)


def test_protocol_errors_count_as_what_they_say() -> None:
    assert_parity(app_of_many(Policy(errors="protocol")), "add", [({}, "missing_required_argument"), ({"a": 1}, 3)])


def test_annotated_values_are_arguments_and_expectations_too() -> None:
    app = App("tests")

    @app.command
    def move(place: Place, color: Color = Color.RED) -> Place:
        return place

    assert_parity(app, "move", [({"place": Place("Oslo"), "color": Color.RED}, Place("Oslo"))])


def test_a_result_that_is_the_name_of_a_reason_is_a_result() -> None:
    app = App("tests")
    app.command("say")(lambda: "timeout")
    assert_parity(app, "say", [({}, "timeout")])


def test_an_unexpected_answer_is_shown() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_parity(app_of_many(), "add", [({"a": 1}, 3), ({"a": 1}, 4), ({"a": "x"}, 4)])
    text = str(failure.value)
    assert "add(a=1): expected 4, and python and cli and mcp answered" in text
    assert '"result": 3' in text
    assert "add(a='x'): expected 4" in text
    assert '"reason": "type_mismatch"' in text
    assert "expected 3" not in text


def test_a_surface_that_differs_is_shown_with_the_difference() -> None:
    def odd(app: App, name: str, arguments: Any) -> Answer:
        return Answer({"a": 1, "b": 3})

    def even(app: App, name: str, arguments: Any) -> Answer:
        return Answer({"a": 1, "b": 2})

    with pytest.raises(AssertionError) as failure:
        assert_parity(app_of_many(), "add", [({}, {"a": 1, "b": 2})], surfaces={"even": even, "odd": odd})
    assert "expected {'a': 1, 'b': 2}, and odd answered" in str(failure.value)


def test_error_data_that_differs_is_shown_with_the_difference() -> None:
    def surface(message: str) -> Any:
        return lambda *_: Answer(reason="tool_error", data={"reason": "tool_error", "message": message})

    with pytest.raises(AssertionError) as failure:
        assert_parity(app_of_many(), "add", [({}, "tool_error")], surfaces={"one": surface("a"), "two": surface("b")})
    text = str(failure.value)
    assert "one and two differ" in text
    assert '-    "message": "a",' in text
    assert '+    "message": "b",' in text


def test_true_is_not_one() -> None:
    def surface(result: Any) -> Any:
        return lambda *_: Answer(result)

    with pytest.raises(AssertionError):
        assert_parity(app_of_many(), "add", [({}, 1)], surfaces={"one": surface(1), "two": surface(True)})


def test_a_tool_that_misbehaves_on_one_surface_is_found() -> None:
    app = App("tests")

    @app.command
    def where(ctx: Context) -> str:
        return ctx.surface

    with pytest.raises(AssertionError, match="expected 'python', and cli and mcp answered"):
        assert_parity(app, "where", [({}, "python")])


def test_every_surface_is_asked() -> None:
    assert list(SURFACES) == ["python", "cli", "mcp"]
    asked = []

    def noting(name: str) -> Any:
        return lambda *given: asked.append(name) or SURFACES[name](*given)

    assert_parity(app_of_many(), "add", [({"a": 1}, 3)], surfaces={name: noting(name) for name in SURFACES})
    assert asked == ["python", "cli", "mcp"]


def test_a_command_line_is_not_asked_what_it_cannot_say() -> None:
    app = app_of_many()
    assert ask_cli(app, "add", {"a": "5"}) is None, "there, it is the number"
    assert ask_cli(app, "hidden", {}) is None
    assert ask_cli(app, "add", {"a": "five"}) is not None


def test_arguments_as_options() -> None:
    tool = app_of_many().tools["echo"]
    given = {
        "text": "5",
        "either": "5",
        "number": 5,
        "maybe": None,
        "items": [1],
        "place": Place("Oslo"),
        "clean": True,
    }
    assert argv_of(tool, given) == [
        "--text=5",
        '--either="5"',
        "--number=5",
        "--maybe=null",
        "--items=[1]",
        '--place={"city":"Oslo","tags":null}',
        "--clean=true",
    ]


def test_numbers_at_a_bound_are_alike() -> None:
    app = App("tests")

    @app.command
    def page(size: Annotated[int, Ge(1)] = 1) -> int:
        return size

    assert_parity(app, "page", [({"size": 0}, "constraint_violation"), ({"size": 1}, 1), ({"size": 2**63}, 2**63)])
