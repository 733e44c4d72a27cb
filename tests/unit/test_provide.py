"""What tools are given: made when it is needed, once where that is promised, and cleaned up whatever happens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from accord import App, ToolError
from accord.errors import OutputInvalid, ToolTimeout
from accord.testing import call_tool
from tests.unit._resources import SURFACES, Connection, Log


@pytest.fixture
def log() -> Log:
    return Log()


def sync_factory(log: Log) -> Callable[..., Any]:
    def connection() -> Iterator[Connection]:
        yield from log.watched("c")

    return connection


def async_factory(log: Log) -> Callable[..., Any]:
    async def connection() -> AsyncIterator[Connection]:
        opened = log.watched("c")
        made = next(opened)
        await asyncio.sleep(0)
        try:
            yield made
        except BaseException as error:
            await asyncio.sleep(0)
            opened.throw(error)  # type: ignore[attr-defined]  # it is a generator
        else:
            await asyncio.sleep(0)
            next(opened, None)

    return connection


def lambda_factory(log: Log) -> Callable[..., Any]:
    return lambda: async_factory(log)()


FACTORIES = {"sync": sync_factory, "async": async_factory, "a lambda of async": lambda_factory}


@pytest.fixture(params=SURFACES)
def through(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return SURFACES[request.param]


@pytest.fixture(params=FACTORIES)
def app(request: pytest.FixtureRequest, log: Log) -> App:
    """An app with a connection that is watched, and tools that end in every way."""
    app = App("tests")
    app.provide(Connection, FACTORIES[request.param](log))

    @app.command
    def works(connection: Connection) -> str:
        log.append("run")
        return connection.name

    @app.command
    async def works_async(connection: Connection) -> str:
        log.append("run")
        return connection.name

    @app.command
    def fails(connection: Connection) -> str:
        raise ToolError("no")

    @app.command
    async def fails_async(connection: Connection) -> str:
        raise ToolError("no")

    @app.command
    def lies(connection: Connection) -> int:
        return "no number"  # type: ignore[return-value]  # that is the point

    @app.command(timeout=0.01)
    async def hangs(connection: Connection) -> None:
        await asyncio.Event().wait()

    return app


# -- clean-up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["works", "works_async"])
def test_a_generator_goes_on_after_a_success(name: str, app: App, log: Log, through: Callable[..., Any]) -> None:
    assert through(app, name) == "c"
    assert log == ["open c", "run", "close c"]


ENDS = [
    ("fails", ToolError),
    ("fails_async", ToolError),
    ("lies", OutputInvalid),
    ("hangs", ToolTimeout),
]


@pytest.mark.parametrize(("name", "kind"), ENDS)
def test_a_generator_sees_the_error_of_the_call(
    name: str, kind: type[Exception], app: App, log: Log, through: Callable[..., Any]
) -> None:
    with pytest.raises(kind):
        through(app, name)
    assert log == ["open c", f"c saw {kind.__name__}", "close c"]


def test_an_mcp_call_cleans_up_too(app: App, log: Log) -> None:
    assert call_tool(app, {"name": "fails", "arguments": {}})["isError"] is True
    assert log == ["open c", "c saw ToolError", "close c"]


def test_a_refused_call_opens_nothing(app: App, log: Log, through: Callable[..., Any]) -> None:
    with pytest.raises(Exception, match="wrong"):
        through(app, "works", wrong=1)
    assert log == []


@pytest.mark.parametrize("factory", FACTORIES.values(), ids=FACTORIES)
@pytest.mark.parametrize("is_async", [True, False])
def test_a_cancelled_call_cleans_up_before_the_caller_goes_on(
    factory: Callable[[Log], Any], is_async: bool, log: Log
) -> None:
    app = App("tests")
    app.provide(Connection, factory(log))
    release = threading.Event()

    async def main() -> None:
        running = asyncio.Event()
        loop = asyncio.get_running_loop()

        async def awaits(connection: Connection) -> None:
            running.set()
            await asyncio.Event().wait()

        def blocks(connection: Connection) -> None:
            loop.call_soon_threadsafe(running.set)
            release.wait(30)

        app.command(name="long")(awaits if is_async else blocks)
        task = asyncio.ensure_future(app.acall("long"))
        await running.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert log == ["open c", "c saw ToolCancelled", "close c"]
        release.set()

    asyncio.run(main())


def test_what_is_made_after_the_call_was_cancelled_is_cleaned_up(log: Log) -> None:
    app, release, closed = App("tests"), threading.Event(), threading.Event()

    async def main() -> None:
        loop, running = asyncio.get_running_loop(), asyncio.Event()

        @app.provide(Connection)
        def connection() -> Iterator[Connection]:
            loop.call_soon_threadsafe(running.set)
            release.wait(30)
            try:
                yield Connection()
            finally:
                closed.set()

        @app.command
        def use(connection: Connection) -> None: ...

        task = asyncio.ensure_future(app.acall("use"))
        await running.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        release.set()
        assert await asyncio.to_thread(closed.wait, 30)

    asyncio.run(main())


@pytest.mark.parametrize("factory", [sync_factory, async_factory])
def test_an_error_while_cleaning_up_turns_a_success_into_a_failure(
    factory: Callable[[Log], Any], log: Log, through: Callable[..., Any]
) -> None:
    app = App("tests")

    if factory is sync_factory:

        @app.provide(Connection)
        def connection() -> Iterator[Connection]:
            yield Connection()
            raise OSError("cannot commit")
    else:

        @app.provide(Connection)
        async def connection() -> AsyncIterator[Connection]:
            yield Connection()
            raise OSError("cannot commit")

    @app.command
    def works(connection: Connection) -> int:
        return 1

    with pytest.raises(OSError, match="cannot commit"):
        through(app, "works")
    assert "cannot commit" in call_tool(app, {"name": "works"})["content"][0]["text"]


def test_an_error_while_cleaning_up_does_not_hide_the_tools_own(through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(Connection)
    def connection() -> Iterator[Connection]:
        try:
            yield Connection()
        finally:
            raise OSError("cannot roll back")

    @app.command
    def fails(connection: Connection) -> int:
        raise ToolError("the reason")

    with pytest.raises(ToolError, match="the reason"):
        through(app, "fails")


def test_a_generator_that_swallows_the_error_does_not_make_it_a_success(through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(Connection)
    def connection() -> Iterator[Connection]:
        try:
            yield Connection()
        except ToolError:
            pass

    @app.command
    def fails(connection: Connection) -> int:
        raise ToolError("the reason")

    with pytest.raises(ToolError, match="the reason"):
        through(app, "fails")


def test_each_attempt_gets_a_value_of_its_own(log: Log, through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Connection, sync_factory(log))
    tries: list[Connection] = []

    @app.command(retry_on=(OSError,), max_attempts=2, idempotent=True)
    def flaky(connection: Connection) -> str:
        tries.append(connection)
        if len(tries) == 1:
            raise OSError
        return "done"

    assert through(app, "flaky") == "done"
    assert tries[0] is not tries[1]
    assert log == ["open c", "c saw OSError", "close c", "open c", "close c"]


@pytest.mark.parametrize("factory", ["written async", "found out to be async"])
def test_what_is_made_for_an_awaited_call_belongs_to_its_event_loop(factory: str) -> None:
    app = App("tests")

    async def connection() -> AsyncIterator[Connection]:
        made = asyncio.get_running_loop()
        yield Connection(str(id(made)))
        assert asyncio.get_running_loop() is made

    app.provide(Connection, connection if factory == "written async" else lambda: connection())

    @app.command
    async def here(connection: Connection) -> bool:
        return connection.name == str(id(asyncio.get_running_loop()))

    assert asyncio.run(app.acall("here")) is True
    assert app.call("here") is True


def test_values_are_never_published_and_cannot_be_given(app: App) -> None:
    assert app.tools["works"].input_schema.get("properties", {}) == {}
    refused = call_tool(app, {"name": "works", "arguments": {"connection": {}}})
    assert refused["errorData"]["reason"] == "unexpected_argument"
