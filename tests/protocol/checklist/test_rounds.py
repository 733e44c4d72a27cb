"""Checklist, questions of the stateless era: rounds, their state, and what may be asked."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from accord.protocol.errors import NotAllowed, Undeclared
from accord.protocol.events import CallTool, Request
from accord.protocol.profile import Sealing
from accord.protocol.questions import Elicit, ElicitUrl, ListRoots, Sample
from accord.protocol.session import ServerSession
from tests.protocol._checklist import covers
from tests.protocol._server import NAME, WHO, Pipe, profile, seal, unseal
from tests.protocol._wire import STATELESS, initialize, line, request, stateless

ALL = {"capabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}}
ACCEPTED = {"action": "accept", "content": {"name": "Ada"}}


def ask(id: Any, **params: Any) -> dict[str, Any]:
    return stateless(id, "tools/call", meta=ALL, **{"name": "ask", **params})


def opened(pipe: Pipe, method: str = "tools/call", **params: Any) -> Request:
    (request,) = pipe.session.receive(line(stateless("o", method, meta=ALL, **params)))
    assert isinstance(request, Request)
    return request


@covers(62)
@pytest.mark.parametrize(
    ("method", "params", "allowed"),
    [
        ("tools/call", {"name": "x"}, True),
        ("prompts/get", {"name": "x"}, True),
        ("resources/read", {"uri": "x"}, True),
        ("tools/list", {}, False),
        ("prompts/list", {}, False),
        ("subscriptions/listen", {"notifications": {}}, False),
    ],
)
def test_only_three_methods_are_answered_with_questions(method: str, params: dict[str, Any], allowed: bool) -> None:
    pipe = Pipe()
    pipe.session.receive(line(stateless("o", method, meta=ALL, **params)))
    (open,) = pipe.session.open
    if allowed:
        pipe.methods[str, "o"] = method, STATELESS
        (asked,) = pipe.judged(pipe.session.input_required(open, {"who": WHO}, {"k": 1}))
        assert asked["result"]["resultType"] == "input_required"
    else:
        with pytest.raises(NotAllowed):
            pipe.session.input_required(open, {"who": WHO})


@covers(62, 33)
def test_each_era_asks_in_its_own_way_only() -> None:
    pipe = Pipe()
    modern = opened(pipe, name="x")
    pipe.say(initialize(elicitation={}), request(1, "tools/call", name="hang"))
    legacy = pipe.session.open[-1]
    with pytest.raises(NotAllowed):
        pipe.session.ask(WHO, modern)
    with pytest.raises(NotAllowed):
        pipe.session.input_required(legacy, {"who": WHO})


@covers(63)
def test_there_is_a_question_or_a_state_to_come_back_with() -> None:
    pipe = Pipe()
    call = opened(pipe, name="x")
    with pytest.raises(NotAllowed):
        pipe.session.input_required(call, {})
    pipe.methods[str, "o"] = "tools/call", STATELESS
    (later,) = pipe.judged(pipe.session.input_required(call, {}, "later"))
    assert "inputRequests" not in later["result"]
    (asked,) = pipe.judged(pipe.session.input_required(opened(pipe, name="x"), {"who": WHO}))
    assert "requestState" not in asked["result"]


@covers(64, 29)
def test_undeclared_input_is_refused_with_what_would_have_to_be_declared() -> None:
    pipe = Pipe()
    pipe.say(stateless(1, "tools/call", name="hang"))
    (call,) = pipe.session.open
    with pytest.raises(Undeclared) as caught:
        pipe.session.input_required(call, {"llm": Sample({"messages": [], "maxTokens": 1})})
    (refused,) = pipe.judged(pipe.session.error(call, caught.value.error))
    assert refused["error"]["code"] == -32021
    assert refused["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}


@covers(65)
@pytest.mark.parametrize(
    "altered",
    [
        lambda said: {**said, "requestState": said["requestState"] + "-TAMPERED"},
        lambda said: {**said, "requestState": ""},
        lambda said: {**said, "requestState": 7},
        lambda said: {**said, "name": "add"},
        lambda said: {**said, "arguments": {"other": 1}},
    ],
)
def test_a_state_that_does_not_belong_here_is_refused_with_one_message(altered: Any) -> None:
    pipe = Pipe()
    (asked,) = pipe.say(ask(1))
    said = altered({"name": "ask", "requestState": asked["result"]["requestState"]})
    (refused,) = pipe.say(ask(2, **said))
    assert refused["error"] == {"code": -32602, "message": "The requestState is not valid for this request"}


@covers(65)
def test_a_state_sealed_by_somebody_else_is_refused_like_an_altered_one() -> None:
    others = Sealing(partial(seal, key=b"another"), partial(unseal, key=b"another"))
    (asked,) = Pipe(profile(sealing=others)).say(ask(1))
    for pipe in (Pipe(), Pipe(profile(sealing=None))):
        (refused,) = pipe.say(ask(2, requestState=asked["result"]["requestState"]))
        assert refused["error"]["message"] == "The requestState is not valid for this request"


@covers(66)
def test_a_retry_on_another_session_with_the_same_keys_goes_on() -> None:
    (asked,) = Pipe().say(ask(1))
    (done,) = Pipe().say(ask(1, inputResponses={"who": ACCEPTED}, requestState=asked["result"]["requestState"]))
    assert done["result"]["content"][0]["text"] == "Hello Ada"


@covers(67)
def test_a_missing_answer_is_asked_for_again_and_extra_ones_are_ignored() -> None:
    pipe = Pipe()
    (again,) = pipe.say(ask(1, inputResponses={"wrong": ACCEPTED}))
    assert again["result"]["resultType"] == "input_required"
    (done,) = pipe.say(ask(2, inputResponses={"who": ACCEPTED, "more": {"action": "decline"}}))
    assert done["result"]["resultType"] == "complete"


@covers(67)
@pytest.mark.parametrize("answers", [None, [], "x", 7, {"who": 12345}, {"who": None}, {"who": [ACCEPTED]}])
def test_malformed_answers_are_invalid_params(answers: Any) -> None:
    (refused,) = Pipe().say(ask(1, inputResponses=answers))
    assert refused["error"]["code"] == -32602


@covers(69)
def test_several_questions_and_several_rounds_bring_their_state_along() -> None:
    pipe = Pipe()
    questions = {
        "form": Elicit("Name?", NAME),
        "page": ElicitUrl("Connect", "https://s.example/c", "e1"),
        "llm": Sample({"messages": [], "maxTokens": 1}),
        "roots": ListRoots(),
    }
    call, states = opened(pipe, name="x"), []
    for round in range(3):
        pipe.methods[str, "o"] = "tools/call", STATELESS
        (asked,) = pipe.judged(pipe.session.input_required(call, questions, {"round": round}))
        assert set(asked["result"]["inputRequests"]) == set(questions)
        assert asked["result"]["inputRequests"]["roots"] == {"method": "roots/list"}
        assert "elicitationId" not in asked["result"]["inputRequests"]["page"]["params"]
        states.append(asked["result"]["requestState"])
        retried = opened(pipe, name="x", requestState=states[-1], inputResponses={"form": ACCEPTED})
        assert isinstance(retried, CallTool)
        assert retried.retry is not None
        assert retried.retry.state == {"round": round}
        assert retried.retry.answers == {"form": ACCEPTED}
        call = retried
    assert len(set(states)) == 3


@covers(69)
def test_the_same_tool_asks_in_both_eras() -> None:
    pipe = Pipe()
    pipe.say(initialize(elicitation={}))
    (asked,) = pipe.say(request(1, "tools/call", name="ask"))
    (old,) = pipe.say({"jsonrpc": "2.0", "id": asked["id"], "result": ACCEPTED})
    (new,) = pipe.say(ask(2, inputResponses={"who": ACCEPTED}))
    assert old["result"]["content"] == new["result"]["content"]


@covers(67)
def test_in_the_handshake_era_answers_in_a_request_mean_nothing() -> None:
    session: ServerSession = Pipe().session
    session.receive(line(initialize()))
    (call,) = session.receive(line(request(1, "tools/call", name="x", inputResponses=7, requestState=7)))
    assert isinstance(call, CallTool)
    assert call.retry is None
