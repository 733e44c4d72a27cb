"""Checklist, the handshake era."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.protocol.errors import Error, NotAllowed, Refused, Undeclared
from accord.protocol.events import Answer, Initialized
from accord.protocol.profile import ServerInfo
from accord.protocol.questions import Elicit, ElicitUrl, ListRoots, Question, Sample
from tests.protocol._checklist import covers
from tests.protocol._server import NAME, Pipe, profile
from tests.protocol._wire import HANDSHAKES, NEW, OLD, STATELESS, complaints, initialize, line, notification, request

FORM = Elicit("Name?", NAME)
PAGE = ElicitUrl("Connect", "https://s.example/c", "e1")
SAMPLE = Sample({"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 5})
TOOLED = Sample({**SAMPLE.request, "tools": [{"name": "f", "inputSchema": {"type": "object"}}]})


@covers(11)
@pytest.mark.parametrize(
    ("asked", "agreed"), [(OLD, OLD), (NEW, NEW), (STATELESS, NEW), ("2024-11-05", NEW), ("2025-03-26", NEW), ("", NEW)]
)
def test_a_handshake_agrees_on_a_version_that_has_one(asked: str, agreed: str) -> None:
    pipe = Pipe()
    (welcome,) = pipe.say(initialize(asked))
    assert welcome["result"]["protocolVersion"] == agreed
    pipe.say(request(1, "tools/call", name="hang"))
    assert pipe.session.open[0].version.name == agreed


@covers(11)
def test_a_handshake_with_an_envelope_on_it_is_a_handshake() -> None:
    message = initialize(NEW)
    message["params"]["_meta"] = {"io.modelcontextprotocol/protocolVersion": STATELESS}
    (welcome,) = Pipe().say(message)
    assert welcome["result"]["protocolVersion"] == NEW


@covers(12)
def test_before_the_handshake_only_ping_is_answered() -> None:
    known, unknown, ping = Pipe().say(request(1, "tools/list"), request(2, "nobody/knows"), request(3, "ping"))
    assert known["error"]["code"] == -32600
    assert unknown["error"]["code"] == -32601
    assert ping["result"] == {}


@covers(13)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_what_is_pipelined_behind_the_handshake_works(version: str) -> None:
    pipe = Pipe()
    welcome, listed = pipe.say(initialize(version), notification("notifications/initialized"), request(1, "tools/list"))
    assert welcome["id"] == 0
    assert listed["result"]["tools"]
    assert [event.peer.info["name"] for event in pipe.of(Initialized)] == ["tester"]


@covers(14)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_results_hold_nothing_of_the_stateless_era(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(version))
    (listed,) = pipe.say(request(1, "prompts/list"))
    assert set(listed["result"]) == {"prompts"}
    assert ("icons" in listed["result"]["prompts"][0]) is (version == NEW)


@covers(14)
def test_the_oldest_version_hears_only_what_it_knows_of_the_server() -> None:
    info = ServerInfo(name="s", version="1", title="S", description="d", website_url="https://s.example")
    of = profile()
    of = type(of)(info, of.capabilities, instructions="Read the manual.")
    oldest = {"name", "version", "title"}
    for version, known in ((OLD, oldest), (NEW, oldest | {"description", "websiteUrl"})):
        (welcome,) = Pipe(of).say(initialize(version))
        assert set(welcome["result"]["serverInfo"]) == known
        assert welcome["result"]["instructions"] == "Read the manual."


@covers(15)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_ping_is_answered_with_an_empty_result_also_while_a_tool_runs(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(version), request(1, "tools/call", name="hang"))
    assert pipe.say(request(2, "ping")) == [{"jsonrpc": "2.0", "id": 2, "result": {}}]


@covers(16)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_log_messages_below_the_level_are_not_sent(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(version))
    logs = request(1, "tools/call", name="log")
    assert len(pipe.say(logs)) == 1
    assert pipe.say(request(2, "logging/setLevel", level="warning"))[0]["result"] == {}
    told = pipe.say(logs)[0]
    assert told["params"]["level"] == "error"
    (refused,) = pipe.say(request(3, "logging/setLevel", level="loud"))
    assert refused["error"]["code"] == -32602
    assert len(pipe.say(logs)) == 2, "the level stays"
    assert pipe.judged(pipe.session.log(None, "error", {"k": 1}, "db"))[0]["params"]["logger"] == "db"


@covers(16)
def test_a_server_that_does_not_declare_logging_sends_no_log() -> None:
    pipe = Pipe(profile({"tools": {}}))
    pipe.say(initialize())
    assert pipe.say(request(1, "logging/setLevel", level="debug"))[0]["error"]["code"] == -32601
    assert len(pipe.say(request(2, "tools/call", name="log"))) == 1


@covers(17)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_updates_go_to_subscribed_resources_only(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(version))
    updated = lambda uri: pipe.judged(pipe.session.listening.updated(uri))  # noqa: E731 - said four times below
    assert updated("file:///a") == []
    assert pipe.say(request(1, "resources/subscribe", uri="file:///a"))[0]["result"] == {}
    assert [each["params"] for each in updated("file:///a")] == [{"uri": "file:///a"}]
    assert updated("file:///b") == []
    assert pipe.say(request(2, "resources/unsubscribe", uri="file:///a"))[0]["result"] == {}
    assert updated("file:///a") == []


@covers(19)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_question_is_withdrawn_with_a_notification_and_its_late_answer_dropped(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(version, elicitation={}), request(1, "tools/call", name="hang"))
    asked = pipe.session.ask(FORM, pipe.session.open[0])
    (told,) = pipe.judged(pipe.session.withdraw(asked.id, "too slow"))
    assert told["params"] == {"requestId": asked.id, "reason": "too slow"}
    assert pipe.session.withdraw(asked.id) == b""
    pipe.say({"jsonrpc": "2.0", "id": asked.id, "result": {"action": "decline"}})
    assert pipe.of(Answer) == []


@covers(19)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_question_ends_with_the_request_it_belongs_to_and_the_client_is_told(version: str) -> None:
    pipe = Pipe()
    pipe.say(initialize(version, elicitation={}))
    for id, answer in (
        (1, lambda call: pipe.session.result(call, {"content": []})),
        (2, lambda call: pipe.session.error(call, Error(-32603, "It broke"))),
    ):
        pipe.say(request(id, "tools/call", name="hang"))
        (call,) = pipe.session.open
        answered, asked = pipe.session.ask(FORM, call), pipe.session.ask(FORM, call)
        pipe.session.receive(line({"jsonrpc": "2.0", "id": answered.id, "result": {"action": "decline"}}))
        told, response = pipe.judged(answer(call))
        assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", asked.id)
        assert response["id"] == id
    assert pipe.session._asking._open == {}


@covers(19)
def test_a_client_that_refuses_to_answer_is_heard() -> None:
    pipe = Pipe()
    pipe.say(initialize(roots={}))
    for response, code in [
        ({"error": {"code": -1, "message": "User rejected"}}, -1),
        ({"result": 7}, -32600),
        ({"error": {"code": "x"}}, -32600),
        ({"result": None}, -32600),
    ]:
        asked = pipe.session.ask(ListRoots())
        (answer,) = pipe.session.receive(json.dumps({"jsonrpc": "2.0", "id": asked.id, **response}).encode() + b"\n")
        assert isinstance(answer, Answer)
        assert answer.error is not None
        assert answer.error.code == code


@covers(20, 64)
@pytest.mark.parametrize(
    ("question", "declared", "undeclared", "required"),
    [
        (FORM, {"elicitation": {}}, {}, {"elicitation": {"form": {}}}),
        (FORM, {"elicitation": {"form": {}}}, {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (PAGE, {"elicitation": {"url": {}}}, {"elicitation": {}}, {"elicitation": {"url": {}}}),
        (SAMPLE, {"sampling": {}}, {"elicitation": {}}, {"sampling": {}}),
        (TOOLED, {"sampling": {"tools": {}}}, {"sampling": {}}, {"sampling": {"tools": {}}}),
        (ListRoots(), {"roots": {}}, {"sampling": {}}, {"roots": {}}),
    ],
)
def test_a_client_is_asked_only_what_it_declared(
    question: Question, declared: Any, undeclared: Any, required: Any
) -> None:
    pipe = Pipe()
    pipe.say(initialize(NEW, **declared))
    written = pipe.judged(pipe.session.ask(question).data)
    assert written[0]["method"] == question.method
    other = Pipe()
    other.say(initialize(NEW, **undeclared))
    with pytest.raises(Undeclared) as caught:
        other.session.ask(question)
    assert caught.value.required == required
    error = {name: getattr(caught.value.error, name) for name in ("code", "message", "data")}
    answer = {"jsonrpc": "2.0", "id": 1, "error": error}
    assert complaints(STATELESS, "MissingRequiredClientCapabilityError", answer) == []


@covers(20)
def test_nobody_is_asked_before_the_handshake_or_after_the_call() -> None:
    pipe = Pipe()
    with pytest.raises(NotAllowed):
        pipe.session.ask(ListRoots())
    pipe.say(initialize(roots={}), request(1, "tools/call", name="hang"))
    (call,) = pipe.session.open
    pipe.session.result(call, {"content": []})
    with pytest.raises(NotAllowed):
        pipe.session.ask(ListRoots(), call)


@covers(68)
@pytest.mark.parametrize(
    ("question", "answer", "fits"),
    [
        (FORM, {"action": "accept", "content": {"name": "Ada"}}, True),
        (FORM, {"action": "decline"}, True),
        (FORM, {"action": "cancel"}, True),
        (FORM, {"action": "accept"}, False),
        (FORM, {"action": "maybe"}, False),
        (FORM, {"content": {}}, False),
        (PAGE, {"action": "accept"}, True),
        (SAMPLE, {"role": "assistant", "content": {"type": "text", "text": "yo"}, "model": "m"}, True),
        (SAMPLE, {"role": "assistant", "content": "yo", "model": "m"}, False),
        (ListRoots(), {"roots": [{"uri": "file:///w", "name": "w"}]}, True),
        (ListRoots(), {"roots": ["file:///w"]}, False),
        (ListRoots(), 7, False),
    ],
)
def test_an_answer_is_read_as_what_was_asked(question: Question, answer: Any, fits: bool) -> None:
    if fits:
        assert question.read(answer) is not None
        return
    with pytest.raises(Refused) as caught:
        question.read(answer)
    assert caught.value.error.code == -32602


@covers(68)
def test_the_end_of_a_url_elicitation_is_told_where_the_version_has_a_word_for_it() -> None:
    for version, told in ((OLD, 0), (NEW, 1)):
        pipe = Pipe()
        pipe.say(initialize(version))
        assert len(pipe.judged(pipe.session.elicited("e1"))) == told
