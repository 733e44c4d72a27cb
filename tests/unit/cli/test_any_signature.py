"""Whatever the signature and whatever the arguments: a command line that spells them gives them."""

from __future__ import annotations

import inspect
import json
from typing import Annotated, Any, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from accord import App, Positional
from tests.unit.cli._line import arguments

_NAMES = st.sampled_from(
    "a b x name file_pattern format version help yes v h q no_a verbose self tool json ctx_ __ no_input".split()
)
_TEXT = st.text(max_size=8) | st.sampled_from(
    ["-", "--", "--a", "-x", "@f", "true", "null", "1", "[1]", '"a"', "=", ""]
)
_INT = st.integers(-(2**53), 2**53)

#: (annotation, values of it)
_KINDS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (str, _TEXT),
    (int, _INT),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (bool, st.booleans()),
    (bool | None, st.booleans() | st.none()),
    (int | None, _INT | st.none()),
    (Literal["a", "b-c", 1, None], st.sampled_from(["a", "b-c", 1, None])),
    (list[str], st.lists(_TEXT, max_size=3)),
    (list[int], st.lists(_INT, max_size=3)),
    (dict[str, int], st.dictionaries(st.text(max_size=5), _INT, max_size=3)),
    (dict[str, list[str]], st.dictionaries(st.text(max_size=5), st.lists(_TEXT, max_size=2), max_size=2)),
]


@st.composite
def _calls(draw: Any) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Annotations, arguments, and the words that spell them in one of the ways there are."""
    annotations, values, words = {}, {}, []
    for name in draw(st.lists(_NAMES, unique=True, min_size=1, max_size=5)):
        annotation, value_of = draw(st.sampled_from(_KINDS))
        annotations[name] = annotation
        if draw(st.booleans()):
            values[name] = draw(value_of)
            words.append((name, annotation, values[name]))
    spelled = [_spelled(draw, *word) for word in draw(st.permutations(words))]
    return annotations, values, [part for parts in spelled for part in parts]


def _spelled(draw: Any, name: str, annotation: Any, value: Any) -> list[str]:
    option = f"--{draw(st.sampled_from([name, name.replace('_', '-')]))}"
    if isinstance(value, bool) and annotation in (bool, bool | None) and draw(st.booleans()) and value:
        return [option]
    if isinstance(value, list) and value and draw(st.booleans()) and not any(_looks_like_more(item) for item in value):
        return [f"{option}={item}" for item in value]
    text = value if isinstance(value, str) else json.dumps(value)
    if _can_stand_alone(text, annotation) and draw(st.booleans()):
        return [option, text]
    return [f"{option}={text}"]


def _looks_like_more(item: Any) -> bool:
    """A single item that is written as a list stands for the list."""
    return isinstance(item, str) and item.startswith("[")


def _can_stand_alone(text: str, annotation: Any) -> bool:
    """Flags take no word after them, and a word that may be an option is written with `=`."""
    return annotation not in (bool, bool | None) and not text.startswith("--")


def _function(annotations: dict[str, Any]) -> Any:
    def tool(**given: Any) -> Any:
        return given

    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=None)
        for name, annotation in annotations.items()
    ]
    tool.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect looks for
    return tool


@settings(max_examples=400, deadline=None)
@given(call=_calls())
def test_a_line_that_spells_arguments_gives_them(call: tuple[dict[str, Any], dict[str, Any], list[str]]) -> None:
    annotations, values, words = call
    found = arguments(_function(annotations), words)
    assert found == values
    assert {name: type(value) for name, value in found.items() if not isinstance(value, float)} == {
        name: type(values[name]) for name, value in found.items() if not isinstance(value, float)
    }


@settings(max_examples=100, deadline=None)
@given(call=_calls())
def test_the_tool_is_given_what_a_python_caller_would_give(
    call: tuple[dict[str, Any], dict[str, Any], list[str]],
) -> None:
    annotations, values, words = call
    app = App("any")
    app.command("tool")(_function(annotations))
    ended = app.invoke(["tool", *words])
    assert ended.exit_code == 0, ended.stderr
    assert ended.result == app.call("tool", **values)


@settings(max_examples=200, deadline=None)
@given(first=_TEXT, rest=st.lists(_TEXT, max_size=4))
def test_words_after_two_dashes_are_taken_as_they_are(first: str, rest: list[str]) -> None:
    def tool(first: Annotated[str, Positional], rest: Annotated[list[str], Positional] = []) -> None: ...

    if any(_looks_like_more(item) for item in rest):
        return
    expected = {"first": first, "rest": rest} if rest else {"first": first}
    assert arguments(tool, ["--", first, *rest]) == expected


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.text(max_size=6) | st.sampled_from(["--a", "-b", "--a=1", "x", "--", "-h", "--format", "@"])))
def test_no_line_makes_anything_but_an_outcome(words: list[str]) -> None:
    app = App("any")

    @app.command
    def tool(a: int = 0, b: bool = False, c: dict[str, int] = {}) -> str:
        return "done"

    ended = app.invoke(["tool", *words])
    assert ended.exit_code in (0, 2)
    assert "Traceback" not in ended.stderr
    assert app.invoke(words).exit_code in (0, 2)
