"""Threads for what blocks inside the event loop (``asyncio.to_thread``), which nobody waits for when the process ends.

Python waits for the threads of its own pools, so that a command that was cancelled, or ran out of time, would go on for
as long as anything in them does.
"""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias, TypeVar

__all__ = ["LooseThreads"]

_Result = TypeVar("_Result")
#: who waits, what for, and why in vain
_Done: TypeAlias = "tuple[asyncio.Future[Any], Any, BaseException | None]"


class LooseThreads(ThreadPoolExecutor):
    """So many threads, by default as many as Python's own pool has, started when needed.

    A loop takes no other kind of executor.
    """

    def __init__(self, most: int | None = None) -> None:
        super().__init__(most or min(32, (os.cpu_count() or 1) + 4))
        self._jobs: SimpleQueue[tuple[Future[Any] | None, Callable[[], Any]]] = SimpleQueue()
        self._done: dict[asyncio.AbstractEventLoop, deque[_Done]] = {}
        self._delivering = threading.Lock()
        self._resting = threading.Semaphore(0)
        self._free = threading.Semaphore(self._max_workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have it called on one of the threads."""
        future: Future[Any] = Future()
        self._put(future, lambda: fn(*args, **kwargs))
        return future

    async def run(self, function: Callable[[], _Result]) -> _Result:
        """What a function gives, which is called on one of the threads. What it raises is raised here.

        ``run_in_executor`` with half of the steps: this is on the path of every call of a sync tool.
        """
        here, context = asyncio.get_running_loop(), copy_context()
        future: asyncio.Future[_Result] = here.create_future()

        def work() -> None:
            result: Any = None
            failure: BaseException | None = None
            try:
                result = context.run(function)
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
                failure = error
            self._deliver(here, (future, result, failure))

        self._put(None, work)
        return await future

    def _deliver(self, here: asyncio.AbstractEventLoop, done: _Done) -> None:
        """Have a result handed over in its loop; those that are there before that happens go together."""
        with self._delivering:
            waiting = self._done.setdefault(here, deque())
            waiting.append(done)
            is_first = len(waiting) == 1
        if is_first:
            with suppress(RuntimeError):  # the loop is closed
                here.call_soon_threadsafe(self._hand_over, waiting)

    @staticmethod
    def _hand_over(waiting: deque[_Done]) -> None:
        while waiting:
            future, result, failure = waiting[0]
            if not future.done():  # somebody still waits
                if failure is None:
                    future.set_result(result)
                else:
                    future.set_exception(failure)
            waiting.popleft()

    def _put(self, future: "Future[Any] | None", job: Callable[[], Any]) -> None:
        self._jobs.put((future, job))
        if not self._resting.acquire(blocking=False) and self._free.acquire(blocking=False):
            threading.Thread(target=self._work, name="accord-thread", daemon=True).start()

    def _work(self) -> None:
        while True:
            try:
                future, job = self._jobs.get_nowait()
            except Empty:
                self._resting.release()
                future, job = self._jobs.get()
            if future is None:
                job()
            elif future.set_running_or_notify_cancel():
                _settle(future, job)
            del future, job  # nothing is kept alive while this thread rests


def _settle(future: "Future[Any]", job: Callable[[], Any]) -> None:
    try:
        result = job()
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
        future.set_exception(error)
    else:
        future.set_result(result)
