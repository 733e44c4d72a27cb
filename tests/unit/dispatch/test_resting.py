"""A loop that is stepped into is a loop like any other: what a tool does in its first step works as it always does."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest

from accord.dispatch import loop
from accord.dispatch.resting import Loop

DEADLINE = 20


def outcome(coroutine: Any) -> Any:
    """What becomes of it, begun here."""
    over, ended = threading.Event(), list[Any]()

    def take(task: asyncio.Task[Any]) -> None:
        ended.append(task)
        over.set()

    loop.begin(coroutine, take, lambda _: None)
    assert over.wait(DEADLINE), "it never ended"
    return ended[0].result()


def test_a_generator_that_is_left_in_the_middle_cleans_up_in_the_loop() -> None:
    closed = threading.Event()

    async def rows() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)
            closed.set()

    async def first() -> int:
        async for row in rows():
            return row
        return 0

    for _ in range(3):
        closed.clear()
        assert outcome(first()) == 1
        assert closed.wait(DEADLINE)
    assert sys.get_asyncgen_hooks() == (None, None)


def test_a_tool_that_stops_the_loop_stops_nobody() -> None:
    async def stops() -> str:
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0.001)
        return "went on"

    before = loop._loop()
    assert [outcome(stops()) for _ in range(3)] == ["went on"] * 3
    assert loop._loop() is before


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks came with Python 3.12")
def test_a_task_factory_that_is_eager_loses_nothing() -> None:
    async def sub() -> int:
        await asyncio.sleep(0.001)
        return 1

    async def later() -> int:
        given = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(given.set_result, 3)
        return sum(await asyncio.gather(sub(), sub())) + int(await given)

    async def at_once() -> int:
        return 7

    async def sets(factory: Any) -> None:
        asyncio.get_running_loop().set_task_factory(factory)

    assert sys.version_info >= (3, 12)
    outcome(sets(asyncio.eager_task_factory))
    try:
        assert [outcome(later()) for _ in range(3)] == [5] * 3
        assert [outcome(at_once()) for _ in range(3)] == [7] * 3
    finally:
        outcome(sets(None))


def test_the_first_step_is_taken_by_whoever_begins() -> None:
    steps: list[Loop | str] = []

    async def names() -> None:
        steps.append(threading.current_thread().name)

    outcome(asyncio.sleep(0))  # the loop is there
    for _ in range(1000):
        outcome(names())
        if threading.current_thread().name in steps:
            return
    pytest.fail("the loop never rested")
