"""Threads for what blocks inside the event loop (``asyncio.to_thread``), which nobody waits for when the process ends.

Python waits for the threads of its own pools, so that a command that was cancelled, or ran out of time, would go on for
as long as anything in them does.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

__all__ = ["LooseThreads"]

_Result = TypeVar("_Result")


class LooseThreads(ThreadPoolExecutor):
    """So many threads, by default as many as Python's own pool has, started when needed.

    A loop takes no other kind of executor.
    """

    def __init__(self, most: int | None = None) -> None:
        super().__init__(most or min(32, (os.cpu_count() or 1) + 4))
        self._jobs: SimpleQueue[tuple[Future[Any] | None, Callable[[], Any]]] = SimpleQueue()
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

        def settle(result: Any, error: BaseException | None) -> None:
            if future.done():  # nobody waits any more
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        def work() -> None:
            result: Any = None
            failure: BaseException | None = None
            try:
                result = context.run(function)
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
                failure = error
            with suppress(RuntimeError):  # the loop is closed
                here.call_soon_threadsafe(settle, result, failure)

        self._put(None, work)
        return await future

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
