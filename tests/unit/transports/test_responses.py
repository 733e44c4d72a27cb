"""What a POST is answered with: JSON or a stream, and which status."""

from __future__ import annotations

import pytest

from accord import App
from accord.errors import ProtocolError
from accord.transports.asgi.limits import Limits
from tests.protocol._checklist import covers
from tests.protocol._wire import STATELESS, notification, request, stateless
from tests.unit.transports._app import Valve, app_with
from tests.unit.transports._visitor import Visitor, looped


@covers(82, 87)
@looped
async def test_a_call_that_says_nothing_is_answered_with_json() -> None:
    visitor = Visitor(app_with(Valve()))
    answer = await visitor.call("add", a=1, b=2).over()
    assert (answer.status, answer.json["result"]["structuredContent"]) == (200, 3)
    guest = await visitor.shake_hands()
    answer = await guest.call("add", a=1, b=2).over()
    assert (answer.status, answer.json["result"]["structuredContent"]) == (200, {"result": 3})


@covers(82, 87, 88)
@looped
async def test_a_call_that_says_something_is_answered_with_a_stream() -> None:
    meta = {"progressToken": "t", "level": "info"}
    answer = await Visitor(app_with(Valve())).call("tells", times=2, meta=meta).over()
    assert (answer.status, answer.is_stream) == (200, True)
    assert answer.headers["x-accel-buffering"] == "no"
    assert "no-cache" in answer.headers["cache-control"]
    events = await answer.rest()
    methods = [event.message.get("method") for event in events]
    assert methods == ["notifications/progress", "notifications/message"] * 2 + [None]
    assert events[-1].message["result"]["content"][0]["text"] == "told"
    assert [event.id for event in events] == [None] * 5, "what cannot be read again has no id"


@covers(87)
@looped
async def test_what_nobody_wants_to_hear_makes_no_stream() -> None:
    answer = await Visitor(app_with(Valve())).call("tells", times=3).over()
    assert answer.json["result"]["content"][0]["text"] == "told"


@covers(88)
@looped
async def test_a_long_silence_begins_a_stream_that_says_it_is_still_there() -> None:
    valve = Valve()
    call = Visitor(app_with(valve), limits=Limits(silence=0.01)).call("waits")
    assert (await call.event()).comment == "still here"
    assert (await call.event()).comment == "still here"
    valve.open.set()
    events = [event for event in await call.rest() if event.comment is None]
    assert [event.message["result"]["content"][0]["text"] for event in events] == ["waited"]


@covers(81)
@looped
async def test_a_notification_is_accepted_without_a_word() -> None:
    visitor = Visitor(app_with(Valve()))
    guest = await visitor.shake_hands()
    for who in (visitor, guest):
        answer = await who.post(notification("notifications/cancelled", requestId=9)).over()
        assert (answer.status, answer.body) == (202, b"")


@looped
async def test_an_error_that_needs_a_capability_is_a_bad_request_and_others_are_answers() -> None:
    app = App("failing")

    @app.command
    def fails(code: int) -> None:
        raise ProtocolError("no", code=code, data={"requiredCapabilities": {"sampling": {}}})

    visitor = Visitor(app)
    lacking = await visitor.call("fails", code=-32021).over()
    assert (lacking.status, lacking.json["error"]["code"], lacking.json["id"]) == (400, -32021, 1)
    for code in (-32602, -32603, 7):
        other = await visitor.call("fails", code=code).over()
        assert (other.status, other.json["error"]["code"]) == (200, code)
    guest = await visitor.shake_hands()
    assert (await guest.call("fails", code=-32021).over()).status == 200, "that era knows no such status"


@covers(37)
@looped
async def test_a_mirrored_argument_is_held_against_its_header() -> None:
    visitor = Visitor(app_with(Valve()))
    call = stateless("r", "tools/call", name="routed", arguments={"region": "north"})
    for header in ("north", "=?base64?bm9ydGg=?="):
        assert (await visitor.post(call, mcp_param_region=header).over()).status == 200
    for header in ("south", None, "=?base64?x?="):
        answer = await visitor.post(call, mcp_param_region=header).over()
        assert (answer.status, answer.json["error"]["code"], answer.json["id"]) == (400, -32020, "r")
    guest = await visitor.shake_hands()
    assert (await guest.call("routed", region="north").over()).status == 200, "that era mirrors nothing"


