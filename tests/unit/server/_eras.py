"""One question to a server over its pipe, as a client of any version asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from accord import App
from tests.unit.server._line import Line, serving

VERSIONS = ("2025-06-18", "2025-11-25", "2026-07-28")

Ask = Callable[..., dict[str, Any]]


@contextmanager
def asking(app: App, version: str) -> Iterator[Ask]:
    """``ask(method, **params)`` is the result; ``ask("hello")`` that of the handshake, or of ``server/discover``."""
    with serving(app) as line:
        if version.startswith("2025"):
            yield _with_handshake(line, version)
        else:
            yield _without(line)


def _with_handshake(line: Line, version: str) -> Ask:
    client = {"name": "tests", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    line.say({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params})
    hello: dict[str, Any] = line.answer("hello")["result"]
    line.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(method: str, **params: Any) -> dict[str, Any]:
        if method == "hello":
            return hello
        line.say({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
        return _result(line, method)

    return ask


def _without(line: Line) -> Ask:
    def ask(method: str, **params: Any) -> dict[str, Any]:
        method = "server/discover" if method == "hello" else method
        line.say(line.request(method, method, **params))
        return _result(line, method)

    return ask


def _result(line: Line, id: str) -> dict[str, Any]:
    answer = line.answer(id)
    result: dict[str, Any] = answer.get("result") or answer["error"]
    return result
