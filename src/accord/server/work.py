"""Which part of dispatch makes the outcome of a request that runs somebody's code.

A table from the kind of request to its work. Work on the spot gives an outcome; what has to run in the event loop comes
back as a coroutine of one. Knows no pipe and no thread.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec.structs import replace

from accord._calls import Call, Outcome
from accord._registry import Registry
from accord.dispatch.bind import Prepared
from accord.dispatch.blocking import dispatch, drive
from accord.dispatch.flow import flow
from accord.protocol.events import (
    CancelTask,
    Complete,
    GetPrompt,
    GetTask,
    PromptRef,
    ReadResource,
    Request,
    UpdateTask,
)

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["AWORK", "WORK", "Pool", "Work", "guarded", "wrapped"]

Pool: TypeAlias = "Callable[[], ThreadPoolExecutor]"
Work: TypeAlias = Outcome | Coroutine[Any, Any, Outcome]


def wrapped(registry: Registry, call: Call, pool: Pool) -> Work:
    """A call with middleware around it."""
    tool = registry.find(call.name)
    if tool is None or not tool.is_async:
        return dispatch(registry, call)
    from accord.dispatch import awaiting  # noqa: PLC0415 - it loads asyncio

    return awaiting.dispatch(registry, call, pool())


def guarded(registry: Registry, prepared: Prepared, pool: Pool) -> Work:
    """A call that is more than its function, or that needs the event loop."""
    if not prepared.tool.is_async:
        return drive(flow(registry, prepared))
    from accord.dispatch import awaiting  # noqa: PLC0415 - it loads asyncio

    return awaiting.outcome_of(registry, prepared, pool())


def _read(registry: Registry, request: Any, call: Call) -> Outcome:
    from accord.dispatch.reading import read_resource  # noqa: PLC0415 - few servers have resources

    return read_resource(registry, replace(call, name=request.uri))


def _prompt(registry: Registry, request: Any, call: Call) -> Outcome:
    from accord.dispatch.prompting import get_prompt  # noqa: PLC0415 - few servers have prompts

    del request  # the call has its name and its arguments
    return get_prompt(registry, call)


def _complete(registry: Registry, request: Any, call: Call) -> Outcome:
    from accord.dispatch.completing import complete  # noqa: PLC0415 - as above

    is_prompt = isinstance(request.ref, PromptRef)
    target = request.ref.name if is_prompt else request.ref.uri
    call = replace(call, name=target, arguments=request.context.arguments)
    kind: Literal["prompt", "resource"] = "prompt" if is_prompt else "resource"
    return complete(registry, call, kind=kind, argument=request.argument.name, value=request.argument.value)


def _task(registry: Registry, request: Any, call: Call) -> Outcome:
    from accord.server import inquiries  # noqa: PLC0415 - few servers have tasks

    about: dict[type[Request], Callable[[Registry, Any, Call], Outcome]] = {
        GetTask: inquiries.get_task,
        UpdateTask: inquiries.update_task,
        CancelTask: inquiries.cancel_task,
    }
    return about[type(request)](registry, request, call)


async def _atask(registry: Registry, request: Any, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    import asyncio  # noqa: PLC0415 - whoever awaits this has imported it

    return await asyncio.get_running_loop().run_in_executor(pool, _task, registry, request, call)


async def _aread(registry: Registry, request: Any, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    from accord.dispatch.reading import aread_resource  # noqa: PLC0415 - as above

    return await aread_resource(registry, replace(call, name=request.uri), pool)


async def _aprompt(registry: Registry, request: Any, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    from accord.dispatch.prompting import aget_prompt  # noqa: PLC0415 - as above

    del request  # as above
    return await aget_prompt(registry, call, pool)


async def _acomplete(registry: Registry, request: Any, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    from accord.dispatch.completing import acomplete  # noqa: PLC0415 - as above

    is_prompt = isinstance(request.ref, PromptRef)
    target = request.ref.name if is_prompt else request.ref.uri
    call = replace(call, name=target, arguments=request.context.arguments)
    kind: Literal["prompt", "resource"] = "prompt" if is_prompt else "resource"
    return await acomplete(
        registry, call, pool, kind=kind, argument=request.argument.name, value=request.argument.value
    )


#: all but tool calls, which whoever has the request begins; the call says whose it is, and has its name and arguments
WORK: dict[type[Request], Callable[[Registry, Any, Call], Outcome]] = {
    ReadResource: _read,
    GetPrompt: _prompt,
    Complete: _complete,
    GetTask: _task,
    UpdateTask: _task,
    CancelTask: _task,
}

#: the same in an event loop
AWORK: dict[type[Request], Callable[[Registry, Any, Call, ThreadPoolExecutor], Coroutine[Any, Any, Outcome]]] = {
    ReadResource: _aread,
    GetPrompt: _aprompt,
    Complete: _acomplete,
    GetTask: _atask,
    UpdateTask: _atask,
    CancelTask: _atask,
}
