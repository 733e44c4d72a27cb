"""The threads that serve a pipe: nobody waits for a tool, everybody is answered once, and the end is an end."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import pytest

from accord import App, Context, Policy
from accord.protocol.events import ListTools, Request
from accord.protocol.session import ServerSession
from accord.server.crew import Crew
from accord.server.desk import Desk
from accord.server.listing import Listing
from accord.server.profile import profile_of
from tests.unit.server._line import serving


@pytest.fixture
def restless() -> Iterator[None]:
    """The interpreter changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def test_a_call_that_does_not_come_back_holds_up_no_other() -> None:
    app, gate = App("tests"), threading.Event()

    @app.command
    def waits() -> str:
        gate.wait(20)
        return "at last"

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    with serving(app) as line:
        line.say(line.call(1, "waits"), line.call(2, "add", a=1, b=2), line.request(3, "tools/list"))
        assert line.value(2) == 3
        assert line.answer(3)
        line.say(*(line.call(number, "waits") for number in range(10, 40)))
        line.say(line.call(4, "add", a=2, b=2))
        assert line.value(4) == 4
        gate.set()
        assert {line.value(number) for number in (1, *range(10, 40))} == {"at last"}


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_calls_run_at_a_time_than_the_policy_allows(limit: int) -> None:
    app = App("tests", policy=Policy(concurrency=limit))
    counting, running, most = threading.Lock(), [0], [0]

    @app.command
    def counted(seconds: float) -> int:
        with counting:
            running[0] += 1
            most[0] = max(most[0], running[0])
        threading.Event().wait(seconds)
        with counting:
            running[0] -= 1
        return most[0]

    with serving(app) as line:
        line.say(*(line.call(number, "counted", seconds=0.02) for number in range(20)))
        line.say(line.request("list", "tools/list"))
        assert line.answer("list")
        assert max(line.value(number) for number in range(20)) == limit
    assert running == [0]


def test_an_async_tool_takes_no_thread_while_it_waits() -> None:
    app = App("tests")
    names: set[str] = set()

    @app.command
    async def waits() -> str:
        names.add(threading.current_thread().name)
        await asyncio.sleep(0.05)
        names.add(threading.current_thread().name)
        return "done"

    with serving(app) as line:
        line.say(*(line.call(number, "waits") for number in range(60)))
        assert {line.value(number) for number in range(60)} == {"done"}
        assert line.crew.staff.threads <= 10  # those that took turns while asyncio was imported
    assert "accord-loop" in names


def test_an_answer_does_not_wait_for_calls_that_came_with_it_and_wait_themselves() -> None:
    app, gate = App("tests", policy=Policy(concurrency=2)), threading.Event()

    @app.command
    async def waits() -> str:
        return "at last" if await asyncio.to_thread(gate.wait, 20) else "too late"

    @app.command
    def quick() -> str:
        return "quick"

    with serving(app) as line:
        line.say(line.call("warm", "quick"))
        assert line.value("warm") == "quick"
        line.say(line.call(1, "waits"), line.call(2, "quick"), line.call(3, "waits"), line.call(4, "quick"))
        assert line.value(2) == "quick"
        gate.set()
        assert [line.value(number) for number in (1, 3, 4)] == ["at last", "at last", "quick"]


def test_an_async_tool_that_blocks_its_loop_blocks_nothing_but_the_loop() -> None:
    app, gate = App("tests"), threading.Event()

    @app.command
    async def blocks() -> str:
        gate.wait(20)
        return "blocked"

    @app.command
    async def quick() -> str:
        return "quick"

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    with serving(app) as line:
        line.say(line.call(1, "blocks"), line.call(2, "quick"), line.call(3, "add", a=1, b=1))
        assert line.value(3) == 2
        gate.set()
        assert line.value(1) == "blocked"
        assert line.value(2) == "quick"


