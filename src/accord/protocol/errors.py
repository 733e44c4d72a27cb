"""What can go wrong, by code, and the two exceptions that carry it. Knows nothing of messages or sessions.

::

    ProtocolError
      Refused       the other side sent what cannot be served; ``error`` is the answer to it
      NotAllowed    this side asked for what the protocol does not let it send now
        Undeclared    ... because the client did not declare that it can; ``required`` is what it lacks
"""

from typing import Any, Final

import msgspec

__all__ = [
    "CAPABILITY_MISSING",
    "HEADER_MISMATCH",
    "HTTP_STATUS",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "PARSE_ERROR",
    "RESOURCE_NOT_FOUND",
    "URL_ELICITATION_REQUIRED",
    "VERSION_NOT_SUPPORTED",
    "Error",
    "NotAllowed",
    "ProtocolError",
    "Refused",
    "Undeclared",
]

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
#: handshake era only; later a missing resource is INVALID_PARAMS
RESOURCE_NOT_FOUND: Final = -32002
#: 2025-11-25 only
URL_ELICITATION_REQUIRED: Final = -32042
#: stateless era only, like the two that follow
HEADER_MISMATCH: Final = -32020
CAPABILITY_MISSING: Final = -32021
VERSION_NOT_SUPPORTED: Final = -32022

#: What HTTP says beside an error of the stateless era that arose before anything ran. Errors of the tool's own
#: making travel with 200: a 400 without one of the codes above could send a client back to the handshake.
HTTP_STATUS: Final[dict[int, int]] = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    METHOD_NOT_FOUND: 404,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    CAPABILITY_MISSING: 400,
    VERSION_NOT_SUPPORTED: 400,
}


#: characters of a message: much of it may be a quotation of what came in
_LONGEST: Final = 500


class Error(msgspec.Struct, frozen=True, omit_defaults=True):
    """The ``error`` member of a JSON-RPC response."""

    code: int
    message: str
    data: Any = msgspec.UNSET


class ProtocolError(Exception):
    """The root of what this package raises."""


class Refused(ProtocolError):
    """What the other side sent cannot be served; ``error`` says so to it."""

    error: Error
    id: int | str | None
    """Of the request it answers, where the one who raises knows it."""

    def __init__(self, code: int, message: str, data: Any = msgspec.UNSET, *, id: int | str | None = None) -> None:
        super().__init__(message)
        self.error = Error(code, message[:_LONGEST], data)
        self.id = id


class NotAllowed(ProtocolError):
    """The protocol does not let this side send that, to this peer, at this version, now."""


class Undeclared(NotAllowed):
    """The client did not declare that it can. ``required`` is the capabilities object it would have to declare."""

    required: dict[str, Any]

    def __init__(self, message: str, required: dict[str, Any]) -> None:
        super().__init__(message)
        self.required = required

    @property
    def error(self) -> Error:
        """The answer, where the call cannot go on without."""
        return Error(CAPABILITY_MISSING, str(self), {"requiredCapabilities": self.required})
