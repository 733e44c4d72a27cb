"""The threads behind `asyncio.to_thread` in our loop: like Python's own, but nobody waits for them at the end."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from accord import App
from accord.dispatch.threads import LooseThreads


def test_a_function_is_called_with_its_arguments_and_its_result_comes_back() -> None:
    with LooseThreads() as threads:
        assert threads.submit(divmod, 7, 2).result(10) == (3, 1)
        assert list(threads.map(str, range(100))) == [str(number) for number in range(100)]


def test_an_exception_is_raised_where_the_result_is_waited_for() -> None:
    with LooseThreads() as threads, pytest.raises(ZeroDivisionError):
        threads.submit(divmod, 7, 0).result(10)


def test_a_thread_that_rests_is_used_again() -> None:
    with LooseThreads() as threads:
        first = threads.submit(threading.get_ident).result(10)
        while not threads._resting._value:  # it comes to rest a moment after its result
            pass
        assert threads.submit(threading.get_ident).result(10) == first


def test_there_are_never_more_threads_than_allowed() -> None:
    threads, gate, lock = LooseThreads(), threading.Event(), threading.Lock()
    inside: list[int] = []

    def job() -> None:
        with lock:
            inside.append(threading.get_ident())
        gate.wait(10)

    jobs = [threads.submit(job) for _ in range(threads._max_workers * 3)]
    gate.set()
    for one in jobs:
        one.result(10)
    assert len(inside) == len(jobs)
    assert len(set(inside)) <= threads._max_workers


def test_what_was_cancelled_before_its_turn_is_not_called() -> None:
    threads, gate, called = LooseThreads(), threading.Event(), []
    busy = [threads.submit(gate.wait, 10) for _ in range(threads._max_workers)]
    late = threads.submit(called.append, 1)
    assert late.cancel()
    gate.set()
    assert all(one.result(10) for one in busy)
    assert threads.submit(lambda: 1).result(10) == 1
    assert called == []


def test_an_async_tool_runs_what_blocks_on_them() -> None:
    app = App("threads")

    @app.command
    async def tool() -> list[Any]:
        thread = await asyncio.to_thread(threading.current_thread)
        return [thread.name, thread.daemon]

    assert app.call("tool") == ["accord-thread", True]
