"""The client of a call of the stateless era: what it has not answered ends the run, and the answer to the call is the
question. The client sends the call again with the answers, here or to another process, and the tool runs again.
"""

from collections.abc import Awaitable, Callable
from copy import copy
from typing import TYPE_CHECKING, Any

from accord._caller import UNANSWERED, Unwind
from accord._calls import JSON, KINDS, Failed
from accord.protocol.errors import NotAllowed
from accord.protocol.events import Request
from accord.protocol.questions import Question, lacking
from accord.protocol.session import ServerSession
from accord.server.client import Client

if TYPE_CHECKING:
    from accord.server.replay import Replay

__all__ = ["StatelessClient", "lost", "question_or_failure"]


class StatelessClient(Client):
    """Has answered already, or will have by the next run."""

    blocks = False

    _replay: "Replay | None" = None
    _key: str | None = None

    def named(self, key: str) -> "StatelessClient":
        """The same client, in the same run, whose next question has that name."""
        self._run  # noqa: B018 - the run is one, and is begun by whoever asks first
        named = copy(self)
        named._key = key
        return named

    def once(self, kept: dict[str, Any], key: str, function: Callable[[], Any]) -> Any:
        """What ``function`` gave in an earlier run, or gives now."""
        return self._run.once(kept, key, function)

    async def aonce(self, kept: dict[str, Any], key: str, function: Callable[[], Awaitable[Any]]) -> Any:
        """The same for a function whose result is awaited."""
        return await self._run.aonce(kept, key, function)

    @property
    def _run(self) -> "Replay":
        if self._replay is None:
            from accord.server.replay import Replay  # noqa: PLC0415 - few tools ask

            self._replay = Replay(getattr(self._request, "retry", None))
        return self._replay

    def _answer(self, question: Question, meaning: JSON = None) -> Any:
        # Some requests cannot be answered with questions; they have no place for the answers either.
        if not hasattr(self._request, "retry") or lacking(question, self._request.peer) is not None:
            return UNANSWERED
        return self._run.answer(question, meaning, self._key)


def question_or_failure(session: ServerSession, request: Request, asked: Failed) -> bytes | Failed:
    """The bytes that ask the client, or the failure of a call that cannot go on so."""
    unwind = asked.exception
    if not isinstance(unwind, Unwind):
        return lost(asked)
    try:
        return session.input_required(request, dict(unwind.questions), unwind.state())
    except (NotAllowed, ValueError) as error:
        return _failed(asked, f"the tool cannot go on: {error}")


def lost(asked: Failed) -> Failed:
    """The failure of a call whose questions did not get here."""
    return _failed(asked, "what the tool asked was lost on its way through a middleware")


def _failed(asked: Failed, message: str) -> Failed:
    kind = KINDS["tool_error"]
    said = {"reason": kind.reason, "code": kind.code, "retryable": False, "message": message}
    return Failed(kind, f"Error: {message}", {**asked.error_data, **said})
