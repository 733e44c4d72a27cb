"""Sync and async, each from the other: nothing blocks a loop, and what is cancelled ends and cleans up."""

import asyncio
import contextvars
import functools
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from accord import App, Context, Progress
from accord._caller import Cancellation
from accord._calls import Call, Failed
from accord.dispatch.blocking import dispatch
from tests.unit.dispatch._ways import EVERY_WAY, Way, awaited, mcp, python

variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="nobody")


def both() -> App:
    app = App("tests")

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    @app.command
    async def aadd(a: int, b: int) -> int:
        await asyncio.sleep(0)
        return a + b

    return app


@pytest.mark.parametrize("name", ["add", "aadd"])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_sync_and_async_tools_are_called_alike(way: Way, name: str) -> None:
    assert way(both(), name, a=1, b=2).value == 3


class Adder:
    async def __call__(self, a: int, b: int) -> int:
        return a + b

    async def method(self, a: int, b: int) -> int:
        return a + b


def test_async_is_recognised_in_every_kind_of_callable() -> None:
    async def add(c: int, a: int, b: int) -> int:
        return a + b + c

    app = App("tests")
    app.command("object")(Adder())
    app.command("method")(Adder().method)
    app.command("partial")(functools.partial(add, 0))
    for name in ("object", "method", "partial"):
        assert app.tools[name].is_async, name
        for way in EVERY_WAY:
            assert way(app, name, a=1, b=2).value == 3, (name, way)


def test_a_loop_is_not_blocked_by_calling_an_async_tool_and_the_error_names_the_way() -> None:
    app = both()

    async def main() -> None:
        assert app.call("add", a=1, b=2) == 3, "a sync tool needs no loop"
        with pytest.raises(RuntimeError, match="acall"):
            app.call("aadd", a=1, b=2)
        assert await app.acall("aadd", a=1, b=2) == 3

    asyncio.run(main())


def test_the_loop_that_runs_async_tools_does_not_wait_for_itself() -> None:
    app = connected([])

    @app.command
    def needs_a_loop(connection: Connection) -> None:
        pass

    @app.command
    async def calls_on() -> None:
        app.call("needs_a_loop")

    answer = python(app, "calls_on")
    assert isinstance(answer.exception, RuntimeError)
    assert "acall" in str(answer.exception)


def test_async_tools_called_from_sync_code_share_one_loop() -> None:
    app = App("tests")

    @app.command
    async def where() -> int:
        return id(asyncio.get_running_loop())

    with ThreadPoolExecutor(8) as pool:
        loops = set(pool.map(lambda _: app.call("where"), range(32)))
    assert len(loops) == 1


def test_a_sync_tool_does_not_block_the_loop_that_awaits_it() -> None:
    app, started, release = App("tests"), threading.Event(), threading.Event()

    @app.command
    def slow() -> str:
        started.set()
        assert release.wait(10), "the loop stood still"
        return "done"

    async def main() -> str:
        task = asyncio.ensure_future(app.acall("slow"))
        while not started.is_set():
            await asyncio.sleep(0)
        release.set()
        return await task

    assert asyncio.run(main()) == "done"


def test_an_async_tool_runs_in_the_loop_that_awaits_it() -> None:
    app = App("tests")

    @app.command
    async def where() -> bool:
        return asyncio.get_running_loop() is mine[0]

    mine: list[Any] = []

    async def main() -> bool:
        mine.append(asyncio.get_running_loop())
        return await app.acall("where")

    assert asyncio.run(main())


@pytest.mark.parametrize("options", [{}, {"timeout": 10}])
@pytest.mark.parametrize("way", [python, awaited])
def test_context_variables_reach_tools_wherever_they_run(way: Way, options: dict[str, Any]) -> None:
    app = App("tests")

    @app.command(**options)
    def who() -> str:
        return variable.get()

    @app.command(**options)
    async def awho() -> str:
        return variable.get()

    def ask() -> list[Any]:
        variable.set("somebody")
        return [way(app, "who").value, way(app, "awho").value]

    assert contextvars.copy_context().run(ask) == ["somebody", "somebody"]


