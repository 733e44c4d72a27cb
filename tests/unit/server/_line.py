"""A crew on two pipes of its own, spoken to in messages."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accord import App
from accord.protocol.session import ServerSession
from accord.server.crew import Crew
from accord.server.profile import profile_of

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Line:
    """The client's end."""

    def __init__(self, crew: Crew, write: int, read: int) -> None:
        self.crew = crew
        self._to = write
        self._from = os.fdopen(read, "rb")
        self._heard: dict[Any, dict[str, Any]] = {}
        self._asked: list[dict[str, Any]] = []
        self.seen: list[dict[str, Any]] = []
        #: threads that ever were reading at the same time
        self.most_reading = 0

    def say(self, *messages: dict[str, Any]) -> None:
        """Several messages in one piece."""
        os.write(self._to, b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def call(self, id: Any, name: str, **arguments: Any) -> dict[str, Any]:
        return self.request(id, "tools/call", name=name, arguments=arguments)

    def request(self, id: Any, method: str, **params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": META}}

    def cancel(self, id: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}

    def answer(self, id: Any) -> dict[str, Any]:
        """The response with that id; others are kept for whoever asks for them."""
        while id not in self._heard:
            message = json.loads(self._from.readline())
            self._sort(message)
        return self._heard.pop(id)

    def _sort(self, message: dict[str, Any]) -> None:
        self.seen.append(message)
        if "method" in message:
            self._asked.append(message)
        else:
            self._heard[message.get("id")] = message

    def question(self) -> dict[str, Any]:
        """The next thing that the server asks or tells by itself."""
        while not self._asked:
            self._sort(json.loads(self._from.readline()))
        return self._asked.pop(0)

    def shake_hands(self, **capabilities: Any) -> None:
        """Become a client of the handshake era, whose calls are ``old_call``s."""
        info = {"name": "tests", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info}
        self.say({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params})
        self.answer("hello")
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def old_call(self, id: Any, name: str, **arguments: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}

    def value(self, id: Any) -> Any:
        return self.answer(id)["result"]["structuredContent"]

    def hang_up(self) -> None:
        if self._to >= 0:
            os.close(self._to)
            self._to = -1

    def rest(self) -> list[dict[str, Any]]:
        """Everything that is still said, up to the end."""
        return [json.loads(line) for line in self._from]


@contextmanager
def serving(app: App) -> Iterator[Line]:
    incoming, to = os.pipe()
    from_, outgoing = os.pipe()

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(outgoing, view) :]

    reading = set[int]()

    def read() -> bytes:
        reading.add(threading.get_ident())
        line.most_reading = max(line.most_reading, len(reading))
        try:
            return os.read(incoming, 65536)
        finally:
            reading.discard(threading.get_ident())

    crew = Crew(app._registry, ServerSession(profile_of(app)), read, write)
    line = Line(crew, to, from_)

    def run() -> None:
        crew.run()
        # Not closed: its number would be the next test's pipe, and a tool that is still at work would answer there.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, outgoing)
        os.close(null)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield line
    finally:
        line.hang_up()
        thread.join(30)
        os.close(incoming)
        line._from.close()
        assert not thread.is_alive()
