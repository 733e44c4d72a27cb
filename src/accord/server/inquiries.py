"""What clients ask about tasks: how one is, that it take answers, that it stop.

Somebody else's task is told of as one that does not exist.
"""

from typing import Final

from accord._calls import Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord.errors import ProtocolError
from accord.gate.refusal import failure
from accord.protocol.errors import INVALID_PARAMS
from accord.protocol.events import CancelTask, GetTask, UpdateTask
from accord.server.workshop import task_of, workshop_of

__all__ = ["cancel_task", "get_task", "update_task"]

_UNKNOWN: Final = "There is no such task"


def get_task(registry: Registry, request: GetTask, call: Call) -> Outcome:
    """How a task is, with all that belongs to its status."""
    record = workshop_of(registry).find(request.task, call.principal)
    return _unknown() if record is None else Ok(None, structured=task_of(record).whole())


def update_task(registry: Registry, request: UpdateTask, call: Call) -> Outcome:
    """Take answers; what comes of them is seen in the task."""
    known = workshop_of(registry).answer(request.task, call.principal, request.answers)
    return Ok(None, structured={}) if known else _unknown()


def cancel_task(registry: Registry, request: CancelTask, call: Call) -> Outcome:
    """Ask it to stop; whether and when it does is seen in the task."""
    known = workshop_of(registry).withdraw(request.task, call.principal)
    return Ok(None, structured={}) if known else _unknown()


def _unknown() -> Failed:
    return failure("", "tool_error", _UNKNOWN, exception=ProtocolError(_UNKNOWN, code=INVALID_PARAMS))
