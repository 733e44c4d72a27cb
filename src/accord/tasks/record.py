"""What is known of a task, and how that may change: a value, and functions from one to the next.

A function gives None where there is nothing to change; what has come to its end never changes again. Knows no store.
"""

from typing import Any, Final, Literal, TypeAlias

import msgspec

__all__ = [
    "TERMINAL",
    "Record",
    "answered",
    "asking",
    "cancelled",
    "completed",
    "failed",
    "reporting",
    "withdrawn",
]

#: a JSON value
JSON: TypeAlias = Any
Status: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]

TERMINAL: Final = frozenset({"completed", "failed", "cancelled"})


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One task. Times are seconds since the epoch."""

    id: str
    owner: str
    """The process that works on it; nobody else can."""
    tool: str
    principal: str | None = None
    contract: str = ""
    """A fingerprint of the tool's contract when it was called."""
    arguments: str = ""
    """A fingerprint of what it was called with; the arguments themselves are not kept."""
    created: float
    updated: float
    ttl: float | None = None
    """Seconds for which it is kept after it was created; None is for ever."""
    poll: float | None = None
    """Seconds between two looks at it that are worth it."""
    revision: int = 0
    """Counts the changes: who changes it has to have seen the last one."""
    status: Status = "working"
    message: str | None = None
    """How far it is, in words."""
    asked: dict[str, JSON] = {}
    """What it waits for, by key: as the client is asked."""
    answers: dict[str, dict[str, JSON]] = {}
    """What the client has answered since, by key, until the task ends."""
    is_withdrawn: bool = False
    """Nobody wants it any more; it may stop."""
    result: JSON = None
    error: JSON = None

    @property
    def is_over(self) -> bool:
        """Whether it has come to its end."""
        return self.status in TERMINAL

    @property
    def expires(self) -> float | None:
        """When it is forgotten."""
        return None if self.ttl is None else self.created + self.ttl


def asking(record: Record, key: str, question: JSON) -> Record | None:
    """It waits for one answer more."""
    if record.is_over:
        return None
    return _next(record, status="input_required", asked={**record.asked, key: question})


def answered(record: Record, answers: dict[str, dict[str, JSON]]) -> Record | None:
    """The client has answered some of what was asked; what nobody asked does not count."""
    taken = {key: answers[key] for key in record.asked if key in answers}
    if record.is_over or not taken:
        return None
    asked = {key: question for key, question in record.asked.items() if key not in taken}
    status: Status = "input_required" if asked else "working"
    return _next(record, status=status, asked=asked, answers={**record.answers, **taken})


def withdrawn(record: Record) -> Record | None:
    """Nobody wants it any more. It ends when whoever works on it has heard of that."""
    return None if record.is_over or record.is_withdrawn else _next(record, is_withdrawn=True)


def reporting(record: Record, message: str) -> Record | None:
    """It is so far."""
    return None if record.is_over or record.message == message else _next(record, message=message)


def completed(record: Record, result: JSON) -> Record | None:
    """It has a result, which may be that the tool failed."""
    return _ended(record, status="completed", result=result)


def failed(record: Record, error: JSON) -> Record | None:
    """It has none, but a JSON-RPC error."""
    return _ended(record, status="failed", error=error)


def cancelled(record: Record) -> Record | None:
    """It was withdrawn, and stopped."""
    return _ended(record, status="cancelled")


def _ended(record: Record, **changes: Any) -> Record | None:
    return None if record.is_over else _next(record, asked={}, answers={}, **changes)


def _next(record: Record, **changes: Any) -> Record:
    return msgspec.structs.replace(record, revision=record.revision + 1, **changes)
