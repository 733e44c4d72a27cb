"""Getting a prompt: texts in, messages out, and how a failure is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from mcp import types as official

from accord import App, Context, Le, ToolError
from accord.content import Audio, EmbeddedResource, Image, Message, ResourceLink, Text
from accord.dispatch.exceptions import protocol_error
from accord.errors import UnknownPrompt
from tests.unit.dispatch._offers import PROMPT, Way, failed, result

get = pytest.mark.parametrize("get", PROMPT.values(), ids=PROMPT)


class Mood(Enum):
    GLAD = "glad"


@dataclass
class Point:
    x: int


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": {"type": "text", "text": text}}


def as_user(content: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": content}


OFFICIAL_TEXT = official.TextContent(type="text", text="a")
IMAGE = {"type": "image", "data": "eA==", "mimeType": "image/png"}

# (value, its messages)
VALUES: list[tuple[Any, list[dict[str, Any]]]] = [
    ("hi", [said("hi")]),
    (Text("hi"), [said("hi")]),
    (Image(b"x"), [{"role": "user", "content": IMAGE}]),
    (Message("hi"), [said("hi")]),
    (Message("hi", "assistant"), [said("hi", "assistant")]),
    (["a", Message("b", "assistant"), Image(b"x")], [said("a"), said("b", "assistant"), as_user(IMAGE)]),
    (("a", "b"), [said("a"), said("b")]),
    (Message(["a", Image(b"x")], "assistant"), [said("a", "assistant"), {"role": "assistant", "content": IMAGE}]),
    ([Message("a"), Message("b")], [said("a"), said("b")]),
    ([], []),
    (
        EmbeddedResource("x://1", "a", mime_type="text/plain"),
        [as_user({"type": "resource", "resource": {"uri": "x://1", "mimeType": "text/plain", "text": "a"}})],
    ),
    (Audio(b"x"), [{"role": "user", "content": {"type": "audio", "data": "eA==", "mimeType": "audio/wav"}}]),
    (ResourceLink("x://1", "x"), [{"role": "user", "content": {"type": "resource_link", "uri": "x://1", "name": "x"}}]),
    (OFFICIAL_TEXT, [said("a")]),
    (official.PromptMessage(role="assistant", content=OFFICIAL_TEXT), [said("a", "assistant")]),
    (
        official.GetPromptResult(messages=[official.PromptMessage(role="user", content=OFFICIAL_TEXT)]),
        [said("a")],
    ),
]


@pytest.mark.parametrize(("value", "messages"), VALUES, ids=lambda value: type(value).__name__)
def test_a_value_becomes_messages(value: Any, messages: list[dict[str, Any]]) -> None:
    app = App("talk")
    app.prompt("it")(lambda: value)
    assert result(PROMPT["blocking"](app, "it")) == {"messages": messages}


# (value, what the failure says)
UNFIT: list[tuple[Any, str]] = [
    (None, "a NoneType is no message"),
    ({"role": "user", "content": "hi"}, "a dict is no message"),
    (["a", 5], "a int is no message"),
    (Message("a", "system"), "none of role 'system'"),
    ("\ud800", "lone surrogate"),
]


@pytest.mark.parametrize(("value", "problem"), UNFIT, ids=lambda value: type(value).__name__)
def test_what_is_no_message_is_a_failure_of_the_prompt(value: Any, problem: str) -> None:
    app = App("talk")
    app.prompt("it")(lambda: value)
    outcome = failed(PROMPT["blocking"](app, "it"))
    assert (outcome.reason, outcome.error_data["prompt"], protocol_error(outcome).code) == (
        "output_invalid",
        "it",
        -32603,
    )
    assert problem in outcome.text


# (annotation, text, what the function is given)
TEXTS: list[tuple[Any, str, Any]] = [
    (str, "5", "5"),
    (str, "", ""),
    (int, "5", 5),
    (float, "5", 5.0),
    (bool, "yes", True),
    (date, "2026-07-28", date(2026, 7, 28)),
    (Mood, "glad", Mood.GLAD),
    (Literal[1, 2], "2", 2),
    (list[int], "[1,2]", [1, 2]),
    (Point, '{"x":1}', Point(1)),
    (int | None, "null", None),
    (int | str, "5", 5),
    (Annotated[int, Le(9)], "9", 9),
]


@pytest.mark.parametrize(("annotation", "text", "value"), TEXTS, ids=str)
def test_texts_become_the_annotated_types(annotation: Any, text: str, value: Any) -> None:
    app, given = App("talk"), []

    def it(argument: Any, ctx: Context = Context()) -> str:
        given.append((argument, ctx.surface))
        return "x"

    it.__annotations__["argument"] = annotation
    app.prompt(it)
    assert result(PROMPT["blocking"](app, "it", {"argument": text}))
    assert given == [(value, "mcp")]
    assert type(given[0][0]) is type(value)


@get
def test_an_empty_text_leaves_an_optional_argument_to_its_default(get: Way) -> None:
    app = App("talk")

    @app.prompt
    def it(name: str = "you", times: int = 2, mood: Mood = Mood.GLAD, day: date | None = None, thing: Any = "x") -> str:
        return f"{name!r} {times} {mood.value} {day} {thing!r}"

    arguments = dict.fromkeys(["name", "times", "mood", "day", "thing"], "")
    assert result(get(app, "it", arguments))["messages"] == [said("'' 2 glad None ''")]
    assert failed(get(app, "it", {"absent": ""})).reason == "unexpected_argument"


@get
def test_an_async_prompt_has_the_description_of_its_docstring(get: Way) -> None:
    app = App("talk")

    @app.prompt("small.talk", title="Talk")
    async def it() -> str:
        """Say something."""
        return "hi"

    assert result(get(app, "small.talk")) == {"description": "Say something.", "messages": [said("hi")]}
    assert result(get(app, "small_talk")) == result(get(app, "small.talk"))


def _talk() -> App:
    app = App("talk")

    @app.prompt
    def greet(name: str, times: Annotated[int, Le(9)] = 1) -> str:
        if name == "nobody":
            raise ToolError("nobody is here", data={"seats": 0})
        raise ValueError("in /var/lib/talk")

    return app


# (arguments, argument, reason, patch)
WRONG: list[tuple[Any, str | None, str, Any]] = [
    ({}, "name", "missing_required_argument", None),
    (
        {"nme": "x"},
        "name",
        "missing_required_argument",
        [{"op": "move", "from": "/nme", "path": "/name"}],
    ),
    ({"name": "x", "times": "many"}, "times", "type_mismatch", None),
    (
        {"name": "x", "times": "10"},
        "times",
        "constraint_violation",
        [{"op": "replace", "path": "/times", "value": "9"}],
    ),
    ({"name": "x", "mood": "sad"}, "mood", "unexpected_argument", [{"op": "remove", "path": "/mood"}]),
    ({"name": 5}, "name", "type_mismatch", None),
]


@get
@pytest.mark.parametrize(("arguments", "argument", "reason", "patch"), WRONG, ids=str)
def test_wrong_arguments_are_refused_as_those_of_tools_are(
    get: Way, arguments: Any, argument: str, reason: str, patch: Any
) -> None:
    outcome = failed(get(_talk(), "greet", arguments))
    data = outcome.error_data
    assert (outcome.kind.rpc_code, data["prompt"], data["argument"], data["reason"]) == (
        -32602,
        "greet",
        argument,
        reason,
    )
    assert data.get("patch") == patch
    assert ("Patch" in outcome.text) is (patch is not None)
    assert patch is None or "value" not in patch[0] or '"value":"9"' in outcome.text
    assert "tool" not in data


@get
def test_what_a_prompt_raises_is_told_without_leaking(get: Way) -> None:
    outcome = failed(get(_talk(), "greet", {"name": "nobody"}))
    assert (outcome.text, outcome.error_data["data"]) == ("Error: nobody is here", {"seats": 0})
    outcome = failed(get(_talk(), "greet", {"name": "x"}))
    assert (outcome.reason, outcome.text) == ("tool_error", "Error: ValueError: in <path>")


@get
@pytest.mark.parametrize(("name", "suggestion"), [("gret", "greet"), ("other", None), ("", None)])
def test_an_unknown_prompt_is_an_error(get: Way, name: str, suggestion: str | None) -> None:
    error = protocol_error(failed(get(_talk(), name)))
    assert isinstance(error, UnknownPrompt)
    assert (error.code, error.data["prompt"], error.data.get("suggestion")) == (-32602, name, suggestion)
