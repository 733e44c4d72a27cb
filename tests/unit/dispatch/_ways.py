"""The ways into dispatch, and one form for what comes out of each."""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from accord import App
from accord._encode import encode
from accord.errors import UnknownTool
from accord.testing import call_tool


class Answer(NamedTuple):
    """A success has a ``value`` (as JSON) and no ``reason``; a failure has a reason and its error data."""

    value: Any = None
    reason: str | None = None
    data: Any = None
    exception: BaseException | None = None
    meta: Any = None


Way = Callable[..., Answer]


def _of(raised: BaseException) -> Answer:
    data = getattr(raised, "error_data", None)
    if isinstance(raised, UnknownTool):
        return Answer(reason="unknown_tool", data=data, exception=raised)
    cancelled = isinstance(raised, KeyboardInterrupt)
    reason = data["reason"] if data else "cancelled" if cancelled else "tool_error"
    return Answer(reason=reason, data=data, exception=raised)


def python(app: App, name: str, /, **arguments: Any) -> Answer:
    """``app.call``."""
    try:
        return Answer(encode(app.call(name, **arguments)))
    except BaseException as raised:
        return _of(raised)


def awaited(app: App, name: str, /, **arguments: Any) -> Answer:
    """``await app.acall`` in a loop of its own."""
    try:
        return Answer(encode(asyncio.run(app.acall(name, **arguments))))
    except BaseException as raised:
        return _of(raised)


def mcp(app: App, name: str, /, **arguments: Any) -> Answer:
    """``tools/call``."""
    try:
        result = call_tool(app, {"name": name, "arguments": arguments})
    except UnknownTool as raised:
        return _of(raised)
    if not result["isError"]:
        text = result["content"][0]["text"] if result["content"] else None
        return Answer(result.get("structuredContent", text or None), meta=result.get("_meta"))
    if "errorData" not in result:
        return Answer(reason="the tool's own error result", meta=result.get("_meta"))
    assert result["_meta"]["accord/errorData"] == result["errorData"]
    assert "errorData" not in result.get("structuredContent", {})
    return Answer(reason=result["errorData"]["reason"], data=result["errorData"], meta=result["_meta"])


EVERY_WAY: tuple[Way, ...] = (python, awaited, mcp)
