"""What may come out of a middleware, and what becomes of anything else."""

import inspect
from typing import Any

from accord._calls import Call, Failed, Ok, Outcome
from accord._registry import Middleware, Registry
from accord._signature import name_of
from accord.dispatch.fault import fault_of
from accord.gate.refusal import failure

__all__ = ["checked", "is_async", "raised"]


def is_async(middleware: Middleware) -> bool:
    """Whether a middleware awaits the next stage."""
    return inspect.iscoroutinefunction(middleware) or inspect.iscoroutinefunction(type(middleware).__call__)


def checked(call: Call, middleware: Middleware, outcome: Any) -> Outcome:
    """The outcome a middleware returned, or the failure of one that returned none."""
    if isinstance(outcome, Ok | Failed):
        return outcome
    text = (
        f"Error: the middleware {name_of(middleware)} returned a {type(outcome).__name__} and no outcome; "
        "it has to return what next(call) gave it, or an outcome of its own"
    )
    return failure(call.name, "tool_error", text)


def raised(registry: Registry, call: Call, error: BaseException) -> Failed:
    """The failure of a call whose middleware raised: like a tool, it may end itself, never the process."""
    return fault_of(call.name, error, masked=registry.policy.mask_errors)
