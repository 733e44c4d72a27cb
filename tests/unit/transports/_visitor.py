"""A client of the endpoint in process: it speaks ASGI, reads slowly if told to, and leaves when it likes."""

from __future__ import annotations

import asyncio
import functools
import json
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from accord import App
from accord.transports.asgi.endpoint import Endpoint
from tests.protocol._wire import NEW, STATELESS, initialize, notification, request, stateless

DEADLINE = 30

#: what a well-formed POST of a client says; None takes a header away
POST = {
    "host": "localhost:8000",
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}

Test = Callable[..., Coroutine[Any, Any, None]]


def looped(test: Test) -> Callable[..., None]:
    """A test that runs in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), DEADLINE))

    return run


class Event:
    """One event of a stream, or a comment, or the word when to come back."""

    def __init__(self, text: str) -> None:
        fields = [line.partition(":") for line in text.split("\n")]
        self.comment: str | None = next((value.strip() for name, _, value in fields if not name), None)
        self.id: str | None = next((value.strip() for name, _, value in fields if name == "id"), None)
        self.retry: str | None = next((value.strip() for name, _, value in fields if name == "retry"), None)
        self.data: str = "\n".join(value.strip() for name, _, value in fields if name == "data")

    @property
    def message(self) -> Any:
        return json.loads(self.data)


class Exchange:
    """One request, and what comes back."""

    def __init__(self, endpoint: Any, verb: str, headers: dict[str, str], body: list[bytes], path: str) -> None:
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        scope = {"type": "http", "method": verb, "path": path, "headers": raw, "query_string": b"", "scheme": "http"}
        self._pieces = deque(body)
        self._left = asyncio.Event()
        self._came = asyncio.Condition()
        self._whole = b""
        self._heard = 0
        #: set once it was heard that this client has left
        self.was_missed = asyncio.Event()
        #: clear it to stop reading
        self.reads = asyncio.Event()
        self.reads.set()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.task = asyncio.ensure_future(endpoint(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._pieces:
            piece = self._pieces.popleft()
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}
        await self._left.wait()
        self.was_missed.set()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        await self.reads.wait()
        async with self._came:
            if message["type"] == "http.response.start":
                assert self.status == 0, "a response begins once"
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                self._whole += message["body"]
            self._came.notify_all()

    def leave(self) -> None:
        self._left.set()

    async def begun(self) -> Exchange:
        """Once there is a status."""
        async with self._came:
            await self._came.wait_for(lambda: self.status)
        return self

    async def over(self) -> Exchange:
        """Once it is complete."""
        await self.task
        return self

    @property
    def body(self) -> bytes:
        return self._whole

    @property
    def json(self) -> Any:
        assert self.headers["content-type"] == "application/json", self.headers
        return json.loads(self._whole)

    @property
    def is_stream(self) -> bool:
        return self.headers.get("content-type") == "text/event-stream"

    async def event(self) -> Event:
        """The next event of a stream."""
        async with self._came:
            await self._came.wait_for(lambda: self._whole.count(b"\n\n") > self._heard)
        self._heard += 1
        return Event(self._whole.split(b"\n\n")[self._heard - 1].decode())

    async def rest(self) -> list[Event]:
        """The events up to the end."""
        await self.task
        texts = self._whole.split(b"\n\n")[self._heard : -1]
        self._heard += len(texts)
        return [Event(text.decode()) for text in texts]


class Visitor:
    """Somebody with an endpoint of an app to visit, or with a session there."""

    def __init__(self, app: App | Endpoint, **options: Any) -> None:
        self.endpoint = app if isinstance(app, Endpoint) else Endpoint(app, path="/mcp", **options)
        self.app: App = self.endpoint.app
        self.given: dict[str, str] = {}

    def send(self, verb: str, *body: bytes, path: str = "/mcp", **headers: str | None) -> Exchange:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        told = {**POST, **self.given, **named}
        known = {name: value for name, value in told.items() if value is not None}
        return Exchange(self.endpoint, verb, known, list(body) or [b""], path)

    def post(self, message: Any, **headers: str | None) -> Exchange:
        """One message; the headers of the stateless era are read off it."""
        if isinstance(message, dict) and "_meta" in message.get("params", {}) and not self.given:
            params = message["params"]
            mirrored = {"mcp_protocol_version": STATELESS, "mcp_method": message["method"]}
            name = params.get("uri" if message["method"] == "resources/read" else "name")
            headers = {**mirrored, **({"mcp_name": name} if isinstance(name, str) else {}), **headers}
        return self.send("POST", message if isinstance(message, bytes) else json.dumps(message).encode(), **headers)

    def call(self, name: str, /, *, meta: dict[str, Any] | None = None, id: Any = 1, **arguments: Any) -> Exchange:
        """A call in the era this visitor is in."""
        if self.given:
            more = {} if meta is None else {"_meta": meta}
            return self.post(request(id, "tools/call", name=name, arguments=arguments, **more))
        return self.post(stateless(id, "tools/call", meta=meta, name=name, arguments=arguments))

    def listen(self, id: Any = 1, **filter: Any) -> Exchange:
        return self.post(stateless(id, "subscriptions/listen", notifications=filter))

    async def shake_hands(self, version: str = NEW, **capabilities: Any) -> Visitor:
        """A visitor with a session."""
        answer = await self.post(initialize(version, **capabilities)).over()
        assert answer.status == 200, answer.body
        guest = Visitor(self.endpoint)
        guest.given = {**self.given, "mcp-session-id": answer.headers["mcp-session-id"]}
        guest.given["mcp-protocol-version"] = answer.json["result"]["protocolVersion"]
        assert (await guest.post(notification("notifications/initialized")).over()).status == 202
        return guest

    def read(self, last: str | None = None, **headers: str | None) -> Exchange:
        """A GET."""
        return self.send("GET", last_event_id=last, **headers)
