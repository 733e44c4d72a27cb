"""A client and the server of an app in one process: what one of them writes, the other one reads, as bytes.

The caller's thread does the work at the desk; what is async goes on in the event loop, and is waited for. Knows two
sessions and a desk, and neither descriptors nor threads of its own.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from accord._calls import JSON
from accord.app import App
from accord.dispatch import loop
from accord.dispatch.waiting import wait
from accord.errors import ConfirmationRequired
from accord.protocol.client import ClientSession
from accord.protocol.errors import INTERNAL_ERROR, Error
from accord.protocol.events import Send
from accord.protocol.replies import Failure, InputRequired, Question, Result, Sent
from accord.protocol.session import ServerSession
from accord.protocol.tasks import EXTENSION, TERMINAL
from accord.server.desk import Desk
from accord.server.profile import for_principal, profile_of

__all__ = ["Answering", "Conversation"]

#: what a client answers when the server asks it something: the method and its params -> the result, None to refuse
Answering: TypeAlias = Callable[[str, dict[str, JSON]], dict[str, JSON] | None]

_INFO: Final = {"name": "accord.testing", "version": "1"}
#: of a client that answers: whatever a server may ask
_CAPABILITIES: Final[dict[str, JSON]] = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}
#: times that one request is repeated with answers
_ROUNDS: Final = 100
#: seconds between two looks at a task
_BETWEEN_LOOKS: Final = 0.005
_CANCELLED: Final = {"code": INTERNAL_ERROR, "message": "The task was cancelled"}
_REFUSED: Final = Error(-1, "The user refused")


class Conversation:
    """One client talks to one server of an app, and waits for each answer.

    Raises:
        KeyError: nobody here speaks that version.
    """

    def __init__(
        self,
        app: App,
        *,
        version: str,
        principal: str | None = None,
        answer: Answering | None = None,
        tasks: bool = False,
    ) -> None:
        said = {} if answer is None else dict(_CAPABILITIES)
        if tasks:
            said["extensions"] = {EXTENSION: {}}
        # The server may say as much as it likes: how long a message may be is for those to say who keep others' bytes.
        self._client = ClientSession(dict(_INFO), said, version=version, longest=sys.maxsize)
        self._server = ServerSession(for_principal(profile_of(app), app, principal))
        self._desk = Desk(app._registry, self._server, self._hear, principal=principal)
        self._answer = answer
        self._heard: list[Result | Failure | InputRequired] = []
        self._problem: BaseException | None = None
        if not self._client.version.stateless:
            self._say(self._client.initialize())

    def ask(self, method: str, params: dict[str, JSON]) -> Result | Failure:
        """Send a request, answer what is asked about it, and wait for what comes of it, of a task to its end.

        Raises:
            ConfirmationRequired: the server of a stateless version asked what nobody answered.
        """
        reply = self._say(self._client.request(method, params))
        for _ in range(_ROUNDS):
            if isinstance(reply, Result) and reply.result.get("resultType") == "task":
                return self._ending(str(reply.result["taskId"]))
            if not isinstance(reply, InputRequired):
                return reply
            reply = self._say(self._client.retry(reply, self._answers(reply)))
        raise ConfirmationRequired(f"{method} was answered {_ROUNDS} times, and every time with another question")

    def _ending(self, task: str) -> Result | Failure:
        """What becomes of a task; what it asks is answered."""
        about = {"taskId": task}
        while True:
            sent = self._client.request("tasks/get", about)
            reply = self._say(sent)
            if not isinstance(reply, Result):
                return reply if isinstance(reply, Failure) else Failure(reply.id, _REFUSED)
            told = reply.result
            if told["status"] == "completed":
                return Result(reply.id, told["result"])
            if told["status"] in TERMINAL:
                return Failure(reply.id, msgspec.convert(told.get("error", _CANCELLED), Error))
            if told["status"] == "working":
                threading.Event().wait(_BETWEEN_LOOKS)
                continue
            try:
                answers = self._answers(InputRequired(reply.id, told["inputRequests"], None, sent))
            except BaseException:
                self._say(self._client.request("tasks/cancel", about))  # nobody will look at it again
                raise
            self._say(self._client.request("tasks/update", {**about, "inputResponses": answers}))

    def _say(self, sent: Sent) -> Result | Failure | InputRequired:
        self._heard.clear()
        for event in self._server.receive(sent.data):
            request = self._desk.accept(event)
            if request is not None:
                over = threading.Event()
                self._desk.answer(request, over.set)
                self._wait(over)
        if self._problem is not None:
            raise self._problem
        assert self._heard, "what nobody withdraws is answered"
        return self._heard[-1]

    def _wait(self, over: threading.Event) -> None:
        if over.is_set():
            return
        if loop.is_inside():
            self._desk.cancel_all()
            raise RuntimeError("this would wait for something async inside the event loop that runs it")
        try:
            wait(over)
        except BaseException:
            self._desk.cancel_all()  # nobody will read the answer
            raise

    # -- the client's side ---------------------------------------------------------------------------------------

    def _hear(self, data: bytes) -> None:
        """What the desk writes, one message at a time. The tool that asks something waits for the answer right here.

        What is said now (that the handshake is complete, an answer) is never answered, so nobody has to write.
        """
        for reply in self._client.receive(data):
            if isinstance(reply, Result | Failure | InputRequired):
                self._heard.append(reply)
            elif isinstance(reply, Send | Question):
                said = reply.data if isinstance(reply, Send) else self._answered(reply)
                for event in self._server.receive(said):
                    self._desk.accept(event)

    def _answered(self, question: Question) -> bytes:
        """The response to a question of the handshake era."""
        try:
            result = self._asked(question.method, question.params)
            return self._client.refuse(question, _REFUSED) if result is None else self._client.answer(question, result)
        except BaseException as error:  # noqa: BLE001 - it is raised where the client's author sees it, not in the tool
            self._problem = self._problem or error
            return self._client.refuse(question, Error(INTERNAL_ERROR, "The client failed"))

    def _answers(self, asked: InputRequired) -> dict[str, JSON]:
        """What the repeated request brings along."""
        answers: dict[str, JSON] = {}
        for key, question in asked.requests.items():
            method = str(question.get("method"))
            result = self._asked(method, question.get("params") or {})
            if result is None:
                raise ConfirmationRequired(f"{asked.sent.method} asks for {method}, and nobody answers")
            answers[key] = result
        return answers

    def _asked(self, method: str, params: dict[str, Any]) -> dict[str, JSON] | None:
        if self._answer is None:
            return None
        result = self._answer(method, params)
        if result is not None and not isinstance(result, dict):
            raise TypeError(f"the answer to {method} is a dict, or None to refuse; this is {result!r}")
        return result
