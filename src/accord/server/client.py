"""The Caller at the other end of a pipe: what a tool tells travels as notifications, what it asks as requests.

One for each call. Knows the session of its pipe and how to write to it, and no tool.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

from accord._caller import UNANSWERED, Caller, Cancellation, Level, Unanswered
from accord.protocol.errors import NotAllowed, Refused
from accord.protocol.events import Answer, Request
from accord.protocol.questions import Elicit, ListRoots, Question, Sample
from accord.protocol.session import ServerSession

__all__ = ["Client", "Waiting", "name_of"]

_log = logging.getLogger("accord.tools")

_CONSENT = {"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]}

#: question id -> who waits for the answer
Waiting = dict[str, "Callable[[Answer], None]"]


def name_of(request: Request) -> str:
    """What the request is about, for logs."""
    return str(getattr(request, "name", None) or getattr(request, "uri", None) or type(request).__name__)


class Client(Caller):
    """Whoever sent one call."""

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
        """Send a message, if the client wants any of its level; the server's own log has it anyway."""
        del verbosity  # the client has chosen its level
        self._write(lambda: self._session.log(self._request, level, message, name_of(self._request)))
        _log.info("%s: %s", name_of(self._request), message)

    def progress(self, status: str, step: float, total: float) -> None:
        """Send how far the call is, if the client asked to hear of it."""
        self._write(lambda: self._session.progress(self._request, step, total or None, status or None))

    def confirm(self, question: str) -> bool | Unanswered:
        """Ask the client's user for consent."""
        answer = self._asked(Elicit(question, _CONSENT))
        if answer is None:
            return UNANSWERED
        return bool(answer.action == "accept" and answer.content and answer.content.get("confirm") is True)

    def ask(self, message: str, schema: dict[str, Any]) -> dict[str, Any] | Unanswered | None:
        """Ask the client's user to fill in a form."""
        answer = self._asked(Elicit(message, schema))
        if answer is None:
            return UNANSWERED
        content: dict[str, Any] | None = answer.content if answer.action == "accept" else None
        return content

    def sample(self, request: dict[str, Any]) -> dict[str, Any] | Unanswered:
        """Let the client's model say something."""
        answer = self._asked(Sample({"maxTokens": 1024, **request}))
        if answer is None:
            return UNANSWERED
        said = {"role": answer.role, "content": answer.content, "model": answer.model}
        return said if answer.stop_reason is None else {**said, "stopReason": answer.stop_reason}

    def roots(self) -> list[str] | Unanswered:
        """Ask the client which folders it works in."""
        answer = self._asked(ListRoots())
        return UNANSWERED if answer is None else [root.uri for root in answer.roots]

    def _asked(self, question: Question) -> Any:
        """The client's answer; None where it cannot be asked, or did not answer."""
        arrived = threading.Event()
        answers: list[Answer] = []

        def take(answer: Answer) -> None:
            answers.append(answer)
            arrived.set()

        try:
            asked = self._session.ask(question, self._request)
        except NotAllowed:
            return None
        self._waiting[asked.id] = take
        self._write(lambda: asked.data)
        self._cancellation.on_cancel(arrived.set)
        arrived.wait()
        self._waiting.pop(asked.id, None)
        if not answers or answers[0].result is None:
            return None
        try:
            return question.read(answers[0].result)
        except Refused:
            return None
