"""What a server has asked its client and not yet been told, in the handshake era. Ids here are of the server's making.

A question that belongs to a request ends with it: the client is told, and a later answer is dropped, like one to a
question nobody asked.
"""

from itertools import count
from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_REQUEST, Error, NotAllowed
from accord.protocol.events import Answer, Request
from accord.protocol.jsonrpc import Message, request_line
from accord.protocol.ladder import Agreed
from accord.protocol.notices import cancelled_line
from accord.protocol.questions import Question, params_at
from accord.protocol.rounds import demand

__all__ = ["Asked", "Asking"]

_NEITHER: Final = Error(INVALID_REQUEST, "The response holds neither a result object nor an error")


class Asked(msgspec.Struct, frozen=True):
    """A question on its way: write ``data``; the ``Answer`` event will name ``id``."""

    id: str
    data: bytes


class Asking:
    """The open questions of one pipe, and the requests they belong to."""

    # Other threads ask while one reads: every step on the table is a single one.
    __slots__ = ("_numbers", "_open")

    def __init__(self) -> None:
        self._open: dict[str, object] = {}
        self._numbers = count(1)

    def ask(self, question: Question, agreed: Agreed | None, about: Request | None) -> Asked:
        """Raises what ``ServerSession.ask`` does."""
        if agreed is None or (about is not None and about.version.stateless):
            raise NotAllowed("only a client of the handshake era is sent requests: use input_required")
        version, peer = (agreed.version, agreed.peer) if about is None else (about.version, about.peer)
        demand(question, peer)
        key = f"s{next(self._numbers)}"
        self._open[key] = about
        return Asked(key, request_line(key, question.method, params_at(question, version)))

    def withdraw(self, id: str, reason: str | None) -> bytes:
        """Forget a question and tell the client."""
        if self._open.pop(id, self) is self:
            return b""
        return cancelled_line(id, reason)

    def answered(self, message: Message) -> Answer | None:
        """What a response says; None where it is late, or nobody asked."""
        if type(message.id) is not str or self._open.pop(message.id, self) is self:
            return None
        members: dict[str, Any] = {"id": message.id}
        for name in ("result", "error"):
            if getattr(message, name) is not msgspec.UNSET:
                members[name] = getattr(message, name)
        try:
            answer = msgspec.convert(members, Answer)
        except msgspec.ValidationError:
            answer = Answer(message.id)
        return Answer(message.id, error=_NEITHER) if answer.result is None and answer.error is None else answer

    def forget(self, request: Request) -> bytes:
        """The request is over, and so is what was asked on its behalf: the bytes tell the client, if it waits."""
        asked = [key for key, about in list(self._open.items()) if about is request]
        return b"".join(self.withdraw(key, "The request it belonged to is over") for key in asked)
