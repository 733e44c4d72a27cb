"""Ctrl-C, forks and other blows from outside: what was opened is closed, and the next call works."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from accord import App, Progress
from accord._caller import Caller
from accord._calls import Call, Failed
from accord.dispatch.blocking import dispatch

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send itself one Ctrl-C alone")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


class Connection:
    pass


def interruptible(log: list[str], release: threading.Event) -> App:
    app = App("tests")

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        log.append("open")
        try:
            yield Connection()
        finally:
            log.append("close")

    def ctrl_c() -> None:
        signal.raise_signal(signal.SIGINT)

    @app.command
    def work(connection: Connection) -> None:
        ctrl_c()

    @app.command
    async def awork(connection: Connection) -> None:
        asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            log.append("clean up")

    @app.command
    def generate(connection: Connection) -> Iterator[Progress | str]:
        try:
            yield Progress("on it")
            ctrl_c()
            yield "never"
        finally:
            log.append("clean up")

    @app.command(timeout=30)
    def limited(connection: Connection) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        release.wait(10)

    @app.command
    def works() -> str:
        return "yes"

    @app.command
    async def aworks() -> str:
        return "yes"

    return app


@needs_signals
@pytest.mark.parametrize("name", ["work", "awork", "generate", "limited"])
def test_ctrl_c_ends_the_call_cleans_up_and_the_next_call_works(name: str) -> None:
    log: list[str] = []
    release = threading.Event()
    app = interruptible(log, release)
    with pytest.raises(KeyboardInterrupt):
        app.call(name)
    release.set()
    assert log[0] == "open"
    assert log[-1] == "close"
    assert ("clean up" in log) == (name in ("awork", "generate"))
    assert app.call("works") == app.call("aworks") == "yes"


@needs_signals
@pytest.mark.parametrize("name", ["work", "awork", "generate", "limited"])
def test_ctrl_c_is_a_cancel_to_whoever_reads_outcomes(name: str) -> None:
    release = threading.Event()
    outcome = dispatch(interruptible([], release)._registry, Call(name, {}, "cli"))
    release.set()
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.kind.exit_code) == ("cancelled", 130)


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # that is what is tested
def test_async_tools_work_in_a_process_that_was_forked_after_one_ran() -> None:
    app = interruptible([], threading.Event())
    assert app.call("aworks") == "yes"
    child = os.fork()
    if child == 0:
        os._exit(0 if _answers_in_time(app) else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def _answers_in_time(app: App) -> bool:
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(app.call("aworks")), daemon=True)
    thread.start()
    thread.join(10)
    return answers == ["yes"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # nobody awaits the task: that is it
@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt()], ids=repr)
def test_a_task_a_tool_left_behind_cannot_end_the_loop_of_all_tools(error: BaseException) -> None:
    app = interruptible([], threading.Event())
    fallen: list[Any] = []

    async def fall() -> None:
        raise error

    @app.command
    async def leaves() -> str:
        fallen.append(asyncio.ensure_future(fall()))
        return "left"

    assert app.call("leaves") == "left"
    assert app.call("aworks") == "yes"
    assert isinstance(fallen[0].exception(), type(error))


class Hangs(Caller):
    """The line breaks at the first progress."""

    def progress(self, status: str, step: float, total: float) -> None:
        raise BrokenPipeError("the line is cut")


def generator(log: list[str]) -> Any:
    def work() -> Iterator[Progress | str]:
        try:
            yield Progress("on it")
            yield "never"
        finally:
            log.append("clean up")

    return work


def async_generator(log: list[str]) -> Any:
    async def work() -> AsyncIterator[Progress | str]:
        try:
            yield Progress("on it")
            yield "never"
        finally:
            await asyncio.sleep(0)
            log.append("clean up")

    return work


@pytest.mark.parametrize("make", [generator, async_generator])
@pytest.mark.parametrize("in_loop", [False, True])
def test_a_generator_cleans_up_at_once_when_the_call_ends_between_two_of_its_steps(make: Any, in_loop: bool) -> None:
    app, log = App("tests"), []
    app.command("work")(make(log))
    call = Call("work", {}, "mcp", Hangs())
    outcome = asyncio.run(app._adispatch(call)) if in_loop else dispatch(app._registry, call)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.exception, BrokenPipeError), "kept, and with it everything its traceback holds"
    assert log == ["clean up"]


def test_calls_in_many_threads_while_one_of_them_fails_badly() -> None:
    app = interruptible([], threading.Event())
    app.command("exits")(lambda: sys.exit(1))
    ended: list[Any] = []

    def mixed() -> None:
        for _ in range(20):
            try:
                app.call("exits")
            except SystemExit:
                ended.append(app.call("works") + app.call("aworks"))

    threads = [threading.Thread(target=mixed) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ended == ["yesyes"] * 160
