"""Checklist, the stateless era: envelope, discovery, capabilities, cache hints, pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord.protocol.events import ListTools
from accord.protocol.pages import completion, listing, page_of
from accord.protocol.profile import Hints
from accord.protocol.versions import VERSIONS
from tests.protocol._checklist import covers
from tests.protocol._server import CAPABILITIES, TOOLS, Pipe, profile
from tests.protocol._wire import (
    EVERY,
    PREFIX,
    STAMP,
    STATELESS,
    complaints,
    enveloped,
    initialize,
    notification,
    request,
    stateless,
)

LISTS = [
    ("tools/list", {}),
    ("prompts/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "file:///a"}),
    ("server/discover", {}),
]


@covers(21)
@pytest.mark.parametrize(
    "meta",
    [
        {PREFIX + "protocolVersion": STATELESS},
        {PREFIX + "clientCapabilities": {}},
        {PREFIX + "protocolVersion": 7, PREFIX + "clientCapabilities": {}},
        {PREFIX + "protocolVersion": STATELESS, PREFIX + "clientCapabilities": []},
        {PREFIX + "protocolVersion": STATELESS, PREFIX + "clientCapabilities": None},
        enveloped(progressToken=1.5),
        enveloped(progressToken=True),
        enveloped(progressToken=None),
    ],
)
def test_an_envelope_that_lacks_something_is_invalid_params(meta: dict[str, Any]) -> None:
    (refused,) = Pipe().say(request(1, "tools/list", _meta=meta))
    assert refused["error"]["code"] == -32602
    assert refused["id"] == 1


@covers(21)
@pytest.mark.parametrize("params", [{}, {"_meta": {}}])
def test_discovery_without_an_envelope_is_invalid_params(params: dict[str, Any]) -> None:
    (refused,) = Pipe().say(request(1, "server/discover", **params))
    assert refused["error"]["code"] == -32602
    assert PREFIX + "protocolVersion" in refused["error"]["message"]


@covers(22)
def test_a_request_of_nobody_in_particular_is_served() -> None:
    meta = enveloped()
    del meta[PREFIX + "clientInfo"]
    (done,) = Pipe().say(request(1, "tools/call", name="add", _meta=meta))
    assert "result" in done


@covers(23, 25)
@pytest.mark.parametrize("version", ["1900-01-01", "2025-11-25", "2025-06-18", ""])
def test_a_version_nobody_serves_is_refused_with_those_that_are(version: str) -> None:
    pipe = Pipe()
    (found,) = pipe.say(stateless(0, "server/discover"))
    (refused,) = pipe.say(request(7, "nobody/knows", _meta={**enveloped(), PREFIX + "protocolVersion": version}))
    assert refused["id"] == 7
    assert refused["error"]["code"] == -32022
    assert refused["error"]["data"]["requested"] == version
    assert set(refused["error"]["data"]["supported"]) <= set(found["result"]["supportedVersions"])
    assert complaints(STATELESS, "UnsupportedProtocolVersionError", refused) == []


@covers(24)
def test_discovery_says_all_it_must_before_any_handshake() -> None:
    (found,) = Pipe(profile(instructions="Hi.", hints=Hints(5, "public"))).say(stateless("d", "server/discover"))
    assert found["result"] == {
        "resultType": "complete",
        "supportedVersions": [STATELESS],
        "capabilities": CAPABILITIES,
        "instructions": "Hi.",
        "ttlMs": 5,
        "cacheScope": "public",
        "_meta": STAMP,
    }


@covers(26)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        *LISTS,
        ("tools/call", {"name": "add"}),
        ("prompts/get", {"name": "greet"}),
        ("completion/complete", {"ref": {"type": "ref/resource", "uri": "x"}, "argument": {"name": "a", "value": "b"}}),
    ],
)
def test_every_result_says_what_it_is_and_whose(method: str, params: dict[str, Any]) -> None:
    (done,) = Pipe().say(stateless(1, method, **params))
    assert done["result"]["resultType"] == "complete"
    assert done["result"]["_meta"] == STAMP
    assert "serverInfo" not in done["result"]


@covers(26, 55)
def test_the_meta_of_a_result_is_kept_beside_the_stamp() -> None:
    k = {"k": 1}
    bodies: list[Any] = [({"content": [], "_meta": k}, None), ({"content": []}, k), (b'{"content":[]}', k)]
    pipe = Pipe()
    for version in EVERY:
        pipe.say(initialize(version) if version != STATELESS else stateless(0, "server/discover"))
        call = request(1, "tools/call", name="hang", **({"_meta": enveloped()} if version == STATELESS else {}))
        for body, meta in bodies:
            pipe.say(call)
            (done,) = pipe.judged(pipe.session.result(pipe.session.open[0], body, meta=meta))
            assert done["result"].pop("_meta") == ({**STAMP, "k": 1} if version == STATELESS else {"k": 1})
            assert done["result"].pop("resultType", "complete") == "complete"
            assert done["result"] == {"content": []}, "nothing absent is there as null"


@covers(27)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("ping", {}),
        ("logging/setLevel", {"level": "info"}),
        ("resources/subscribe", {"uri": "file:///a"}),
        ("resources/unsubscribe", {"uri": "file:///a"}),
        ("unknown/method", {}),
    ],
)
def test_methods_of_the_handshake_era_do_not_exist(method: str, params: dict[str, Any]) -> None:
    pipe = Pipe()
    pipe.say(initialize())
    (refused,) = pipe.say(stateless(1, method, **params))
    assert refused["error"]["code"] == -32601


@covers(28)
def test_nothing_of_one_request_influences_the_next() -> None:
    pipe = Pipe()
    pipe.say(stateless(1, "tools/call", name="ask", meta={"capabilities": {"elicitation": {}}, "level": "debug"}))
    pipe.say(stateless(2, "tools/call", name="hang"))
    (call,) = pipe.session.open
    assert call.peer.capabilities == {}
    assert call.peer.log_level is None
    assert pipe.say(request(3, "tools/list"))[0]["error"]["code"] == -32600, "that was no handshake"


@covers(30)
def test_listening_exists_where_something_can_change() -> None:
    for capabilities, exists in [
        ({"tools": {}}, False),
        ({"tools": {"listChanged": False}}, False),
        ({"prompts": {"listChanged": True}}, True),
        ({"resources": {"subscribe": True}}, True),
    ]:
        written = Pipe(profile(capabilities)).say(stateless(1, "subscriptions/listen", notifications={}))
        assert ("error" not in written[0]) is exists


@covers(31)
def test_both_eras_take_turns_on_one_pipe() -> None:
    pipe = Pipe()
    for turn in range(3):
        (modern,) = pipe.say(stateless(f"m{turn}", "tools/call", name="add"))
        pipe.say(initialize(EVERY[turn % 2], id=f"i{turn}"), notification("notifications/initialized"))
        (legacy,) = pipe.say(request(f"l{turn}", "tools/call", name="add"))
        assert "resultType" in modern["result"]
        assert "resultType" not in legacy["result"]


@covers(44, 45)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_walk_through_the_pages_loses_nothing(size: int) -> None:
    names = [f"t{number}" for number in range(7)]
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page, cursor = page_of("tools", names, cursor, size)
        seen += [names[at] for at in page]
        if cursor is None:
            break
    assert seen == names


@covers(45)
def test_entries_that_come_and_go_between_two_pages_lose_none_of_the_others() -> None:
    _, cursor = page_of("tools", ["a", "b", "c", "d"], None, 2)
    for names, rest in [
        (["0", "a", "b", "c", "d"], ["c", "d"]),
        (["b", "c", "d"], ["c", "d"]),
        (["a", "c", "d"], ["c", "d"]),
        (["a"], []),
        ([], []),
    ]:
        page, after = page_of("tools", names, cursor, 9)
        assert ([names[at] for at in page], after) == (rest, None)


@covers(45)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize("cursor", ["", "x", "////", "bnVsbA==", "\u00e9", 7])
def test_a_bad_cursor_is_invalid_params(version: str, cursor: Any) -> None:
    pipe = Pipe()
    pipe.say(initialize(version) if version != STATELESS else stateless(0, "server/discover"))
    meta = {"_meta": enveloped()} if version == STATELESS else {}
    (refused,) = pipe.say(request(1, "tools/list", cursor=cursor, **meta))
    assert refused["error"]["code"] == -32602


@covers(45, 61)
def test_the_pages_of_a_list_share_their_hints_and_their_cursors_are_its_own() -> None:
    pipe = Pipe()
    (first,) = pipe.say(stateless(1, "tools/list"))
    (second,) = pipe.say(stateless(2, "tools/list", cursor=first["result"]["nextCursor"]))
    (refused,) = pipe.say(stateless(3, "prompts/list", cursor=first["result"]["nextCursor"]))
    pages = (first["result"], second["result"])
    assert [tool for page in pages for tool in page["tools"]] == TOOLS
    assert "nextCursor" not in second["result"]
    assert {(page["ttlMs"], page["cacheScope"]) for page in pages} == {(1000, "public")}
    assert refused["error"]["code"] == -32602


@covers(14, 44)
def test_a_listing_is_the_same_bytes_every_time_and_hides_what_its_version_does_not_know() -> None:
    tool = {"name": "t", "icons": [], "execution": {"taskSupport": "forbidden"}, "inputSchema": {"type": "object"}}
    shown = {}
    for name, version in VERSIONS.items():
        body = listing(ListTools, version, [tool], None)
        assert body == listing(ListTools, version, [tool], None)
        shown[name] = {member for member in ("icons", "execution") if member.encode() in body}
    assert shown == dict(zip(EVERY, (set(), {"icons", "execution"}, {"icons"}), strict=True))


@covers(60)
@pytest.mark.parametrize(("method", "params"), LISTS)
def test_cacheable_results_say_how_long_they_may_be_kept(method: str, params: dict[str, Any]) -> None:
    (done,) = Pipe().say(stateless(1, method, **params))
    assert done["result"]["ttlMs"] >= 0
    assert done["result"]["cacheScope"] in ("public", "private")


@covers(60)
def test_other_results_and_questions_say_nothing_of_caching() -> None:
    pipe = Pipe()
    meta = {"capabilities": {"elicitation": {}}}
    for params in ({"name": "add"}, {"name": "ask", "meta": meta}):
        (done,) = pipe.say(stateless(1, "tools/call", **params))
        assert not {"ttlMs", "cacheScope"} & done["result"].keys()


@covers(101)
def test_a_hundred_completions_are_sent_at_most() -> None:
    many = json.loads(completion([str(number) for number in range(250)]))["completion"]
    assert (len(many["values"]), many["total"], many["hasMore"]) == (100, 250, True)
    few = json.loads(completion(["a"], total=9))["completion"]
    assert (few["values"], few["total"], few["hasMore"]) == (["a"], 9, True)
