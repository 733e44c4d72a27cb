"""The vocabulary of the client's side: what came in from a server, as frozen values. Knows no bytes and no state."""

from typing import TypeAlias

import msgspec

from accord.protocol.errors import Error
from accord.protocol.events import JSON, Filter, Level, RequestId, Send, Token
from accord.protocol.listening import Kind

__all__ = [
    "Acknowledged",
    "Changed",
    "Failure",
    "InputRequired",
    "Logged",
    "Progressed",
    "Question",
    "Reply",
    "Result",
    "Sent",
    "Updated",
    "Withdrawn",
]


class Sent(msgspec.Struct, frozen=True):
    """A request on its way: write ``data``; what comes back will name ``id``. The rest is for repeating it."""

    id: int
    data: bytes
    method: str
    params: dict[str, JSON]
    token: Token | None = None
    log_level: Level | None = None


class Result(msgspec.Struct, frozen=True):
    """The result object of a request, as it came."""

    id: int
    result: dict[str, JSON]


class Failure(msgspec.Struct, frozen=True):
    """A request was answered with an error. ``id`` None: the server could not tell which."""

    id: int | None
    error: Error


class InputRequired(msgspec.Struct, frozen=True):
    """A request was answered with questions: repeat it with ``session.retry``, or never."""

    id: int
    requests: dict[str, dict[str, JSON]]
    """Each a ``method`` and its ``params``."""
    state: str | None
    sent: Sent


class Question(msgspec.Struct, frozen=True):
    """A server of the handshake era asks: reply with ``session.answer`` or ``session.refuse``."""

    id: RequestId
    method: str
    params: dict[str, JSON]


class Withdrawn(msgspec.Struct, frozen=True):
    """The server no longer waits for the answer to a question, or has ended a stream of ours."""

    id: RequestId
    reason: str | None = None


class Progressed(msgspec.Struct, frozen=True):
    token: Token
    progress: float
    total: float | None = None
    message: str | None = None


class Logged(msgspec.Struct, frozen=True):
    level: Level
    data: JSON
    logger: str | None = None


class Acknowledged(msgspec.Struct, frozen=True):
    """A stream of changes is open, for these."""

    subscription: RequestId
    filter: Filter


class Changed(msgspec.Struct, frozen=True):
    """A list is another one now. ``subscription`` names the stream, where it came on one."""

    kind: Kind
    subscription: RequestId | None = None


class Updated(msgspec.Struct, frozen=True):
    """A resource has other contents now."""

    uri: str
    subscription: RequestId | None = None


Reply: TypeAlias = (
    Send
    | Result
    | Failure
    | InputRequired
    | Question
    | Withdrawn
    | Progressed
    | Logged
    | Acknowledged
    | Changed
    | Updated
)
