"""Repeated attempts: only after the listed exceptions, only so often, and never for a call that was withdrawn."""

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from accord import App, Context, Progress
from accord._caller import Cancellation
from accord._calls import Call, Failed
from accord.dispatch.bind import prepare
from accord.dispatch.blocking import dispatch
from accord.dispatch.flow import flow
from accord.dispatch.steps import Invoke, Pause
from accord.errors import ConfirmationRequired, ToolCancelled, ToolTimeout
from tests.unit.dispatch._ways import EVERY_WAY, Way


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nobody sleeps here; this is how long they would have."""
    slept: list[float] = []

    async def turn(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(asyncio, "sleep", turn)
    return slept


def failing(times: int, error: BaseException, *, is_async: bool = False, **options: Any) -> tuple[App, list[int]]:
    """An app whose tool ``work`` raises so many times before it succeeds, and the number of each run."""
    app, runs = App("tests"), []

    def once() -> str:
        runs.append(len(runs) + 1)
        if len(runs) <= times:
            raise error
        return "done"

    async def aonce() -> str:
        return once()

    app.command("work", idempotent=True, **options)(aonce if is_async else once)
    return app, runs


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_three_attempts_are_three_and_the_last_failure_is_the_answer(way: Way, is_async: bool) -> None:
    error = ConnectionError("down")
    app, runs = failing(99, error, is_async=is_async, retry_on=(ConnectionError,), max_attempts=3)
    answer = way(app, "work")
    assert answer.reason == "tool_error"
    assert runs == [1, 2, 3]
    assert answer.exception in (error, None)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_first_success_ends_it(way: Way, is_async: bool) -> None:
    app, runs = failing(1, ConnectionResetError(), is_async=is_async, retry_on=ConnectionError, max_attempts=5)
    assert way(app, "work").value == "done"
    assert runs == [1, 2]


# (what is raised, what the author asked for)
TRIED_ONCE = {
    "another exception": (ValueError("no"), {"retry_on": (ConnectionError,), "max_attempts": 3}),
    "nothing listed": (ConnectionError("no"), {"max_attempts": 3}),
    "one attempt": (ConnectionError("no"), {"retry_on": (ConnectionError,)}),
    "an exit": (SystemExit(1), {"retry_on": (Exception,), "max_attempts": 3}),
    "an interrupt": (KeyboardInterrupt(), {"retry_on": (BaseException,), "max_attempts": 3}),
    "a cancel": (ToolCancelled("enough"), {"retry_on": (Exception,), "max_attempts": 3}),
    "a refusal": (ConfirmationRequired("ask first"), {"retry_on": (Exception,), "max_attempts": 3}),
}


@pytest.mark.parametrize(("error", "options"), TRIED_ONCE.values(), ids=TRIED_ONCE)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_anything_else_is_tried_once(error: BaseException, options: dict[str, Any], way: Way) -> None:
    app, runs = failing(99, error, **options)
    assert way(app, "work").reason in ("tool_error", "cancelled", "confirmation_required")
    assert runs == [1]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_refused_arguments_and_results_are_not_tried_again(way: Way) -> None:
    app, runs = App("tests"), []

    @app.command(retry_on=(Exception,), max_attempts=3)
    def work(number: int) -> int:
        runs.append(number)
        return "no number"

    assert way(app, "work", number="x").reason == "type_mismatch"
    assert runs == []
    assert way(app, "work", number=1).reason == "output_invalid"
    assert runs == [1]


def test_the_pauses_grow_and_differ() -> None:
    app, _ = failing(99, ConnectionError(), retry_on=(ConnectionError,), max_attempts=12)
    waits = [_waits(app) for _ in range(20)]
    for seconds in waits:
        assert len(seconds) == 11, "no pause follows the last attempt"
        for number, each in enumerate(seconds):
            most = min(0.1 * 2**number, 5.0)
            assert most / 2 <= each <= most
    assert len({seconds[0] for seconds in waits}) > 1, "callers that failed together would come back together"


def _waits(app: App) -> list[float]:
    """The pauses a call asks its driver for; nobody takes them."""
    steps = flow(app._registry, prepare(app._registry, Call("work", {})))
    error = Failed(_failed(app).kind, "", {}, ConnectionError())
    asked, step = [], next(steps)
    while True:
        try:
            if isinstance(step, Pause):
                asked.append(step.seconds)
            step = steps.send(error if isinstance(step, Invoke) else False)
        except StopIteration:
            return asked


def _failed(app: App) -> Failed:
    outcome = dispatch(app._registry, Call("nothing", {}))
    assert isinstance(outcome, Failed)
    return outcome


def test_a_call_pauses_between_attempts_and_not_after_the_last(pauses: list[float]) -> None:
    app, _ = failing(99, ConnectionError(), retry_on=(ConnectionError,), max_attempts=3)
    with pytest.raises(ConnectionError):
        app.call("work")
    assert len(pauses) == 2


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_that_was_withdrawn_while_it_ran_is_not_tried_again(is_async: bool) -> None:
    app, runs, cancellation = App("tests"), [], Cancellation()

    def once() -> None:
        runs.append(1)
        cancellation.cancel()
        raise ConnectionError

    async def aonce() -> None:
        once()

    app.command("work", retry_on=(ConnectionError,), max_attempts=3)(aonce if is_async else once)
    outcome = dispatch(app._registry, Call("work", {}, cancellation=cancellation))
    assert isinstance(outcome, Failed)
    assert runs == [1]


def test_a_call_that_is_withdrawn_between_attempts_ends_at_once() -> None:
    app, runs = failing(99, ConnectionError(), retry_on=(ConnectionError,), max_attempts=3)

    class Impatient(Cancellation):
        def wait(self, seconds: float) -> bool:
            self.cancel()
            return super().wait(seconds)

    outcome = dispatch(app._registry, Call("work", {}, cancellation=Impatient()))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "cancelled"
    assert runs == [1]


def test_an_awaited_call_that_is_cancelled_between_attempts_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app, runs = failing(99, ConnectionError(), retry_on=(ConnectionError,), max_attempts=3)

    async def forever(_seconds: float) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "sleep", forever)

    async def give_up() -> None:
        task = asyncio.ensure_future(app.acall("work"))
        while not runs:
            await asyncio.wait({task}, timeout=0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(give_up())
    assert runs == [1]


def test_a_call_in_a_loop_that_is_withdrawn_between_attempts_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app, runs = failing(99, ConnectionError(), retry_on=(ConnectionError,), max_attempts=3)
    cancellation = Cancellation()

    async def forever(_seconds: float) -> None:
        asyncio.get_running_loop().run_in_executor(None, cancellation.cancel)
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "sleep", forever)
    outcome = asyncio.run(app._adispatch(Call("work", {}, cancellation=cancellation)))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "cancelled"
    assert runs == [1]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_generators_are_tried_again_from_their_start(way: Way) -> None:
    app, runs = App("tests"), []

    @app.command(retry_on=(ConnectionError,), max_attempts=3)
    def work() -> Iterator[Progress | str]:
        runs.append(1)
        yield Progress("on it")
        if len(runs) < 3:
            raise ConnectionError
        yield "done"

    assert way(app, "work").value == "done"
    assert len(runs) == 3


@pytest.mark.parametrize("way", EVERY_WAY)
def test_every_attempt_has_fresh_providers_and_what_ran_once_does_not_run_again(way: Way) -> None:
    app = App("tests")
    opened: list[str] = []
    sent: list[str] = []

    class Connection:
        pass

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        opened.append("open")
        try:
            yield Connection()
        finally:
            opened.append("close")

    @app.command(retry_on=(ConnectionError,), max_attempts=3)
    def work(connection: Connection, ctx: Context) -> str:
        ctx.once("mail", lambda: sent.append("mail"))
        if len(opened) < 5:
            raise ConnectionError
        return "done"

    assert way(app, "work").value == "done"
    assert opened == ["open", "close"] * 3
    assert sent == ["mail"]


def test_a_time_limit_is_for_each_attempt_and_ends_the_attempts() -> None:
    app, runs, release = App("tests"), [], threading.Event()

    @app.command(retry_on=(Exception,), max_attempts=3, timeout=0.05)
    def work() -> None:
        runs.append(1)
        release.wait(10)

    with pytest.raises(ToolTimeout):
        app.call("work")
    release.set()
    assert runs == [1]