@covers(89)
@pytest.mark.parametrize("version", ["1999-01-01", "latest", ""])
@looped
async def test_a_version_nobody_speaks_is_a_bad_request(version: str) -> None:
    visitor = Visitor(app_with(Valve()))
    guest = await visitor.shake_hands()
    for message in (request(1, "tools/list"), stateless(1, "tools/list")):
        answer = await visitor.post(message, mcp_protocol_version=version).over()
        assert answer.status == 400
    answer = await guest.post(request(1, "tools/list"), mcp_protocol_version=version).over()
    assert answer.status == 400


@covers(32)
@looped
async def test_the_stateless_era_knows_no_sessions_and_resumes_nothing() -> None:
    visitor = Visitor(app_with(Valve()))
    answer = await visitor.post(
        stateless(1, "tools/list"), mcp_session_id="no such session", last_event_id="1-1"
    ).over()
    assert answer.status == 200
    assert "mcp-session-id" not in answer.headers


@covers(83)
@pytest.mark.parametrize("verb", ["GET", "DELETE"])
@looped
async def test_the_stateless_era_has_one_verb(verb: str) -> None:
    answer = await Visitor(app_with(Valve())).send(verb, mcp_protocol_version=STATELESS).over()
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@looped
async def test_a_message_of_the_stateless_era_without_its_header_is_a_mismatch_in_a_session_too() -> None:
    guest = await Visitor(app_with(Valve())).shake_hands()
    answer = await guest.post(stateless(1, "tools/list")).over()
    assert (answer.status, answer.json["error"]["code"]) == (400, -32020)


@pytest.mark.parametrize(("body", "code"), [(b"{", -32700), (b"[]", -32600), (b"7", -32600), (b"\xff", -32700)])
@looped
async def test_what_is_no_message_is_a_bad_request(body: bytes, code: int) -> None:
    visitor = Visitor(app_with(Valve()))
    for who in (visitor, await visitor.shake_hands()):
        answer = await who.post(body).over()
        assert (answer.status, answer.json["error"]["code"]) == (400, code)


@covers(86)
@looped
async def test_a_body_has_a_size_whether_it_was_declared_or_not() -> None:
    visitor = Visitor(app_with(Valve()), limits=Limits(body_bytes=1000))
    declared = await visitor.send("POST", b"x", content_length="1001").over()
    assert declared.status == 413
    chunked = visitor.send("POST", *[b" " * 100] * 20)
    assert (await chunked.over()).status == 413
    assert len(chunked._pieces) == 9, "the rest is not even read"
    assert (await visitor.send("POST", *[b" "] * 500, b'{"jsonrpc":"2.0","method":"x"}').over()).status == 202


@looped
async def test_a_body_that_does_not_come_is_waited_for_so_long_and_no_longer() -> None:
    visitor = Visitor(app_with(Valve()), limits=Limits(body_seconds=0.01))
    late = visitor.send("POST")
    late._pieces.clear()
    assert (await late.over()).status == 408
    gone = visitor.send("POST")
    gone._pieces.clear()
    gone.leave()
    assert (await gone.over()).status == 408


@looped
async def test_the_endpoint_tells_whether_it_is_well() -> None:
    visitor = Visitor(app_with(Valve()))
    assert (await visitor.send("GET", path="/healthz").over()).json == {"status": "ok"}
    visitor.endpoint.close()
    closing = await visitor.send("GET", path="/healthz").over()
    assert (closing.status, closing.json) == (503, {"status": "closing"})
    assert (await visitor.send("GET", path="/elsewhere").over()).status == 404


@looped
async def test_no_more_requests_are_served_at_once_than_may_be() -> None:
    valve = Valve()
    visitor = Visitor(app_with(valve), limits=Limits(requests=2))
    calls = [visitor.call("waits"), visitor.call("waits")]
    await valve.reached.wait()
    refused = await visitor.call("add", a=1, b=1).over()
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    valve.open.set()
    assert [(await call.over()).status for call in calls] == [200, 200]
    assert (await visitor.call("add", a=1, b=1).over()).status == 200
