"""Tools that ask first: nothing runs without a yes, and a yes is given where it is given and nowhere else."""

import asyncio
import contextvars
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from accord import App, Context, Policy
from accord._caller import UNANSWERED, Caller, Unanswered
from accord._calls import Call, Failed, Ok
from accord.dispatch.blocking import dispatch
from accord.errors import ConfirmationRequired, InvalidParams, ProtocolError
from accord.testing import call_tool
from tests.unit.dispatch._ways import EVERY_WAY, Way, awaited, mcp, python


def guarded(**options: Any) -> tuple[App, list[str]]:
    app, runs = App("tests"), []

    @app.command(confirm="Really delete it?", **options)
    def delete(what: str = "all") -> str:
        runs.append(what)
        return f"deleted {what}"

    @app.command(confirm=True)
    async def adelete() -> str:
        runs.append("async")
        return "deleted"

    return app, runs


@pytest.mark.parametrize("way", EVERY_WAY)
def test_nothing_runs_without_consent(way: Way) -> None:
    app, runs = guarded()
    answer = way(app, "delete")
    assert runs == []
    assert answer.data == {
        "tool": "delete",
        "argument": None,
        "reason": "confirmation_required",
        "code": "CONFIRMATION_REQUIRED",
        "retryable": False,
        "message": "delete needs consent (Really delete it?), and nobody here can give it",
        "question": "Really delete it?",
    }
    assert way(app, "adelete").data["question"] == "Run adelete?"


@pytest.mark.parametrize("way", [python, awaited])
def test_python_consents_in_advance(way: Way) -> None:
    app, runs = guarded()
    with app.confirmed():
        assert way(app, "delete", what="one").value == "deleted one"
        assert way(app, "adelete").value == "deleted"
    assert runs == ["one", "async"]
    assert isinstance(way(app, "delete").exception, ConfirmationRequired)


def test_pythons_consent_is_no_clients() -> None:
    app, runs = guarded()
    with app.confirmed():
        assert mcp(app, "delete").reason == "confirmation_required"
    assert runs == []


def test_consent_ends_with_its_block_also_after_an_error_and_nests() -> None:
    app, _ = guarded()
    with pytest.raises(ZeroDivisionError), app.confirmed():
        with app.confirmed():
            app.call("delete")
        app.call("delete")
        raise ZeroDivisionError
    with pytest.raises(ConfirmationRequired):
        app.call("delete")


def test_consent_to_one_app_is_none_to_another() -> None:
    one, _ = guarded()
    other, runs = guarded()
    with one.confirmed(), pytest.raises(ConfirmationRequired):
        other.call("delete")
    assert runs == []


def test_consent_does_not_reach_other_threads() -> None:
    app, runs = guarded()
    answers = []

    def ask() -> None:
        answers.append(python(app, "delete").reason)

    with app.confirmed():
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        inheriting = threading.Thread(target=contextvars.copy_context().run, args=(ask,))
        inheriting.start()
        inheriting.join()
    assert answers == ["confirmation_required", None], "a copied context carries the consent it was copied with"
    assert runs == ["all"]


def test_consent_does_not_reach_tasks_that_run_beside_it() -> None:
    app, _ = guarded()

    async def run() -> tuple[Any, Any]:
        given, asked = asyncio.Event(), asyncio.Event()

        async def consenting() -> Any:
            with app.confirmed():
                given.set()
                await asked.wait()
                return await app.acall("delete", what="mine")

        async def other() -> Any:
            await given.wait()
            try:
                return await app.acall("delete", what="theirs")
            except ConfirmationRequired:
                return "refused"
            finally:
                asked.set()

        return tuple(await asyncio.gather(consenting(), other()))

    assert asyncio.run(run()) == ("deleted mine", "refused")


@pytest.mark.parametrize("way", EVERY_WAY)
def test_wrong_arguments_are_refused_before_anybody_is_asked(way: Way) -> None:
    app, _ = guarded()
    assert way(app, "delete", what=3).reason == "type_mismatch"


def test_consent_is_asked_for_again_where_a_result_is_kept() -> None:
    app, runs = guarded(cache_ttl=60.0)
    with app.confirmed():
        app.call("delete")
    with pytest.raises(ConfirmationRequired):
        app.call("delete")
    assert runs == ["all"]


def test_an_app_that_answers_with_protocol_errors_does_so_here_too() -> None:
    app = App("tests", policy=Policy(errors="protocol"))
    app.command("delete", confirm=True)(lambda: None)
    with pytest.raises(ProtocolError) as refused:
        call_tool(app, {"name": "delete", "arguments": {}})
    assert (refused.value.code, refused.value.data["reason"]) == (-32603, "confirmation_required")


@dataclass
class Address:
    city: str
    zip: int = 0


