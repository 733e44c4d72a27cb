"""The event loop that async tools run on when their caller has none: one thread, started when first needed.

One loop for the life of the process, so that what an async tool keeps (a connection, a lock) still belongs to the
loop of the next call.
"""

import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

__all__ = ["is_running_here", "run", "submit"]

_Result = TypeVar("_Result")

#: seconds an interrupted coroutine has to clean up while its caller waits
_GRACE = 5.0

_lock = threading.Lock()
_loops: list["asyncio.AbstractEventLoop"] = []


def is_running_here() -> bool:
    """Whether this thread is inside an event loop, which a blocking call would bring to a halt."""
    asyncio = sys.modules.get("asyncio")  # not imported, not running
    return asyncio is not None and asyncio._get_running_loop() is not None


def run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end and wait for it; an interrupt cancels it and waits for its clean-up."""
    finished = threading.Event()
    future = submit(_watched(coroutine, finished))
    try:
        return future.result()
    except BaseException:
        if not finished.is_set():
            # Interrupted while waiting: the coroutine must not go on with nobody listening.
            future.cancel()
            finished.wait(_GRACE)
        raise


def submit(coroutine: Coroutine[Any, Any, _Result]) -> "Future[_Result]":
    """Start a coroutine on the loop, in a copy of this thread's context."""
    import asyncio  # noqa: PLC0415 - an event loop only starts when something async needs one

    return asyncio.run_coroutine_threadsafe(coroutine, _loop())


async def _watched(coroutine: Coroutine[Any, Any, _Result], finished: threading.Event) -> _Result:
    try:
        return await coroutine
    finally:
        finished.set()


def _loop() -> "asyncio.AbstractEventLoop":
    import asyncio  # noqa: PLC0415 - as above

    with _lock:
        if not _loops or _loops[0].is_closed():
            loop = asyncio.new_event_loop()
            _loops[:] = [loop]
            threading.Thread(target=loop.run_forever, name="accord-loop", daemon=True).start()
        return _loops[0]
