"""An app served over HTTP by a process of its own, as people start one; and what a client asks of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DEADLINE = 30.0
NEW = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
_HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


class Server:
    """A process, and the address that it says it is served at."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._said: list[str] = []
        self._reader = threading.Thread(target=self._listen)
        self._reader.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self._said.extend(self.process.stderr)

    @property
    def said(self) -> str:
        """What stands on stderr so far."""
        return "".join(list(self._said))

    @property
    def url(self) -> str:
        """Where it is served."""
        return self.waits_for(r"is served at (\S+)\n")[1]

    def waits_for(self, pattern: str) -> re.Match[str]:
        """A text on stderr."""
        found = until(lambda: re.search(pattern, self.said) or (self.process.poll() is not None and "ended"))
        assert isinstance(found, re.Match), f"the server has ended:\n{self.said}"
        return found

    def ends(self, number: signal.Signals | None = None) -> int:
        """The exit code, after a signal; nothing that was said is a traceback."""
        if number is not None:
            self.process.send_signal(number)
        code = self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        assert "Traceback" not in self.said
        return code

    # -- what a client asks --------------------------------------------------------------------------------------

    def get(self, path: str) -> tuple[int, bytes]:
        """The answer to a GET at a path of the server's."""
        request = urllib.request.Request(self.url.rpartition("/")[0] + path)
        return _answer(request)

    def ask(self, method: str, **params: Any) -> Any:
        """The result in the stateless era."""
        named = {"mcp-name": params["name"]} if "name" in params else {}
        headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": method, **named}
        return self._post(method, {**params, "_meta": NEW}, headers)[0]["result"]

    def greeted_with_a_session(self) -> bool:
        """Whether a client of the handshake era gets a session."""
        return "mcp-session-id" in self._greet()

    def _greet(self) -> Any:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        return self._post("initialize", hello, {})[1]

    def ask_in_a_session(self, method: str, **params: Any) -> Any:
        """The result after a handshake."""
        headers = self._greet()
        session = {"mcp-protocol-version": "2025-11-25"}
        if "mcp-session-id" in headers:
            session["mcp-session-id"] = headers["mcp-session-id"]
        self._post("notifications/initialized", None, session)
        return self._post(method, params, session)[0]["result"]

    def _post(self, method: str, params: Any, headers: dict[str, str]) -> tuple[Any, Any]:
        message = {"jsonrpc": "2.0", "method": method, **({"id": 1, "params": params} if params is not None else {})}
        request = urllib.request.Request(self.url, json.dumps(message).encode(), {**_HEADERS, **headers})
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            body = answer.read()
            return json.loads(body) if body else None, answer.headers

    def tools(self) -> list[str]:
        """The names of the tools that are listed."""
        return [tool["name"] for tool in self.ask("tools/list")["tools"]]


def _answer(request: urllib.request.Request) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def until(happens: Callable[[], Any]) -> Any:
    """What a condition gives as soon as it gives something."""
    end = time.monotonic() + DEADLINE
    while not (given := happens()):
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)
    return given


@contextmanager
def started(folder: Path, *words: str, **environ: str) -> Iterator[Server]:
    """A process of ``python`` with these words, in a folder of its own; killed if it is still there at the end."""
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    server = Server(process)
    try:
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        server.ends()
        assert process.stderr is not None
        process.stderr.close()
