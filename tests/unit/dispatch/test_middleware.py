"""What stands around every call: in order, composed once, free to change the call and the outcome."""

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from accord import App, ToolError
from accord._calls import Call, Failed, Ok, Outcome
from accord.dispatch import blocking
from tests.unit.dispatch._ways import EVERY_WAY, Way, awaited, mcp, python

Next = Callable[[Call], Any]


def echoing() -> tuple[App, list[Any]]:
    app, log = App("tests"), []

    @app.command
    def echo(text: str = "hello") -> str:
        log.append("tool")
        return text

    @app.command
    async def aecho(text: str = "hello") -> str:
        log.append("tool")
        return text

    return app, log


def sync_note(log: list[Any], name: str) -> Any:
    def note(call: Call, next: Next) -> Outcome:
        log.append(f"{name} in")
        outcome = next(call)
        log.append(f"{name} out")
        return outcome

    return note


def async_note(log: list[Any], name: str) -> Any:
    async def note(call: Call, next: Next) -> Outcome:
        log.append(f"{name} in")
        outcome = await next(call)
        log.append(f"{name} out")
        return outcome

    return note


NOTES = (sync_note, async_note)


@pytest.mark.parametrize("tool", ["echo", "aecho"])
@pytest.mark.parametrize("inner", NOTES)
@pytest.mark.parametrize("outer", NOTES)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_first_one_added_is_the_outermost(way: Way, outer: Any, inner: Any, tool: str) -> None:
    app, log = echoing()
    app.use(outer(log, "outer"))
    app.use(inner(log, "inner"))
    assert way(app, tool).value == "hello"
    assert log == ["outer in", "inner in", "tool", "inner out", "outer out"]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_is_a_decorator_too_and_counts_from_then_on(way: Way) -> None:
    app, _ = echoing()
    assert way(app, "echo").value == "hello"

    @app.use
    def shout(call: Call, next: Next) -> Outcome:
        outcome = next(call)
        assert isinstance(outcome, Ok)
        return Ok(outcome.value.upper(), outcome.encoded.upper(), outcome.structured.upper())

    assert way(app, "echo").value == "HELLO"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_may_change_the_call_and_the_gate_sees_the_changed_one(way: Way) -> None:
    app, _ = echoing()

    @app.use
    def change(call: Call, next: Next) -> Outcome:
        return next(msgspec.structs.replace(call, arguments={"text": call.arguments.get("text", 5)}))

    assert way(app, "echo", text="mine").value == "mine"
    assert way(app, "echo").reason == "type_mismatch"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_may_send_the_call_to_another_tool(way: Way) -> None:
    app, _ = echoing()
    app.command("other")(lambda: "other")

    @app.use
    def redirect(call: Call, next: Next) -> Outcome:
        return next(msgspec.structs.replace(call, name="other", arguments={}))

    assert way(app, "echo").value == "other"


@pytest.mark.parametrize("make", NOTES)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_may_answer_without_the_tool(way: Way, make: Any) -> None:
    app, log = echoing()
    app.use(make(log, "outer"))

    @app.use
    def known(call: Call, next: Next) -> Outcome:
        return Ok("known", "known", "known")

    assert way(app, "echo").value == "known"
    assert log == ["outer in", "outer out"]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_it_may_call_the_tool_twice(way: Way) -> None:
    app, log = echoing()

    @app.use
    def twice(call: Call, next: Next) -> Outcome:
        next(call)
        return next(call)

    assert way(app, "echo").value == "hello"
    assert log == ["tool", "tool"]


@pytest.mark.parametrize("make", NOTES)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_failures_come_by_as_outcomes_and_may_be_replaced(way: Way, make: Any) -> None:
    app, log = App("tests"), []

    @app.command
    def fails(number: int) -> None:
        raise ToolError("no")

    app.use(make(log, "outer"))

    @app.use
    def forgive(call: Call, next: Next) -> Outcome:
        outcome = next(call)
        log.append(outcome.reason if isinstance(outcome, Failed) else None)
        return Ok("forgiven", "forgiven", "forgiven")

    assert way(app, "fails", number=1).value == "forgiven"
    assert way(app, "fails", number="x").value == "forgiven"
    assert way(app, "nothing").value == "forgiven"
    assert [each for each in log if "outer" not in each] == ["tool_error", "type_mismatch", "unknown_tool"]


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_one_that_raises_fails_the_call_and_not_the_caller(way: Way, is_async: bool) -> None:
    app, log = echoing()
    error = ValueError("the gatekeeper is asleep")

    def sync_raise(call: Call, next: Next) -> Outcome:
        raise error

    async def async_raise(call: Call, next: Next) -> Outcome:
        raise error

    app.use(async_raise if is_async else sync_raise)
    answer = way(app, "echo")
    assert answer.reason == "tool_error"
    assert answer.exception in (error, None)
    assert log == []


