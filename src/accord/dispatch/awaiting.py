"""Call -> Outcome inside the caller's event loop: the same flow as in ``_dispatch``, its steps awaited.

Whatever is not async itself runs on a thread, so that the loop never waits for it. asyncio is imported by
whoever awaits these coroutines.
"""

import asyncio
import contextvars
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec

from accord._caller import Cancellation, Unwind
from accord._calls import Call, Failed, Ok, Outcome
from accord._registry import Middleware, Registry
from accord.dispatch import invoke_async, loop
from accord.dispatch.bind import Prepared, prepare
from accord.dispatch.cache import keep, look_up
from accord.dispatch.fault import cancelled, fault, input_required
from accord.dispatch.flow import flow
from accord.dispatch.invoke import close, invoke, open_provider
from accord.dispatch.middleware import checked, is_async, raised
from accord.dispatch.normalize import finish
from accord.dispatch.steps import Begin, Close, Consult, Flow, Invoke, Keep, Open, Pause, Recall, Step
from accord.provide import Opened
from accord.store import MemoryStore

__all__ = ["dispatch", "outcome_of"]

Stage = Callable[[Call], Awaitable[Outcome]]

#: seconds between two looks at whether somebody else has finished making a value for the app
_BETWEEN_LOOKS = 0.002


