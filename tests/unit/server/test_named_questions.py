"""Questions with a key of the tool's choice: it names them, and consents to nothing by itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from accord import App, Context
from tests.protocol._wire import EVERY, NEW, OLD, STATELESS
from tests.unit.server._user import Line, accept, asked_of, converse, data, in_rounds, says, text


def shop() -> App:
    """The price is another one with every call of ``raised``."""
    app = App("shop")
    price = [5]

    @app.command
    def buy(ctx: Context) -> str:
        amount = ctx.ask("How many?", int, key="amount")
        if not ctx.confirm(f"Pay {amount * price[0]}?", key="consent"):
            return "kept"
        return f"paid {amount * price[0]}"

    @app.command
    def raised(by: int) -> None:
        price[0] += by

    @app.command
    def twice(ctx: Context) -> str:
        return f"{ctx.ask('Who?', key='who')} {ctx.ask('And who?', key='who')}"

    @app.command(retry_on=OSError, max_attempts=2, idempotent=True)
    def stubborn(ctx: Context) -> str:
        amount = ctx.ask("How many?", int, key="amount")
        if amount == 1:
            raise OSError("try again")
        return str(amount)

    @app.command
    async def everything(ctx: Context) -> str:
        who, sure, said, folders = await asyncio.gather(
            ctx.aask("Who?", key="who"),
            ctx.aconfirm("Sure?", key="sure"),
            ctx.asample("Greet", key="greeting"),
            ctx.aroots(key="folders"),
        )
        return f"{who} {sure} {said['content']['text']} {len(folders)}"

    return app


def asked(line: Line, **more: Any) -> tuple[dict[str, dict[str, Any]], str]:
    """What ``buy`` asks, and the state."""
    line.call("buy", **more)
    message = line.hear()
    return asked_of(message), message["result"]["requestState"]


def test_a_question_travels_under_its_key() -> None:
    line = Line(shop())
    first, state = asked(line)
    assert list(first) == ["amount"]
    second, state = asked(line, inputResponses={"amount": accept(answer=2)}, requestState=state)
    assert [(key, question["params"]["message"]) for key, question in second.items()] == [("consent", "Pay 10?")]
    line.call("buy", inputResponses={"consent": accept(confirm=True)}, requestState=state)
    assert text(line.hear()) == "paid 10"


def test_every_kind_of_question_has_a_key() -> None:
    line = Line(shop())
    line.call("everything")
    first = asked_of(line.hear())
    methods = {key: question["method"] for key, question in first.items()}
    assert methods == {
        "who": "elicitation/create",
        "sure": "elicitation/create",
        "greeting": "sampling/createMessage",
        "folders": "roots/list",
    }


@pytest.mark.parametrize("version", EVERY)
def test_a_key_changes_nothing_else(version: str) -> None:
    line = Line(shop(), version)
    assert text(converse(line, "buy", says(accept(answer=3), accept(confirm=True)))) == "paid 15"


@pytest.mark.parametrize("version", EVERY)
def test_two_questions_with_one_key_are_a_mistake_of_the_author(version: str) -> None:
    failed = data(converse(Line(shop(), version), "twice", lambda method, params: accept(answer="Ada")))
    assert "two questions of one run have the key 'who'" in failed["message"]


def test_another_attempt_may_ask_under_the_same_key() -> None:
    assert text(in_rounds(Line(shop()), "stubborn", says(accept(answer=1), accept(answer=4)))) == "4"


def test_an_answer_under_a_key_is_for_the_question_that_was_asked_under_it_and_no_other() -> None:
    app = shop()
    line = Line(app)
    _, state = asked(line)
    second, state = asked(line, inputResponses={"amount": accept(answer=2)}, requestState=state)
    assert second["consent"]["params"]["message"] == "Pay 10?"
    app.call("raised", by=100)
    third, _ = asked(line, inputResponses={"consent": accept(confirm=True)}, requestState=state)
    assert third["consent"]["params"]["message"] == "Pay 210?", "what was agreed to was another price"


def test_a_key_without_the_state_answers_nothing() -> None:
    first, _ = asked(Line(shop()), inputResponses={"amount": accept(answer=2), "consent": accept(confirm=True)})
    assert list(first) == ["amount"]


def test_what_was_answered_cannot_be_answered_again() -> None:
    line = Line(shop())
    _, state = asked(line)
    _, state = asked(line, inputResponses={"amount": accept(answer=2)}, requestState=state)
    more = {"amount": accept(answer=900), "consent": accept(confirm=True)}
    line.call("buy", inputResponses=more, requestState=state)
    assert text(line.hear()) == "paid 10"


@pytest.mark.parametrize("key", ["", 7, str])
def test_a_key_is_a_text(key: Any) -> None:
    app = App("odd")

    @app.command
    def odd(ctx: Context) -> str:
        return str(ctx.ask("Where?", key=key))

    with pytest.raises(TypeError, match="Ask for a field of that name with a dataclass"):
        app.call("odd")


# -- questions that are a schema --------------------------------------------------------------------------------------

SIZES = [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]
ORDER = {
    "type": "object",
    "properties": {
        "size": {"type": "string", "oneOf": SIZES, "default": "s"},
        "extras": {"type": "array", "items": {"anyOf": SIZES}, "maxItems": 1, "default": ["l"]},
        "colour": {"type": "string", "enum": ["r", "b"], "enumNames": ["Red", "Blue"]},
        "number": {"type": "integer", "minimum": 1},
    },
    "required": ["size"],
}


def ordering(fields: tuple[str, ...]) -> App:
    app = App("ordering")
    properties = {name: ORDER["properties"][name] for name in fields}  # type: ignore[index]  # it is the dict above

    @app.command
    async def order(ctx: Context) -> dict[str, Any]:
        return await ctx.aask("What would you like?", {**ORDER, "properties": properties})

    return app


@pytest.mark.parametrize("version", [NEW, STATELESS])
def test_a_schema_is_asked_as_it_is_and_its_answer_is_a_dict(version: str) -> None:
    shown: list[Any] = []

    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        shown.append(params["requestedSchema"])
        return accept(size="l", extras=["s"], colour="b", number=2)

    line = Line(ordering(("size", "extras", "colour", "number")), version)
    result = converse(line, "order", user)["result"]["structuredContent"]
    assert result == {"size": "l", "extras": ["s"], "colour": "b", "number": 2}
    assert shown == [ORDER]


def test_titles_are_said_in_the_words_of_the_version() -> None:
    shown: list[Any] = []

    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        shown.append(params["requestedSchema"]["properties"])
        return accept(size="l")

    converse(Line(ordering(("size", "colour")), OLD), "order", user)
    small_or_large = {"type": "string", "enum": ["s", "l"], "enumNames": ["Small", "Large"]}
    assert shown == [
        {
            "size": {**small_or_large, "description": "(default: s)"},
            "colour": ORDER["properties"]["colour"],  # type: ignore[index]  # as above
        }
    ]


@pytest.mark.parametrize(
    "answer", [{"size": "xl"}, {}, {"size": "s", "number": 0}, {"size": "s", "extras": ["s", "l"]}]
)
def test_an_answer_is_held_against_the_schema(answer: dict[str, Any]) -> None:
    line = Line(ordering(("size", "extras", "colour", "number")))
    failed = data(in_rounds(line, "order", says(accept(**answer))))
    assert failed["message"].startswith("InvalidParams: invalid arguments for ask:")


def test_a_schema_that_is_none_is_a_mistake_of_the_author() -> None:
    app = App("odd")

    @app.command
    def odd(ctx: Context) -> Any:
        return ctx.ask("What?", {"type": "nonsense"})

    assert data(in_rounds(Line(app), "odd", says()))["code"] == "TOOL_ERROR"
    with pytest.raises(Exception, match="nonsense"):
        app.call("odd")


@pytest.mark.parametrize(
    "choice",
    [[{"const": 1, "title": "One"}], [{"const": "a"}], [{"type": "string"}, {}]],
)
def test_choices_that_no_form_has_are_refused_with_what_to_do(choice: list[Any]) -> None:
    app = App("odd")

    @app.command
    def odd(ctx: Context) -> Any:
        return ctx.ask("What?", {"type": "object", "properties": {"it": {"type": "array", "items": {"anyOf": choice}}}})

    failed = data(in_rounds(Line(app), "odd", says()))
    assert (failed["code"], "Ask for one at a time" in failed["message"]) == ("CANNOT_ASK", True)
