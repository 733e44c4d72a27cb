"""The client of a call of the handshake era: a question is a request to it, and the tool waits for the response."""

import threading
from collections.abc import Callable
from typing import Any

from accord._caller import UNANSWERED, Unanswered
from accord._calls import JSON
from accord.protocol.errors import NotAllowed, Refused
from accord.protocol.events import Answer
from accord.protocol.questions import Question
from accord.server.client import Client

__all__ = ["PATIENCE", "HandshakeClient"]

#: seconds a user has to answer
PATIENCE = 600.0
#: characters of what a client says of its refusal
_LONGEST = 200


class HandshakeClient(Client):
    """Asks, and waits: until the answer, the end of its patience, or the end of the call."""

    async def waited(self, ask: Callable[[], Any]) -> Any:
        """On a thread of its own: people who think could take all those that are shared."""
        from accord.dispatch.loop import on_a_thread  # noqa: PLC0415 - only what is async needs a loop

        return await on_a_thread(ask)

    def _answer(self, question: Question, meaning: JSON = None) -> Any:
        del meaning  # the answer names the question it is for
        heard: list[Answer] = []
        over = threading.Event()

        def take(answer: Answer) -> None:
            heard.append(answer)
            over.set()

        try:
            asked = self._session.ask(question, self._request)
        except NotAllowed:
            return UNANSWERED
        self._waiting[asked.id] = take
        self._write(lambda: asked.data)
        self._cancellation.on_cancel(over.set)
        in_time = over.wait(PATIENCE)
        self._waiting.pop(asked.id, None)
        if heard:
            return _read(question, heard[0])
        if in_time:
            return Unanswered("the call is over")  # and the session ends its questions with it
        self._write(lambda: self._session.withdraw(asked.id, "Nobody waits for the answer any more"))
        return Unanswered(f"nobody answered within {PATIENCE:g} s")


def _read(question: Question, answer: Answer) -> Any:
    if answer.error is not None:
        return Unanswered(f"the client refused: {answer.error.message[:_LONGEST]}")
    try:
        return question.read(answer.result)
    except Refused as refused:
        return Unanswered(f"the client's answer cannot be read: {str(refused)[:_LONGEST]}")
