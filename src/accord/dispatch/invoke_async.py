"""Bound arguments -> the function's value, inside an event loop: the other place where user code runs.

asyncio is imported by whoever runs these coroutines, so here it is only named when something is awaited.
"""

import inspect
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from accord._calls import Bound, Call, Failed, Progress
from accord._tool import Tool
from accord.dispatch.fault import cancelled, fault, timed_out

if TYPE_CHECKING:
    import asyncio

__all__ = ["awaited", "call_off", "close", "finish", "invoke", "opened", "run"]

#: seconds a tool that was given up has to clean up before it is left behind
_GRACE = 5.0


async def invoke(tool: Tool, bound: Bound, call: Call, timeout: float | None = None) -> Any | Failed:
    """Call an async function, run it to its end, and return what it returned or how it failed."""
    return await _watched(tool, call, timeout, run(tool, bound, call))


async def finish(tool: Tool, value: Any, call: Call) -> Any | Failed:
    """The same for an awaitable or an async generator that a sync function returned."""
    return await _watched(tool, call, None, _finished(tool, value, call))


async def _watched(tool: Tool, call: Call, timeout: float | None, running: Coroutine[Any, Any, Any]) -> Any | Failed:
    import asyncio  # noqa: PLC0415 - only async tools pay for it

    task = asyncio.ensure_future(running)
    if call.cancellation is not None:
        loop = asyncio.get_running_loop()
        call.cancellation.on_cancel(lambda: call_off(loop, task))
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout)
    except asyncio.CancelledError:
        # Whoever waits here was cancelled: the tool is, too, and its clean-up is waited for.
        if call.cancellation is not None:
            call.cancellation.cancel()
        task.cancel()
        await asyncio.wait({task}, timeout=_GRACE)
        raise
    if done:
        return cancelled(tool.name) if task.cancelled() else task.result()
    if call.cancellation is not None:
        call.cancellation.expire()
    task.cancel()
    await asyncio.wait({task}, timeout=_GRACE)
    return timed_out(tool, timeout or 0)


def call_off(loop: "asyncio.AbstractEventLoop", task: "asyncio.Future[Any]") -> None:
    """Cancel a task from any thread; nothing happens where its loop is gone."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(task.cancel)


async def run(tool: Tool, bound: Bound, call: Call) -> Any | Failed:
    """The same for a call that nobody limits, and that is withdrawn by cancelling the task it runs in."""
    try:
        value = tool.fn(*bound.args, **bound.kwargs)
    except BaseException as error:  # noqa: BLE001 - boundary: the function is the author's code
        return fault(tool, error, bound)
    return await _finished(tool, value, call, bound)


async def _finished(tool: Tool, value: Any, call: Call, bound: Bound | None = None) -> Any | Failed:
    import asyncio  # noqa: PLC0415 - as above

    try:
        return await (_last_of(value, call) if inspect.isasyncgen(value) else value)
    except asyncio.CancelledError:
        raise  # it belongs to the task
    except BaseException as error:  # noqa: BLE001 - boundary: the function is the author's code
        return fault(tool, error, bound)


async def _last_of(generator: Any, call: Call) -> Any:
    """The last item that is no progress: an async generator cannot return a value."""
    last = None
    try:
        async for item in generator:
            if isinstance(item, Progress):
                call.caller.progress(item.status, item.step, item.total)
            else:
                last = item
    finally:
        await generator.aclose()  # whatever ended the call between two steps, the generator cleans up now
    return last


async def awaited(value: Any) -> Any:
    """The value of any awaitable."""
    return await value


async def opened(made: Any) -> tuple[Any, Any]:
    """The value an async factory makes, and its generator where it will want to clean up."""
    if inspect.isasyncgen(made):
        async for value in made:
            return value, made
        raise TypeError("the factory is a generator that yields nothing")
    return await made, None


async def close(closer: Any, error: BaseException | None) -> None:
    """Let a factory's async generator run to its end, with the error of the call where there was one."""
    try:
        await (closer.__anext__() if error is None else closer.athrow(error))
    except StopAsyncIteration:
        return
    except BaseException as raised:
        if raised is not error:
            raise
    else:
        await closer.aclose()