@pytest.mark.parametrize("error", [SystemExit("enough"), GeneratorExit(), asyncio.CancelledError()], ids=repr)
@pytest.mark.parametrize("is_async", [False, True])
def test_one_that_wants_to_end_the_process_fails_the_call(error: BaseException, is_async: bool) -> None:
    for way in EVERY_WAY:
        app, _ = echoing()

        def sync_raise(call: Call, next: Next) -> Outcome:
            raise error

        async def async_raise(call: Call, next: Next) -> Outcome:
            raise error

        app.use(async_raise if is_async else sync_raise)
        if is_async and way is awaited and isinstance(error, GeneratorExit):
            continue  # the word for a coroutine that is being closed
        answer = way(app, "echo")
        assert answer.reason in ("tool_error", "cancelled"), way


@pytest.mark.parametrize("garbage", [None, "hello", {"content": []}, 5])
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_one_that_returns_no_outcome_is_named(way: Way, is_async: bool, garbage: Any) -> None:
    app, _ = echoing()

    def forgetful(call: Call, next: Next) -> Any:
        next(call)
        return garbage

    async def aforgetful(call: Call, next: Next) -> Any:
        await next(call)
        return garbage

    app.use(aforgetful if is_async else forgetful)
    answer = way(app, "echo")
    assert answer.reason == "tool_error"
    if way is not mcp:
        assert "forgetful returned a" in str(answer.exception)


def test_a_sync_one_that_returns_the_awaitable_of_next_works_in_a_loop_and_outside() -> None:
    app, _ = echoing()

    class Passing:
        def __call__(self, call: Call, next: Next) -> Any:
            return next(call)

    class AsyncPassing:
        async def __call__(self, call: Call, next: Next) -> Any:
            return await next(call)

    app.use(Passing())
    app.use(AsyncPassing())
    for way in EVERY_WAY:
        assert way(app, "echo").value == "hello"


def test_it_is_composed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app, log = echoing()
    app.use(sync_note(log, "outer"))
    composed = []
    around = blocking._around
    monkeypatch.setattr(blocking, "_around", lambda *given: composed.append(given) or around(*given))
    for _ in range(3):
        app.call("echo")
    assert len(composed) == 1


def test_it_sees_who_calls_and_how() -> None:
    app, seen = echoing()[0], []

    @app.use
    def look(call: Call, next: Next) -> Outcome:
        seen.append((call.name, call.surface))
        return next(call)

    for way in EVERY_WAY:
        way(app, "echo")
    assert seen == [("echo", "python"), ("echo", "python"), ("echo", "mcp")]


@pytest.mark.parametrize("make", NOTES)
def test_an_added_apps_own_stands_inside_that_of_the_app_it_came_to(make: Any) -> None:
    log: list[Any] = []
    inner, _ = echoing()
    inner.use(make(log, "inner"))
    outer = App("outer")
    outer.add(inner, prefix="in")
    outer.use(make(log, "outer"))

    @outer.command
    def own() -> str:
        return "own"

    for way in EVERY_WAY:
        log.clear()
        assert way(outer, "in.echo").value == "hello"
        assert log == ["outer in", "inner in", "inner out", "outer out"]
        log.clear()
        assert way(outer, "own").value == "own"
        assert log == ["outer in", "outer out"]
        log.clear()
        assert way(inner, "echo").value == "hello"
        assert log == ["inner in", "inner out"]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_an_added_app_gets_later_counts_for_its_tools_wherever_they_are(way: Way) -> None:
    inner, _ = echoing()
    outer = App("outer")
    outer.add(inner)
    assert way(outer, "echo").value == "hello"
    log: list[Any] = []
    inner.use(sync_note(log, "late"))
    assert way(outer, "echo").value == "hello"
    assert log == ["late in", "late out"]


variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="nobody")


@pytest.mark.parametrize("way", [python, awaited])
def test_what_a_middleware_sets_for_the_tool_the_tool_sees(way: Way) -> None:
    app = App("tests")

    @app.use
    def identify(call: Call, next: Next) -> Outcome:
        variable.set("somebody")
        return next(call)

    @app.command
    def who() -> str:
        return variable.get()

    assert contextvars.copy_context().run(way, app, "who").value == "somebody"


@pytest.mark.parametrize("way", [python, awaited])
def test_what_an_async_middleware_sets_the_tool_sees(way: Way) -> None:
    app = App("tests")

    @app.use
    async def identify(call: Call, next: Next) -> Outcome:
        variable.set("somebody")
        return await next(call)

    @app.command
    def who() -> str:
        return variable.get()

    assert way(app, "who").value == "somebody"


def test_many_calls_with_sync_middleware_at_once_do_not_wait_for_each_other_forever() -> None:
    app, log = echoing()
    for number in range(3):
        app.use(sync_note(log, str(number)))

    async def many() -> list[Any]:
        return await asyncio.gather(*(app.acall("echo", text=str(number)) for number in range(100)))

    assert asyncio.run(asyncio.wait_for(many(), 30)) == [str(number) for number in range(100)]
