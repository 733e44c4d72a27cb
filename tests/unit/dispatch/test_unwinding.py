"""A question that ends the run: it is no failure anybody sees, in either driver, and what was opened is closed."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accord import App, Context
from accord._caller import Caller, Unwind
from accord._calls import KINDS, Call, Failed, Ok, Outcome
from accord.dispatch.blocking import dispatch
from accord.dispatch.exceptions import exception_of


class Absent(Caller):
    """Has no answer yet."""

    blocks = False

    def __init__(self) -> None:
        self.questions: dict[str, Any] = {}
        self.threads: set[str] = set()

    def confirm(self, question: str) -> bool:
        self.threads.add(threading.current_thread().name)
        self.questions[question] = question
        raise Unwind(self.questions, dict)


def blocking(app: App, call: Call) -> Outcome:
    return dispatch(app._registry, call)


def awaiting(app: App, call: Call) -> Outcome:
    return asyncio.run(app._adispatch(call))


Drive = Callable[[App, Call], Outcome]
both = pytest.mark.parametrize("drive", [blocking, awaiting])


def app_and_log() -> tuple[App, list[str]]:
    app, log = App("tests"), []

    class Connection:
        pass

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        try:
            yield Connection()
        except BaseException as error:
            log.append(type(error).__name__)
            raise

    @app.command(retry_on=(BaseException,), max_attempts=3, cache_ttl=60.0, timeout=20.0)
    def sync(connection: Connection, ctx: Context) -> bool:
        log.append("run")
        return ctx.confirm("Sure?")

    @app.command(name="async", retry_on=(BaseException,), max_attempts=3, cache_ttl=60.0)
    async def async_(connection: Connection, ctx: Context) -> bool:
        log.append("run")
        return await ctx.aconfirm("Sure?")

    @app.command
    async def grouped(connection: Connection, ctx: Context) -> str:
        log.append("run")
        async with asyncio.TaskGroup() as group, asyncio.TaskGroup() as inner:
            inner.create_task(ctx.aconfirm("Sure?"))
            group.create_task(ctx.aconfirm("Really?"))
        return "done"

    @app.command(confirm="Sure?")
    def consent() -> None:
        log.append("run")

    @app.command(confirm="Sure?")
    async def aconsent() -> None:
        log.append("run")

    return app, log


@both
@pytest.mark.parametrize("name", ["sync", "async", "grouped", "consent", "aconsent"])
def test_the_run_ends_with_the_question_once_and_is_cleaned_up(name: str, drive: Drive) -> None:
    app, log = app_and_log()
    caller = Absent()
    outcome = drive(app, Call(name, {}, "mcp", caller))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "input_required"
    assert outcome.error_data["tool"] == name
    assert isinstance(outcome.exception, Unwind)
    assert outcome.exception.questions is caller.questions
    assert exception_of(outcome) is outcome.exception
    assert log == ([] if "consent" in name else ["run", "Unwind"])
    assert caller.questions.keys() == ({"Sure?", "Really?"} if name == "grouped" else {"Sure?"})


@pytest.mark.parametrize("name", ["async", "grouped", "consent", "aconsent"])
def test_who_does_not_block_is_asked_in_the_loop_itself(name: str) -> None:
    app, _ = app_and_log()
    caller = Absent()
    awaiting(app, Call(name, {}, "mcp", caller))
    assert caller.threads == {threading.current_thread().name}


def test_it_is_in_no_table_that_callers_see() -> None:
    assert "input_required" not in KINDS


@both
def test_a_group_in_which_nothing_was_asked_is_a_failure_as_ever(drive: Drive) -> None:
    app = App("tests")

    @app.command
    def fails() -> None:
        raise BaseExceptionGroup("two", [ValueError("one"), ExceptionGroup("inner", [KeyError("two")])])

    outcome = drive(app, Call("fails", {}, "mcp", Absent()))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "tool_error"


@both
def test_a_provider_that_asks_while_it_closes_is_heard(drive: Drive) -> None:
    app = App("tests")

    class Draft:
        pass

    @app.provide(Draft)
    def draft(ctx: Context) -> Iterator[Draft]:
        yield Draft()
        ctx.confirm("Keep it?")

    @app.command
    def write(draft: Draft) -> str:
        return "written"

    outcome = drive(app, Call("write", {}, "mcp", Absent()))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "input_required"


def test_a_tool_that_swallows_it_has_its_way() -> None:
    app = App("tests")

    @app.command
    def stubborn(ctx: Context) -> str:
        try:
            ctx.confirm("Sure?")
        except BaseException:
            return "unsure"
        return "sure"

    outcome = blocking(app, Call("stubborn", {}, "mcp", Absent()))
    assert isinstance(outcome, Ok)
    assert outcome.value == "unsure"
