"""Tools that yield: progress reaches whoever called, and the result is what R13 says it is."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from typing import Any

import pytest

from accord import App, Context, Progress
from accord._caller import Caller
from accord._calls import Call, Ok
from accord.dispatch.blocking import dispatch
from tests.unit.dispatch._ways import EVERY_WAY, Way


def returned() -> Generator[Progress, None, int]:
    yield Progress("half", 1, 2)
    return 2


def yielded() -> Iterator[Progress | int]:
    yield Progress("half", 1, 2)
    yield 2


async def async_yielded() -> AsyncIterator[Progress | int]:
    yield Progress("half", 1, 2)
    await asyncio.sleep(0)
    yield 2


async def async_generator() -> AsyncGenerator[Progress | int, None]:
    yield Progress("half", 1, 2)
    yield 2


def last_of_many() -> Iterator[Progress | int]:
    yield 1
    yield Progress("half", 1, 2)
    yield 2


async def last_of_many_async() -> AsyncIterator[Progress | int]:
    yield 1
    yield Progress("half", 1, 2)
    yield 2


def returned_over_yielded() -> Generator[Progress | int, None, int]:
    yield 1
    yield Progress("half", 1, 2)
    return 2


TOOLS = (
    returned,
    yielded,
    async_yielded,
    async_generator,
    last_of_many,
    last_of_many_async,
    returned_over_yielded,
)


class Listening(Caller):
    def __init__(self) -> None:
        self.heard: list[tuple[str, float, float]] = []

    def progress(self, status: str, step: float, total: float) -> None:
        self.heard.append((status, step, total))


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_result_of_a_generator(tool: Any, way: Way) -> None:
    app = App("tests")
    app.command("work")(tool)
    assert app.tools["work"].output_schema == {"type": "integer"}
    assert way(app, "work").value == 2


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("in_loop", [False, True])
def test_progress_reaches_the_caller_and_is_no_result(tool: Any, in_loop: bool) -> None:
    app = App("tests")
    app.command("work")(tool)
    caller = Listening()
    call = Call("work", {}, "mcp", caller)
    outcome = asyncio.run(app._adispatch(call)) if in_loop else dispatch(app._registry, call)
    assert isinstance(outcome, Ok)
    assert caller.heard == [("half", 1, 2)]


def nothing() -> Iterator[Progress]:
    yield Progress("done")


async def anothing() -> AsyncIterator[Progress]:
    yield Progress("done")


def empty() -> Generator[Progress, None, None]:
    return
    yield


@pytest.mark.parametrize("tool", [nothing, anothing, empty])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_generator_of_progress_alone_has_no_result(tool: Any, way: Way) -> None:
    app = App("tests")
    app.command("work")(tool)
    assert app.tools["work"].output_schema is None
    answer = way(app, "work")
    assert (answer.reason, answer.value) == (None, None)


def wrong() -> Generator[Progress, None, int]:
    yield Progress("half")
    return "two"


def wrongly_nothing() -> Iterator[Progress | int]:
    yield Progress("half")


@pytest.mark.parametrize("tool", [wrong, wrongly_nothing])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_generators_result_keeps_its_contract_or_fails(tool: Any, way: Way) -> None:
    app = App("tests")
    app.command("work")(tool)
    assert way(app, "work").reason == "output_invalid"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_null_is_a_result_a_generator_may_return_after_others(way: Way) -> None:
    app = App("tests")

    @app.command
    def work() -> Generator[Progress, None, int | None]:
        yield Progress("half")
        return None

    assert way(app, "work").value is None


@pytest.mark.parametrize("way", EVERY_WAY)
def test_arguments_of_a_generator_are_checked_before_it_starts(way: Way) -> None:
    app = App("tests")

    @app.command
    def work(n: int) -> Generator[Progress, None, int]:
        yield Progress("half")
        return n

    assert way(app, "work", n="x").reason == "type_mismatch"
    assert way(app, "work", n=3).value == 3


@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_context_reports_progress_too(way: Way) -> None:
    app = App("tests")

    @app.command
    def work(ctx: Context) -> Generator[Progress, None, str]:
        ctx.progress("from the context", 1, 3)
        yield Progress("from the generator", 2, 3)
        return ctx.surface

    assert way(app, "work").value in ("python", "mcp")
    caller = Listening()
    dispatch(app._registry, Call("work", {}, "mcp", caller))
    assert caller.heard == [("from the context", 1, 3), ("from the generator", 2, 3)]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_caller_that_cannot_listen_fails_no_generator_for_good(way: Way) -> None:
    app = App("tests")
    app.command("work")(returned)
    assert [way(app, "work").value for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_plain_function_may_hand_on_a_generator_or_an_awaitable(way: Way) -> None:
    app = App("tests")

    @app.command
    def hands_on() -> Generator[Progress, None, int]:
        return returned()

    async def later() -> int:
        return 2

    app.command("lambda")(lambda: later())

    @app.command
    def hands_on_async() -> AsyncIterator[Progress | int]:
        return async_yielded()

    assert way(app, "hands_on").value == 2
    assert way(app, "lambda").value == 2
    assert way(app, "hands_on_async").value == 2


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_list_that_is_made_lazily_is_refused_by_its_own_contract_and_named(way: Way) -> None:
    app = App("tests")

    @app.command
    def words() -> list[str]:
        return (word for word in ["a", "b"])

    assert way(app, "words").reason == "output_invalid"
