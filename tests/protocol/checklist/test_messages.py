"""Checklist, messages: ids, notifications, unknown methods, odd characters."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.protocol._checklist import covers
from tests.protocol._server import Pipe, profile
from tests.protocol._wire import EVERY, HANDSHAKES, STATELESS, initialize, notification, request, stateless


def pipe_at(version: str, **capabilities: Any) -> Pipe:
    """A pipe on which requests of this version can be sent."""
    pipe = Pipe()
    if version != STATELESS:
        pipe.say(initialize(version, **capabilities))
    return pipe


def at(version: str, id: Any, method: str, /, **params: Any) -> dict[str, Any]:
    return stateless(id, method, **params) if version == STATELESS else request(id, method, **params)


@covers(1)
@pytest.mark.parametrize("id", [1, 0, -1, "1", "", "\u2028 ü", 2**53, 2**64, 10**40, -(10**40)])
@pytest.mark.parametrize("version", EVERY)
def test_an_id_comes_back_as_it_was_sent(version: str, id: Any) -> None:
    pipe = pipe_at(version)
    (done,) = pipe.say(at(version, id, "tools/call", name="add"))
    (failed,) = pipe.say(at(version, id, "tools/call", name="nobody"))
    for answer in (done, failed):
        assert answer["id"] == id
        assert type(answer["id"]) is type(id)


@covers(1)
def test_1_and_the_text_1_are_two_ids_and_both_may_be_open() -> None:
    pipe = Pipe()
    assert pipe.say(stateless(1, "tools/call", name="hang"), stateless("1", "tools/call", name="hang")) == []
    assert [open.id for open in pipe.session.open] == [1, "1"]


@covers(2)
@pytest.mark.parametrize(
    "odd",
    [
        {"jsonrpc": "2.0", "id": None, "method": "tools/call", "params": {"name": "add"}},
        {"jsonrpc": "2.0", "id": 1.0, "method": "tools/call", "params": {"name": "add"}},
        {"jsonrpc": "2.0", "id": [1], "method": "tools/call", "params": {"name": "add"}},
        [{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add"}}],
        [],
        "tools/call",
        None,
        7,
    ],
)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_what_is_no_request_runs_nothing_and_the_connection_survives(version: str, odd: Any) -> None:
    pipe = pipe_at(version)
    (refused,) = pipe.say(odd)
    assert refused["error"]["code"] == -32600
    assert "id" not in refused
    assert pipe.session.open == []
    (done,) = pipe.say(request(2, "tools/call", name="add"))
    assert done["id"] == 2


@covers(3)
@pytest.mark.parametrize("line", [b"{", b"\x00", b"\xff\xfe", b'{"a":NaN}', b"{'a': 1}", b"[" * 200_000])
def test_an_unreadable_line_is_a_parse_error_without_id(line: bytes) -> None:
    pipe = Pipe()
    (refused,) = pipe.say(line)
    assert refused == {"jsonrpc": "2.0", "error": {"code": -32700, "message": refused["error"]["message"]}}
    assert pipe.say(request(1, "ping")) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


@covers(4)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/progress", "x", "tools/list", "ping"])
def test_a_notification_is_never_answered(version: str, method: str) -> None:
    pipe = pipe_at(version)
    assert pipe.say(notification(method), {"jsonrpc": "2.0", "method": method, "params": 7}) == []


@covers(5, 30)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize(
    ("capability", "method", "params"),
    [
        ("tools", "tools/list", {}),
        ("tools", "tools/call", {"name": "add"}),
        ("resources", "resources/list", {}),
        ("resources", "resources/templates/list", {}),
        ("resources", "resources/read", {"uri": "file:///a"}),
        ("prompts", "prompts/list", {}),
        ("prompts", "prompts/get", {"name": "greet"}),
        (
            "completions",
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "x", "value": ""}},
        ),
    ],
)
def test_a_method_exists_exactly_where_its_capability_is_declared(
    version: str, capability: str, method: str, params: dict[str, Any]
) -> None:
    for declared, code in (({capability: {}}, None), ({}, -32601)):
        pipe = Pipe(profile(declared))
        if version != STATELESS:
            pipe.say(initialize(version))
        (answer,) = pipe.say(at(version, 1, method, **params))
        assert answer.get("error", {}).get("code") == code


@covers(5)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize("method", ["nobody/knows", "", "tasks/get", "TOOLS/LIST"])
def test_an_unknown_method_is_an_error(version: str, method: str) -> None:
    (refused,) = pipe_at(version).say(at(version, "x", method))
    assert refused["id"] == "x"
    assert refused["error"]["code"] == -32601


@covers(6, 102, 104)
@pytest.mark.parametrize("version", EVERY)
def test_what_nobody_knows_does_no_harm_and_meta_is_kept(version: str) -> None:
    pipe = pipe_at(version)
    ours = {"id": 7, "version": "x", "peer": 1, "retry": 2}
    odd = at(version, 1, "tools/call", name="add", arguments={"a": 1}, task={"ttl": 1}, **ours)
    odd["params"].setdefault("_meta", {}).update({"traceparent": "00-1", "com.example/k": [1]})
    (done,) = pipe.say({**odd, "more": 1})
    assert done["id"] == 1
    assert done["result"].get("resultType", "complete") == "complete"
    (call,) = pipe.of(object)[-1:]
    assert (call.id, call.version.name, call.retry) == (1, version, None)
    assert call.meta["traceparent"] == "00-1"
    assert call.meta["com.example/k"] == [1]


@covers(9)
def test_odd_characters_survive() -> None:
    text = "a\nb\r\n\u2028\u2029 \U0001f600 \x00\x1f\x7f é"
    pipe = Pipe()
    said = json.dumps(stateless(1, "tools/call", name=text), ensure_ascii=False)
    (call,) = pipe.session.receive(said.encode() + b"\n")
    assert call.name == text
    written = pipe.session.result(call, {"content": [{"type": "text", "text": text}]})
    assert written.count(b"\n") == 1
    assert json.loads(written)["result"]["content"][0]["text"] == text


@covers(9)
def test_an_encoded_result_with_newlines_is_written_on_one_line() -> None:
    pipe = Pipe()
    (call,) = pipe.session.receive(json.dumps(stateless(1, "tools/call", name="x")).encode() + b"\n")
    written = pipe.session.result(call, b'{\n  "content": []\n}')
    assert written.count(b"\n") == 1
    assert json.loads(written)["result"]["content"] == []


@covers(47)
@pytest.mark.parametrize("version", EVERY)
def test_arguments_may_be_left_out_and_must_be_an_object(version: str) -> None:
    pipe = pipe_at(version)
    (done,) = pipe.say(at(version, 1, "tools/call", name="add"))
    assert "result" in done
    for params in ({"name": "add", "arguments": [1]}, {"name": "add", "arguments": "1"}, {}, {"name": 7}):
        (refused,) = pipe.say(at(version, 2, "tools/call", **params))
        assert refused["error"]["code"] == -32602


@covers(46, 100, 101)
@pytest.mark.parametrize("version", EVERY)
def test_what_is_asked_for_by_a_wrong_name_or_shape_is_invalid_params(version: str) -> None:
    pipe = pipe_at(version)
    argument = {"name": "x", "value": ""}
    for method, params in [
        ("tools/call", {"name": "nobody"}),
        ("prompts/get", {}),
        ("prompts/get", {"name": "greet", "arguments": {"who": 7}}),
        ("completion/complete", {"ref": {"type": "ref/nobody", "name": "x"}, "argument": argument}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}}),
    ]:
        (refused,) = pipe.say(at(version, 1, method, **params))
        assert refused["error"]["code"] == -32602


@covers(18, 98)
@pytest.mark.parametrize(("version", "code"), [(EVERY[0], -32002), (EVERY[1], -32002), (EVERY[2], -32602)])
def test_a_missing_resource_is_an_error_of_its_version(version: str, code: int) -> None:
    (refused,) = pipe_at(version).say(at(version, 1, "resources/read", uri="file:///none"))
    assert refused["error"]["code"] == code
    assert refused["error"]["data"] == {"uri": "file:///none"}
