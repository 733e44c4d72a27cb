"""Sessions of the handshake era: whose they are, how they end, and what makes room for others."""

from __future__ import annotations

from typing import Any

import pytest

from accord import App
from accord.auth import Bearer, Principal, Tokens
from accord.protocol.session import ServerSession
from accord.server.profile import profile_of
from accord.transports.asgi.limits import Limits
from accord.transports.asgi.sessions import Sessions
from tests.protocol._checklist import covers
from tests.protocol._wire import initialize, request
from tests.unit.transports._app import Valve, app_with
from tests.unit.transports._visitor import Exchange, Visitor, looped

HERE = "https://mcp.example.com/mcp"
ADA, BOB = "a-token-of-adas-which-is-long", "a-token-of-bobs-which-is-long"


def of_ada_and_bob(valve: Valve) -> Visitor:
    known = {token: Principal(name, audience=(HERE,)) for token, name in ((ADA, "ada"), (BOB, "bob"))}
    auth = Bearer(Tokens(known), resource=HERE, authorization_servers=["https://auth.example.com"])
    return Visitor(app_with(valve), auth=auth)


async def every_verb(visitor: Visitor, **headers: Any) -> list[Exchange]:
    message = request(1, "tools/list")
    sent = [visitor.post(message, **headers), visitor.read(**headers), visitor.send("DELETE", **headers)]
    return [await each.over() for each in sent]


@covers(90)
@looped
async def test_a_session_has_a_name_that_is_visible_and_no_other_has() -> None:
    visitor = Visitor(app_with(Valve()))
    names = {(await visitor.shake_hands()).given["mcp-session-id"] for _ in range(50)}
    assert len(names) == 50
    for name in names:
        assert len(name) >= 40
        assert all("!" <= letter <= "~" for letter in name)


@covers(90)
@looped
async def test_a_session_that_was_ended_is_not_there_for_any_verb() -> None:
    guest = await Visitor(app_with(Valve())).shake_hands()
    assert (await guest.send("DELETE").over()).status == 204
    assert [each.status for each in await every_verb(guest)] == [404, 404, 404]


@looped
async def test_the_end_of_a_session_ends_what_it_runs_and_reads() -> None:
    valve = Valve()
    guest = await Visitor(app_with(valve)).shake_hands()
    call, news = guest.call("waits"), await guest.read().begun()
    await valve.reached.wait()
    assert (await guest.send("DELETE").over()).status == 204
    assert (await call.over()).json["result"]["errorData"]["code"] == "CANCELLED"
    assert valve.ended == ["cancelled"]
    await news.over()


@covers(91)
@looped
async def test_to_anybody_else_there_is_no_such_session() -> None:
    visitor = of_ada_and_bob(Valve())
    visitor.given["authorization"] = f"Bearer {ADA}"
    ada = await visitor.shake_hands()
    bob = {"authorization": f"Bearer {BOB}"}
    stolen = [(each.status, each.body) for each in await every_verb(ada, **bob)]
    absent = [(each.status, each.body) for each in await every_verb(ada, **bob, mcp_session_id="no-such-session")]
    assert stolen == absent
    assert [status for status, _ in stolen] == [404, 404, 404]
    assert (await ada.call("add", a=1, b=1).over()).status == 200, "and it goes on for whom it belongs to"


@looped
async def test_a_request_of_the_handshake_era_needs_a_session_and_only_a_handshake_makes_one() -> None:
    visitor = Visitor(app_with(Valve()))
    answer = await visitor.post(request(1, "tools/list")).over()
    assert (answer.status, answer.json["error"]["code"]) == (400, -32600)
    assert "mcp-session-id" not in answer.headers
    assert (await visitor.read().over()).status == 400
    malformed = await visitor.post(request(1, "initialize")).over()
    assert malformed.status == 400
    assert len(visitor.endpoint.sessions) == 0


@looped
async def test_who_was_away_for_longest_makes_room_and_who_is_busy_does_not() -> None:
    valve = Valve()
    visitor = Visitor(app_with(valve), limits=Limits(sessions=2))
    busy = await visitor.shake_hands()
    call = busy.call("waits")
    await valve.reached.wait()
    idle = await visitor.shake_hands()
    third = await visitor.shake_hands()
    assert (await idle.post(request(1, "ping")).over()).status == 404
    news = await third.read().begun()
    refused = await visitor.post(initialize()).over()
    assert (refused.status, refused.headers["retry-after"]) == (503, "60")
    news.leave()
    await news.over()
    assert (await visitor.post(initialize()).over()).status == 200
    valve.open.set()
    assert (await call.over()).status == 200


@looped
async def test_a_session_is_forgotten_when_nobody_came_for_a_while() -> None:
    now = 0.0
    profile = profile_of(App("short"))
    sessions = Sessions(Limits(session_idle=60), clock=lambda: now)
    taken = [sessions.take_in(ServerSession(profile), None) for _ in range(2)]
    first, second = (each.id for each in taken if each is not None)
    now = 50.0
    assert sessions.find(second, None) is not None
    now = 70.0
    sessions.sweep()
    assert sessions.find(first, None) is None
    assert sessions.find(second, None) is not None


@looped
async def test_sessions_that_are_opened_and_dropped_leave_no_growth() -> None:
    profile = profile_of(App("short"))
    sessions = Sessions(Limits(sessions=100))
    for _ in range(10_000):
        assert sessions.take_in(ServerSession(profile), None) is not None
    assert len(sessions) == 100


@pytest.mark.parametrize("last", ["x", "1", "-1", "1-", "1-x", "9-1", "1-1", "٣-١", f"0-{'1' * 5000}", "0-1-1"])
@looped
async def test_an_event_that_never_was_cannot_be_gone_on_from(last: str) -> None:
    guest = await Visitor(app_with(Valve())).shake_hands()
    headers = {} if last.isascii() else {"last_event_id": last.encode().decode("latin-1")}
    answer = await guest.send("GET", **{"last_event_id": last, **headers}).over()
    assert answer.status == 404
