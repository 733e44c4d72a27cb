"""MCP servers of the same tools, beside FastMCP and the official SDK, in one run, spoken to by one client.

Each library has an environment of its own. The client writes JSON-RPC to a pipe and reads lines; it is the same for
all, and costs everybody the same few microseconds. Latencies are medians of calls one after the other; throughput
keeps 64 calls in flight, and replaces those that were answered; memory is what the kernel says after so many calls, of
the sync tool first and of the async one after that. Over HTTP, 16 connections make one call after the other to a server
of one process, with the options everybody has by default. Everybody's answers are compared first.

Prints a table, writes the same as JSON to build/bench-serve.json or where `--json FILE` says, and exits 1 when a bar is
missed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from environments import ROOT, make_environment
from over_http import HttpServer

LIBRARIES = ("Accord", "FastMCP", "mcp")
ROUNDS = 5
CALLS = 2000
IN_FLIGHT = 8000
FLIGHT = 64
POSTED = 4000
CONNECTIONS = 16
MANY = 1000

_BODY = """
{decorator}
def add(a: int, b: int) -> dict[str, int]:
    return {{"sum": a + b}}

{decorator}
async def aadd(a: int, b: int) -> dict[str, int]:
    return {{"sum": a + b}}
"""
#: what comes before the tools, before each tool, and last: to serve over stdio, and at a port
_HEADS = {
    "Accord": (
        "from accord import App\napp = App('bench')\n",
        "@app.command",
        "app.serve('stdio')",
        "app.serve('http', port=PORT)",
    ),
    "FastMCP": (
        "from fastmcp import FastMCP\napp = FastMCP('bench')\n",
        "@app.tool",
        "app.run(show_banner=False)",
        "app.run('http', port=PORT, show_banner=False)",
    ),
    "mcp": (
        "from mcp.server.mcpserver import MCPServer\napp = MCPServer('bench')\n",
        "@app.tool()",
        "app.run('stdio')",
        "app.run('streamable-http', port=PORT)",
    ),
}

MEMORY = {"sync": f"memory, {CALLS + IN_FLIGHT} sync calls", "async": "memory, as many async ones"}
#: what is measured: unit, whether more is better, and how many times better than the official SDK it has to be
BARS = {
    "spawn to tools/list": ("ms", False, 6.0),
    "sync call, p50": ("us", False, 10.0),
    "async call, p50": ("us", False, 10.0),
    f"sync, {FLIGHT} in flight": ("/s", True, 20.0),
    f"async, {FLIGHT} in flight": ("/s", True, 20.0),
    f"HTTP, sync, {CONNECTIONS} connections": ("/s", True, 8.0),
    f"HTTP, async, {CONNECTIONS} connections": ("/s", True, 8.0),
    MEMORY["sync"]: ("MB", False, 2.0),
    MEMORY["async"]: ("MB", False, 2.0),
    f"tools/list of {MANY}, p50": ("us", False, 10.0),
}


def program(library: str, extra: int) -> str:
    """The server, with so many more tools than two. It serves over HTTP where it is given a port."""
    head, decorator, over_stdio, over_http = _HEADS[library]
    more = "".join(
        f"\n{decorator}\ndef tool{number}(name: str, count: int = 1) -> str:\n    return name * count\n"
        for number in range(extra)
    )
    serve = f"{over_http.replace('PORT', 'int(sys.argv[1])')} if sys.argv[1:] else {over_stdio}"
    return f"import sys\n{head}{_BODY.format(decorator=decorator)}{more}\nif __name__ == '__main__':\n    {serve}\n"


class Server:
    """A server process and the two ends of its pipe."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self.process.stdin
        assert self.process.stdout
        # A pipe takes what it can; what is written here is far less than it holds.
        self.write = self.process.stdin.write
        self.read = partial(os.read, self.process.stdout.fileno(), 1 << 16)
        self.lines = _lines(self.read)
        self._number = 0
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", params)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def message(self, method: str, params: dict[str, Any]) -> bytes:
        self._number += 1
        return json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode() + b"\n"

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.write(self.message(method, params))
        answer: dict[str, Any] = json.loads(next(self.lines))
        return answer["result"]  # type: ignore[no-any-return]  # or KeyError, which is right

    def latency(self, method: str, params: dict[str, Any], times: int) -> float:
        """Median microseconds from writing a request to having its answer."""
        taken = []
        for message in [self.message(method, params) for _ in range(times)]:
            start = time.perf_counter()
            self.write(message)
            next(self.lines)
            taken.append(time.perf_counter() - start)
        return median(taken) * 1e6

    def throughput(self, params: dict[str, Any], times: int) -> float:
        """Calls a second with as many in flight as there may be: those that were answered are replaced at once."""
        messages = [self.message("tools/call", params) for _ in range(times)]
        written = answered = 0
        start = time.perf_counter()
        while answered < times:
            free = FLIGHT - (written - answered)
            if free and written < times:
                self.write(b"".join(messages[written : written + free]))
                written = min(written + free, times)
            answered += self.read().count(b"\n")
        return times / (time.perf_counter() - start)

    def memory(self) -> float:
        """Resident megabytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(30)


def _lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    rest = b""
    while data := read():
        *lines, rest = (rest + data).split(b"\n")
        yield from lines


def once(commands: dict[str, list[str]]) -> dict[str, float]:
    """One round of one library."""
    add = {"name": "add", "arguments": {"a": 1, "b": 2}}
    start = time.perf_counter()
    server = Server(commands["few"])
    names = [tool["name"] for tool in server.ask("tools/list", {})["tools"]]
    found = {"spawn to tools/list": (time.perf_counter() - start) * 1000}
    assert names == ["add", "aadd"]
    assert server.ask("tools/call", add)["structuredContent"] == {"sum": 3}
    for name, tool in (("sync", "add"), ("async", "aadd")):
        params = {**add, "name": tool}
        found[f"{name} call, p50"] = server.latency("tools/call", params, CALLS)
        found[f"{name}, {FLIGHT} in flight"] = server.throughput(params, IN_FLIGHT)
        found[MEMORY[name]] = server.memory()
    server.close()
    server = Server(commands["many"])
    assert len(server.ask("tools/list", {})["tools"]) == MANY
    found[f"tools/list of {MANY}, p50"] = server.latency("tools/list", {}, 20)
    server.close()
    return {**found, **once_over_http(commands["few"])}


def once_over_http(command: list[str]) -> dict[str, float]:
    """The same over HTTP."""
    server, found = HttpServer(command), {}
    for name, tool in (("sync", "add"), ("async", "aadd")):
        assert server.answer(tool)["structuredContent"] == {"sum": 3}
        server.throughput(tool, CONNECTIONS, POSTED // 8)  # warm by then
        found[f"HTTP, {name}, {CONNECTIONS} connections"] = server.throughput(tool, CONNECTIONS, POSTED)
    server.close()
    return found


def main() -> int:
    rounds: dict[str, list[dict[str, float]]] = {library: [] for library in LIBRARIES}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        commands: dict[str, dict[str, list[str]]] = {}
        for library in LIBRARIES:
            python = make_environment(library, Path(directory) / f"env-{library}")
            commands[library] = {}
            for name, extra in (("few", 0), ("many", MANY - 2)):
                path = Path(directory) / f"{library.lower()}_{name}.py"
                path.write_text(program(library, extra), encoding="utf-8")
                commands[library][name] = [str(python), "-I", str(path)]
        for _ in range(ROUNDS):
            for library in LIBRARIES:
                rounds[library].append(once(commands[library]))
    best = {
        library: {name: (max if more else min)(each[name] for each in found) for name, (_, more, _) in BARS.items()}
        for library, found in rounds.items()
    }
    file = Path(sys.argv[sys.argv.index("--json") + 1]) if "--json" in sys.argv else ROOT / "build" / "bench-serve.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(best, indent=2), encoding="utf-8")
    return 0 if report(best) else 1


def report(best: dict[str, dict[str, float]]) -> bool:
    """Print the table; whether every bar is kept."""
    print(f"Python {sys.version.split()[0]}, best of {ROUNDS} rounds\n")
    print(f"{'':<30}{''.join(f'{library:>12}' for library in LIBRARIES)}{'better than SDK':>18}")
    kept = True
    for name, (unit, more, bar) in BARS.items():
        ratio = best["Accord"][name] / best["mcp"][name] if more else best["mcp"][name] / best["Accord"][name]
        kept = kept and ratio >= bar
        cells = "".join(f"{best[library][name]:>9.0f} {unit:<2}" for library in LIBRARIES)
        print(f"{name:<30}{cells}{ratio:>10.1f}x  at least {bar:g}x{'' if ratio >= bar else '   MISSED'}")
    return kept


if __name__ == "__main__":
    sys.exit(main())
