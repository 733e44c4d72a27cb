"""What came out of a tool's own code as an exception -> the Failed it is.

Whatever the function raises fails the call, SystemExit included: a tool may end itself, never the process it
runs in. The traceback goes to the log, never to the caller.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from accord._calls import JSON, Bound, Failed
from accord._encode import Unencodable, encode
from accord._redact import secrets_in, text_of
from accord._tool import Tool
from accord.errors import CapExceeded, ConfirmationRequired, ToolCancelled, ToolError, ToolTimeout
from accord.gate.refusal import failure

__all__ = ["cancelled", "fault", "fault_of", "is_cancelled", "timed_out"]

_log = logging.getLogger("accord.tools")

_THEIRS = ("asyncio.exceptions", "concurrent.futures._base")

#: what a tool may raise to say that it failed in one of our ways; anything else is its own failure
_REASONS: tuple[tuple[type[BaseException], str], ...] = (
    (ConfirmationRequired, "confirmation_required"),
    (ToolTimeout, "timeout"),
    (CapExceeded, "cap_exceeded"),
    (ToolCancelled, "cancelled"),
    (KeyboardInterrupt, "cancelled"),
)


def fault(tool: Tool, error: BaseException, bound: Bound | None = None) -> Failed:
    """The failure of a call whose tool (or whose provider) raised ``error``."""
    return fault_of(tool.name, error, secrets=_secrets(tool, bound), masked=tool.policy.mask_errors)


def fault_of(name: str, error: BaseException, *, secrets: Iterable[str] = (), masked: bool) -> Failed:
    """The failure of a call of that name in which somebody's code raised ``error``."""
    _log.debug("the call of %s failed", name, exc_info=error)
    if is_cancelled(error):
        return cancelled(name)  # raised again, it would cancel whatever the caller itself runs in
    text = f"Error: {text_of(error, secrets=secrets, masked=masked)}"
    reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), "tool_error")
    return failure(name, reason, text, exception=error, **_said(error))


def cancelled(name: str) -> Failed:
    """The failure of a call that was withdrawn."""
    return failure(name, "cancelled", f"Error: {name} was cancelled")


def timed_out(tool: Tool, seconds: float) -> Failed:
    """The failure of a call that ran out of time."""
    text = f"Error: {tool.name} took longer than {seconds:g} s and was given up"
    return failure(tool.name, "timeout", text, retryable=True)


def is_cancelled(error: BaseException) -> bool:
    """asyncio's and concurrent.futures' own word for it, known without importing either."""
    return any(kind.__name__ == "CancelledError" and kind.__module__ in _THEIRS for kind in type(error).__mro__)


def _said(error: BaseException) -> dict[str, Any]:
    """What a ToolError says beside its message."""
    if not isinstance(error, ToolError):
        return {}
    said = {"code": error.code, "retryable": error.retryable, "data": error.data}
    return {name: written for name, value in said.items() if (written := _written(value)) is not None}


def _written(value: Any) -> JSON:
    """The JSON form of what an author says; None, and a line in the log, where there is none."""
    try:
        written = encode(value)
        msgspec.json.encode(written)  # finds lone surrogates
    except (Unencodable, RecursionError, UnicodeEncodeError):
        _log.warning("what a ToolError says beside its message is not JSON, and left out", exc_info=True)
        return None
    return written


def _secrets(tool: Tool, bound: Bound | None) -> list[str]:
    """The secrets this call was given; looked for only once something went wrong."""
    return [] if bound is None else sorted(_secrets_of(tool, bound), key=len, reverse=True)


def _secrets_of(tool: Tool, bound: Bound) -> Iterator[str]:
    properties = tool.compiled.input.get("properties", {})
    for value in bound.args:
        yield from secrets_in(value)
    for name, value in bound.kwargs.items():
        yield from secrets_in(value, write_only=bool(properties.get(name, {}).get("writeOnly")))
