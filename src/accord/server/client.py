"""The Caller at the other end of a connection: what a tool tells travels as notifications, what it asks as questions.

One for each call, made on the path of every call. How a question gets its answer is the era's business: ``handshake``
sends it and waits, ``rounds`` ends the run and answers the next one.
"""

import logging
from collections.abc import Callable
from typing import Any

from accord._caller import Caller, Cancellation, Level, Unanswered
from accord._calls import JSON
from accord.protocol.events import Answer, Request
from accord.protocol.questions import Elicit, ListRoots, Question, Sample
from accord.protocol.session import ServerSession

__all__ = ["Client", "Waiting", "name_of"]

_log = logging.getLogger("accord.tools")

_CONSENT = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}

#: question id -> who waits for the answer
Waiting = dict[str, "Callable[[Answer], None]"]


def name_of(request: Request) -> str:
    """What the request is about, for logs."""
    return str(getattr(request, "name", None) or getattr(request, "uri", None) or type(request).__name__)


class Client(Caller):
    """Whoever sent one call."""

    #: ends the connection, to be resumed after so many seconds; None where that cannot be
    send_away: Callable[[float], None] | None = None

    def __init__(
        self,
        session: ServerSession,
        request: Request,
        write: Callable[[Callable[[], bytes]], None],
        waiting: Waiting,
        cancellation: Cancellation,
    ) -> None:
        self._session = session
        self._request = request
        self._write = write
        self._waiting = waiting
        self._cancellation = cancellation

    def log(self, level: Level, message: str, verbosity: int) -> None:
        """Send a message, if the client wants any of its level; the server's own log has the others."""
        del verbosity  # the client has chosen its level
        said = b""

        def make() -> bytes:
            nonlocal said
            said = self._session.log(self._request, level, message, name_of(self._request))
            return said

        self._write(make)
        _log.log(logging.DEBUG if said else _LEVELS[level], "%s: %s", name_of(self._request), message)

    def progress(self, status: str, step: float, total: float) -> None:
        """Send how far the call is, if the client asked to hear of it."""
        self._write(lambda: self._session.progress(self._request, step, total or None, status or None))

    def hang_up(self, retry: float) -> None:
        """Have the client come back for the rest, where it can."""
        if self.send_away is not None:
            self.send_away(retry)

    def confirm(self, question: str) -> bool | Unanswered:
        """Ask the client's user for consent."""
        answer = self._answer(Elicit(question, _CONSENT))
        if isinstance(answer, Unanswered):
            return answer
        return bool(answer.action == "accept" and answer.content and answer.content.get("confirm") is True)

    def ask(self, message: str, schema: dict[str, Any]) -> dict[str, Any] | Unanswered | None:
        """Ask the client's user to fill in a form."""
        from accord.server.forms import form_of  # noqa: PLC0415 - few tools ask

        form = form_of(schema, self._request.version)
        answer = self._answer(Elicit(message, form.schema), schema)
        if isinstance(answer, Unanswered):
            return answer
        return form.content(answer.content) if answer.action == "accept" else None

    def sample(self, request: dict[str, Any]) -> dict[str, Any] | Unanswered:
        """Let the client's model say something; a text is one message of the user's."""
        if isinstance(request.get("messages"), str):
            said = {"role": "user", "content": {"type": "text", "text": request["messages"]}}
            request = {**request, "messages": [said]}
        answer = self._answer(Sample({"maxTokens": 1024, **request}))
        if isinstance(answer, Unanswered):
            return answer
        told = {"role": answer.role, "content": answer.content, "model": answer.model}
        return told if answer.stop_reason is None else {**told, "stopReason": answer.stop_reason}

    def roots(self) -> list[str] | Unanswered:
        """Ask the client which folders it works in."""
        answer = self._answer(ListRoots())
        return answer if isinstance(answer, Unanswered) else [root.uri for root in answer.roots]

    def _answer(self, question: Question, meaning: JSON = None) -> Any:
        """What the client answers, or Unanswered. ``meaning`` is what the wire form of the question leaves out."""
        raise NotImplementedError
