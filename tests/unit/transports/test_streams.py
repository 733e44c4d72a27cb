"""Streams of a session: what is told on which, what is read again, and clients that are sent away."""

from __future__ import annotations

import pytest

from accord import App, Context
from accord.testing import Client
from accord.transports.asgi import sessions
from accord.transports.asgi.limits import Limits
from tests.protocol._checklist import covers
from tests.protocol._wire import EVERY, NEW, OLD, request
from tests.unit.server._user import accept
from tests.unit.transports._app import Valve, app_with
from tests.unit.transports._visitor import Event, Visitor, looped

INFO = {"level": "info"}


def text(event: Event) -> str:
    return str(event.message["result"]["content"][0]["text"])


def said(events: list[Event]) -> list[str]:
    """The messages of a stream by their method, or `result`; what has none is left out."""
    return [event.message.get("method", "result") for event in events if event.data]


async def loud(valve: Valve, version: str = NEW, **capabilities: object) -> Visitor:
    """Somebody who wants to hear everything."""
    guest = await Visitor(app_with(valve)).shake_hands(version, **capabilities)
    assert (await guest.post(request(0, "logging/setLevel", level="debug")).over()).status == 200
    return guest


@covers(76, 92)
@looped
async def test_every_message_is_told_on_one_stream() -> None:
    valve = Valve()
    guest = await loud(valve)
    news = await guest.read().begun()
    calls = [guest.call("tells", then_wait=True, id=id, meta={"progressToken": id}) for id in (1, 2)]
    for call in calls:
        await call.begun()
    assert (await guest.call("grows", id=3).over()).status == 200
    changed = await news.event(), await news.event()
    valve.open.set()
    told = [await call.rest() for call in calls]
    assert (await guest.send("DELETE").over()).status == 204
    told.append([*changed, *await news.rest()])
    for id, events in zip((1, 2), told, strict=False):
        assert said(events) == ["notifications/progress", "notifications/message", "result"]
        assert events[1].message["params"]["progressToken"] == id
        assert events[-1].message["id"] == id
    assert set(said(told[2])) == {"notifications/tools/list_changed"}
    ids = [event.id for events in told for event in events]
    assert None not in ids
    assert len(set(ids)) == len(ids)


@looped
async def test_a_question_is_asked_on_the_stream_of_its_call() -> None:
    guest = await loud(Valve(), elicitation={})
    news = await guest.read().begun()
    call = guest.call("asks")
    assert (await call.event()).data == ""
    question = (await call.event()).message
    assert question["method"] == "elicitation/create"
    answer = {"jsonrpc": "2.0", "id": question["id"], "result": accept(answer="Ada")}
    assert (await guest.post(answer).over()).status == 202
    assert [text(event) for event in await call.rest()] == ["Ada"]
    assert (await guest.send("DELETE").over()).status == 204
    assert said(await news.rest()) == []


@pytest.mark.parametrize("seen", [0, 1, 2])
@looped
async def test_who_lost_its_connection_goes_on_where_it_was(seen: int) -> None:
    valve = Valve()
    guest = await loud(valve)
    call = guest.call("tells", times=2, then_wait=True)
    events = [await call.event() for _ in range(seen + 1)]
    call.leave()
    await call.was_missed.wait()
    again = await guest.read(events[-1].id).begun()
    valve.open.set()
    rest = await again.rest()
    assert said(events + rest) == ["notifications/message"] * 2 + ["result"]
    await call.over()
    assert (await guest.read(events[-1].id).over()).status == 404, "all of it was read"


@looped
async def test_an_answer_that_came_while_nobody_read_is_kept() -> None:
    valve = Valve()
    guest = await loud(valve)
    call = guest.call("tells", then_wait=True)
    first = await call.event()
    call.leave()
    await call.was_missed.wait()
    valve.open.set()
    await call.over()
    assert said(await guest.read(first.id).rest()) == ["notifications/message", "result"]