def test_calls_of_every_kind_are_each_answered_once(restless: None) -> None:
    app, chance = App("tests", policy=Policy(concurrency=8)), random.Random(1)

    @app.command
    def quick(n: int) -> int:
        return n

    @app.command
    def slow(n: int) -> int:
        threading.Event().wait(0.002)
        return n

    @app.command
    def fickle(n: int) -> int:
        if n % 7 == 0:
            threading.Event().wait(0.02)
        return n

    @app.command
    async def at_once(n: int) -> int:
        return n

    @app.command
    async def later(n: int) -> int:
        await asyncio.sleep(0.001)
        return n

    @app.command
    def told(n: int, ctx: Context) -> int:
        ctx.info(str(n))
        return n

    names, count = ("quick", "slow", "fickle", "at_once", "later", "told"), 1500
    with serving(app) as line:

        def speak() -> None:
            number = 0
            while number < count:
                size = chance.randint(1, 30)
                line.say(*(line.call(each, chance.choice(names), n=each) for each in range(number, number + size)))
                number += size

        speaking = threading.Thread(target=speak)
        speaking.start()
        for number in range(count):
            assert line.value(number) == number
        speaking.join()
        line.hang_up()
        assert line.rest() == []
    assert set(Counter(message["id"] for message in line.seen).values()) == {1}


def test_cancelled_calls_are_not_answered_and_their_ids_can_be_used_again(restless: None) -> None:
    app = App("tests")

    @app.command
    def waits(n: int, ctx: Context) -> int:
        while not ctx.cancelled:
            threading.Event().wait(0.001)
        return -1

    @app.command
    async def sleeps(n: int) -> int:
        await asyncio.sleep(20)
        return -1

    @app.command
    def quick(n: int) -> int:
        return n

    with serving(app) as line:
        for number in range(60):
            line.say(
                line.call("a", "waits", n=number),
                line.call("b", "sleeps", n=number),
                line.cancel("a"),
                line.cancel("b"),
                line.call("a", "quick", n=number),
                line.cancel("nobody's"),
            )
            assert line.value("a") == number
        line.hang_up()
        assert line.rest() == []
        assert line.crew.desk.is_idle


def test_what_came_before_the_end_is_answered_and_streams_are_ended() -> None:
    app = App("tests")

    @app.command
    def slow(n: int) -> int:
        threading.Event().wait(0.01)
        return n

    with serving(app) as line:
        wanted = {"notifications": {"toolsListChanged": True}}
        line.say(line.request("stream", "subscriptions/listen", **wanted))
        line.say(*(line.call(number, "slow", n=number) for number in range(30)))
        line.hang_up()
        said = line.rest()
    answered = [message["id"] for message in said if "result" in message]
    assert sorted(answered, key=str) == sorted([*range(30), "stream"], key=str)
    assert answered[-1] == "stream"


def test_a_fault_of_the_server_fails_one_call_and_stops_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    app = App("tests")

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    begun, page = Desk._begun, Listing.page

    def faulty(self: Desk, request: Request, *about: Any) -> object:
        if request.id == "bad":
            raise ZeroDivisionError
        return begun(self, request, *about)

    def faulty_page(self: Listing, request: ListTools) -> bytes:
        if request.id == "bad list":
            raise ZeroDivisionError
        return page(self, request)

    monkeypatch.setattr(Desk, "_begun", faulty)
    monkeypatch.setattr(Listing, "page", faulty_page)
    with serving(app) as line:
        line.say(line.call("bad", "add", a=1, b=2), line.request("bad list", "tools/list"))
        line.say(line.call("good", "add", a=1, b=2), line.request("good list", "tools/list"))
        assert line.answer("bad")["error"] == {"code": -32603, "message": "The server failed"}
        assert line.answer("bad list")["error"]["code"] == -32603
        assert line.value("good") == 3
        assert line.answer("good list")["result"]["tools"]


def test_a_client_that_reads_nothing_is_waited_for_and_loses_nothing() -> None:
    app = App("tests")

    @app.command
    def large(n: int) -> str:
        return str(n).ljust(20_000, ".")

    with serving(app) as line:
        calls = [line.call(number, "large", n=number) for number in range(300)]
        speaking = threading.Thread(target=line.say, args=calls)
        speaking.start()
        for number in reversed(range(300)):
            assert line.value(number).rstrip(".") == str(number)
        speaking.join()


@pytest.mark.parametrize("name", ["waits", "awaits", "guards"])
def test_a_call_that_runs_out_of_time_is_answered(name: str) -> None:
    app, gate = App("tests"), threading.Event()

    @app.command(timeout=0.01)
    def waits() -> None:
        gate.wait(20)

    @app.command(timeout=0.01)
    async def awaits() -> None:
        await asyncio.Event().wait()

    @app.command(timeout=0.01, retry_on=(TimeoutError,), max_attempts=2)
    async def guards(ctx: Context) -> None:
        await asyncio.Event().wait()

    with serving(app) as line:
        line.say(line.call(1, name))
        assert line.answer(1)["result"]["errorData"]["reason"] == "timeout"
        gate.set()


