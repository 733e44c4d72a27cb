"""The tasks extension on the wire: a call that goes on after it was answered, and what is told of it since.

A server answers a call with a task where it likes to, and only a client that declared the extension on that very
request. Knows what tasks look like; knows nothing of who does the work, or where tasks are kept.
"""

from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeAlias

import msgspec

from accord.protocol.errors import CAPABILITY_MISSING, Error, Refused
from accord.protocol.events import JSON, Peer

__all__ = ["EXTENSION", "TERMINAL", "Status", "Task", "demand", "missing"]

EXTENSION: Final = "io.modelcontextprotocol/tasks"

Status: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]

#: a task that has come to this has no other status any more
TERMINAL: Final = frozenset({"completed", "failed", "cancelled"})

_REQUIRED: Final[dict[str, Any]] = {"extensions": {EXTENSION: {}}}


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a task. Times are in seconds, those of the epoch where they are a moment."""

    id: str
    status: Status
    created: float
    updated: float
    ttl: float | None = None
    """For how long it is kept after it was created; None is for ever."""
    poll: float | None = None
    """How often it is worth asking."""
    message: str | None = None
    asked: dict[str, JSON] = {}
    """What it waits for, by key: requests without their envelope."""
    result: JSON = None
    error: JSON = None

    def brief(self) -> dict[str, JSON]:
        """What answers the call that became a task."""
        told: dict[str, JSON] = {
            "taskId": self.id,
            "status": self.status,
            "createdAt": _moment(self.created),
            "lastUpdatedAt": _moment(self.updated),
            "ttlMs": None if self.ttl is None else _milliseconds(self.ttl),
        }
        if self.poll is not None:
            told["pollIntervalMs"] = _milliseconds(self.poll)
        if self.message is not None:
            told["statusMessage"] = self.message
        return told

    def whole(self) -> dict[str, JSON]:
        """The same with what belongs to its status: questions, a result, or an error."""
        member = _MEMBERS.get(self.status)
        return self.brief() if member is None else {**self.brief(), member[0]: getattr(self, member[1])}


#: what a status brings along: its name on the wire, and here
_MEMBERS: Final = {
    "input_required": ("inputRequests", "asked"),
    "completed": ("result", "result"),
    "failed": ("error", "error"),
}


def missing() -> Error:
    """The answer to a client that would have to know tasks."""
    return Error(CAPABILITY_MISSING, f"The client did not declare {EXTENSION}", {"requiredCapabilities": _REQUIRED})


def demand(peer: Peer) -> None:
    """Raises Refused where the client did not declare, with this request, that it knows tasks."""
    if not peer.declares("extensions", EXTENSION):
        error = missing()
        raise Refused(error.code, error.message, error.data)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
