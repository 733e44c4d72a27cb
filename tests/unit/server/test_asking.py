"""Tools that ask their client's user, the same tool in every version: an answer, and what may come instead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import pytest

from accord import App, Context, MinLen, Progress
from accord.errors import ConfirmationRequired
from tests.protocol._checklist import covers
from tests.protocol._wire import EVERY, NEW, STATELESS
from tests.unit.server._user import Line, accept, converse, data, says, text

ERAS = (NEW, STATELESS)


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Address:
    city: Annotated[str, MinLen(2)]
    zip: int = 0
    colour: Colour = Colour.RED
    floor: int | None = None


def asking() -> App:
    app = App("asking")

    @app.command
    def sync(ctx: Context) -> str:
        name = ctx.ask("Who?")
        return f"{name} {ctx.confirm(f'Really {name}?')}"

    @app.command(name="async")
    async def async_(ctx: Context) -> str:
        name = await ctx.aask("Who?")
        return f"{name} {await ctx.aconfirm(f'Really {name}?')}"

    @app.command
    def generator(ctx: Context) -> Iterator[Progress | str]:
        name = ctx.ask("Who?")
        yield Progress("asked", 1, 2)
        yield f"{name} {ctx.confirm(f'Really {name}?')}"

    @app.command
    async def agenerator(ctx: Context) -> AsyncIterator[Progress | str]:
        name = await ctx.aask("Who?")
        yield Progress("asked", 1, 2)
        yield f"{name} {await ctx.aconfirm(f'Really {name}?')}"

    @app.command
    def awaitable(ctx: Context) -> Any:
        return async_(ctx)

    @app.command(timeout=20.0)
    def limited(ctx: Context) -> str:
        return sync(ctx)

    @app.command(confirm="Really?")
    def wipe() -> str:
        return "wiped"

    @app.command(confirm=True)
    async def awipe() -> str:
        return "wiped"

    @app.command
    def where(ctx: Context) -> str:
        return repr(ctx.ask("Where to?", Address))

    @app.command
    def listen(ctx: Context) -> str:
        said = ctx.sample("Say hi", maxTokens=5)
        return f"{said['content']['text']} in {ctx.roots()}"

    @app.command
    async def alisten(ctx: Context) -> str:
        said = await ctx.asample([{"role": "user", "content": {"type": "text", "text": "Say hi"}}])
        return f"{said['content']['text']} in {await ctx.aroots()}"

    return app


@covers(69)
@pytest.mark.parametrize("name", ["sync", "async", "generator", "agenerator", "awaitable", "limited"])
@pytest.mark.parametrize("version", EVERY)
def test_two_questions_in_a_row_are_answered_one_after_the_other(name: str, version: str) -> None:
    messages: list[str] = []

    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        messages.append(params["message"])
        return accept(answer="Ada") if params["message"] == "Who?" else accept(confirm=True)

    assert text(converse(Line(asking(), version), name, user)) == "Ada True"
    assert messages == ["Who?", "Really Ada?"]


@covers(68)
@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("version", EVERY)
def test_a_question_that_is_declined_or_cancelled_is_confirmation_required(action: str, version: str) -> None:
    declined = data(converse(Line(asking(), version), "sync", says({"action": action})))
    assert declined["reason"] == "confirmation_required"
    assert "the user declined" in declined["message"]


@covers(68)
@pytest.mark.parametrize(
    "answer", [{"action": "decline"}, {"action": "cancel"}, accept(confirm=False), accept(confirm="yes"), accept()]
)
@pytest.mark.parametrize("version", EVERY)
def test_consent_is_a_yes_and_nothing_else(answer: dict[str, Any], version: str) -> None:
    assert text(converse(Line(asking(), version), "sync", says(accept(answer="Ada"), answer))) == "Ada False"
    refused = data(converse(Line(asking(), version), "wipe", says(answer)))
    assert refused["reason"] == "confirmation_required"
    assert "was refused" in refused["message"]


@pytest.mark.parametrize("name", ["wipe", "awipe"])
@pytest.mark.parametrize("version", EVERY)
def test_a_tool_that_needs_consent_runs_after_a_yes(name: str, version: str) -> None:
    assert text(converse(Line(asking(), version), name, says(accept(confirm=True)))) == "wiped"


@covers(68)
@pytest.mark.parametrize("version", EVERY)
def test_a_form_is_read_as_the_types_that_were_asked_for(version: str) -> None:
    shown: list[dict[str, Any]] = []

    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        shown.append(params["requestedSchema"])
        return accept(city="Oslo", colour="2")

    answer = text(converse(Line(asking(), version), "where", user))
    assert answer == "Address(city='Oslo', zip=0, colour=<Colour.BLUE: 2>, floor=None)"
    assert shown[0]["required"] == ["city"]
    assert shown[0]["properties"]["colour"]["enum"] == ["1", "2"]


@covers(68)
@pytest.mark.parametrize("version", EVERY)
def test_a_form_that_was_filled_in_wrong_fails_the_call_and_is_never_taken(version: str) -> None:
    wrong = data(converse(Line(asking(), version), "where", says(accept(city="O"))))
    assert (wrong["reason"], wrong["code"]) == ("tool_error", "TOOL_ERROR")
    assert "city" in wrong["message"]


@pytest.mark.parametrize("name", ["listen", "alisten"])
@pytest.mark.parametrize("version", EVERY)
def test_the_clients_model_and_folders_are_asked_for(name: str, version: str) -> None:
    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "roots/list":
            return {"roots": [{"uri": "file:///a"}]}
        assert params["messages"] == [{"role": "user", "content": {"type": "text", "text": "Say hi"}}]
        return {"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"}

    assert text(converse(Line(asking(), version), name, user)) == "hi in ['file:///a']"


@covers(20, 64)
@pytest.mark.parametrize("name", ["sync", "async", "wipe", "awipe", "where"])
@pytest.mark.parametrize("version", EVERY)
def test_who_did_not_say_that_it_can_be_asked_is_not(name: str, version: str) -> None:
    unasked = data(converse(Line(asking(), version, roots={}), name, says()))
    assert unasked["reason"] == "confirmation_required"
    assert "nobody here can" in unasked["message"]


@covers(20, 64)
@pytest.mark.parametrize("version", EVERY)
def test_folders_nobody_can_name_are_none_and_a_model_nobody_has_is_a_failure(version: str) -> None:
    app = asking()

    @app.command
    def folders(ctx: Context) -> list[str]:
        return ctx.roots()

    line = Line(app, version, elicitation={})
    assert text(converse(line, "folders", says())) == "[]"
    assert "offers sampling" in data(converse(line, "listen", says()))["message"]


@covers(70)
@pytest.mark.parametrize("version", EVERY)
def test_what_no_form_can_hold_fails_with_what_to_do_and_asks_nothing(version: str) -> None:
    app = App("odd")

    @app.command
    def nested(ctx: Context) -> str:
        return str(ctx.ask("Where?", address=Address))

    @app.command
    async def secret(ctx: Context) -> str:
        from pydantic import SecretStr

        return str(await ctx.aask("Password?", SecretStr))

    line = Line(app, version)
    assert data(converse(line, "nested", says()))["code"] == "CANNOT_ASK"
    refused = data(converse(line, "secret", says()))
    assert refused["code"] == "CANNOT_ASK"
    assert "secret" in refused["message"]


@pytest.mark.parametrize("version", ERAS)
def test_a_tool_may_go_on_without_an_answer(version: str) -> None:
    app = App("careful")

    @app.command
    def careful(ctx: Context) -> str:
        try:
            return ctx.ask("Who?")
        except ConfirmationRequired:
            return "nobody"
        except Exception:
            return "swallowed"

    assert text(converse(Line(app, version), "careful", says({"action": "decline"}))) == "nobody"
    assert text(converse(Line(app, version), "careful", says(accept(answer="Ada")))) == "Ada"
    assert text(converse(Line(app, version, roots={}), "careful", says())) == "nobody"


@covers(33, 69)
def test_prompts_and_resources_ask_as_tools_do() -> None:
    app = App("offers")

    @app.resource("note://{name}")
    def note(name: str, ctx: Context) -> str:
        return f"{name}: {ctx.ask('What?')}"

    @app.prompt()
    def review(ctx: Context) -> str:
        return f"Review {ctx.ask('What?')}"

    for method, params in (("resources/read", {"uri": "note://a"}), ("prompts/get", {"name": "review"})):
        line = Line(app)
        line.send(1, method, **params)
        asked = line.hear()["result"]
        (key,) = asked["inputRequests"]
        line.send(2, method, **params, inputResponses={key: accept(answer="this")}, requestState=asked["requestState"])
        assert "this" in str(line.hear()["result"])


def test_a_completion_has_no_way_to_ask() -> None:
    app = App("completing")

    @app.prompt()
    def review(code: str) -> str:
        return code

    @app.completion("review", "code")
    def complete(value: str, ctx: Context) -> list[str]:
        return [ctx.ask("What?")]

    for version in ERAS:
        line = Line(app, version, roots={})
        line.send(
            1,
            "completion/complete",
            ref={"type": "ref/prompt", "name": "review"},
            argument={"name": "code", "value": ""},
        )
        assert line.hear()["error"]["data"]["reason"] == "confirmation_required"
    line = Line(app)
    line.send(
        1, "completion/complete", ref={"type": "ref/prompt", "name": "review"}, argument={"name": "code", "value": ""}
    )
    assert line.hear()["error"]["data"]["reason"] == "confirmation_required"


# -- waiting, in the handshake era -----------------------------------------------------------------------------------


@covers(19)
@pytest.mark.parametrize("name", ["sync", "async"])
def test_who_does_not_answer_in_time_is_told_that_nobody_waits_any_more(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.server.handshake.PATIENCE", 0.01)
    line = Line(asking(), NEW)
    line.call(name)
    question = line.hear()
    failed = data(line.hear())
    (cancelled,) = line.notified
    assert (cancelled["method"], cancelled["params"]["requestId"]) == ("notifications/cancelled", question["id"])
    assert failed["reason"] == "confirmation_required"
    assert "nobody answered within 0.01 s" in failed["message"]
    line.say({"jsonrpc": "2.0", "id": question["id"], "result": accept(answer="late")})
    line.send(2, "ping")
    assert line.hear()["result"] == {}


@covers(19)
@pytest.mark.parametrize("name", ["sync", "async", "wipe", "awipe", "listen"])
def test_a_clients_refusal_reaches_the_tool_in_its_words(name: str) -> None:
    error = {"error": {"code": -1, "message": "not on a Sunday"}}
    refused = data(converse(Line(asking(), NEW), name, says(error)))
    assert refused["reason"] == "confirmation_required"
    assert "the client refused: not on a Sunday" in refused["message"]


@covers(19)
def test_folders_a_client_refuses_to_name_are_a_failure_and_not_none() -> None:
    app = App("folders")

    @app.command
    def folders(ctx: Context) -> list[str]:
        return ctx.roots()

    error = {"error": {"code": -1, "message": "no"}}
    assert "the client refused: no" in data(converse(Line(app, NEW), "folders", says(error)))["message"]


@covers(67)
def test_an_answer_that_is_none_is_never_a_success() -> None:
    failed = data(converse(Line(asking(), NEW), "sync", says({"action": "maybe"})))
    assert "cannot be read" in failed["message"]
    failed = data(converse(Line(asking(), NEW), "wipe", says({"action": "accept"})))
    assert failed["reason"] == "confirmation_required"


@covers(78)
@pytest.mark.parametrize("name", ["sync", "async", "wipe"])
def test_the_end_of_the_call_ends_the_wait(name: str) -> None:
    line = Line(asking(), NEW)
    line.call(name)
    line.hear()
    line.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert line.is_silent()
    assert line.desk.is_idle


@covers(19)
def test_a_question_whose_call_ran_out_of_time_is_withdrawn() -> None:
    app = App("limited")

    @app.command(timeout=0.01)
    async def limited(ctx: Context) -> str:
        return await ctx.aask("Who?")

    line = Line(app, NEW)
    line.call("limited")
    question = line.hear()
    assert data(line.hear())["reason"] == "timeout"
    assert line.is_silent()
    assert [note["params"]["requestId"] for note in line.notified] == [question["id"]]


# -- elsewhere -------------------------------------------------------------------------------------------------------


def test_on_other_surfaces_nobody_hears_of_rounds() -> None:
    app = asking()
    with pytest.raises(ConfirmationRequired):
        app.call("sync")
    with pytest.raises(ConfirmationRequired):
        asyncio.run(app.acall("async"))
    done = app.invoke(["--no-input", "sync"])
    assert done.exit_code == 4
    with app.confirmed():
        assert app.call("wipe") == "wiped"
        assert asyncio.run(app.acall("awipe")) == "wiped"
