"""Asking over HTTP: a round is a POST of its own, and in the handshake era the question comes on the call's stream."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from accord import App, Context
from accord.transports.asgi.endpoint import Endpoint
from tests.protocol._checklist import covers
from tests.protocol._wire import NEW, STATELESS, initialize, request, stateless
from tests.unit.server._user import CAPABLE, accept

ACCEPT = [
    (b"accept", b"application/json, text/event-stream"),
    (b"content-type", b"application/json"),
    (b"host", b"localhost"),
]


class Post:
    """One POST, and what comes back, message by message."""

    def __init__(self, endpoint: Endpoint, message: dict[str, Any], **headers: str) -> None:
        body = json.dumps(message).encode()
        given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": [*ACCEPT, *given]}
        self._body = [{"type": "http.request", "body": body, "more_body": False}]
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.headers: dict[bytes, bytes] = {}
        self.task = asyncio.ensure_future(endpoint(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if self._body:
            return self._body.pop()
        return await asyncio.Future()

    async def _send(self, event: dict[str, Any]) -> None:
        self.headers |= dict(event.get("headers", ()))
        for line in event.get("body", b"").splitlines():
            said = line.removeprefix(b"data: ")
            if said.startswith(b"{"):
                self._messages.put_nowait(json.loads(said))

    async def hear(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._messages.get(), 20)


def app() -> App:
    app = App("asking")

    @app.command
    def sync(ctx: Context) -> str:
        return f"{ctx.ask('Who?')} {ctx.confirm('Sure?')}"

    @app.command(name="async")
    async def async_(ctx: Context) -> str:
        return f"{await ctx.aask('Who?')} {await ctx.aconfirm('Sure?')}"

    @app.command(timeout=0.01)
    async def limited(ctx: Context) -> str:
        return await ctx.aask("Who?")

    return app


@covers(69)
@pytest.mark.parametrize("name", ["sync", "async"])
def test_every_round_is_a_post_that_any_process_may_serve(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_SEAL_KEY", "a key of sixteen characters or more")

    async def talk() -> Any:
        more: dict[str, Any] = {}
        for answer in (accept(answer="Ada"), accept(confirm=True), None):
            message = stateless(1, "tools/call", meta={"capabilities": CAPABLE}, name=name, arguments={}, **more)
            names = {"mcp_protocol_version": STATELESS, "mcp_method": "tools/call", "mcp_name": name}
            result = (await Post(Endpoint(app()), message, **names).hear())["result"]
            if answer is not None:
                (key,) = result["inputRequests"]
                more = {"inputResponses": {key: answer}, "requestState": result["requestState"]}
        return result

    assert asyncio.run(talk())["content"][0]["text"] == "Ada True"


@covers(69)
@pytest.mark.parametrize("name", ["sync", "async", "limited"])
def test_in_the_handshake_era_the_question_comes_on_the_stream_of_the_call(name: str) -> None:
    async def talk() -> Any:
        endpoint = Endpoint(app())
        hello = Post(endpoint, initialize(NEW, **CAPABLE))
        await hello.hear()
        known = {"mcp_session_id": hello.headers[b"mcp-session-id"].decode(), "mcp_protocol_version": NEW}
        call = Post(endpoint, request(1, "tools/call", name=name, arguments={}), **known)
        for answer in (accept(answer="Ada"), accept(confirm=True)):
            question = await call.hear()
            if name == "limited":
                withdrawn = await call.hear()
                assert withdrawn["params"]["requestId"] == question["id"]
                break
            await Post(endpoint, {"jsonrpc": "2.0", "id": question["id"], "result": answer}, **known).task
        return (await call.hear())["result"]["content"][0]["text"]

    said = asyncio.run(talk())
    assert "took longer" in said if name == "limited" else said == "Ada True"
