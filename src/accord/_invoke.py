"""Bound arguments -> the function's value: the only place where a tool's own code runs.

Whatever the function raises becomes a ``tool_error``, SystemExit included: a tool may end itself,
never the process it runs in.
"""

import inspect
import logging
from typing import Any

from accord._calls import Bound, Failed, Progress
from accord._redact import secrets_in, text_of
from accord._tool import Tool
from accord.errors import ToolError
from accord.gate.refusal import failure

__all__ = ["invoke"]

_log = logging.getLogger("accord.tools")


def invoke(tool: Tool, bound: Bound) -> Any | Failed:
    """Call the function, run it to its end, and return what it returned or how it failed."""
    try:
        value = tool.fn(*bound.args, **bound.kwargs)
        return _finished(tool.fn, value)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - boundary: the function is the author's code
        _log.debug("tool %s failed", tool.name, exc_info=error)
        return _tool_failure(tool, error, bound)


_PLAIN = {str, int, float, bool, list, dict, type(None)}


def _finished(function: Any, value: Any) -> Any:
    """The result behind a coroutine or a generator function; any other value is the result itself."""
    if type(value) in _PLAIN:
        return value
    if inspect.iscoroutine(value):
        return _run(value)
    if inspect.isasyncgen(value):
        return _run(_last_of(value))
    return _exhausted(value) if inspect.isgeneratorfunction(function) else value


def _run(coroutine: Any) -> Any:
    import asyncio  # noqa: PLC0415 - an event loop only starts when an async tool needs one

    return asyncio.run(coroutine)


def _exhausted(generator: Any) -> Any:
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            return stop.value


async def _last_of(generator: Any) -> Any:
    last = None
    async for item in generator:
        last = last if isinstance(item, Progress) else item
    return last


def _secrets(tool: Tool, bound: Bound) -> list[str]:
    """The secrets this call was given; looked for only once something went wrong."""
    properties = tool.compiled.input.get("properties", {})
    found = [secret for value in bound.args for secret in secrets_in(value)]
    for name, value in bound.kwargs.items():
        found += secrets_in(value, write_only=bool(properties.get(name, {}).get("writeOnly")))
    return sorted(found, key=len, reverse=True)


def _tool_failure(tool: Tool, error: BaseException, bound: Bound) -> Failed:
    text = f"Error: {text_of(error, secrets=_secrets(tool, bound), masked=tool.policy.mask_errors)}"
    more: dict[str, Any] = {}
    if isinstance(error, ToolError):
        more = {"code": error.code, "retryable": error.retryable, "data": error.data}
        more = {key: value for key, value in more.items() if value is not None}
    return failure(tool.name, "tool_error", text, exception=error, **more)