class Connection:
    pass


def connected(log: list[str]) -> App:
    """An app with an async tool that waits forever, and providers that say when they are opened and closed."""
    app = App("tests")

    @app.provide(Connection)
    async def connect() -> AsyncIterator[Connection]:
        log.append("open")
        try:
            yield Connection()
        finally:
            await asyncio.sleep(0)
            log.append("close")

    @app.provide(dict)
    def settings(connection: Connection) -> Iterator[dict[str, Any]]:
        log.append("open settings")
        try:
            yield {}
        finally:
            log.append("close settings")

    @app.command
    async def wait(settings: dict, ctx: Context) -> None:
        log.append("run")
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            log.append(f"clean up, cancelled={ctx.cancelled}")

    return app


async def _cancelled_once(log: list[str], entry: str, call: Any) -> None:
    task = asyncio.ensure_future(call)
    while entry not in log:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_cancelling_acall_cancels_the_tool_and_cleans_up_before_it_returns() -> None:
    log: list[str] = []
    asyncio.run(_cancelled_once(log, "run", connected(log).acall("wait")))
    assert log == ["open", "open settings", "run", "clean up, cancelled=True", "close settings", "close"]


@pytest.mark.parametrize("is_async", [False, True])
def test_cancelling_acall_cancels_what_is_inside_a_middleware_too(is_async: bool) -> None:
    log: list[str] = []
    app = connected(log)

    def through(call: Any, next: Any) -> Any:
        try:
            return next(call)
        finally:
            log.append("middleware")

    async def athrough(call: Any, next: Any) -> Any:
        try:
            return await next(call)
        finally:
            log.append("middleware")

    app.use(athrough if is_async else through)
    asyncio.run(_cancelled_once(log, "run", app.acall("wait")))
    assert [entry for entry in log if entry != "middleware"][-2:] == ["close settings", "close"]


def test_a_middleware_that_calls_on_after_a_cancel_starts_nothing() -> None:
    app, log, go = both(), [], threading.Event()
    ended = threading.Event()

    @app.command
    def work() -> None:
        log.append("run")

    @app.use
    def late(call: Any, next: Any) -> Any:
        log.append("in")
        go.wait(10)
        try:
            outcome = next(call)
            log.append(outcome.reason)
            return outcome
        finally:
            ended.set()

    asyncio.run(_cancelled_once(log, "in", app.acall("work")))
    go.set()
    assert ended.wait(10)
    assert log == ["in", "cancelled"]


def test_cancelling_acall_leaves_a_sync_tool_behind_which_can_see_it() -> None:
    app, log, release, ended = App("tests"), [], threading.Event(), threading.Event()

    @app.command
    def work(ctx: Context) -> None:
        log.append("run")
        release.wait(10)
        log.append(f"cancelled={ctx.cancelled}")
        ended.set()

    asyncio.run(_cancelled_and_released(log, app, release))
    assert ended.wait(10)
    assert log == ["run", "cancelled=True"]


async def _cancelled_and_released(log: list[str], app: App, release: threading.Event) -> None:
    await _cancelled_once(log, "run", app.acall("work"))
    release.set()


