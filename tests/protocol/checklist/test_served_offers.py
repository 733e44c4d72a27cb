"""Checklist, resources and changes: what the real server reads out, and who hears that something is another one now."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from accord import App
from tests.protocol._checklist import covers
from tests.protocol._served import Served, everything
from tests.protocol._wire import EVERY, HANDSHAKES, PREFIX, STATELESS, initialize, notification, request, stateless

SUBSCRIPTION = PREFIX + "subscriptionId"
LISTS = ("tools", "resources", "prompts")


@covers(99)
@pytest.mark.parametrize("version", EVERY)
def test_binary_is_base64_and_every_type_is_told(version: str) -> None:
    pipe = Served(everything(), version)
    read = {uri: pipe.result("resources/read", uri=f"file:///{uri}")["contents"][0] for uri in ("raw", "picture")}
    assert base64.b64decode(read["raw"]["blob"], validate=True) == bytes(range(256))
    assert base64.b64decode(read["picture"]["blob"], validate=True) == b"\x89PNG\x00\xff"
    assert [each["mimeType"] for each in read.values()] == ["application/octet-stream", "image/png"]
    assert [each["uri"] for each in read.values()] == ["file:///raw", "file:///picture"]


UPWARDS = [
    *("../x", "a/../x", "..", "%2e%2e/x", "%2e%2e%2fx", "..%5cx", "a%2f..%2fx", "%2fetc/passwd", "/etc/passwd"),
    *("a%00b", "%0a", "c:%5cx"),
]


@covers(99)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize("uri", ["", "no uri", "file:///a b", "file:///\n", "x" * 100_000])
def test_what_is_no_uri_is_not_found(uri: str, version: str) -> None:
    answer = Served(everything(), version).ask("resources/read", uri=uri)
    assert answer["error"]["code"] == (-32602 if version == STATELESS else -32002)


@covers(99)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize("path", UPWARDS)
def test_no_address_leads_out_of_its_template(path: str, version: str) -> None:
    pipe = Served(everything(), version)
    answer = pipe.ask("resources/read", uri=f"file:///notes/{path}")
    assert answer["error"]["code"] == (-32602 if version == STATELESS else -32002), answer
    (there,) = pipe.result("resources/read", uri="file:///notes/a/b.txt")["contents"]
    assert there["text"] == "the note a/b.txt"


@covers(103)
@pytest.mark.parametrize("version", EVERY)
def test_a_page_of_an_app_keeps_its_type_and_its_meta_and_tools_still_say_something(version: str) -> None:
    pipe = Served(everything(), version)
    uri, kind = "ui://everything/chart.html", "text/html;profile=mcp-app"
    (entry,) = [each for each in pipe.result("resources/list")["resources"] if each["uri"] == uri]
    assert (entry["mimeType"], entry["_meta"]) == (kind, {"ui": {"prefersBorder": True}})
    (contents,) = pipe.result("resources/read", uri=uri)["contents"]
    assert contents == {"uri": uri, "mimeType": kind, "text": "<!DOCTYPE html><html></html>", "_meta": entry["_meta"]}
    assert pipe.call("named", keys=["a"])["content"] == [{"type": "text", "text": '{"a":1}'}]


# -- changes -------------------------------------------------------------------------------------------------------


def methods(told: list[Any]) -> list[str]:
    return [message["method"].removeprefix("notifications/") for message in told]


def change(app: App, kind: str) -> None:
    """The list of this kind becomes another one."""
    if kind == "tools":
        app.command(f"new{len(app.tools)}")(lambda: None)
    elif kind == "resources":
        app.resource(f"file:///new{len(app.resources)}")(lambda: "")
    else:
        app.prompt(f"new{len(app.prompts)}")(lambda: "")


@covers(77)
@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_change_of_the_app_is_told_to_clients_of_the_handshake_era(version: str, kind: str) -> None:
    app = everything()
    pipe = Served(app)
    change(app, kind)
    assert pipe.told() == [], "nobody is there yet"
    pipe.say(initialize(version))
    change(app, kind)
    assert pipe.told() == [], "not before it says that it is ready"
    pipe.say(notification("notifications/initialized"))
    change(app, kind)
    told = pipe.told()
    assert methods(told) == [f"{kind}/list_changed"]
    assert "params" not in told[0]
    pipe.hang_up()
    change(app, kind)
    assert pipe.told() == []


def listen(id: Any, **wanted: Any) -> dict[str, Any]:
    return stateless(id, "subscriptions/listen", notifications=wanted)


@covers(73, 74, 77)
def test_a_change_of_the_app_is_told_on_the_streams_that_asked_for_it() -> None:
    app = everything()
    pipe = Served(app, STATELESS)
    acknowledged = pipe.say(
        listen(7, toolsListChanged=True, resourceSubscriptions=["file:///about"]),
        listen("7", toolsListChanged=True, promptsListChanged=True),
        listen("r", resourcesListChanged=True),
    )
    assert [each["params"]["_meta"][SUBSCRIPTION] for each in acknowledged] == [7, "7", "r"]
    for kind in LISTS:
        change(app, kind)
    told = [(each["params"]["_meta"][SUBSCRIPTION], *methods([each])) for each in pipe.told()]
    assert told == [
        (7, "tools/list_changed"),
        ("7", "tools/list_changed"),
        ("r", "resources/list_changed"),
        ("7", "prompts/list_changed"),
    ]
    pipe.say(notification("notifications/cancelled", requestId=7))
    change(app, "tools")
    assert [each["params"]["_meta"][SUBSCRIPTION] for each in pipe.told()] == ["7"]


@covers(17)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_an_update_is_told_to_who_watches_it_and_as_long_as_it_is_watched(version: str) -> None:
    app = everything()
    pipe = Served(app, version)
    assert pipe.result("resources/subscribe", uri="file:///about") == {}
    app.updated("file:///raw")
    app.updated("file:///about")
    (told,) = pipe.told()
    assert told == {**notification("notifications/resources/updated"), "params": {"uri": "file:///about"}}
    assert pipe.result("resources/unsubscribe", uri="file:///about") == {}
    app.updated("file:///about")
    assert pipe.told() == []


@covers(73, 74)
def test_an_update_is_told_on_the_streams_that_watch_it() -> None:
    app = everything()
    pipe = Served(app, STATELESS)
    pipe.say(listen("a", resourceSubscriptions=["file:///about"]), listen("b", resourceSubscriptions=["file:///raw"]))
    for uri in ("file:///about", "file:///raw", "file:///picture"):
        app.updated(uri)
    told = [(each["params"]["_meta"][SUBSCRIPTION], each["params"]["uri"]) for each in pipe.told()]
    assert told == [("a", "file:///about"), ("b", "file:///raw")]


@covers(17, 73)
def test_each_of_two_clients_hears_what_it_watches_itself() -> None:
    app = everything()
    old, new = Served(app, HANDSHAKES[-1]), Served(app, STATELESS)
    old.result("resources/subscribe", uri="file:///about")
    new.say(listen("n", resourceSubscriptions=["file:///raw"]))
    app.updated("file:///about")
    assert (len(old.told()), new.told()) == (1, [])
    app.updated("file:///raw")
    assert (old.told(), len(new.told())) == ([], 1)


@covers(75)
def test_the_end_of_the_server_ends_its_streams_with_the_empty_result() -> None:
    app = everything()
    pipe = Served(app, STATELESS)
    pipe.say(listen(7, toolsListChanged=True), listen("7", promptsListChanged=True))
    ended = pipe.hang_up()
    assert [each["id"] for each in ended] == [7, "7"]
    assert [each["result"]["_meta"][SUBSCRIPTION] for each in ended] == [7, "7"]
    change(app, "tools")
    assert pipe.told() == []


@covers(77)
@pytest.mark.parametrize("version", EVERY)
def test_a_tool_that_changes_the_app_it_is_in_tells_so_before_its_answer(version: str) -> None:
    app = everything()

    @app.command
    def grows() -> str:
        app.command(f"new{len(app.tools)}")(lambda: None)
        return "grown"

    pipe = Served(app, version)
    if version == STATELESS:
        pipe.say(listen("l", toolsListChanged=True))
    before = len(pipe.result("tools/list")["tools"])
    said = pipe.say((stateless if version == STATELESS else request)(1, "tools/call", name="grows"))
    assert methods(said[:-1]) == ["tools/list_changed"]
    assert said[-1]["result"]["content"][0]["text"] == "grown"
    assert len(pipe.result("tools/list")["tools"]) == before + 1
