"""The threads of the stdio server, on a pipe of their own."""

import json
import os
import threading

import pytest

from accord import App
from accord.protocol.events import Request
from accord.server.desk import Desk
from accord.transports.stdio import _Pipe


def test_a_fault_of_the_server_fails_one_call_and_stops_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App("tests")

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    answer = Desk.answer

    def faulty(self: Desk, request: Request) -> None:
        if request.id == "bad":
            raise ZeroDivisionError
        answer(self, request)

    monkeypatch.setattr(Desk, "answer", faulty)
    incoming, write = os.pipe()
    read, outgoing = os.pipe()
    pipe = _Pipe(app, incoming, outgoing, b"")
    serving = threading.Thread(target=pipe.run)
    serving.start()
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"name": "add", "arguments": {"a": 1, "b": 2}, "_meta": meta}
    heard = {}
    with os.fdopen(read, "rb") as answers:
        for name in ("bad", "good"):
            message = {"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": params}
            os.write(write, json.dumps(message).encode() + b"\n")
            heard[name] = json.loads(answers.readline())
        os.close(write)
        serving.join(30)
    os.close(incoming)
    os.close(outgoing)
    assert heard["bad"]["error"]["code"] == -32603
    assert heard["good"]["result"]["structuredContent"] == 3
    assert not serving.is_alive()
