"""A tool that takes too long: the caller goes on without it, and the tool can see that it was given up."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from accord import App, Context, Policy, Progress
from accord._calls import Call
from accord.dispatch import invoke_async
from accord.dispatch.bind import prepare
from accord.dispatch.flow import flow
from accord.dispatch.steps import Invoke
from accord.errors import CapExceeded, ToolTimeout
from tests.unit.dispatch._ways import EVERY_WAY, Way

SOON = 0.05


@pytest.fixture
def over() -> Iterator[threading.Event]:
    """What the slow tools of a test wait for."""
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_sync_tool_is_given_up_and_can_see_it(way: Way, over: threading.Event) -> None:
    app, seen, left = App("tests"), [], threading.Event()

    @app.command(timeout=SOON)
    def slow(ctx: Context) -> None:
        seen.append(ctx.cancelled)
        over.wait(10)
        seen.append(ctx.cancelled)
        left.set()

    answer = way(app, "slow")
    assert (answer.reason, answer.data["code"], answer.data["retryable"]) == ("timeout", "CAP_EXCEEDED", True)
    assert isinstance(answer.exception, ToolTimeout | None)
    over.set()
    assert left.wait(10)
    assert seen == [False, True]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_an_async_tool_is_cancelled_and_cleans_up(way: Way) -> None:
    app, seen = App("tests"), []

    @app.command(timeout=SOON)
    async def slow(ctx: Context) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            seen.append(("cleaned up", ctx.cancelled))
            raise

    assert way(app, "slow").reason == "timeout"
    assert seen == [("cleaned up", True)]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_an_async_generator_is_cancelled_and_cleans_up(way: Way) -> None:
    app, seen = App("tests"), []

    @app.command(timeout=SOON)
    async def slow() -> AsyncIterator[Progress | str]:
        try:
            yield Progress("on it")
            await asyncio.Event().wait()
            yield "never"
        finally:
            seen.append("cleaned up")

    assert way(app, "slow").reason == "timeout"
    assert seen == ["cleaned up"]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_an_async_tool_that_will_not_end_is_left_behind(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invoke_async, "_GRACE", SOON)
    app, refused = App("tests"), []

    @app.command(timeout=SOON)
    async def stubborn() -> str:
        while not refused:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                refused.append("no")
        await asyncio.Event().wait()
        return "never"

    assert way(app, "stubborn").reason == "timeout"
    assert refused == ["no"]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_generator_ends_at_its_next_step(way: Way, over: threading.Event) -> None:
    app, left = App("tests"), threading.Event()

    @app.command(timeout=SOON)
    def slow() -> Iterator[Progress | str]:
        try:
            over.wait(10)
            yield Progress("late")
            yield "never"
        finally:
            left.set()

    assert way(app, "slow").reason == "timeout"
    over.set()
    assert left.wait(10)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_progress_ends_a_tool_that_was_given_up(way: Way, over: threading.Event) -> None:
    app, ended = App("tests"), threading.Event()

    @app.command(timeout=SOON)
    def slow(ctx: Context) -> None:
        over.wait(10)
        try:
            ctx.progress("still here")
        finally:
            ended.set()

    assert way(app, "slow").reason == "timeout"
    over.set()
    assert ended.wait(10)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_in_time_is_as_if_there_were_no_limit(way: Way) -> None:
    app = App("tests", policy=Policy(timeout=10))

    @app.command
    def now() -> str:
        return "now"

    @app.command
    async def anow(ctx: Context) -> str:
        assert not ctx.cancelled
        return "now"

    @app.command
    def fails() -> None:
        raise ValueError("no")

    assert way(app, "now").value == way(app, "anow").value == "now"
    assert way(app, "fails").reason == "tool_error"


@pytest.mark.parametrize(("own", "policy", "limit"), [(1, 10, 1), (None, 10, 10), (10, 1, 10), (None, None, None)])
def test_a_tools_own_limit_comes_before_the_policys(
    own: float | None, policy: float | None, limit: float | None
) -> None:
    app = App("tests", policy=Policy(timeout=policy))
    app.command("slow", timeout=own)(lambda: None)
    step = next(flow(app._registry, prepare(app._registry, Call("slow", {}))))
    assert isinstance(step, Invoke)
    assert step.timeout == limit


def test_a_time_out_is_a_cap_that_was_exceeded() -> None:
    assert issubclass(ToolTimeout, CapExceeded)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_was_opened_for_a_slow_tool_is_closed(way: Way, over: threading.Event) -> None:
    app, closed = App("tests"), []

    class Connection:
        pass

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        try:
            yield Connection()
        except ToolTimeout as error:
            closed.append(type(error))
            raise

    @app.command(timeout=SOON)
    def slow(connection: Connection) -> None:
        over.wait(10)

    assert way(app, "slow").reason == "timeout"
    assert closed == [ToolTimeout]


def test_other_calls_go_on_while_one_is_slow(over: threading.Event) -> None:
    app = App("tests")

    @app.command(timeout=10)
    def slow() -> str:
        over.wait(10)
        return "slow"

    @app.command
    def quick() -> str:
        over.set()
        return "quick"

    async def both() -> list[Any]:
        return await asyncio.gather(app.acall("slow"), app.acall("quick"))

    assert asyncio.run(both()) == ["slow", "quick"]
