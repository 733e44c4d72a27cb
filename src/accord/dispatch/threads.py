"""Threads for what blocks inside the event loop (``asyncio.to_thread``), which nobody waits for when the process ends.

Python waits for the threads of its own pools, so that a command that was cancelled, or ran out of time, would go on for
as long as anything in them does.
"""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any

__all__ = ["LooseThreads"]


class LooseThreads(ThreadPoolExecutor):
    """As many threads as Python's own pool has, started when needed. A loop takes no other kind of executor."""

    def __init__(self) -> None:
        super().__init__(min(32, (os.cpu_count() or 1) + 4))
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._resting = threading.Semaphore(0)
        self._free = threading.Semaphore(self._max_workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Have it called on one of the threads."""
        future: Future[Any] = Future()
        self._jobs.put((future, lambda: fn(*args, **kwargs)))
        if not self._resting.acquire(blocking=False) and self._free.acquire(blocking=False):
            threading.Thread(target=self._work, name="accord-thread", daemon=True).start()
        return future

    def _work(self) -> None:
        while True:
            try:
                future, job = self._jobs.get_nowait()
            except Empty:
                self._resting.release()
                future, job = self._jobs.get()
            if future.set_running_or_notify_cancel():
                _settle(future, job)
            del future, job  # nothing is kept alive while this thread rests


def _settle(future: "Future[Any]", job: Callable[[], Any]) -> None:
    try:
        result = job()
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
        future.set_exception(error)
    else:
        future.set_result(result)
