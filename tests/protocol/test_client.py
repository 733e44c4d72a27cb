"""A client and a server, each with its own end of the wire: what one writes the other understands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.protocol.client import ClientSession
from accord.protocol.errors import Error, NotAllowed
from accord.protocol.events import Filter, Listen, Send
from accord.protocol.questions import ListRoots
from accord.protocol.replies import (
    Acknowledged,
    Changed,
    Failure,
    InputRequired,
    Logged,
    Progressed,
    Question,
    Reply,
    Result,
    Sent,
    Updated,
    Withdrawn,
)
from tests.protocol._server import Pipe
from tests.protocol._wire import CLIENT, EVERY, HANDSHAKES, NEW, OLD, STATELESS, messages, objections

ALL: dict[str, Any] = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}


class Wire:
    """Both ends. Everything that crosses it is judged by the official schemas."""

    def __init__(self, version: str) -> None:
        self.client = ClientSession(CLIENT, ALL, version=version)
        self.server = Pipe()
        if not self.client.version.stateless:
            self.carry(self.client.initialize().data)

    def carry(self, data: bytes) -> list[Reply]:
        """To the server, and its answers back; what the client has to send at once goes as well."""
        said = messages(data)
        for message in said:
            if "method" in message:
                assert objections(message, self.client.version.name, None) == []
        back = self.server.push(data, tuple(said))
        return self.bring(b"".join(json.dumps(each).encode() + b"\n" for each in back))

    def bring(self, data: bytes) -> list[Reply]:
        """From the server to the client."""
        replies = self.client.receive(data)
        for reply in replies:
            if isinstance(reply, Send):
                self.carry(reply.data)
        return [reply for reply in replies if not isinstance(reply, Send)]

    def call(self, name: str, **options: Any) -> tuple[Sent, list[Reply]]:
        sent = self.client.request("tools/call", {"name": name, "arguments": {}}, **options)
        return sent, self.carry(sent.data)


def text(reply: Reply) -> str:
    assert isinstance(reply, Result)
    return str(reply.result["content"][0]["text"])


@pytest.mark.parametrize("version", EVERY)
def test_a_call_comes_back_with_its_result(version: str) -> None:
    wire = Wire(version)
    sent, (result,) = wire.call("add")
    assert isinstance(result, Result)
    assert result.id == sent.id
    assert text(result) == "0"
    assert wire.client.version.name == version


@pytest.mark.parametrize("version", EVERY)
def test_an_error_comes_back_as_one(version: str) -> None:
    sent, (failure,) = Wire(version).call("boom")
    assert failure == Failure(sent.id, Error(-32603, "It broke"))


@pytest.mark.parametrize("version", EVERY)
def test_progress_comes_before_the_result(version: str) -> None:
    _, replies = Wire(version).call("work", token="t")
    assert replies[:2] == [Progressed("t", 1, 2, "step 1"), Progressed("t", 2, 2, "step 2")]
    assert text(replies[2]) == "done"


def test_a_log_is_asked_for_in_the_way_of_the_version() -> None:
    _, replies = Wire(STATELESS).call("log", log_level="error")
    assert replies[0] == Logged("error", "error")
    wire = Wire(NEW)
    wire.carry(wire.client.request("logging/setLevel", {"level": "info"}).data)
    _, replies = wire.call("log")
    assert replies[:2] == [Logged("info", "info"), Logged("error", "error")]


@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_question_is_answered_or_refused(version: str) -> None:
    wire = Wire(version)
    _, (question,) = wire.call("ask")
    assert isinstance(question, Question)
    assert question.method == "elicitation/create"
    (result,) = wire.carry(wire.client.answer(question, {"action": "accept", "content": {"name": "Ada"}}))
    assert text(result) == "Hello Ada"
    _, (question,) = wire.call("ask")
    assert isinstance(question, Question)
    (result,) = wire.carry(wire.client.refuse(question, Error(-1, "no")))
    assert text(result) == "Hello nobody"


def test_questions_that_come_as_a_result_are_answered_by_repeating() -> None:
    wire = Wire(STATELESS)
    _, (asked,) = wire.call("ask", token=3)
    assert isinstance(asked, InputRequired)
    assert asked.requests["who"]["method"] == "elicitation/create"
    again = wire.client.retry(asked, {})
    (asked,) = wire.carry(again.data)
    assert isinstance(asked, InputRequired)
    (result,) = wire.carry(wire.client.retry(asked, {"who": {"action": "accept", "content": {"name": "Bo"}}}).data)
    assert text(result) == "Hello Bo"


def test_a_question_can_be_withdrawn() -> None:
    wire = Wire(NEW)
    asked = wire.server.session.ask(ListRoots())
    (question,) = wire.bring(asked.data)
    assert isinstance(question, Question)
    assert question.params == {}
    assert wire.bring(wire.server.session.withdraw(asked.id, "late")) == [Withdrawn(asked.id, "late")]


@pytest.mark.parametrize("version", EVERY)
def test_what_is_cancelled_comes_back_to_nobody(version: str) -> None:
    wire = Wire(version)
    sent, replies = wire.call("hang")
    assert replies == []
    (call,) = wire.server.session.open
    wire.carry(wire.client.cancel(sent.id, "enough"))
    assert wire.server.session.open == []
    assert wire.server.session.result(call, {"content": []}) == b""
    assert wire.client.cancel(sent.id) == b""
    late = b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % sent.id
    assert wire.client.receive(late) == []


def test_a_stream_of_changes_names_itself() -> None:
    wire = Wire(STATELESS)
    wanted = {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["file:///a"]}}
    sent = wire.client.request("subscriptions/listen", wanted)
    (acknowledged,) = wire.carry(sent.data)
    filter = Filter(tools_list_changed=True, resource_subscriptions=("file:///a",))
    assert acknowledged == Acknowledged(sent.id, filter)
    changes = wire.server.session.listening
    assert wire.bring(changes.changed("tools")) == [Changed("tools", sent.id)]
    assert wire.bring(changes.updated("file:///a")) == [Updated("file:///a", sent.id)]
    (stream,) = wire.server.of(Listen)
    (ended,) = wire.bring(wire.server.session.finish(stream))
    assert isinstance(ended, Result)
    assert ended.id == sent.id


@pytest.mark.parametrize("version", HANDSHAKES)
def test_changes_come_unasked_after_a_handshake(version: str) -> None:
    wire = Wire(version)
    wire.carry(wire.client.request("resources/subscribe", {"uri": "file:///a"}).data)
    changes = wire.server.session.listening
    assert wire.bring(changes.changed("prompts") + changes.updated("file:///a")) == [
        Changed("prompts"),
        Updated("file:///a"),
    ]


def test_a_ping_is_answered_by_itself() -> None:
    (sent,) = Wire(OLD).client.receive(b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n')
    assert sent == Send(b'{"jsonrpc":"2.0","id":"p","result":{}}\n')


def test_a_server_of_the_stateless_era_that_sends_requests_is_told_off() -> None:
    (sent,) = Wire(STATELESS).client.receive(b'{"jsonrpc":"2.0","id":"p","method":"roots/list"}\n')
    assert isinstance(sent, Send)
    assert sent.code == -32601


def test_a_version_without_a_handshake_has_none() -> None:
    with pytest.raises(NotAllowed):
        ClientSession(CLIENT).initialize()
    with pytest.raises(KeyError):
        ClientSession(CLIENT, version="1900-01-01")


@pytest.mark.parametrize("answered", ["2026-07-28", "1900-01-01", None])
def test_a_handshake_with_an_unknown_version_fails(answered: Any) -> None:
    client = ClientSession(CLIENT, version=NEW)
    sent = client.initialize()
    answer = {"jsonrpc": "2.0", "id": sent.id, "result": {"protocolVersion": answered}}
    (failure,) = client.receive(json.dumps(answer).encode() + b"\n")
    assert isinstance(failure, Failure)


@pytest.mark.parametrize(
    "odd",
    [
        b"{",
        b"[]",
        b"",
        b'{"jsonrpc":"2.0","id":1,"result":7}',
        b'{"jsonrpc":"2.0","id":[1],"result":{}}',
        b'{"jsonrpc":"2.0","id":9,"result":{}}',
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":[]}}',
        b'{"jsonrpc":"2.0","method":"notifications/message"}',
        b'{"jsonrpc":"2.0","method":"nobody/knows"}',
        b"x" * 3000,
    ],
)
def test_what_makes_no_sense_is_dropped(odd: bytes) -> None:
    client = ClientSession(CLIENT, longest=2000)
    assert client.receive(odd + b"\n") == []
    sent = client.request("tools/list")
    assert client.receive(b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % sent.id) == [Result(sent.id, {})]


def test_an_error_without_an_id_is_heard() -> None:
    error = b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"What?"}}\n'
    assert ClientSession(CLIENT).receive(error) == [Failure(None, Error(-32700, "What?"))]


@pytest.mark.parametrize(
    "members", ['"result":7', '"error":7', '"result":{"resultType":"input_required","inputRequests":[]}']
)
def test_an_answer_that_is_none_fails_its_request(members: str) -> None:
    client = ClientSession(CLIENT)
    sent = client.request("tools/list")
    (failure,) = client.receive(f'{{"jsonrpc":"2.0","id":{sent.id},{members}}}\n'.encode())
    assert isinstance(failure, Failure)
    assert failure.id == sent.id
