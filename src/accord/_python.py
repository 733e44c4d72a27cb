"""The Python surface: arguments as keywords in, the plain value or an exception out."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from accord._caller import Caller, Cancellation
from accord._calls import Call, Ok, Outcome
from accord._registry import Registry
from accord.dispatch.blocking import dispatch

__all__ = ["acall", "call"]


def call(registry: Registry, caller: Caller, name: str, arguments: dict[str, Any]) -> Any:
    """What the tool returned. Raises what it raised, or why the call was refused."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and asyncio._get_running_loop() is not None:
        _check_may_block(registry, name)
    outcome = dispatch(registry, Call(name, arguments, "python", caller))
    if type(outcome) is Ok:
        return outcome.value
    from accord.dispatch.exceptions import exception_of  # noqa: PLC0415 - only failures pay for it

    raise exception_of(outcome)


def _check_may_block(registry: Registry, name: str) -> None:
    tool = registry.find(name)
    if tool is not None and tool.is_async:
        raise RuntimeError(f"{name} is async, and waiting for it would block this event loop: await app.acall instead")


async def acall(
    adispatch: Callable[[Call], Awaitable[Outcome]], caller: Caller, name: str, arguments: dict[str, Any]
) -> Any:
    """``call``, through the app's own async dispatch."""
    outcome = await adispatch(Call(name, arguments, "python", caller, cancellation=Cancellation()))
    if isinstance(outcome, Ok):
        return outcome.value
    from accord.dispatch.exceptions import exception_of  # noqa: PLC0415 - only failures pay for it

    raise exception_of(outcome)
