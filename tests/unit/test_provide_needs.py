"""Who gets what: factories that need each other, the order of registering, and the types that can be provided."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from typing import Any, NewType

import pytest

from accord import App, Context, Settings
from accord.errors import RegistrationError
from accord.testing import call_tool
from tests.unit._resources import SURFACES, Connection, Log, Pool, works
from tests.unit._tools import module_of


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture(params=SURFACES)
def through(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return SURFACES[request.param]


# -- what needs what -----------------------------------------------------------------------------------------------


def test_a_factory_is_given_what_it_needs_and_is_cleaned_up_before_it(log: Log, through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(Connection)
    def connection(pool: Pool, settings: Settings, ctx: Context, retries: int = 3) -> Iterator[Connection]:
        assert (pool.name, settings.get("x", 1), ctx.surface, retries) == ("pool", 1, "python", 3)
        yield from log.watched("inner")

    @app.provide(Pool)
    async def pool() -> AsyncIterator[Pool]:
        log.append("open outer")
        yield Pool("pool")
        log.append("close outer")

    @app.command
    def works(connection: Connection, pool: Pool) -> str:
        return pool.name

    assert through(app, "works") == "pool"
    assert log == ["open outer", "open inner", "close inner", "close outer"]


def test_what_fails_to_open_fails_the_call_and_closes_what_was_open(log: Log, through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Pool, lambda: log.watched("pool"))

    @app.provide(Connection)
    def connection(pool: Pool) -> Connection:
        raise ConnectionError("nobody there")

    @app.command
    def works(connection: Connection) -> str:
        return "never"

    with pytest.raises(ConnectionError, match="nobody there"):
        through(app, "works")
    assert log == ["open pool", "pool saw ConnectionError", "close pool"]


def test_one_value_per_call_whoever_needs_it(through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Pool, lambda: Pool())

    @app.provide(Connection)
    def connection(pool: Pool) -> Any:
        return pool

    @app.command
    def same(connection: Connection, pool: Pool, other: Pool | None = None) -> bool:
        return connection is pool is other

    assert through(app, "same") is True


def test_factories_that_need_each_other_are_refused(through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(Connection)
    def connection(pool: Pool) -> Connection:
        return Connection()

    @app.provide(Pool)
    def pool(connection: Connection) -> Pool:
        return Pool()

    @app.command
    def works(connection: Connection) -> None: ...

    with pytest.raises(RegistrationError, match=r"need each other: connection -> pool -> connection\. Cut the circle"):
        through(app, "works")


def test_a_factory_whose_needs_nobody_provides_is_refused(through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Connection, lambda url: Connection(url))
    app.command(name="works")(works)
    with pytest.raises(RegistrationError, match=r"parameter 'url': .* nobody provides this"):
        through(app, "works")


def test_a_factory_that_names_an_undefined_type_fails_the_call_and_nothing_else(through: Callable[..., Any]) -> None:
    made = module_of("from __future__ import annotations\ndef factory(missing: Missing) -> None: ...")
    app = App("tests")
    app.provide(Connection, made.factory)
    app.command(name="works")(works)
    with pytest.raises(RegistrationError, match=r"'missing'.*'Missing', which is not defined"):
        through(app, "works")
    assert call_tool(app, {"name": "works"})["isError"] is True


def test_a_value_for_the_app_cannot_hold_on_to_one_that_is_closed_after_a_call(through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(Connection)
    def connection() -> Iterator[Connection]:
        yield Connection()

    @app.provide(Pool, scope="app")
    def pool(connection: Connection) -> Pool:
        return Pool()

    @app.command
    def works(pool: Pool) -> None: ...

    with pytest.raises(RegistrationError, match="pool, parameter 'connection': connection is closed after every call"):
        through(app, "works")


# -- registering ---------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
def test_a_provider_may_come_after_the_tool(through: Callable[..., Any]) -> None:
    app = App("tests")
    app.command(name="works")(works)
    assert "connection" in app.tools["works"].input_schema["properties"]
    app.provide(Connection, lambda: Connection("late"))
    assert app.tools["works"].input_schema.get("properties", {}) == {}
    assert through(app, "works") == "late"


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
def test_a_provider_may_come_after_the_app_was_added_to_another(through: Callable[..., Any]) -> None:
    inner, outer, outermost = App("inner"), App("outer"), App("outermost")
    inner.command(name="works")(works)
    outer.add(inner)
    outermost.add(outer)
    inner.provide(Connection, lambda: Connection("late"))
    assert through(outer, "works") == "late"
    assert through(outermost, "works") == "late"


def test_a_provider_may_come_after_a_factory_that_can_use_it(through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(Connection)
    def connection(pool: Pool | None = None) -> Connection:
        return Connection("alone") if pool is None else Connection("pooled")

    app.command(name="works")(works)
    assert through(app, "works") == "alone"
    app.provide(Pool, lambda: Pool())
    assert through(app, "works") == "pooled"


def test_the_last_factory_of_a_type_counts(through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Connection, lambda: Connection("first"))
    app.command(name="works")(works)
    assert through(app, "works") == "first"
    app.provide(Connection, lambda: Connection("second"))
    assert through(app, "works") == "second"


@pytest.mark.filterwarnings("ignore::accord.AccordWarning")
def test_an_added_app_keeps_its_providers_and_borrows_those_it_lacks(through: Callable[..., Any]) -> None:
    inner, outer = App("inner"), App("outer")
    inner.provide(Connection, lambda: Connection("inner"))
    outer.provide(Connection, lambda: Connection("outer"))
    outer.provide(Pool, lambda: Pool("outer pool"))

    @inner.command
    def both(connection: Connection, pool: Pool) -> str:
        return f"{connection.name}, {pool.name}"

    outer.add(both, prefix="own")
    outer.add(inner)
    assert through(outer, "both") == "inner, outer pool"
    assert through(outer, "own.both") == "outer, outer pool"


UserName = NewType("UserName", str)


def test_any_annotation_is_a_type_to_provide(through: Callable[..., Any]) -> None:
    app = App("tests")

    @app.provide(UserName)
    def user_name() -> UserName:
        return UserName("ann")

    @app.provide(list[Connection])
    def connections() -> list[Connection]:
        return [Connection("a"), Connection("b")]

    @app.command
    def tell(user: UserName, connections: list[Connection]) -> str:
        return " ".join([user, *(connection.name for connection in connections)])

    assert through(app, "tell") == "ann a b"


def plain() -> Connection:
    return Connection("made")


async def awaited() -> Connection:
    return Connection("made")


def iterated() -> Iterator[Connection]:
    yield Connection("made")


def generated() -> Generator[Connection, None, None]:
    yield Connection("made")


async def iterated_async() -> AsyncIterator[Connection]:
    yield Connection("made")


async def generated_async() -> AsyncGenerator[Connection, None]:
    yield Connection("made")


def optional() -> Connection | None:
    return Connection("made")


BARE = [plain, awaited, iterated, generated, iterated_async, generated_async, optional]


@pytest.mark.parametrize("factory", BARE)
def test_the_type_can_be_read_off_the_factory(factory: Callable[..., Any], through: Callable[..., Any]) -> None:
    app = App("tests")
    assert app.provide(factory) is factory
    app.command(name="works")(works)
    assert through(app, "works") == "made"


def test_a_factory_that_does_not_say_what_it_makes_is_refused() -> None:
    made = module_of("from __future__ import annotations\ndef factory() -> Missing: ...\ndef silent(): ...")
    app = App("tests")
    with pytest.raises(RegistrationError, match=r"silent, its result: it does not say what it makes"):
        app.provide(made.silent)
    with pytest.raises(RegistrationError, match=r"factory, its result: .*'Missing', which is not defined"):
        app.provide(made.factory)


def test_a_scope_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RegistrationError, match="scope='session' makes no sense"):
        App("tests").provide(Connection, Connection, scope="session")


def test_a_factory_that_yields_nothing_fails_the_call(through: Callable[..., Any]) -> None:
    app = App("tests")
    app.provide(Connection, lambda: (connection for connection in ()))
    app.command(name="works")(works)
    with pytest.raises(TypeError, match="yields nothing"):
        through(app, "works")