def test_a_time_limit_of_the_callers_own_ends_the_tool() -> None:
    log: list[str] = []
    app = connected(log)

    async def main() -> None:
        await asyncio.wait_for(app.acall("wait"), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert log[-2:] == ["close settings", "close"]


@pytest.mark.parametrize("in_loop", [False, True])
def test_a_call_that_is_withdrawn_by_its_caller_is_cancelled(in_loop: bool) -> None:
    log: list[str] = []
    app, cancellation = connected(log), Cancellation()

    def withdraw() -> None:
        while "run" not in log:
            pass
        cancellation.cancel()

    thread = threading.Thread(target=withdraw)
    thread.start()
    call = Call("wait", {}, "mcp", cancellation=cancellation)
    outcome = asyncio.run(app._adispatch(call)) if in_loop else dispatch(app._registry, call)
    thread.join()
    assert isinstance(outcome, Failed)
    assert outcome.reason == "cancelled"
    assert log[-2:] == ["close settings", "close"]


def test_a_generator_that_is_withdrawn_ends_at_its_next_step_and_cleans_up() -> None:
    app, cancellation, log = App("tests"), Cancellation(), []

    @app.command
    def work() -> Iterator[Progress | str]:
        try:
            yield Progress("half")
            cancellation.cancel()
            yield Progress("more")
            log.append("went on")
        finally:
            log.append("clean up")

    outcome = dispatch(app._registry, Call("work", {}, "mcp", cancellation=cancellation))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "cancelled"
    assert log == ["clean up"]


@pytest.mark.parametrize("in_loop", [False, True])
@pytest.mark.parametrize("name", ["work", "awork", "with_provider"])
def test_a_call_that_was_withdrawn_before_its_tool_began_never_runs_it(name: str, in_loop: bool) -> None:
    app, cancellation, log = App("tests"), Cancellation(), []

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        cancellation.cancel()
        yield Connection()
        log.append("close")

    @app.command
    def work() -> None:
        log.append("run")

    @app.command
    async def awork() -> None:
        log.append("run")

    @app.command
    def with_provider(connection: Connection) -> None:
        log.append("run")

    if name != "with_provider":
        cancellation.cancel()
    call = Call(name, {}, "mcp", cancellation=cancellation)
    outcome = asyncio.run(app._adispatch(call)) if in_loop else dispatch(app._registry, call)
    assert isinstance(outcome, Failed)
    assert outcome.reason == "cancelled"
    assert "run" not in log


def test_a_hundred_calls_that_need_one_value_of_the_app_open_it_once_and_wait_for_nobody() -> None:
    app, opened = App("tests"), []

    @app.provide(Connection, scope="app")
    def connect() -> Connection:
        opened.append(1)
        return Connection()

    @app.command
    def use(connection: Connection) -> int:
        return id(connection)

    async def main() -> set[int]:
        return set(await asyncio.gather(*(app.acall("use") for _ in range(200))))

    assert len(asyncio.run(asyncio.wait_for(main(), 30))) == 1
    assert len(opened) == 1


def test_a_hundred_calls_at_once() -> None:
    app = both()

    async def main() -> list[int]:
        calls = [app.acall(name, a=number, b=1) for number in range(100) for name in ("add", "aadd")]
        return await asyncio.gather(*calls)

    assert asyncio.run(main()) == [number + 1 for number in range(100) for _ in range(2)]


def test_tools_may_call_tools() -> None:
    app = both()

    @app.command
    def twice(n: int) -> int:
        return app.call("aadd", a=app.call("add", a=n, b=0), b=n)

    @app.command
    async def atwice(n: int) -> int:
        return await app.acall("add", a=await app.acall("aadd", a=n, b=0), b=n)

    for name in ("twice", "atwice"):
        for way in EVERY_WAY:
            assert way(app, name, n=4).value == 8, (name, way)


def test_a_call_inside_a_tool_fails_as_the_tools_own_failure() -> None:
    app = both()

    @app.command
    def wrong() -> int:
        return app.call("add", a="x", b=1)

    answer = mcp(app, "wrong")
    assert (answer.reason, answer.data["tool"]) == ("tool_error", "wrong")


def test_an_app_that_was_closed_can_be_called_again() -> None:
    app = both()
    for _ in range(2):
        assert awaited(app, "add", a=1, b=2).value == 3
        app.close()
    assert python(app, "aadd", a=1, b=2).value == 3