class Human(Caller):
    """Answers what it was told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def confirm(self, question: str) -> bool | Unanswered:
        self.asked.append(question)
        return self.answer

    def ask(self, message: str, schema: dict[str, Any]) -> Any:
        self.asked.append((message, schema))
        return self.answer


def answered(app: App, name: str, answer: Any) -> tuple[Ok | Failed, Human]:
    human = Human(answer)
    return dispatch(app._registry, Call(name, {}, "mcp", human)), human


@pytest.mark.parametrize(("answer", "reason"), [(True, None), (False, "confirmation_required")])
def test_a_human_decides(answer: bool, reason: str | None) -> None:
    app, runs = guarded()
    outcome, human = answered(app, "delete", answer)
    assert human.asked == ["Really delete it?"]
    assert (outcome.reason if isinstance(outcome, Failed) else None) == reason
    assert runs == (["all"] if answer else [])
    assert reason is None or "was refused" in outcome.text


def asking() -> App:
    app = App("tests")

    @app.command
    def sure(ctx: Context) -> bool:
        return ctx.confirm("Are you sure?")

    @app.command
    async def asure(ctx: Context) -> bool:
        return await ctx.aconfirm("Are you sure?")

    @app.command
    def where(ctx: Context) -> str:
        address = ctx.ask("Where to?", Address)
        assert isinstance(address, Address)
        return f"{address.city} {address.zip}"

    @app.command
    async def awhere(ctx: Context) -> str:
        address = await ctx.aask("Where to?", Address)
        return f"{address.city} {address.zip}"

    @app.command
    def few(ctx: Context) -> str:
        answers = ctx.ask("A few things", city=str, zip=int)
        return f"{answers['city']} {answers['zip']}"

    @app.command
    def one(ctx: Context) -> int:
        return ctx.ask("How many?", int)

    return app


@pytest.mark.parametrize("name", ["sure", "asure", "where", "awhere", "few", "one"])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_question_nobody_answers_is_confirmation_required(name: str, way: Way) -> None:
    answer = way(asking(), name)
    assert answer.reason == "confirmation_required"
    assert {name: answer.data[name] for name in ("argument", "code", "retryable")} == {
        "argument": None,
        "code": "CONFIRMATION_REQUIRED",
        "retryable": False,
    }
    assert answer.data["tool"] == name
    assert isinstance(answer.exception, ConfirmationRequired | None)


# (tool, answer, the result)
ANSWERED: tuple[tuple[str, Any, Any], ...] = (
    ("sure", True, True),
    ("sure", False, False),
    ("asure", True, True),
    ("where", {"city": "Oslo", "zip": 150}, "Oslo 150"),
    ("where", {"city": "Oslo"}, "Oslo 0"),
    ("awhere", {"city": "Oslo"}, "Oslo 0"),
    ("few", {"city": "Oslo", "zip": 1}, "Oslo 1"),
    ("one", {"answer": 3}, 3),
)


@pytest.mark.parametrize(("name", "answer", "result"), ANSWERED)
def test_answers_arrive_as_the_types_that_were_asked_for(name: str, answer: Any, result: Any) -> None:
    outcome, _ = answered(asking(), name, answer)
    assert isinstance(outcome, Ok), outcome
    assert outcome.value == result


def test_what_is_asked_for_is_a_schema_of_plain_fields() -> None:
    _, human = answered(asking(), "where", {"city": "Oslo"})
    ((message, schema),) = human.asked
    assert message == "Where to?"
    assert schema["properties"] == {"city": {"type": "string"}, "zip": {"type": "integer", "default": 0}}
    assert schema["required"] == ["city"]


def test_a_declined_question_is_confirmation_required() -> None:
    outcome, _ = answered(asking(), "where", None)
    assert isinstance(outcome, Failed)
    assert outcome.reason == "confirmation_required"


def test_an_answer_that_does_not_fit_is_no_failure_of_the_arguments() -> None:
    outcome, _ = answered(asking(), "where", {"zip": "x"})
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.exception, InvalidParams)
    assert outcome.reason == "tool_error", "the call's own arguments were right"


def test_a_call_outside_any_app_has_nobody_to_ask() -> None:
    with pytest.raises(ConfirmationRequired):
        Context().ask("Where to?")
    with pytest.raises(ConfirmationRequired):
        Context().confirm("Sure?")


def test_pythons_consent_answers_a_tools_own_question_too() -> None:
    app = asking()
    with app.confirmed():
        assert app.call("sure") is True
        assert asyncio.run(app.acall("asure")) is True
        with pytest.raises(ConfirmationRequired):
            app.call("where")


@pytest.mark.parametrize("name", ["asure", "awhere"])
def test_the_loop_goes_on_while_somebody_thinks(name: str) -> None:
    app, asked, think = asking(), threading.Event(), threading.Event()

    class Slow(Caller):
        def confirm(self, question: str) -> bool:
            return bool(self.ask(question, {}))

        def ask(self, message: str, schema: dict[str, Any]) -> dict[str, Any]:
            asked.set()
            assert think.wait(10), "the event loop stood still"
            return {"city": "Oslo"}

    async def both() -> Any:
        call = Call(name, {}, "mcp", Slow())
        task = asyncio.ensure_future(app._adispatch(call))
        while not asked.is_set():
            await asyncio.sleep(0)
        think.set()
        return await task

    assert isinstance(asyncio.run(both()), Ok)


@pytest.mark.parametrize("way", [python, awaited])
def test_providers_are_cleaned_up_after_a_question_nobody_answers(way: Way) -> None:
    app, log = App("tests"), []

    class Connection:
        pass

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        log.append("open")
        try:
            yield Connection()
        finally:
            log.append("close")

    @app.command
    def delete(connection: Connection, ctx: Context) -> None:
        ctx.confirm("Sure?")

    assert way(app, "delete").reason == "confirmation_required"
    assert log == ["open", "close"]


def test_nobody_is_somebody_that_does_not_answer() -> None:
    assert isinstance(UNANSWERED, Unanswered)
    assert repr(UNANSWERED) == "UNANSWERED"
