"""What may come out of a middleware, and what becomes of anything else."""

import logging
from typing import Any

from accord._calls import Call, Failed, Ok, Outcome
from accord._redact import text_of
from accord._signature import name_of
from accord.gate.refusal import failure

__all__ = ["checked", "raised"]

_log = logging.getLogger("accord.tools")


def checked(call: Call, middleware: Any, outcome: Any) -> Outcome:
    """The outcome a middleware returned, or the failure of one that returned none."""
    if isinstance(outcome, Ok | Failed):
        return outcome
    text = (
        f"Error: the middleware {name_of(middleware)} returned a {type(outcome).__name__} and no outcome; "
        "it has to return what next(call) gave it, or an outcome of its own"
    )
    return failure(call.name, "tool_error", text)


def raised(call: Call, error: BaseException) -> Failed:
    """The failure of a call whose middleware raised."""
    _log.debug("middleware failed around %s", call.name, exc_info=error)
    return failure(call.name, "tool_error", f"Error: {text_of(error)}", exception=error)
