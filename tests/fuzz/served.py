"""The same hostile bytes, through the real server of an app: nothing breaks, nothing hangs, nothing stays open.

Whatever is written is a message by the official schemas.
`python -m tests.fuzz.served --inputs 50000 [--seed 7]` tries as many as asked.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from accord import App, Context, Progress
from accord.protocol import events
from accord.protocol.methods import METHODS
from accord.protocol.profile import Limits, Profile
from accord.protocol.session import ServerSession
from accord.server.desk import Desk
from accord.server.profile import profile_of
from tests.fuzz.inputs import command
from tests.fuzz.wire import LIMIT, METAS, Rng, pieces, spoiled, stream
from tests.protocol._wire import EVERY, HANDSHAKES, STATELESS, line, messages, notification, objections, request

DEADLINE = 60
#: threads that answer; what asks a question holds one of them until it is answered or all is over
THREADS = 3
NAMES = {row.request: row.name for row in METHODS.values()}
OWN = [row.name for row in METHODS.values() if row.own and row.name != "subscriptions/listen"]


def small_app() -> App:
    """A tool, a resource and a prompt of every kind, under the names that the streams call them by."""
    app = App("fuzzed")

    @app.command
    def add(a: int = 0) -> int:
        return a

    @app.command
    async def hang(a: int = 0) -> int:
        await asyncio.sleep(0)
        return a

    @app.command
    def ask(ctx: Context) -> str:
        return str(ctx.ask("Who are you?", str))

    @app.command
    def log(ctx: Context) -> dict[str, str]:
        ctx.info("on it")
        ctx.warning("careful")
        return {"said": "both"}

    @app.command
    def work() -> Iterator[Progress | str]:
        for step in range(2):
            yield Progress(f"step {step}", step, 2)
        yield "done"

    @app.command
    def boom() -> None:
        raise ZeroDivisionError

    @app.resource("file:///a")
    def a() -> str:
        return "a"

    @app.resource("file:///{name}/b")
    def b(name: str) -> bytes:
        return name.encode()

    @app.prompt
    def greet(x: str = "you") -> str:
        return f"Greet {x}"

    return app


APP = small_app()

#: requests that reach somebody's code, unless they are spoiled
LIVELY: list[tuple[str, dict[str, Any]]] = [
    *(("tools/call", {"name": tool}) for tool in ("add", "hang", "ask", "log", "work", "boom", "nobody")),
    ("tools/call", {"name": "add", "arguments": {"a": 2}}),
    ("tools/call", {"name": "hang", "arguments": {"a": "2"}}),
    ("tools/call", {"name": "add", "arguments": {"a": {}}}),
    ("resources/read", {"uri": "file:///a"}),
    ("resources/read", {"uri": "file:///%C3%A4/b"}),
    ("resources/read", {"uri": "file:///../b"}),
    ("prompts/get", {"name": "greet", "arguments": {"x": "\x00"}}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "x", "value": ""}}),
    ("tools/list", {}),
    ("subscriptions/listen", {"notifications": {"toolsListChanged": True}}),
    ("logging/setLevel", {"level": "debug"}),
]


def lively(rng: Rng) -> bytes:
    """Requests of both eras under few ids, cancels among them, now and then many at once or with a byte wrong."""
    said: list[Any] = []
    for _ in range(rng.choice([1, 1, 1, 8])):
        method, params = rng.choice(LIVELY)
        id = rng.choice([1, 2, "1", "s1", rng.randrange(10**6)])
        said.append(request(id, method, **params, _meta=rng.choice(METAS)))
        said += [notification("notifications/cancelled", requestId=id)] * rng.choice([0, 0, 0, 1, 30])
        if rng.random() < 0.1:
            said.append({"jsonrpc": "2.0", "id": f"s{rng.randrange(1, 4)}", "result": {"action": "decline"}})
    data = b"".join(map(line, said))
    return spoiled(rng, data) + b"\n" if rng.random() < 0.2 else data


def fuzzed_profile() -> Profile:
    of = profile_of(APP)
    limits = Limits(message_bytes=LIMIT, streams=3, watched=5)
    return Profile(of.info, of.capabilities, limits=limits, sealing=of.sealing)


class Server:
    """A desk whose calls are answered by a few threads, in any order; cancels overtake them."""

    def __init__(self) -> None:
        self.session = ServerSession(fuzzed_profile())
        self.written: list[bytes] = []
        self.desk = Desk(APP._registry, self.session, self.written.append)
        self.asked: defaultdict[tuple[type, Any], set[tuple[str, str]]] = defaultdict(set)
        self._waiting: list[threading.Event] = []
        self._problems: list[BaseException] = []

    def hear(self, came: list[events.Event], pool: ThreadPoolExecutor, seen: Counter[str]) -> None:
        for event in came:
            seen[type(event).__name__] += 1
            if isinstance(event, events.Request):
                self.asked[type(event.id), event.id].add((NAMES[type(event)], event.version.name))
            call = self.desk.accept(event)
            if call is not None:
                over = threading.Event()
                self._waiting.append(over)
                pool.submit(self._answer, call, over)

    def _answer(self, call: events.Request, over: threading.Event) -> None:
        try:
            self.desk.answer(call, over.set)
        except BaseException as error:
            self._problems.append(error)
            over.set()

    def end(self) -> None:
        """As a server ends whose client is gone."""
        end = time.monotonic() + DEADLINE
        for over in self._waiting:
            while not over.wait(0.001):
                self.desk.cancel_all()  # whoever waits for an answer, and whoever only begins now
                assert time.monotonic() < end, "a call is not over"
        self.desk.end_streams()
        assert self._problems == []
        assert self.desk.is_idle
        assert not self.desk.is_asking
        assert self.session.open == []
        assert self.session._asking._open == {}
        assert self.session.listening.streams == []
        assert len(self.session._lines._rest) <= LIMIT

    def judge(self, seen: Counter[str]) -> None:
        for message in messages(b"".join(self.written)):
            seen["error" if "error" in message else str(message.get("method", "result"))] += 1
            found = [objections(message, version, method) for method, version in self._forms(message)]
            assert min(found, key=len) == [], message

    def _forms(self, message: Any) -> list[tuple[str | None, str]]:
        """What a message may be: the method it answers and the version, where several are possible."""
        if "method" in message or "error" in message:
            asks = "id" in message and "method" in message
            return [(None, version) for version in (HANDSHAKES if asks else EVERY) if _has(message, version)]
        known = self.asked[type(message["id"]), message["id"]]
        forms = [*known, *((method, version) for method in OWN for version in METHODS[method].versions)]
        is_stateless = "resultType" in message["result"]
        return [form for form in forms if (form[1] == STATELESS) == is_stateless]


def _has(message: Any, version: str) -> bool:
    """Whether the version knows this kind of message."""
    return version == STATELESS or "subscriptions/acknowledged" not in message.get("method", "")


def check(rng: Rng, inputs: int, seen: Counter[str]) -> None:
    """One stream through the server. Raises where a promise breaks."""
    server = Server()
    half = inputs // 2
    data = stream(rng, half) + b"".join(lively(rng) for _ in range(inputs - half))
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            for piece in pieces(rng, data) if rng.random() < 0.8 else [data]:
                server.hear(server.session.receive(piece), pool, seen)
            server.hear(server.session.end(), pool, seen)
        finally:
            server.end()
    server.judge(seen)


if __name__ == "__main__":
    sys.exit(command("tests.fuzz.served", __doc__, check, 50_000))
