"""A server over HTTP in a process of its own: how it bears many calls, slow readers, and being told to stop."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interop._environments import ROOT
from tests.protocol._checklist import covers
from tests.protocol._wire import STATELESS, stateless

posix = pytest.mark.skipif(os.name == "nt", reason="its loop waits for few sockets, and it knows no SIGTERM")

DEADLINE = 60
MOST_BYTES = 160 * 1024 * 1024


class Server:
    """The process, and its address."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.interop.busy", "0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, encoding="utf-8")
        assert self.process.stderr is not None
        said = re.search(r":([0-9]+)/mcp", self.process.stderr.readline())
        assert said is not None
        self.port = int(said[1])
        self.complaints: list[str] = []
        self._reader = threading.Thread(target=lambda: self.complaints.extend(self.process.stderr or ()), daemon=True)
        self._reader.start()

    async def connect(self, name: str, **arguments: Any) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which this was called."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        meta = {"progressToken": "t"}
        writer.write(posted(stateless(1, "tools/call", meta=meta, name=name, arguments=arguments), name))
        await writer.drain()
        return reader, writer

    async def call(self, name: str, **arguments: Any) -> Any:
        """The structured result of a call."""
        reader, writer = await self.connect(name, **arguments)
        whole = await reader.read()
        writer.close()
        head, _, body = whole.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        return json.loads(body)["result"]["structuredContent"]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        code = self.process.wait(DEADLINE)
        self._reader.join(DEADLINE)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code

    def high_water(self) -> int:
        """The most memory it ever had, in bytes; 0 where nobody can tell."""
        status = Path(f"/proc/{self.process.pid}/status")
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
        return int(found[1]) * 1024 if found else 0


def posted(message: dict[str, Any], name: str) -> bytes:
    body = json.dumps(message).encode()
    lines = [
        "POST /mcp HTTP/1.1",
        "host: localhost",
        "content-type: application/json",
        "accept: application/json, text/event-stream",
        f"mcp-protocol-version: {STATELESS}",
        f"mcp-method: {message['method']}",
        f"mcp-name: {name}",
        f"content-length: {len(body)}",
        "connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


@pytest.fixture
def server() -> Iterator[Server]:
    if os.name != "nt":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < 4096:  # each call has a connection of its own; the server inherits it
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    made = Server()
    yield made
    made.process.kill()
    made.ended()


def in_time(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, DEADLINE))


@posix
@pytest.mark.parametrize(("name", "times"), [("naps", 1000), ("blocks", 200)])
def test_many_calls_at_once_all_succeed(server: Server, name: str, times: int) -> None:
    async def call_all() -> list[int]:
        return await asyncio.gather(*(server.call(name, number=number) for number in range(times)))

    assert in_time(call_all()) == list(range(times))
    assert server.high_water() < MOST_BYTES
    assert server.stop() == 0
    assert server.complaints == []


@posix
def test_who_is_told_to_stop_finishes_what_runs_and_takes_nothing_new(server: Server) -> None:
    async def stop_meanwhile() -> bytes:
        reader, writer = await server.connect("lasts", seconds=1)
        begun = await reader.readuntil(b"notifications/progress")
        listener, listening = await server.connect("lasts", seconds=0)
        await listener.read()
        listening.close()
        server.process.send_signal(signal.SIGTERM)
        rest = await reader.read()
        writer.close()
        return begun + rest

    whole = in_time(stop_meanwhile())
    assert b"finished" in whole
    assert server.ended() == 0
    with pytest.raises(OSError):
        in_time(server.call("naps", number=1))
    assert server.complaints == []


@posix
def test_who_is_told_to_stop_waits_for_no_stream_of_news(server: Server) -> None:
    async def listen() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        listen = stateless("it", "subscriptions/listen", notifications={"toolsListChanged": True})
        writer.write(posted(listen, "").replace(b"mcp-name: \r\n", b""))
        begun = await reader.readuntil(b"acknowledged")
        server.process.send_signal(signal.SIGTERM)
        rest = await reader.read()
        writer.close()
        return begun + rest

    assert b'"id":"it","result":{' in in_time(listen())
    assert server.ended() == 0


@covers(88)
@posix
def test_who_reads_slowly_costs_little_and_holds_up_nobody(server: Server) -> None:
    async def read_slowly() -> bytes:
        slow = [await server.connect("floods") for _ in range(4)]
        for reader, _ in slow:
            await reader.readuntil(b"notifications/progress")
        assert await server.call("naps", number=1) == 1
        wholes = [await reader.read() for reader, _ in slow]
        for _, writer in slow:
            writer.close()
        return b"".join(whole[-2000:] for whole in wholes)

    assert in_time(read_slowly()).count(b"flooded") >= 4
    assert server.high_water() < MOST_BYTES
    assert server.stop() == 0


@posix
@pytest.mark.parametrize("piece", [b"x-more: " + b"x" * 60_000 + b"\r\n", b"x" * 60_000], ids=["headers", "a header"])
def test_a_head_without_an_end_is_cut_off(server: Server, piece: bytes) -> None:
    async def send_without_end() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"POST /mcp HTTP/1.1\r\nhost: localhost\r\nx-first: ")
        for _ in range(5000):
            writer.write(piece)
            await writer.drain()

    with pytest.raises(OSError):
        in_time(send_without_end())
    assert server.high_water() < MOST_BYTES
    assert in_time(server.call("naps", number=1)) == 1
    assert server.stop() == 0


@posix
@pytest.mark.parametrize("begun", [b"", b"POST /mcp HTTP/1.1\r\nhost: local"], ids=["nothing", "half of a head"])
def test_a_head_that_does_not_come_is_cut_off(server: Server, begun: bytes) -> None:
    async def wait_for_the_end() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(begun)
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            writer.close()

    assert in_time(wait_for_the_end()) == b""
    assert in_time(server.call("naps", number=1)) == 1
    assert server.stop() == 0
