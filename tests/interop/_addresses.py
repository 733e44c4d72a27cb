"""The example at an address: one process, or several behind a proxy that gives every request to the next one."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEADLINE = 30.0
KEY = "a key that both of the replicas have"


@contextmanager
def serving(*words: str) -> Iterator[int]:
    """The port of a process that serves the example."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.interop.serving", str(port), *words],
        cwd=ROOT,
        env={**os.environ, "ACCORD_SEAL_KEY": KEY},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _until_healthy(port, process)
        yield port
    finally:
        process.terminate()
        assert process.wait(DEADLINE) == 0


def _until_healthy(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + DEADLINE
    while True:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            assert answer.status == 200
            return
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < end, "the server does not come up"
        time.sleep(0.02)


@contextmanager
def replicas(count: int, *words: str) -> Iterator[int]:
    """The port of a proxy before so many processes that share nothing but a key."""
    with ExitStack() as stack:
        ports = [stack.enter_context(serving(*words)) for _ in range(count)]
        yield stack.enter_context(_proxy(ports))


@contextmanager
def _proxy(ports: list[int]) -> Iterator[int]:
    loop, proxy = asyncio.new_event_loop(), _RoundRobin(ports)
    server = loop.run_until_complete(asyncio.start_server(proxy.visited, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_closed(server), loop).result(DEADLINE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
    assert set(proxy.taken) == set(ports), "every replica has had its share"


async def _closed(server: asyncio.Server) -> None:
    """Nobody comes any more, and whoever was there has left."""
    server.close()
    visits = asyncio.all_tasks() - {asyncio.current_task()}
    for visit in visits:
        visit.cancel()
    await asyncio.gather(*visits, return_exceptions=True)


class _RoundRobin:
    """One request to a connection, so that the next one goes to the next replica."""

    def __init__(self, ports: list[int]) -> None:
        self._ports = cycle(ports)
        self.taken: list[int] = []

    async def visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with _closing(writer):
            with suppress(OSError, asyncio.IncompleteReadError):
                head = await reader.readuntil(b"\r\n\r\n")
                port = next(self._ports)
                self.taken.append(port)
                server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
                async with _closing(server_writer):
                    server_writer.write(head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                    asking = asyncio.ensure_future(_pass_on(reader, server_writer))
                    try:
                        await _pass_on(server_reader, writer)
                    finally:
                        asking.cancel()
                        await asyncio.gather(asking, return_exceptions=True)


@asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
