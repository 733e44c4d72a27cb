"""A client of an MCP server over HTTP, as light as can be: sockets, and one thread that waits for all of them."""

import json
import selectors
import socket
import subprocess
import time
from typing import Any

__all__ = ["HttpServer"]

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
PATIENCE = 30.0


class HttpServer:
    """A server process and connections to it."""

    def __init__(self, command: list[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [*command, str(self.port)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + PATIENCE
        while not self._is_up():
            assert time.monotonic() < end, "the server does not come up"
            time.sleep(0.02)

    def _is_up(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def call(self, name: str) -> bytes:
        """The bytes of a call, the same for every server and every time."""
        params = {"name": name, "arguments": {"a": 1, "b": 2}, "_meta": META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
            f"Mcp-Method: tools/call\r\nMcp-Name: {name}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def answer(self, name: str) -> dict[str, Any]:
        """The result of one call."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            connection.sendall(self.call(name))
            response = b""
            while not is_whole(response):
                response += connection.recv(65536)
        text = response.partition(b"\r\n\r\n")[2].decode()
        start, stop = text.index("{"), text.rindex("}") + 1
        answer: dict[str, Any] = json.loads(text[start:stop])
        return answer["result"]  # type: ignore[no-any-return]  # or KeyError, which is right

    def throughput(self, name: str, connections: int, times: int) -> float:
        """Calls a second, each connection making one after the other."""
        message, waiting = self.call(name), selectors.DefaultSelector()
        responses: dict[int, bytes] = {}
        opened = [socket.create_connection(("127.0.0.1", self.port), PATIENCE) for _ in range(connections)]
        for connection in opened:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            waiting.register(connection, selectors.EVENT_READ)
            responses[connection.fileno()] = b""
        start, asked, answered = time.perf_counter(), connections, 0
        for connection in opened:
            connection.sendall(message)
        while answered < times:
            for key, _ in waiting.select(PATIENCE):
                connection = key.fileobj  # type: ignore[assignment]  # only sockets were registered
                responses[key.fd] += connection.recv(65536)
                if is_whole(responses[key.fd]):
                    assert responses[key.fd].startswith(b"HTTP/1.1 200"), responses[key.fd][:300]
                    responses[key.fd] = b""
                    answered += 1
                    if asked < times:
                        asked += 1
                        connection.sendall(message)
        taken = time.perf_counter() - start
        for connection in opened:
            connection.close()
        return times / taken

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


def is_whole(response: bytes) -> bool:
    """Whether a response has come to its end, by its length or by its last chunk."""
    head, gap, body = response.partition(b"\r\n\r\n")
    if not gap:
        return False
    _, has_length, length = head.lower().partition(b"content-length:")
    if has_length:
        return len(body) >= int(length.split(b"\r\n", 1)[0])
    return body.endswith(b"0\r\n\r\n")
