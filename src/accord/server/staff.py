"""Threads that do one job after another. One more is started when all of them are busy.

Knows no pipe and no call.
"""

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeAlias

__all__ = ["Staff"]

_log = logging.getLogger("accord.server")

Job: TypeAlias = Callable[[], object]


class Staff:
    """Does every job that it is given, each on a thread of its own while it lasts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        #: threads without a job; less than none where jobs wait for a thread that could not be started
        self._idle = 0
        #: threads in all
        self.threads: int = 0

    def employ(self, job: Job) -> None:
        """Have a job done by a thread that has none, or by a new one.

        Raises:
            RuntimeError: there is no thread at all, and none can be started.
        """
        with self._lock:
            is_new = self._idle <= 0
            if is_new:
                self.threads += 1
            else:
                self._idle -= 1
        self._jobs.put(job)
        if is_new:
            self._start()

    def _start(self) -> None:
        try:
            threading.Thread(target=self._work, name=f"accord-{self.threads}", daemon=True).start()
        except RuntimeError:  # the system has no more of them: whoever is done first takes this job, too
            with self._lock:
                self.threads -= 1
                self._idle -= 1
                is_alone = not self.threads
            if is_alone:
                raise

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except BaseException:  # noqa: BLE001 - boundary: a fault of ours ends a job, and no thread
                _log.exception("a thread of the server failed at its job")
            del job  # nothing is kept alive while this thread rests
            with self._lock:
                self._idle += 1