@looped
async def test_a_reader_that_leaves_again_can_come_again() -> None:
    valve = Valve()
    guest = await loud(valve)
    call = guest.call("tells", times=3, then_wait=True)
    first = await call.event()
    call.leave()
    await call.was_missed.wait()
    for _ in range(3):
        again = guest.read(first.id)
        await again.event()
        assert (await guest.read(first.id).over()).status == 409, "one reads at a time"
        again.leave()
        await again.over()
    valve.open.set()
    await call.over()
    assert len(said(await guest.read(first.id).rest())) == 4


@looped
async def test_news_are_told_once_to_whoever_reads_first() -> None:
    guest = await Visitor(app_with(Valve())).shake_hands()
    assert [(await guest.call("grows", id=id).over()).status for id in (1, 2)] == [200, 200]
    news = guest.read()
    primed, one, two = [await news.event() for _ in range(3)]
    assert (primed.data, said([one, two])) == ("", ["notifications/tools/list_changed"] * 2)
    assert (await guest.read().over()).status == 409
    news.leave()
    await news.over()
    guest.app.updated("note://one")
    assert (await guest.post(request(2, "resources/subscribe", uri="note://one")).over()).status == 200
    guest.app.updated("note://one")
    later = guest.read()
    assert ((await later.event()).data, said([await later.event()])) == ("", ["notifications/resources/updated"])
    later.leave()
    await later.over()
    again = guest.read(one.id)
    expected = ["notifications/tools/list_changed", "notifications/resources/updated"]
    assert said([await again.event(), await again.event()]) == expected
    again.leave()
    await again.over()


@looped
async def test_what_is_kept_of_answers_has_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_MOST_BYTES", 2000)
    guest = await loud(Valve())
    for id in range(30):
        call = await guest.call("tells", times=5, id=id).over()
        assert said(await call.rest())[-1] == "result"
    (session,) = guest.endpoint.sessions._sessions.values()
    kept = list(session._streams.values())
    assert sum(stream.size for stream in kept) <= 2000
    assert (kept[-1].has_ended, kept[-1].size > 0) == (True, True), "the last one is there"


# -- clients that are sent away --------------------------------------------------------------------------------------


@looped
async def test_a_client_is_sent_away_and_comes_back_for_the_rest() -> None:
    valve = Valve()
    guest = await loud(valve)
    call = await guest.call("goes").begun()
    events = [await call.event() for _ in range(3)]
    assert ([event.retry for event in events], said(events)) == ([None, None, "250"], ["notifications/message"])
    again = guest.read(events[1].id)
    valve.open.set()
    assert said(await again.rest()) == ["notifications/message", "result"]
    await call.over()
    assert call.body.count(b"\n\n") == 3, "nothing is told twice"


@pytest.mark.parametrize("era", ["before", "stateless"])
@looped
async def test_where_nobody_could_come_back_nobody_is_sent_away(era: str) -> None:
    valve = Valve()
    visitor = await loud(valve, OLD) if era == "before" else Visitor(app_with(valve))
    call = visitor.call("goes") if era == "before" else visitor.call("goes", meta=INFO)
    first = await call.event()
    valve.open.set()
    assert said([first, *await call.rest()]) == ["notifications/message", "notifications/message", "result"]


@pytest.mark.parametrize("version", EVERY)
def test_on_other_surfaces_hanging_up_has_no_effect(version: str) -> None:
    app = App("patient")

    @app.command
    def goes(ctx: Context) -> str:
        ctx.hang_up()
        return "still here"

    assert Client(app, protocol=version).call("goes", {})["content"][0]["text"] == "still here"
    assert app.call("goes") == goes(Context()) == app.invoke(["goes"]).result == "still here"


@looped
async def test_a_stream_of_news_says_that_it_is_still_there() -> None:
    guest = await Visitor(app_with(Valve()), limits=Limits(silence=0.01)).shake_hands()
    news = guest.read()
    assert [(await news.event()).comment for _ in range(3)] == [None, "still here", "still here"]
    news.leave()
    await news.over()
