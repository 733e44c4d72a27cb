"""A server process and the two ends of its pipe, spoken to line by line."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from subprocess import PIPE
from typing import Any

ROOT = Path(__file__).parents[2]
DEADLINE = 30.0
NEW = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Pipe:
    """A server of the example app. Every message it writes is JSON, one to a line, or reading fails."""

    def __init__(
        self, *words: str, module: str = "tests.interop.example", stdin: int = PIPE, stdout: int = PIPE
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            cwd=ROOT,
            stdin=stdin,
            stdout=stdout,
            stderr=PIPE,
            bufsize=0,
        )
        self._numbers = iter(range(1, 1_000_000))
        self._read = b""
        self._heard: dict[Any, dict[str, Any]] = {}
        self._drain: threading.Thread | None = None

    def drain(self) -> None:
        """Read its stderr to the end, so that it never waits for a reader."""
        assert self.process.stderr is not None
        self._drain = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._drain.start()

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *exc: object) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)
        if self._drain is not None:
            self._drain.join(DEADLINE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def shake_hands(self) -> dict[str, Any]:
        """Become a client of the handshake era."""
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        answer = self.ask("initialize", params)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def say(self, message: dict[str, Any] | bytes) -> None:
        """Write one message, or bytes as they are."""
        assert self.process.stdin is not None
        data = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode() + b"\n"
        view = memoryview(data)
        while view:  # an unbuffered pipe takes what it has room for
            view = view[self.process.stdin.write(view) :]

    def send(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Send a request; its id."""
        number = next(self._numbers)
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        return number

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> int:
        return self.send("tools/call", {"name": name, "arguments": arguments or {}})

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and wait for the answer."""
        return self.answer(self.send(method, params))

    def answer(self, number: Any) -> dict[str, Any]:
        """The response with that id; others are kept for whoever asks for them."""
        while number not in self._heard:
            message = self.hear()
            self._heard[message.get("id")] = message
        return self._heard.pop(number)

    def hear(self) -> dict[str, Any]:
        """The next message."""
        assert self.process.stdout is not None
        end = time.monotonic() + DEADLINE
        while b"\n" not in self._read:
            ready, _, _ = select.select([self.process.stdout], [], [], max(end - time.monotonic(), 0))
            assert ready, "the server says nothing"
            data = self.process.stdout.read(65536)
            assert data, "the server has gone"
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def ends(self) -> int:
        """The exit code once nobody will say more."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(DEADLINE)
