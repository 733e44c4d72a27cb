"""What came out of a tool's own code as an exception -> the Failed it is.

Whatever the function raises fails the call, SystemExit included: a tool may end itself, never the process it
runs in. The traceback goes to the log, never to the caller.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from accord._caller import Unwind
from accord._calls import INPUT_REQUIRED, JSON, Bound, Failed
from accord._encode import Unencodable, encode
from accord._redact import secrets_in, text_of
from accord._tool import Tool
from accord.errors import AccordError, CapExceeded, ConfirmationRequired, ToolCancelled, ToolError, ToolTimeout
from accord.gate.refusal import failure

__all__ = ["as_said", "cancelled", "fault", "fault_of", "input_required", "is_cancelled", "timed_out"]

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
    unwind = _unwind_in(error)
    if unwind is not None:
        return input_required(name, unwind)
    # What an author raises on purpose is no news to the author.
    level = logging.DEBUG if isinstance(error, AccordError) or is_cancelled(error) else logging.INFO
    _log.log(level, "the call of %s failed", name, exc_info=error)
    if is_cancelled(error):
        return cancelled(name)  # raised again, it would cancel whatever the caller itself runs in
    text = f"Error: {text_of(error, secrets=secrets, masked=masked)}"
    reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), "tool_error")
    return failure(name, reason, text, exception=error, **_said(error))


def cancelled(name: str) -> Failed:
    """The failure of a call that was withdrawn."""
    return failure(name, "cancelled", f"Error: {name} was cancelled")


def input_required(name: str, unwind: Unwind) -> Failed:
    """What becomes of a run that asked a question and was ended by it."""
    kind, message = INPUT_REQUIRED, f"{name} has a question, and runs again once it is answered"
    data = {"tool": name, "argument": None, "reason": kind.reason, "code": kind.code, "retryable": True}
    return Failed(kind, f"Error: {message}", {**data, "message": message}, unwind)


def timed_out(tool: Tool, seconds: float) -> Failed:
    """The failure of a call that ran out of time."""
    text = f"Error: {tool.name} took longer than {seconds:g} s and was given up"
    return failure(tool.name, "timeout", text, retryable=True)


def _unwind_in(error: BaseException) -> Unwind | None:
    """The unwinding, also where a group of tasks has wrapped it. Whatever else failed there will fail again."""
    if isinstance(error, Unwind):
        return error
    if not isinstance(error, BaseExceptionGroup):
        return None
    return next((found for each in error.exceptions if (found := _unwind_in(each)) is not None), None)


def is_cancelled(error: BaseException) -> bool:
    """asyncio's and concurrent.futures' own word for it, known without importing either."""
    return any(kind.__name__ == "CancelledError" and kind.__module__ in _THEIRS for kind in type(error).__mro__)


def _said(error: BaseException) -> dict[str, Any]:
    """What a ToolError says beside its message."""
    if not isinstance(error, ToolError):
        return {}
    said = {"code": error.code, "retryable": error.retryable, "data": error.data}
    return {name: written for name, value in said.items() if (written := as_said(value)) is not None}


def as_said(value: Any) -> JSON:
    """The JSON form of what an author says of a failure; None, and a line in the log, where there is none."""
    try:
        written = encode(value)
        msgspec.json.encode(written)  # finds lone surrogates
    except (Unencodable, RecursionError, UnicodeEncodeError):
        _log.warning("what an error says beside its message is not JSON, and left out", exc_info=True)
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
