"""Clients that leave, withdraw, or read slowly; and processes that know nothing of each other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from accord import App, Context
from accord.transports.asgi import streams
from accord.transports.asgi.streams import Stream
from tests.protocol._checklist import covers
from tests.protocol._wire import NEW, OLD, initialize, notification, request
from tests.unit.transports._app import Valve, app_with
from tests.unit.transports._visitor import Visitor, looped


@covers(79)
@pytest.mark.parametrize("says", [False, True], ids=["silent", "on a stream"])
@looped
async def test_who_leaves_has_withdrawn_the_request_in_the_stateless_era(says: bool) -> None:
    valve = Valve()
    visitor = Visitor(app_with(valve))
    meta = {"progressToken": "t"}
    call = visitor.call("tells", then_wait=True, meta=meta) if says else visitor.call("waits")
    await valve.reached.wait()
    call.leave()
    await valve.ending.wait()
    assert valve.ended == ["cancelled"]
    await call.over()


@covers(79)
@pytest.mark.parametrize("says", [False, True], ids=["silent", "on a stream"])
@looped
async def test_who_leaves_has_withdrawn_nothing_in_the_handshake_era(says: bool) -> None:
    valve = Valve()
    guest = await Visitor(app_with(valve)).shake_hands()
    call = guest.call("tells", then_wait=True) if says else guest.call("waits")
    await valve.reached.wait()
    call.leave()
    await call.was_missed.wait()
    valve.open.set()
    await call.over()
    assert valve.ended == ["done"]


@covers(80)
@looped
async def test_what_somebody_else_cancels_goes_on() -> None:
    valve = Valve()
    visitor = Visitor(app_with(valve))
    guest, other = await visitor.shake_hands(), await visitor.shake_hands()
    calls = [visitor.call("waits", id="x"), guest.call("waits", id="x")]
    await valve.reached.wait()
    for stranger in (visitor, other):
        cancel = notification("notifications/cancelled", requestId="x")
        assert (await stranger.post(cancel).over()).status == 202
    valve.open.set()
    assert [(await call.over()).json["id"] for call in calls] == ["x", "x"]
    assert valve.ended == ["done", "done"]


@looped
async def test_a_call_that_is_cancelled_is_not_answered_and_its_request_ends() -> None:
    valve = Valve()
    guest = await Visitor(app_with(valve)).shake_hands()
    call = guest.call("waits", id=5)
    await valve.reached.wait()
    assert (await guest.post(notification("notifications/cancelled", requestId=5)).over()).status == 202
    ended = await call.over()
    assert (ended.status, ended.body) == (202, b"")
    assert valve.ended == ["cancelled"]


@covers(93)
@pytest.mark.parametrize("version", [OLD, NEW])
@looped
async def test_without_sessions_any_process_serves_any_request_of_the_handshake_era(version: str) -> None:
    one, two = (Visitor(app_with(Valve()), stateless=True) for _ in range(2))
    hello = await one.post(initialize(version)).over()
    assert hello.json["result"]["protocolVersion"] == version
    assert "mcp-session-id" not in hello.headers
    ready = await two.post(notification("notifications/initialized"), mcp_protocol_version=version).over()
    assert ready.status == 202
    for process in (one, two):
        message = request(1, "tools/call", name="add", arguments={"a": 1, "b": 2})
        answer = await process.post(message, mcp_protocol_version=version).over()
        assert answer.json["result"]["structuredContent"] == {"result": 3}
        assert (await process.send("GET", mcp_protocol_version=version).over()).status == 405
        message = request(2, "tools/call", name="asks", arguments={})
        asked = await process.post(message, mcp_protocol_version=version).over()
        assert asked.json["result"]["errorData"]["code"] == "CONFIRMATION_REQUIRED", "there is nobody to ask"


@looped
async def test_a_reader_that_stands_still_costs_no_more_than_so_much() -> None:
    stream = Stream("1", keeps=True)
    for _ in range(20_000):
        stream.put(b"x" * 1000)
    assert len(stream._events) <= streams._MOST
    assert stream.size <= streams._MOST_BYTES
    for _ in range(100):
        stream.put(b"x" * 1_000_000)
    assert stream.size <= streams._MOST_BYTES


@looped
async def test_a_slow_reader_gets_the_answer_however_much_was_said_before() -> None:
    app, said = App("talkative"), asyncio.Event()

    @app.command
    async def talks(ctx: Context) -> str:
        for step in range(5000):
            ctx.progress("x" * 2000, step + 1, 5000)
            await asyncio.sleep(0)
        said.set()
        return "done"

    visitor = Visitor(app)
    call = visitor.call("talks", meta={"progressToken": 1})
    call.reads.clear()
    await said.wait()
    call.reads.set()
    events = await call.rest()
    assert events[-1].message["result"]["content"][0]["text"] == "done"
    assert len(events) < 5000
    numbers = [event.message["params"]["progress"] for event in events[:-1]]
    assert numbers == sorted(numbers)


@looped
async def test_who_does_not_read_at_all_is_given_up() -> None:
    stream, stuck = Stream("1", patience=0.01), asyncio.Event()

    async def never_read(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            stuck.set()
            await asyncio.Future()

    relaying = asyncio.ensure_future(stream.relay(never_read))
    stream.put(b"{}")
    await stuck.wait()
    assert await relaying is False
    assert not stream.is_read


def test_one_loop_after_the_other_may_serve_an_endpoint() -> None:
    visitor = Visitor(App("lasting"))

    async def hold(valve: Valve) -> None:
        await valve.passed()

    async def ask_and_leave(name: str) -> list[str]:
        valve = Valve()

        @visitor.app.command(name=name)
        async def held() -> None:
            await hold(valve)

        call = visitor.call(name)
        await valve.reached.wait()
        call.leave()
        await valve.ending.wait()
        await call.over()
        visitor.call(name)  # and this one is never ended: the loop is
        await asyncio.sleep(0)
        return list(valve.ended)

    for number in range(2):
        assert asyncio.run(asyncio.wait_for(ask_and_leave(f"held{number}"), 20)) == ["cancelled"]
