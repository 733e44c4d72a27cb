"""The event loop that async tools run on when their caller has none: one thread, started when first needed.

One loop for the life of the process, so that what an async tool keeps (a connection, a lock) still belongs to the
loop of the next call. A thread may hand its work over and wait (``run``), or ``begin`` it: while the loop has nothing
to do, the thread that has the work takes its first step itself, and most tools are done after it (see ``resting``).
"""

import contextvars
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from accord.dispatch.waiting import wait

if TYPE_CHECKING:
    import asyncio

    from accord.dispatch.resting import Loop

__all__ = ["begin", "is_inside", "is_running_here", "on_a_thread", "run"]

_Result = TypeVar("_Result")

#: seconds an interrupted coroutine has to clean up while its caller waits
_GRACE = 5.0
_NAME = "accord-loop"

_lock = threading.Lock()
#: the loop and its thread, once there is one
_running: list[tuple["Loop", threading.Thread]] = []


def is_running_here() -> bool:
    """Whether this thread is inside an event loop, which a blocking call would bring to a halt."""
    asyncio = sys.modules.get("asyncio")  # not imported, not running
    return asyncio is not None and asyncio._get_running_loop() is not None


def is_inside() -> bool:
    """Whether this is code that the loop runs: if it waits for something else in the loop, it waits for itself."""
    return bool(is_running_here() and _running and sys.modules["asyncio"]._get_running_loop() is _running[0][0])


def run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end and wait for it; an interrupt cancels it and waits for its clean-up.

    Raises:
        RuntimeError: this is inside the loop, which would wait for itself.
    """
    if is_inside():
        coroutine.close()
        raise RuntimeError(
            "this would wait for something async inside the event loop that runs it: await acall instead"
        )
    here = _loop()
    tasks: list[asyncio.Task[_Result]] = []
    settled = threading.Event()

    def start() -> None:
        tasks.append(here.create_task(coroutine))
        tasks[0].add_done_callback(over)

    def over(task: "asyncio.Task[_Result]") -> None:
        _ = task.cancelled() or task.exception()  # looked at, or asyncio complains
        settled.set()

    def withdraw() -> None:
        if not tasks:  # interrupted before it could be started
            coroutine.close()
            settled.set()
        for task in tasks:
            task.cancel()

    try:
        here.call_soon_threadsafe(start)  # in a copy of this thread's context
        wait(settled)
    except BaseException:
        # Interrupted while waiting: the coroutine must not go on with nobody listening.
        here.call_soon_threadsafe(withdraw)
        settled.wait(_GRACE)
        raise
    if tasks[0].cancelled():
        raise CancelledError  # asyncio's own would say that whoever waits here was cancelled
    return tasks[0].result()


def begin(
    coroutine: Coroutine[Any, Any, _Result],
    over: "Callable[[asyncio.Task[_Result]], None]",
    on_cancel: Callable[[Callable[[], None]], None],
) -> None:
    """Start a coroutine and do not wait for it: ``over`` gets its task at its end, maybe before this returns.

    ``on_cancel`` is told what to call when it is to be cancelled.
    """
    here = _loop()
    if not here.step_in(coroutine, over, on_cancel):
        here.call_soon_threadsafe(here.start, coroutine, over, on_cancel)


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


def _loop() -> "Loop":
    from accord.dispatch.resting import Loop  # noqa: PLC0415 - it loads asyncio
    from accord.dispatch.threads import LooseThreads  # noqa: PLC0415 - as above

    with _lock:
        if not _running or not _running[0][1].is_alive():  # in a forked process, the thread did not come along
            loop = Loop()
            loop.set_default_executor(LooseThreads())
            thread = threading.Thread(target=_run_forever, args=(loop,), name=_NAME, daemon=True)
            _running[:] = [(loop, thread)]
            thread.start()
        return _running[0][0]


def _run_forever(loop: "Loop") -> None:
    with loop.awake:
        while not loop.is_closed():
            # asyncio ends a loop in which a task raises one of these, or stops it; here others go on.
            with suppress(SystemExit, KeyboardInterrupt):
                loop.run_forever()
