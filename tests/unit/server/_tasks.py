"""Clients that know tasks, on three transports: in memory, on a pipe with its crew, and over HTTP. All are judged."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from accord import App
from accord.protocol.session import ServerSession
from accord.protocol.tasks import EXTENSION, TERMINAL
from accord.server.desk import Desk
from accord.server.profile import for_principal, profile_of
from accord.transports.asgi.endpoint import Endpoint
from tests.protocol._wire import STATELESS, line, messages, objections, stateless
from tests.unit.server._line import serving
from tests.unit.server.test_asking_over_http import Post

DEADLINE = 20.0
CAPABLE: dict[str, Any] = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}, "extensions": {EXTENSION: {}}}


class Client:
    """Sends a request and waits for its answer; how, is up to the transport."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.capabilities = CAPABLE

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def ask(self, method: str, meta: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        """The whole answer to a request."""
        meta = {"capabilities": self.capabilities, **(meta or {})}
        answer = self.send(stateless(next(self._numbers), method, meta=meta, **params))
        assert objections(answer, STATELESS, method) == [], answer
        return answer

    def call(self, name: str, arguments: dict[str, Any] | None = None, **params: Any) -> Any:
        return self.ask("tools/call", name=name, arguments=arguments or {}, **params)["result"]

    def begin(self, name: str, **arguments: Any) -> str:
        """Call a tool that becomes a task; its id."""
        result = self.call(name, arguments)
        assert result["resultType"] == "task", result
        id: str = result["taskId"]
        return id

    def get(self, id: str) -> Any:
        return self.ask("tasks/get", taskId=id)["result"]

    def update(self, id: str, **answers: Any) -> None:
        assert self.ask("tasks/update", taskId=id, inputResponses=answers)["result"].keys() == {"resultType", "_meta"}

    def cancel(self, id: str) -> None:
        assert self.ask("tasks/cancel", taskId=id)["result"].keys() == {"resultType", "_meta"}

    def until(self, id: str, *statuses: str, questions: int = 0) -> Any:
        """The task, once it has come to one of these (by default, to its end), and asks so much."""
        end = time.monotonic() + DEADLINE
        while True:
            task = self.get(id)
            if task["status"] in (statuses or TERMINAL) and len(task.get("inputRequests", ())) >= questions:
                return task
            assert time.monotonic() < end, task
            threading.Event().wait(0.005)


class InMemory(Client):
    def __init__(self, app: App, principal: str | None = None) -> None:
        super().__init__()
        self.session = ServerSession(for_principal(profile_of(app), app, principal))
        self.written: list[dict[str, Any]] = []
        self.desk = Desk(
            app._registry, self.session, lambda data: self.written.extend(messages(data)), principal=principal
        )

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        for event in self.session.receive(line(message)):
            request = self.desk.accept(event)
            if request is not None:
                over = threading.Event()
                self.desk.answer(request, over.set)
                assert over.wait(DEADLINE)
        (answer,) = [each for each in self.written if each.get("id") == message["id"]]
        self.written.remove(answer)
        return answer


class OnAPipe(Client):
    def __init__(self, pipe: Any) -> None:
        super().__init__()
        self.pipe = pipe

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        self.pipe.say(message)
        answer: dict[str, Any] = self.pipe.answer(message["id"])
        return answer


class OverHTTP(Client):
    def __init__(self, endpoint: Endpoint, loop: asyncio.AbstractEventLoop, **headers: str) -> None:
        super().__init__()
        self.endpoint = endpoint
        self.loop = loop
        self._headers = headers

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        params = message["params"]
        name = params.get("name") or params.get("taskId")
        named = {} if name is None else {"mcp_name": name}
        headers = {"mcp_protocol_version": STATELESS, "mcp_method": message["method"], **named, **self._headers}

        async def post() -> dict[str, Any]:
            return await Post(self.endpoint, message, **headers).hear()

        return asyncio.run_coroutine_threadsafe(post(), self.loop).result(DEADLINE)


@contextmanager
def in_memory(app: App) -> Iterator[Client]:
    yield InMemory(app)


@contextmanager
def on_a_pipe(app: App) -> Iterator[Client]:
    with serving(app) as pipe:
        yield OnAPipe(pipe)


@contextmanager
def over_http(app: App, **options: Any) -> Iterator[OverHTTP]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def end() -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others) if others else None

    try:
        yield OverHTTP(Endpoint(app, **options), loop)
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(DEADLINE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(DEADLINE)
        loop.close()


TRANSPORTS = [in_memory, on_a_pipe, over_http]