async def dispatch(registry: Registry, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    """The outcome of a call. Raises only asyncio's CancelledError, after everything opened was closed."""
    tool = registry.find(call.name)
    return await _chain(registry, tool.name if tool else "", pool)(call)


async def outcome_of(registry: Registry, prepared: Prepared, pool: ThreadPoolExecutor) -> Outcome:
    """The outcome of an async tool that may be called, in a task that is cancelled when the call is withdrawn."""
    call = prepared.call
    if prepared.is_plain:
        value = await invoke_async.run(prepared.tool, prepared.bound, call)
        return finish(prepared.tool, value, prepared.repairs)
    return await _drive(flow(registry, prepared), call.cancellation or Cancellation(), pool)


def _chain(registry: Registry, name: str, pool: ThreadPoolExecutor) -> Stage:
    """The middleware around a tool, composed when there is more of it than the last time."""
    current = list(registry.middleware_of(name))
    composed, stage = registry.chains.get((name, "async"), (None, None))
    if composed != (pool, current):
        stage = _core(registry, pool)
        for middleware in reversed(current):
            stage = _around(registry, middleware, stage)
        registry.chains[name, "async"] = (pool, current), stage
    chain: Stage = stage
    return chain


def _core(registry: Registry, pool: ThreadPoolExecutor) -> Stage:
    async def stage(call: Call) -> Outcome:
        cancellation = call.cancellation or Cancellation()
        if call.cancellation is None:
            call = msgspec.structs.replace(call, cancellation=cancellation)
        prepared = prepare(registry, call)
        if type(prepared) is Failed:
            return prepared
        return await _drive(flow(registry, prepared), cancellation, pool)

    return stage


async def _drive(steps: Flow, cancellation: Cancellation, pool: ThreadPoolExecutor) -> Outcome:
    withdrawn: asyncio.CancelledError | None = None
    try:
        step = next(steps)
        while True:
            try:
                result = await _TAKE[type(step)](step, pool)
            except asyncio.CancelledError as error:
                # The flow goes on to close what it opened; only then is the caller told.
                withdrawn = error
                cancellation.cancel()
                result = _withdrawn(step)
            step = steps.send(result)
    except StopIteration as stop:
        if withdrawn is not None:
            raise withdrawn from None
        outcome: Outcome = stop.value
        return outcome


def _withdrawn(step: Step) -> Any:
    """What a step gives that was cancelled while it was awaited."""
    if isinstance(step, Begin | Invoke | Open | Recall):
        return cancelled(step.tool.name)
    return None if isinstance(step, Close | Keep) else isinstance(step, Pause)


async def _in_thread(pool: ThreadPoolExecutor, function: Callable[..., Any], *arguments: Any) -> Any:
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(pool, context.run, function, *arguments)


async def _invoke(step: Invoke, pool: ThreadPoolExecutor) -> Any:
    if step.tool.is_async:
        return await invoke_async.invoke(step.tool, step.bound, step.call, step.timeout)
    return await _in_thread(pool, invoke, step.tool, step.bound, step.call, step.timeout)


async def _begin(step: Begin, pool: ThreadPoolExecutor) -> Failed | None:
    try:
        await _in_thread(pool, step.call.caller.begin, step.tool.name, lambda: step.tool.digest)
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - boundary: what keeps tasks may be the author's code
        return fault(step.tool, error)
    return None


async def _open(step: Open, pool: ThreadPoolExecutor) -> Opened | Failed:
    if step.kept is None:
        return await _opened(step, pool)
    if step.provider in step.kept:
        return step.kept[step.provider]
    # Asked for again and again instead of waited for on a thread: waiting threads could leave none to the factory, and
    # the lock would be acquired for a caller that has been cancelled meanwhile, and never be released.
    while not step.lock.acquire(blocking=False):
        await asyncio.sleep(_BETWEEN_LOOKS)
    try:
        if step.provider not in step.kept:
            made = await _opened(step, pool)
            if isinstance(made, Failed):
                return made
            step.kept[step.provider] = made
        return step.kept[step.provider]
    finally:
        step.lock.release()


def _runner() -> Callable[[Any], Any]:
    """Runs a coroutine in this event loop for a thread that waits: what it makes belongs to the loop of its user."""
    running = asyncio.get_running_loop()
    return lambda coroutine: asyncio.run_coroutine_threadsafe(coroutine, running).result()


async def _opened(step: Open, pool: ThreadPoolExecutor) -> Opened | Failed:
    factory = step.provider.factory
    try:
        if inspect.iscoroutinefunction(factory) or inspect.isasyncgenfunction(factory):
            made = await invoke_async.opened(factory(**step.arguments))
        else:
            made = await _in_thread(pool, open_provider, step.provider, step.arguments, _runner())
    except (GeneratorExit, asyncio.CancelledError):
        raise
    except BaseException as error:  # noqa: BLE001 - boundary: the factory is the author's code
        return fault(step.tool, error)
    return Opened(step.provider, *made)


async def _close(step: Close, pool: ThreadPoolExecutor) -> Failed | None:
    closer = step.opened.closer
    try:
        if inspect.isasyncgen(closer):
            await invoke_async.close(closer, step.error)
        else:
            await _in_thread(pool, close, closer, step.error)
    except (GeneratorExit, asyncio.CancelledError):
        raise
    except BaseException as error:  # noqa: BLE001 - boundary: the factory is the author's code
        return fault(step.tool, error)
    return None


async def _consult(step: Consult, _pool: ThreadPoolExecutor) -> Any:
    caller = step.call.caller
    try:
        if not caller.blocks:
            return caller.confirm(step.question)
        # A person may think for hours, and as many as there are threads in the pool would stop every tool.
        return await loop.on_a_thread(caller.confirm, step.question)
    except Unwind as unwind:
        return input_required(step.call.name, unwind)


async def _pause(step: Pause, _pool: ThreadPoolExecutor) -> bool:
    cancellation, here = step.call.cancellation, asyncio.get_running_loop()
    assert cancellation is not None, "every call in a loop has one"
    pause = asyncio.ensure_future(asyncio.sleep(step.seconds))
    cancellation.on_cancel(lambda: invoke_async.call_off(here, pause))
    try:
        await asyncio.wait({pause})
    finally:
        pause.cancel()
    return cancellation.requested


async def _recall(step: Recall, pool: ThreadPoolExecutor) -> Any:
    if type(step.store) is MemoryStore:  # it answers at once
        return look_up(step.store, step.key)
    return await _in_thread(pool, look_up, step.store, step.key)


async def _keep(step: Keep, pool: ThreadPoolExecutor) -> None:
    if type(step.store) is MemoryStore:
        keep(step.store, step.key, step.outcome, step.ttl)
    else:
        await _in_thread(pool, keep, step.store, step.key, step.outcome, step.ttl)


_TAKE: dict[type, Callable[[Any, ThreadPoolExecutor], Awaitable[Any]]] = {
    Begin: _begin,
    Invoke: _invoke,
    Open: _open,
    Close: _close,
    Consult: _consult,
    Pause: _pause,
    Recall: _recall,
    Keep: _keep,
}


def _around(registry: Registry, middleware: Middleware, inner: Stage) -> Stage:
    run = middleware if is_async(middleware) else partial(_blocking, middleware)

    async def stage(call: Call) -> Ok | Failed:
        try:
            outcome = await run(call, inner)
        except GeneratorExit:
            raise
        except asyncio.CancelledError as error:
            if _is_being_cancelled():
                raise
            return raised(registry, call, error)
        except BaseException as error:  # noqa: BLE001 - boundary: middleware is the author's code
            return raised(registry, call, error)
        return checked(call, middleware, outcome)

    return stage


async def _blocking(middleware: Middleware, call: Call, inner: Stage) -> Any:
    """What a sync middleware returns. It runs on a thread, and what is inside of it in this loop."""
    inside = _Inside(inner)
    try:
        return await loop.on_a_thread(middleware, call, inside.following)
    except asyncio.CancelledError:
        await inside.leave()
        raise


class _Inside:
    """What a middleware on a thread asks of the loop: it runs to its end, or is cancelled with the middleware."""

    def __init__(self, inner: Stage) -> None:
        self._inner = inner
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._left = False

    def following(self, call: Call) -> Outcome:
        """The next stage, for the middleware's thread."""
        if self._left:
            return cancelled(call.name)
        return asyncio.run_coroutine_threadsafe(self._run(call), self._loop).result()

    async def _run(self, call: Call) -> Outcome:
        task = asyncio.current_task()
        assert task is not None, "coroutines run in tasks"
        if self._left:  # since the thread looked
            return cancelled(call.name)
        self._tasks.add(task)
        try:
            return await self._inner(call)
        finally:
            self._tasks.discard(task)

    async def leave(self) -> None:
        """Cancel what runs, and wait until it has cleaned up. Nothing begins any more."""
        self._left = True
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


def _is_being_cancelled() -> bool:
    """Whether the task we are in was told to end, or somebody in it merely raised the exception that says so."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
