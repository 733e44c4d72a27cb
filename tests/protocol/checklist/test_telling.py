"""Checklist, what is told without being a result: progress, logs, changes; and what is cancelled."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from accord.protocol.events import Cancelled, Listen
from accord.protocol.questions import ListRoots
from tests.protocol._checklist import covers
from tests.protocol._server import Pipe, profile, small
from tests.protocol._wire import (
    EVERY,
    HANDSHAKES,
    PREFIX,
    STATELESS,
    enveloped,
    initialize,
    notification,
    request,
    stateless,
)

SUBSCRIPTION = PREFIX + "subscriptionId"


def listen(id: Any, **wanted: Any) -> dict[str, Any]:
    return stateless(id, "subscriptions/listen", notifications=wanted)


@covers(71)
@pytest.mark.parametrize("token", [7, "7", "", 0])
@pytest.mark.parametrize("version", EVERY)
def test_progress_is_told_under_the_token_and_rises(version: str, token: Any) -> None:
    pipe = Pipe()
    pipe.say(initialize(version) if version != STATELESS else stateless(0, "server/discover"))
    meta = enveloped(progressToken=token) if version == STATELESS else {"progressToken": token}
    pipe.say(request(1, "tools/call", name="hang", _meta=meta))
    (call,) = pipe.session.open
    steps = [(0, 2), (0, 2), (0.5, None), (0.25, 2), (2, 2)]
    told = [pipe.session.progress(call, step, total) for step, total in steps]
    assert [each["params"]["progress"] for each in pipe.judged(b"".join(told))] == [0, 0.5, 2]
    assert {repr(each["params"]["progressToken"]) for each in pipe.judged(b"".join(told))} == {repr(token)}
    for odd in (float("nan"), float("inf")):
        assert pipe.session.progress(call, odd) == b""
    (last,) = pipe.judged(pipe.session.progress(call, 3, float("nan")))
    assert "total" not in last["params"]
    pipe.session.result(call, {"content": []})
    assert pipe.session.progress(call, 4) == b"", "none after the response"


@covers(71)
def test_without_a_token_there_is_no_progress() -> None:
    assert len(Pipe().say(stateless(1, "tools/call", name="work"))) == 1


@covers(72)
def test_without_a_level_there_is_no_log_and_a_bad_level_is_invalid_params() -> None:
    pipe = Pipe()
    pipe.say(listen("l", toolsListChanged=True))
    assert len(pipe.say(stateless(1, "tools/call", name="log"))) == 1
    told = pipe.say(stateless(2, "tools/call", name="log", meta={"level": "error"}))[:-1]
    assert [each["params"]["data"] for each in told] == ["error"]
    assert "_meta" not in told[0]["params"], "not on the stream"
    (refused,) = pipe.say(stateless(3, "tools/call", name="log", meta={"level": "loud"}))
    assert refused["error"]["code"] == -32602


@covers(73)
@pytest.mark.parametrize("id", [9, "9", ""])
def test_a_stream_is_acknowledged_first_and_hears_what_it_asked_for(id: Any) -> None:
    pipe = Pipe()
    (acknowledged,) = pipe.say(listen(id, toolsListChanged=True, resourceSubscriptions=["file:///a"]))
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    changes = pipe.session.listening
    told = pipe.judged(
        changes.changed("tools")
        + changes.changed("prompts")
        + changes.updated("file:///a")
        + changes.updated("file:///b")
    )
    assert [each["method"] for each in told] == ["notifications/tools/list_changed", "notifications/resources/updated"]
    for each in (acknowledged, *told):
        assert each["params"]["_meta"] == {SUBSCRIPTION: id}
        assert type(each["params"]["_meta"][SUBSCRIPTION]) is type(id)


@covers(73)
def test_only_what_is_declared_is_honoured() -> None:
    pipe = Pipe(profile({"tools": {"listChanged": True}, "resources": {}}))
    wanted = {"toolsListChanged": True, "resourcesListChanged": True, "resourceSubscriptions": ["a"], "taskIds": ["t"]}
    (acknowledged,) = pipe.say(listen(1, **wanted))
    assert acknowledged["params"]["notifications"] == {"toolsListChanged": True}
    assert pipe.session.listening.updated("a") == b""


@covers(74)
def test_two_streams_hear_their_own_and_ending_one_leaves_the_other() -> None:
    pipe = Pipe()
    pipe.say(listen("t", toolsListChanged=True), listen("p", promptsListChanged=True))
    changes = pipe.session.listening
    told = pipe.judged(changes.changed("tools") + changes.changed("prompts"))
    assert [each["params"]["_meta"][SUBSCRIPTION] for each in told] == ["t", "p"]
    pipe.say(notification("notifications/cancelled", requestId="t"))
    assert changes.changed("tools") == b""
    assert changes.changed("prompts") != b""


@covers(75)
def test_shutting_down_ends_the_streams_with_the_empty_result() -> None:
    pipe = Pipe()
    pipe.say(listen(9, toolsListChanged=True), listen("p", promptsListChanged=True))
    for stream, id in zip(pipe.of(Listen), (9, "p"), strict=True):
        (ended,) = pipe.judged(pipe.session.finish(stream))
        assert ended["id"] == id
        assert ended["result"]["_meta"][SUBSCRIPTION] == id
    assert pipe.session.listening.changed("tools") == b""
    assert pipe.session.open == []


@covers(73)
def test_streams_and_watched_resources_are_bounded() -> None:
    pipe = Pipe(small(streams=2, watched=3))
    codes = [
        pipe.say(listen(number, resourceSubscriptions=uris))[0].get("error", {}).get("code")
        for number, uris in enumerate((["a", "b"], ["c", "d"], ["c"], []))
    ]
    assert codes == [None, -32603, None, -32603]
    pipe.say(initialize(id="i"))
    assert pipe.say(request(1, "resources/subscribe", uri="z"))[0]["error"]["code"] == -32603


@covers(77)
@pytest.mark.parametrize("version", HANDSHAKES)
@pytest.mark.parametrize("kind", ["tools", "prompts", "resources"])
def test_list_changes_are_told_after_the_handshake_if_declared(version: str, kind: Any) -> None:
    for declared, count in ((True, 1), (False, 0)):
        pipe = Pipe(profile({kind: {"listChanged": declared}}))
        assert pipe.session.listening.changed(kind) == b""
        pipe.say(initialize(version))
        assert len(pipe.judged(pipe.session.listening.changed(kind))) == count


@covers(78)
@pytest.mark.parametrize("version", EVERY)
def test_nothing_is_sent_for_what_was_cancelled(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(HANDSHAKES[-1] if version == STATELESS else version, roots={}))
    meta = enveloped(progressToken=1, level="debug") if version == STATELESS else {"progressToken": 1}
    pipe.say(request(1, "tools/call", name="hang", _meta=meta))
    (call,) = pipe.session.open
    asked = pipe.session.ask(ListRoots(), call) if version != STATELESS else None
    pipe.say(notification("notifications/cancelled", requestId=1, reason="enough"))
    assert pipe.of(Cancelled) == [Cancelled(call, "enough")]
    assert pipe.session.progress(call, 1) == b""
    assert pipe.session.log(call, "error", "x") == b""
    assert pipe.session.result(call, {"content": []}) == b""
    if asked is not None:
        assert pipe.session.withdraw(asked.id) == b"", "its questions end with it"
    pipe.say(request(1, "tools/call", name="hang", _meta=meta))
    assert pipe.session.result(call, {"content": []}) == b"", "also when the id is in use again"
    assert len(pipe.session.open) == 1


@covers(78)
@pytest.mark.parametrize("id", [msgspec.UNSET, None, 1.0, "1", 2, {}, [1], True])
def test_an_odd_cancel_is_ignored(id: Any) -> None:
    params = {} if id is msgspec.UNSET else {"requestId": id}
    pipe = Pipe()
    pipe.say(stateless(1, "tools/call", name="hang"), notification("notifications/cancelled", **params))
    assert pipe.of(Cancelled) == []
    assert len(pipe.session.open) == 1


@covers(78)
def test_a_flood_of_cancels_leaves_nothing_behind() -> None:
    pipe = Pipe()
    pipe.say(*(notification("notifications/cancelled", requestId=number) for number in range(2000)))
    assert pipe.seen == []


@covers(79)
def test_a_request_can_be_abandoned_by_its_transport() -> None:
    pipe = Pipe()
    pipe.say(stateless(1, "tools/call", name="hang"))
    (call,) = pipe.session.open
    assert pipe.session.abandon(call, "disconnected") == Cancelled(call, "disconnected")
    assert pipe.session.result(call, {"content": []}) == b""


@covers(80)
def test_a_cancel_on_another_session_touches_nothing() -> None:
    mine, other = Pipe(), Pipe()
    mine.say(stateless(1, "tools/call", name="hang"))
    other.say(notification("notifications/cancelled", requestId=1))
    assert len(mine.session.open) == 1
