"""Values that live as long as their app: made once, however many ask at once, and closed with it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from accord import App, Policy, ToolError
from tests.unit._resources import SURFACES, Connection, Log, Pool, works


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture(params=SURFACES)
def through(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return SURFACES[request.param]


def counted(log: Log, *, is_async: bool = False) -> App:
    """An app with one connection, and fewer threads than callers."""
    app = App("tests", policy=Policy(concurrency=4))

    def watched() -> Iterator[Connection]:
        yield from log.watched("c")

    async def watched_async() -> AsyncIterator[Connection]:
        await asyncio.sleep(0)
        opened = log.watched("c")
        yield next(opened)
        next(opened, None)

    app.provide(Connection, watched_async if is_async else watched, scope="app")
    app.command(name="works")(works)
    return app


@pytest.mark.parametrize("is_async", [False, True])
def test_a_value_for_the_app_is_made_once_under_threads_and_closed_with_the_app(is_async: bool, log: Log) -> None:
    app, start = counted(log, is_async=is_async), threading.Barrier(8)

    def call(_: int) -> str:
        start.wait(30)
        return app.call("works")

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(call, range(8))) == ["c"] * 8
    assert log == ["open c"]
    app.close()
    assert log == ["open c", "close c"]
    app.close()
    assert log == ["open c", "close c"]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_value_for_the_app_is_made_once_for_more_callers_than_there_are_threads(is_async: bool, log: Log) -> None:
    async def main() -> list[str]:
        return await asyncio.wait_for(asyncio.gather(*(app.acall("works") for _ in range(32))), 60)

    app = counted(log, is_async=is_async)
    assert asyncio.run(main()) == ["c"] * 32
    assert log[0] == "open c"
    assert log.count("open c") == 1
    app.close()
    assert log.count("close c") == 1


def test_a_caller_that_gives_up_waiting_for_a_value_does_not_keep_it_from_others(log: Log) -> None:
    app, release = App("tests"), threading.Event()

    @app.provide(Connection, scope="app")
    def connection() -> Connection:
        log.append("open")
        release.wait(30)
        return Connection("c")

    app.command(name="works")(works)

    async def main() -> list[str]:
        first = asyncio.ensure_future(app.acall("works"))
        second = asyncio.ensure_future(app.acall("works"))
        while not log:
            await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        release.set()
        return [await asyncio.wait_for(first, 30), await asyncio.wait_for(app.acall("works"), 30)]

    assert asyncio.run(main()) == ["c", "c"]
    assert log == ["open"]


def test_a_value_for_the_app_that_could_not_be_made_is_tried_again(through: Callable[..., Any]) -> None:
    app, tries = App("tests"), []

    @app.provide(Connection, scope="app")
    def connection() -> Connection:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError("not yet")
        return Connection("c")

    app.command(name="works")(works)
    with pytest.raises(ConnectionError):
        through(app, "works")
    assert through(app, "works") == "c"


def test_a_failed_call_does_not_close_what_belongs_to_the_app(log: Log, through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Connection, lambda: log.watched("c"), scope="app")

    @app.command
    def fails(connection: Connection) -> None:
        raise ToolError("no")

    for _ in range(2):
        with pytest.raises(ToolError):
            through(app, "fails")
    assert log == ["open c"]


def test_an_app_closes_last_opened_first_and_reports_what_went_wrong(log: Log) -> None:
    with pytest.raises(ExceptionGroup, match="could not be closed") as caught, App("tests") as app:

        @app.provide(Pool, scope="app")
        def pool() -> Iterator[Pool]:
            yield from log.watched("pool", Pool())

        @app.provide(Connection, scope="app")
        def connection(pool: Pool) -> Iterator[Connection]:
            yield Connection("c")
            log.append("close c")
            raise OSError("not in order")

        app.command(name="works")(works)
        app.call("works")
    assert log == ["open pool", "close c", "close pool"]
    assert [type(error) for error in caught.value.exceptions] == [OSError]
