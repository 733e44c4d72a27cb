"""A server in this process, real bytes in and out, every message judged by the official schemas; and a user.

``converse`` makes a call and answers whatever is asked meanwhile, in the way of the era: one test is for all versions.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from accord import App
from accord.protocol.events import Request
from accord.protocol.session import ServerSession
from accord.server.desk import Desk
from accord.server.profile import for_principal, profile_of
from tests.protocol._wire import NEW, STATELESS, initialize, line, messages, objections, request, stateless

PATIENCE = 20.0
CAPABLE: dict[str, Any] = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}

#: method and params -> the result; an ``error`` in it is given instead
User = Callable[[str, dict[str, Any]], dict[str, Any]]


class Line:
    """One client's pipe to a server of an app."""

    def __init__(
        self, app: App, version: str = STATELESS, *, principal: str | None = None, **capabilities: Any
    ) -> None:
        self.version = version
        self.capabilities = capabilities or CAPABLE
        self.session = ServerSession(for_principal(profile_of(app), app, principal))
        self.desk = Desk(app._registry, self.session, self._send)
        self._written: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._methods: dict[Any, str] = {}
        self.notified: list[dict[str, Any]] = []
        self.working: list[threading.Event] = []
        if version != STATELESS:
            self.say(initialize(version, **self.capabilities))
            self.hear()

    def call(self, name: str, arguments: dict[str, Any] | None = None, *, id: Any = 1, **more: Any) -> None:
        self.send(id, "tools/call", name=name, arguments=arguments or {}, **more)

    def send(self, id: Any, method: str, **params: Any) -> None:
        if self.version == STATELESS:
            self.say(stateless(id, method, meta={"capabilities": self.capabilities}, **params))
        else:
            self.say(request(id, method, **params))

    def say(self, message: dict[str, Any]) -> None:
        """One message in; what it asks for is worked on by another thread."""
        if "method" in message and "id" in message:
            self._methods[message["id"]] = message["method"]
        for event in self.session.receive(line(message)):
            work = self.desk.accept(event)
            if isinstance(work, Request):
                over = threading.Event()
                self.working.append(over)
                threading.Thread(target=self.desk.answer, args=(work, over.set), daemon=True).start()

    def hear(self) -> dict[str, Any]:
        """The next message that is a request or a response."""
        while True:
            message = self._written.get(timeout=PATIENCE)
            version = self.version if message.get("id") != 0 else NEW if self.version == STATELESS else self.version
            assert objections(message, version, self._methods.get(message.get("id"))) == [], message
            if "id" in message:
                return message
            self.notified.append(message)

    def is_silent(self) -> bool:
        """Whether nothing more was written, once all work is done."""
        return all(over.wait(PATIENCE) for over in self.working) and self._written.empty()

    def _send(self, data: bytes) -> None:
        for message in messages(data):
            self._written.put(message)


def asked_of(message: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The questions of an ``input_required`` result, by key."""
    asked: dict[str, dict[str, Any]] = message["result"]["inputRequests"]
    return asked


def converse(line: Line, name: str, user: User, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """The response to a call, with every question answered by the user."""
    if line.version == STATELESS:
        return in_rounds(line, name, user, arguments)
    line.call(name, arguments)
    while "method" in (message := line.hear()):
        answer = user(message["method"], message.get("params", {}))
        kind = {"error": answer["error"]} if "error" in answer else {"result": answer}
        line.say({"jsonrpc": "2.0", "id": message["id"], **kind})
    return message


def in_rounds(line: Line, name: str, user: User, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """The same in the stateless era, where each round is a call."""
    more: dict[str, Any] = {}
    for number in range(1, 100):
        line.call(name, arguments, id=number, **more)
        message = line.hear()
        if message.get("result", {}).get("resultType") != "input_required":
            return message
        answers = {key: user(asked["method"], asked.get("params", {})) for key, asked in asked_of(message).items()}
        more = {"inputResponses": answers, "requestState": message["result"]["requestState"]}
    raise AssertionError("it asks without end")


def accept(**content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


def says(*answers: dict[str, Any]) -> User:
    """A user who gives these answers, one after the other."""
    left = list(answers)
    return lambda method, params: left.pop(0)


def text(message: dict[str, Any]) -> str:
    said: str = message["result"]["content"][0]["text"]
    return said


def data(message: dict[str, Any]) -> dict[str, Any]:
    """The error data of a failed call."""
    assert message["result"]["isError"] is True, message
    found: dict[str, Any] = message["result"]["errorData"]
    return found
