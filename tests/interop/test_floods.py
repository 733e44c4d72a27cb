"""A client that says too much: everything is answered, and the server's memory stays what it was."""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

import pytest

from accord.protocol.jsonrpc import LONGEST
from tests.interop._pipe import NEW, Pipe

HOSTILE = "tests.interop.hostile"
MEGABYTE = 1024 * 1024
#: for what the allocator and the interpreter do as they like
SLACK = 8 * MEGABYTE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not say how much memory there was")


def peak(pipe: Pipe) -> int:
    """The most memory the server has had."""
    found: int = pipe.answer(pipe.call("peak"))["result"]["structuredContent"]["result"]
    return found


def test_a_line_that_never_ends_is_thrown_away_as_it_comes() -> None:
    with Pipe("--mcp", module=HOSTILE) as pipe:
        pipe.shake_hands()
        before = peak(pipe)
        for _ in range(100):
            pipe.say(b"[" * MEGABYTE)
        assert pipe.hear()["error"]["code"] == -32600
        assert peak_of_next_line(pipe) - before < 2 * LONGEST + SLACK


def peak_of_next_line(pipe: Pipe) -> int:
    pipe.say(b"\n")
    return peak(pipe)


PINGS, CALLS = 50_000, 20_000


def flood() -> bytes:
    """Pings, a cancel of each of them, and calls of both eras in between."""
    said: list[Any] = []
    for number in range(PINGS):
        said.append({"jsonrpc": "2.0", "id": f"p{number}", "method": "ping"})
        said.append({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": f"p{number}"}})
        if number * CALLS % PINGS < CALLS:
            params: dict[str, Any] = {"name": "add", "arguments": {"a": number, "b": 1}}
            if number % 2:
                params["_meta"] = NEW
            said.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
    return b"".join(json.dumps(message).encode() + b"\n" for message in said)


def test_a_flood_is_answered_completely_and_leaves_no_memory_behind() -> None:
    with Pipe("--mcp", module=HOSTILE) as pipe:
        pipe.shake_hands()
        before = peak(pipe)
        data, answers = flood(), dict[Any, Any]()
        speaking = threading.Thread(target=pipe.say, args=[data])
        speaking.start()
        for _ in range(PINGS + CALLS):
            message = pipe.hear()
            answers[message["id"]] = message["result"]
        speaking.join()
        assert {answers.pop(f"p{number}") == {} for number in range(PINGS)} == {True}
        assert len(answers) == CALLS
        values = {number: result["structuredContent"] for number, result in answers.items()}
        assert values == {number: number + 1 if number % 2 else {"result": number + 1} for number in values}
        assert peak(pipe) - before < 4 * SLACK
        assert pipe.ends() == 0
