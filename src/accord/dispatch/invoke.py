"""Bound arguments -> the function's value, on the caller's own thread: one of the two places where user code runs.

Async tools are handed to the other one, on a loop of ours. A tool with a time limit runs on a thread of its own,
because nothing can stop a Python thread: the caller goes on without it, and the tool can see that it was given up.
"""

from collections.abc import Callable
from types import GeneratorType
from typing import Any

from accord._calls import Bound, Call, Failed, Progress
from accord._tool import Tool
from accord.errors import ToolCancelled
from accord.provide import Provider

__all__ = ["close", "invoke", "open_provider"]

_PLAIN = {str, int, float, bool, list, dict, type(None)}
_UNHEARD = Call("", {})


def invoke(tool: Tool, bound: Bound, call: Call = _UNHEARD, timeout: float | None = None) -> Any | Failed:
    """Call the function, run it to its end, and return what it returned or how it failed."""
    try:
        if tool.is_async:
            from accord.dispatch import invoke_async, loop  # noqa: PLC0415 - only what is async needs a loop

            return loop.run(invoke_async.invoke(tool, bound, call, timeout))
        if timeout is not None:
            return _within(tool, bound, call, timeout)
        value = tool.fn(*bound.args, **bound.kwargs)
        return value if type(value) in _PLAIN else _finished(tool, value, call)
    except BaseException as error:  # noqa: BLE001 - boundary: the function is the author's code
        from accord.dispatch.fault import fault  # noqa: PLC0415 - only failures pay for it

        return fault(tool, error, bound)


def _finished(tool: Tool, value: Any, call: Call) -> Any:
    """The result behind a generator or an awaitable; any other value is the result itself."""
    if type(value) is GeneratorType:
        return _exhausted(value, call)
    import inspect  # noqa: PLC0415 - most results are plain

    if inspect.isawaitable(value) or inspect.isasyncgen(value):
        from accord.dispatch import invoke_async, loop  # noqa: PLC0415 - only what is async needs a loop

        return loop.run(invoke_async.finish(tool, value, call))
    return value


def _exhausted(generator: Any, call: Call) -> Any:
    last = None
    try:
        while True:
            if call.cancellation is not None and call.cancellation.requested:
                raise ToolCancelled("the call was withdrawn")
            try:
                item = next(generator)
            except StopIteration as stop:
                return last if stop.value is None else stop.value
            if isinstance(item, Progress):
                call.caller.progress(item.status, item.step, item.total)
            else:
                last = item
    finally:
        generator.close()  # whatever ended the call between two steps, the generator cleans up now


def _within(tool: Tool, bound: Bound, call: Call, seconds: float) -> Any | Failed:
    """The outcome of the tool on another thread, or a time-out while it goes on there."""
    import contextvars  # noqa: PLC0415 - only a call with a time limit needs a thread
    import threading  # noqa: PLC0415 - as above

    from accord.dispatch.fault import cancelled, timed_out  # noqa: PLC0415 - as above
    from accord.dispatch.waiting import wait  # noqa: PLC0415 - as above

    assert call.cancellation is not None, "dispatch gives one to every call with a time limit"
    results: list[Any] = []
    over = threading.Event()

    def work() -> None:
        results.append(invoke(tool, bound, call))
        over.set()

    call.cancellation.on_cancel(over.set)
    context = contextvars.copy_context()
    try:
        threading.Thread(target=context.run, args=(work,), name=f"accord-{tool.name}", daemon=True).start()
        in_time = wait(over, seconds)
    except KeyboardInterrupt:
        call.cancellation.cancel()
        raise
    if results:
        return results[0]
    if in_time:
        return cancelled(tool.name)
    call.cancellation.expire()
    return timed_out(tool, seconds)


def open_provider(
    provider: Provider, arguments: dict[str, Any], run: Callable[[Any], Any] | None = None
) -> tuple[Any, Any]:
    """The value a factory makes, and its generator where it will want to clean up.

    ``run`` waits for a coroutine, where the factory turns out to be async; by default on a loop of ours.
    """
    import inspect  # noqa: PLC0415 - only calls with a provider get here

    made = provider.factory(**arguments)
    if type(made) is GeneratorType:
        return _first(made), made
    if inspect.isasyncgen(made) or inspect.isawaitable(made):
        from accord.dispatch import invoke_async, loop  # noqa: PLC0415 - only what is async needs a loop

        opened: tuple[Any, Any] = (run or loop.run)(invoke_async.opened(made))
        return opened
    return made, None


def _first(generator: Any) -> Any:
    for value in generator:
        return value
    raise TypeError("the factory is a generator that yields nothing")


def close(closer: Any, error: BaseException | None) -> None:
    """Let a factory's generator run to its end, with the error of the call where there was one."""
    if type(closer) is not GeneratorType:
        from accord.dispatch import invoke_async, loop  # noqa: PLC0415 - only what is async needs a loop

        loop.run(invoke_async.close(closer, error))
        return
    finish: Callable[[], Any] = closer.__next__ if error is None else lambda: closer.throw(error)
    try:
        finish()
    except StopIteration:
        return
    except BaseException as raised:
        if raised is not error:
            raise
    else:
        closer.close()
