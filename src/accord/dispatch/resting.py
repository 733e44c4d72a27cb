"""An event loop that other threads may step into while it rests.

A hand-over from thread to thread takes longer than most tools do. So whoever has a coroutine to run takes its first
step on the own thread, provided that the loop is resting: it waits for something to happen, and runs nothing.
``awake`` is the lock that says so; the loop's thread holds it whenever it runs anything, and lets go of it only to
wait. Nothing that runs in the loop can tell the difference: one thing runs at a time, the running loop and the current
task are this one's, and what is left to do after the first step is done by the loop's own thread.
"""

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from typing import Any, TypeAlias, TypeVarTuple

__all__ = ["Loop"]

_Arguments = TypeVarTuple("_Arguments")
#: gets a task at its end
Over: TypeAlias = Callable[[asyncio.Task[Any]], None]
#: is told what to call when the task is to be cancelled
OnCancel: TypeAlias = Callable[[Callable[[], None]], None]

if sys.platform == "win32":
    from asyncio import IocpProactor as _Waiting
    from asyncio import ProactorEventLoop as _Base
else:
    from asyncio import SelectorEventLoop as _Base
    from selectors import DefaultSelector as _Waiting

#: Windows' own way to wait also settles what has happened, and would not find what another thread is about to begin
_MAY_STEP_IN = sys.platform != "win32"


class _Resting(_Waiting):
    """Waits for something to happen, without the lock."""

    def __init__(self, awake: threading.Lock) -> None:
        super().__init__()
        self._awake = awake

    def select(self, timeout: float | None = None) -> Any:
        """As the base has it."""
        self._awake.release()
        try:
            return super().select(timeout)
        finally:
            self._awake.acquire()


class Loop(_Base):
    """``with loop.awake: loop.run_forever()`` on one thread, ``begin`` on any."""

    # What asyncio's own loops keep: callbacks that are due, and those that wait for their time.
    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    # And what it has threads do with generators that are begun, and with those that nobody needs any more.
    _asyncgen_firstiter_hook: Callable[[Any], None]
    _asyncgen_finalizer_hook: Callable[[Any], None]

    def __init__(self) -> None:
        self.awake: threading.Lock = threading.Lock()
        super().__init__(_Resting(self.awake))
        #: the loop itself holds on to tasks only weakly
        self._begun: set[asyncio.Task[Any]] = set()
        #: only whoever holds ``awake`` looks at these
        self._is_stepping_in = False
        self._first: asyncio.Handle | None = None

    def start(self, coroutine: Coroutine[Any, Any, Any], over: Over, on_cancel: OnCancel) -> None:
        """Make a task of it, on the loop's own thread."""
        self._go_on_with(self.create_task(coroutine), over, on_cancel)

    def step_in(self, coroutine: Coroutine[Any, Any, Any], over: Over, on_cancel: OnCancel) -> bool:
        """Take its first step here and now. False: the loop is busy, and nothing was done."""
        # In debug mode asyncio asserts that everything comes from the loop's thread.
        may_step_in = _MAY_STEP_IN and not self.get_debug() and asyncio._get_running_loop() is None
        if not may_step_in or not self.awake.acquire(blocking=False):
            return False
        try:
            scheduled = len(self._scheduled)
            task = self._first_step(coroutine)
            is_over = task.done()
            if not is_over:
                self._go_on_with(task, over, on_cancel)
            if not is_over or self._ready or len(self._scheduled) != scheduled:
                self.call_soon_threadsafe(_nothing)  # it waits for less than there is to do by now
        finally:
            self.awake.release()
        if is_over:
            over(task)
        return True

    def _first_step(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        asyncio._set_running_loop(self)
        hooks = sys.get_asyncgen_hooks()  # each thread has its own: who ends a generator that was left in the middle
        sys.set_asyncgen_hooks(self._asyncgen_firstiter_hook, self._asyncgen_finalizer_hook)
        try:
            self._is_stepping_in = True
            task = self.create_task(coroutine)
            self._is_stepping_in = False
            first, self._first = self._first, None
            if first is not None:  # a tool may have set a task factory that is eager, and has taken the step
                with suppress(SystemExit, KeyboardInterrupt):  # the task has it, too, and is over
                    first._run()
        finally:
            self._is_stepping_in = False
            sys.set_asyncgen_hooks(*hooks)
            asyncio._set_running_loop(None)
        return task

    def call_soon(
        self, callback: Callable[[*_Arguments], object], *args: *_Arguments, context: Context | None = None
    ) -> asyncio.Handle:
        """As the base has it, but for the first step of a task that is taken at once."""
        if not self._is_stepping_in:
            return super().call_soon(callback, *args, context=context)
        self._is_stepping_in = False
        self._first = asyncio.Handle(callback, args, self, context)
        return self._first

    def _go_on_with(self, task: asyncio.Task[Any], over: Over, on_cancel: OnCancel) -> None:
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        task.add_done_callback(over)
        on_cancel(lambda: self._call_off(task))

    def _call_off(self, task: asyncio.Task[Any]) -> None:
        if not self.is_closed():
            self.call_soon_threadsafe(task.cancel)


def _nothing() -> None:
    """Wakes the loop."""
