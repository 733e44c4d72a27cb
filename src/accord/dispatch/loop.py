"""The event loop that async tools run on when their caller has none: one thread, started when first needed.

One loop for the life of the process, so that what an async tool keeps (a connection, a lock) still belongs to the
loop of the next call.
"""

import contextvars
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from accord.dispatch.waiting import wait

if TYPE_CHECKING:
    import asyncio

__all__ = ["is_running_here", "on_a_thread", "run", "submit"]

_Result = TypeVar("_Result")

#: seconds an interrupted coroutine has to clean up while its caller waits
_GRACE = 5.0
_NAME = "accord-loop"

_lock = threading.Lock()
#: the loop and its thread, once there is one
_running: list[tuple["asyncio.AbstractEventLoop", threading.Thread]] = []


def is_running_here() -> bool:
    """Whether this thread is inside an event loop, which a blocking call would bring to a halt."""
    asyncio = sys.modules.get("asyncio")  # not imported, not running
    return asyncio is not None and asyncio._get_running_loop() is not None


def run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end and wait for it; an interrupt cancels it and waits for its clean-up.

    Raises:
        RuntimeError: this is the loop's own thread, which would wait for itself.
    """
    if threading.current_thread().name == _NAME and is_running_here():
        coroutine.close()
        raise RuntimeError(
            "this would wait for something async inside the event loop that runs it: await acall instead"
        )
    finished = threading.Event()
    settled = threading.Event()
    future = submit(_watched(coroutine, finished))
    future.add_done_callback(lambda _: settled.set())
    try:
        wait(settled)
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


async def on_a_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives that may block for long, on a thread of its own: there is always one to be had.

    On threads shared with others, those who wait could take all of them, and what they wait for would get none.
    """
    import asyncio  # noqa: PLC0415 - as above

    here = asyncio.get_running_loop()
    over: asyncio.Future[tuple[Any, BaseException | None]] = here.create_future()
    context = contextvars.copy_context()

    def deliver(result: Any, error: BaseException | None) -> None:
        if not over.done():
            over.set_result((result, error))

    def work() -> None:
        try:
            given: tuple[Any, BaseException | None] = context.run(function, *arguments), None
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            given = None, error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            here.call_soon_threadsafe(deliver, *given)

    threading.Thread(target=work, name="accord-waiting", daemon=True).start()
    result, error = await over
    if error is not None:
        raise error
    return result


async def _watched(coroutine: Coroutine[Any, Any, _Result], finished: threading.Event) -> _Result:
    try:
        return await coroutine
    finally:
        finished.set()


def _loop() -> "asyncio.AbstractEventLoop":
    import asyncio  # noqa: PLC0415 - as above

    with _lock:
        if not _running or not _running[0][1].is_alive():  # in a forked process, the thread did not come along
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_run_forever, args=(loop,), name=_NAME, daemon=True)
            _running[:] = [(loop, thread)]
            thread.start()
        return _running[0][0]


def _run_forever(loop: "asyncio.AbstractEventLoop") -> None:
    while not loop.is_closed():
        # asyncio ends a loop in which a task raises one of these; here it is one call's failure, and others go on.
        with suppress(SystemExit, KeyboardInterrupt):
            loop.run_forever()
            return