def test_the_watch_appoints_no_second_leader_while_the_first_has_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that read at a time would tear messages apart: where many threads spin, beginning takes a while."""
    app, jobs = App("tests"), list[Any]()

    def read() -> bytes:
        raise AssertionError("it leads no more")

    crew = Crew(app._registry, ServerSession(profile_of(app)), read, lambda data: None)
    monkeypatch.setattr(crew.staff, "employ", jobs.append)
    crew._leader = threading.get_ident()  # it is at a call
    crew._depose(0)
    crew._depose(0)
    assert len(jobs) == 1
    crew._depose(1)
    jobs[0]()


def test_one_thread_reads_at_a_time_while_tools_keep_the_interpreter(restless: None) -> None:
    app, gate = App("tests"), threading.Event()

    @app.command
    def spins() -> int:
        turns = 0
        while not gate.is_set():
            turns += 1
        return turns

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    with serving(app) as line:
        line.say(*(line.call(f"spin {number}", "spins") for number in range(8)))
        for number in range(100):
            line.say(line.call(number, "add", a=number, b=0))
            assert line.value(number) == number
        gate.set()
        assert all(line.value(f"spin {number}") for number in range(8))
    assert line.most_reading == 1


def test_what_a_tool_sets_in_its_context_no_other_call_sees() -> None:
    app = App("tests")
    user: ContextVar[str] = ContextVar("user", default="nobody")

    @app.command
    def becomes(who: str) -> str:
        before = user.get()
        user.set(who)
        return before

    @app.command
    async def abecomes(who: str) -> str:
        return becomes(who)

    with serving(app) as line:
        for number in range(20):
            line.say(line.call(number, "becomes" if number % 3 else "abecomes", who="Ada"))
            assert line.value(number) == "nobody"


@dataclass
class Leaves:
    x: int

    def __post_init__(self) -> None:
        raise SystemExit(5)


class Unwilling(dict[str, int]):
    def items(self) -> Any:
        raise SystemExit(5)


def test_whatever_an_authors_code_raises_beside_the_tool_itself_fails_one_call() -> None:
    app = App("tests", policy=Policy(concurrency=1))

    @app.command
    def takes(value: Leaves) -> str:
        return "never"

    @app.command
    def gives() -> Any:
        return Unwilling(a=1)

    @app.command
    async def agives() -> Any:
        return Unwilling(a=1)

    with serving(app) as line:
        for number in range(3):
            line.say(line.call(f"takes {number}", "takes", value={"x": 1}), line.call(f"gives {number}", "gives"))
            line.say(line.call(f"agives {number}", "agives"))
            assert line.answer(f"takes {number}")["result"]["errorData"]["reason"] == "constraint_violation"
            assert line.answer(f"gives {number}")["result"]["errorData"]["reason"] == "output_invalid"
            assert line.answer(f"agives {number}")["result"]["errorData"]["reason"] == "output_invalid"


def test_calls_that_were_withdrawn_while_they_waited_keep_nobody_from_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.server.crew._MOST_WAITING", 10)
    app, gate = App("tests", policy=Policy(concurrency=1)), threading.Event()

    @app.command
    def waits() -> str:
        gate.wait(20)
        return "at last"

    with serving(app) as line:
        line.say(line.call("first", "waits"))
        for number in range(40):
            line.say(line.call(number, "waits"), line.cancel(number), line.request("list", "tools/list"))
            assert line.answer("list")
        gate.set()
        assert line.value("first") == "at last"
        line.hang_up()
        assert line.rest() == []
        assert line.crew.desk.is_idle


def test_all_threads_may_wait_for_answers_of_the_client() -> None:
    app = App("tests")

    @app.command
    def asks(n: int, ctx: Context) -> int:
        return n if ctx.confirm(f"{n}?") else -1

    with serving(app) as line:
        line.shake_hands(elicitation={})
        line.say(*(line.old_call(number, "asks", n=number) for number in range(80)))
        for _ in range(80):
            asked = line.question()
            line.say(
                {"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"confirm": True}}}
            )
        values = [line.answer(number)["result"]["structuredContent"]["result"] for number in range(80)]
        assert values == list(range(80))


def test_stopping_waits_for_nothing_where_nothing_runs() -> None:
    with serving(App("tests")) as line:
        line.say(line.request(1, "tools/list"))
        assert line.answer(1)
        start = time.monotonic()
        line.crew.stop()
        assert line.rest() == []
        assert time.monotonic() - start < 1
