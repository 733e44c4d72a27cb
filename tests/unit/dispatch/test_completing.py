"""Completing an argument: by a function, by the schema, or not at all."""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

import pytest

from accord import App, Context
from accord.dispatch.exceptions import protocol_error
from tests.unit.dispatch._offers import COMPLETE, Way, failed, result

complete = pytest.mark.parametrize("complete", COMPLETE.values(), ids=COMPLETE)


class City(Enum):
    PARIS = "Paris"
    ROME = "Rome"
    NEW_PARIS = "New Paris"


def values(outcome: Any) -> list[str]:
    completion = result(outcome)["completion"]
    assert (completion["total"], completion["hasMore"]) == (len(completion["values"]), False)
    found: list[str] = completion["values"]
    return found


def _travel() -> App:
    app = App("travel")

    @app.prompt
    def plan(
        street: str,
        city: City,
        days: Literal[1, 2, 10] = 1,
        by_train: bool = False,
        guide: City | None = None,
        note: str | None = None,
    ) -> str:
        return street

    @app.resource("map://{city}/{street}")
    def map_of(city: City, street: str) -> str:
        return street

    @app.resource("map://all")
    def all_of() -> str:
        return ""

    @app.completion("plan", "street")
    @app.completion(map_of, "street")
    def streets(value: str, arguments: dict[str, str], ctx: Context) -> list[str]:
        return [f"{value}-{arguments.get('city')}-{ctx.principal}"]

    return app


PROMPT = {"kind": "prompt"}
TEMPLATE = {"kind": "resource"}

# (target, its kind, argument, text so far, values)
COMPLETIONS: list[tuple[str, dict[str, str], str, str, list[str]]] = [
    ("plan", PROMPT, "city", "", ["Paris", "Rome", "New Paris"]),
    ("plan", PROMPT, "city", "pAr", ["Paris", "New Paris"]),
    ("plan", PROMPT, "city", "x", []),
    ("plan", PROMPT, "days", "", ["1", "2", "10"]),
    ("plan", PROMPT, "days", "1", ["1", "10"]),
    ("plan", PROMPT, "by_train", "", ["true", "false"]),
    ("plan", PROMPT, "guide", "r", ["Rome", "Paris", "New Paris"]),
    ("plan", PROMPT, "note", "a", []),
    ("map://{city}/{street}", TEMPLATE, "city", "ro", ["Rome"]),
    ("map://Rome/x", TEMPLATE, "city", "ro", ["Rome"]),
]


@complete
@pytest.mark.parametrize(("target", "kind", "argument", "value", "expected"), COMPLETIONS)
def test_types_with_few_values_complete_by_themselves(
    complete: Way, target: str, kind: dict[str, str], argument: str, value: str, expected: list[str]
) -> None:
    assert values(complete(_travel(), target, **kind, argument=argument, value=value)) == expected


@complete
@pytest.mark.parametrize(("target", "kind"), [("plan", PROMPT), ("map://{city}/{street}", TEMPLATE)])
def test_a_function_is_given_the_text_the_other_arguments_and_the_context(
    complete: Way, target: str, kind: dict[str, str]
) -> None:
    asked = {**kind, "argument": "street", "value": "a"}
    assert values(complete(_travel(), target, {"city": "Rome"}, **asked, principal="ann")) == ["a-Rome-ann"]
    assert values(complete(_travel(), target, **asked)) == ["a-None-None"]


@complete
@pytest.mark.parametrize("count", [100, 101, 250])
def test_at_most_a_hundred_values_are_sent(complete: Way, count: int) -> None:
    app = _travel()

    @app.completion("plan", "note")
    async def notes(value: str) -> list[str]:
        return [f"{value}{number}" for number in range(count)]

    completion = result(complete(app, "plan", kind="prompt", argument="note", value="n"))["completion"]
    assert completion["values"] == [f"n{number}" for number in range(100)]
    assert (completion["total"], completion["hasMore"]) == (count, count > 100)


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (None, []),
        ((), []),
        (("b", "a"), ["b", "a"]),
        ([1, City.ROME, True], ["1", "Rome", "true"]),
        ({"b", "a"}, ["a", "b"]),
    ],
    ids=repr,
)
def test_what_a_function_returns_becomes_texts(returned: Any, expected: list[str]) -> None:
    app = _travel()
    app.completion("plan", "note")(lambda value: returned)
    assert values(COMPLETE["blocking"](app, "plan", kind="prompt", argument="note", value="")) == expected


@complete
@pytest.mark.parametrize("returned", ["text", {"a": 1}, 5, object()], ids=repr)
def test_what_is_no_list_is_a_failure_of_the_completion(complete: Way, returned: Any) -> None:
    app = _travel()
    app.completion("plan", "note")(lambda value: returned)
    outcome = failed(complete(app, "plan", kind="prompt", argument="note", value=""))
    assert (outcome.reason, outcome.error_data["prompt"]) == ("output_invalid", "plan")


@complete
def test_what_a_completion_raises_is_told_without_leaking(complete: Way) -> None:
    app = _travel()

    @app.completion("plan", "note")
    def notes(value: str) -> list[str]:
        raise OSError("in /var/lib/notes")

    outcome = failed(complete(app, "plan", kind="prompt", argument="note", value=""))
    assert (outcome.text, protocol_error(outcome).code) == ("Error: OSError: in <path>", -32603)


# (target, its kind, argument, the key of the error data, what the failure says)
UNKNOWN: list[tuple[str, dict[str, str], str, str, str]] = [
    ("plans", PROMPT, "city", "prompt", "did you mean 'plan'?"),
    ("plan", PROMPT, "town", "prompt", "it has street, city, days, by_train, guide, note"),
    ("map://{town}", TEMPLATE, "town", "uri", "there is no resource at"),
    ("map://all", TEMPLATE, "city", "uri", "it has none"),
    ("nowhere", TEMPLATE, "city", "uri", "there is no resource at"),
    ("map://{city}/{street}", TEMPLATE, "town", "uri", "it has city, street"),
]


@complete
@pytest.mark.parametrize(("target", "kind", "argument", "key", "said"), UNKNOWN)
def test_completing_what_is_not_there_is_an_error(
    complete: Way, target: str, kind: dict[str, str], argument: str, key: str, said: str
) -> None:
    outcome = failed(complete(_travel(), target, **kind, argument=argument, value=""))
    assert (protocol_error(outcome).code, outcome.error_data[key]) == (-32602, target)
    assert said in outcome.text
