"""Pages of MCP Apps, as hosts see them through a server: which tool has one, what it is, and what it needs."""

from __future__ import annotations

import logging
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest
from mcp import types as official

from accord import App, Ui, UiPage
from accord.content import EmbeddedResource, Image, Text
from accord.errors import ProtocolError, RegistrationError
from accord.testing import Client
from tests.protocol._checklist import covers
from tests.unit.server._eras import VERSIONS, asking

PAGE = "<!DOCTYPE html><title>Sales</title>"
TYPE = "text/html;profile=mcp-app"
URI = "ui://shop/chart.html"
EXTENSION = "io.modelcontextprotocol/ui"

NEEDS = UiPage(
    connect_domains="https://api.example.com",
    resource_domains=["https://*.example.com", "https://cdn.example.org"],
    frame_domains=["https://video.example.com"],
    base_uri_domains=["https://example.com"],
    permissions=["camera", "clipboardWrite"],
    domain="shop.example.com",
    prefers_border=True,
)
NEEDED = {
    "csp": {
        "connectDomains": ["https://api.example.com"],
        "resourceDomains": ["https://*.example.com", "https://cdn.example.org"],
        "frameDomains": ["https://video.example.com"],
        "baseUriDomains": ["https://example.com"],
    },
    "permissions": {"camera": {}, "clipboardWrite": {}},
    "domain": "shop.example.com",
    "prefersBorder": True,
}


def shop(page: UiPage | None = NEEDS, html: Any = PAGE) -> App:
    app = App("shop")

    @app.command(ui=URI, meta={"example.com/a": 1})
    def chart(month: int = 1) -> dict[str, int]:
        """Sales of a month."""
        return {"sold": month * 10}

    @app.command(ui=Ui(URI, visibility="app"))
    def refresh() -> None:
        """Count again."""

    @app.command
    def plain() -> str:
        """No page."""
        return "x"

    @app.resource(URI, **({} if page is None else {"ui": page}))
    def chart_page() -> Any:
        """The chart."""
        return html

    return app


@covers(103)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_page_is_listed_and_read_with_its_exact_type_and_what_it_needs(version: str) -> None:
    with asking(shop(), version) as ask:
        (listed,) = ask("resources/list")["resources"]
        (read,) = ask("resources/read", uri=URI)["contents"]
    assert (listed["uri"], listed["mimeType"], listed["_meta"]) == (URI, TYPE, {"ui": NEEDED})
    assert read == {"uri": URI, "mimeType": TYPE, "text": PAGE, "_meta": {"ui": NEEDED}}


@covers(103)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_tool_names_its_page_and_answers_everybody_in_words(version: str) -> None:
    with asking(shop(), version) as ask:
        metas = {entry["name"]: entry.get("_meta") for entry in ask("tools/list")["tools"]}
        answer = ask("tools/call", name="chart", arguments={"month": 2})
    assert metas == {
        "chart": {"example.com/a": 1, "ui": {"resourceUri": URI}},
        "refresh": {"ui": {"resourceUri": URI, "visibility": ["app"]}},
        "plain": None,
    }
    assert (answer["content"], answer["structuredContent"]) == ([{"type": "text", "text": '{"sold":20}'}], {"sold": 20})


@pytest.mark.parametrize("version", VERSIONS)
def test_the_extension_is_announced_where_there_is_a_page(version: str) -> None:
    none, only_template = App("none"), App("template")
    none.command("tool", meta={"a": 1})(lambda: "x")
    only_template.resource("ui://charts/{name}")(lambda name: PAGE)
    for app, announced in ((shop(), {EXTENSION: {}}), (only_template, {EXTENSION: {}}), (none, None)):
        with asking(app, version) as ask:
            assert ask("hello")["capabilities"].get("extensions") == announced


def test_a_page_that_needs_nothing_says_nothing() -> None:
    for page in (None, UiPage()):
        assert Client(shop(page)).read_resource(URI) == [{"uri": URI, "mimeType": TYPE, "text": PAGE}]
    assert Client(shop(UiPage(prefers_border=False))).read_resource(URI)[0]["_meta"] == {"ui": {"prefersBorder": False}}


def test_one_page_for_each_of_many_things() -> None:
    app = App("many")

    @app.resource("ui://charts/{name}.html", ui=NEEDS, meta={"example.com/a": 1})
    def chart(name: str) -> str:
        return name

    client = Client(app)
    assert client.read_resource("ui://charts/sales.html") == [
        {"uri": "ui://charts/sales.html", "mimeType": TYPE, "text": "sales", "_meta": {"ui": NEEDED}}
    ]
    assert client.list_resource_templates()[0]["_meta"] == {"example.com/a": 1, "ui": NEEDED}


def test_pages_come_along_with_their_app() -> None:
    outer = App("outer")
    outer.add(shop(), prefix="shop")
    client = Client(outer)
    assert client.list_tools()[0]["_meta"]["ui"] == {"resourceUri": URI}
    assert client.read_resource(URI)[0]["_meta"] == {"ui": NEEDED}


@pytest.mark.parametrize(
    "html",
    [
        PAGE.encode(),
        Text(PAGE),
        EmbeddedResource(URI, PAGE),
        EmbeddedResource(URI, PAGE, mime_type=TYPE),
        official.TextResourceContents(uri=URI, text=PAGE, mime_type=TYPE),
    ],
    ids=["bytes", "Text", "no type", "a type", "official"],
)
def test_a_page_may_be_returned_in_many_forms(html: Any) -> None:
    (read,) = Client(shop(html=html)).read_resource(URI)
    text = read["text"] if "text" in read else b64decode(read["blob"]).decode()
    assert (text, read["mimeType"], read["_meta"]) == (PAGE, TYPE, {"ui": NEEDED})


@pytest.mark.parametrize("other", [Image(b"x"), EmbeddedResource(URI, "x", mime_type="text/html")])
def test_what_is_no_page_is_not_handed_out_as_one(other: Any) -> None:
    with pytest.raises(ProtocolError, match=f"a page is {TYPE}, and this is .*; return its HTML"):
        Client(shop(html=other)).read_resource(URI)


def test_what_a_page_brings_along_is_what_it_is() -> None:
    extra = EmbeddedResource("ui://shop/style.css", "a{}", mime_type="text/css")
    first, second = Client(shop(html=[Text(PAGE), extra])).read_resource(URI)
    assert (first["mimeType"], second) == (TYPE, {"uri": "ui://shop/style.css", "mimeType": "text/css", "text": "a{}"})


def test_contents_may_say_more_than_their_resource() -> None:
    said = official.TextResourceContents(uri=URI, text=PAGE, mime_type=TYPE, _meta={"ui": {}, "a": 1})
    assert Client(shop(html=said)).read_resource(URI)[0]["_meta"] == {"ui": {}, "a": 1}


def test_a_page_that_is_missing_is_logged_and_its_tool_is_listed(caplog: pytest.LogCaptureFixture) -> None:
    app = App("shop")
    app.command("chart", ui=URI)(lambda: "x")
    with caplog.at_level(logging.WARNING, "accord.server"), asking(app, "2026-07-28") as ask:
        assert ask("tools/list")["tools"][0]["_meta"] == {"ui": {"resourceUri": URI}}
        assert ask("tools/list")["tools"]
    assert caplog.messages == [f"chart is to be shown at {URI}, and no resource is registered there"]


def test_a_page_that_is_there_by_then_is_no_matter_for_the_log(caplog: pytest.LogCaptureFixture) -> None:
    app = App("shop")
    app.command("chart", ui="ui://charts/sales")(lambda: "x")
    app.resource("ui://charts/{name}")(lambda name: PAGE)
    with caplog.at_level(logging.WARNING, "accord.server"), asking(app, "2026-07-28") as ask:
        assert ask("tools/list")["tools"]
    assert caplog.messages == []


def nothing() -> None: ...
async def nothing_later() -> None: ...
def something() -> str:
    return "x"


REFUSED: dict[str, tuple[Callable[[App], Any], str]] = {
    "another address": (lambda app: app.command("a", ui="https://x.example")(something), "Give the address of a page"),
    "no address": (lambda app: app.command("a", ui="ui://")(something), "Give the address of a page"),
    "a template": (lambda app: app.command("a", ui="ui://x/{name}")(something), "Give the address of a page"),
    "no text": (lambda app: app.command("a", ui=Ui(5))(something), "Give the address"),  # type: ignore[arg-type]  # so
    "a resource's": (lambda app: app.command("a", ui=NEEDS)(something), "Give the address"),
    "nobody": (lambda app: app.command("a", ui=Ui(URI, visibility=[]))(something), 'holds "model", "app", or both'),
    "somebody": (lambda app: app.command("a", ui=Ui(URI, visibility="user"))(something), "Its visibility holds"),
    "nothing to show": (lambda app: app.command("a", ui=URI)(nothing), "^nothing: its result is shown at.*Return what"),
    "nothing later": (lambda app: app.command("a", ui=URI)(nothing_later), "Return what the page shows"),
    "a page elsewhere": (lambda app: app.resource("x://a", ui=NEEDS)(something), "Begin the address with ui://"),
    "another type": (lambda app: app.resource(URI, mime_type="text/html")(something), "Leave mime_type out"),
    "a tool's": (lambda app: app.resource(URI, ui=Ui(URI))(something), "Give accord.UiPage"),
    "a dict": (lambda app: app.resource(URI, ui={"csp": {}})(something), "Give accord.UiPage"),
    "no origin": (lambda app: app.resource(URI, ui=UiPage(connect_domains="*"))(something), "connect_domains='\\*'"),
    "a loophole": (
        lambda app: app.resource(URI, ui=UiPage(frame_domains=["https://a.example; script-src *"]))(something),
        "frame_domains=.* makes no sense. Give origins",
    ),
    "no permission": (
        lambda app: app.resource(URI, ui=UiPage(permissions="usb"))(something),
        "They are: camera, micro",
    ),
    "no domain": (lambda app: app.resource(URI, ui=UiPage(domain=""))(something), "domain='' makes no sense"),
    "no border": (lambda app: app.resource(URI, ui=UiPage(prefers_border="yes"))(something), "Give True or False"),
    "a prompt's": (lambda app: app.prompt("a", ui=URI)(something), "there is no option 'ui'"),
}


@pytest.mark.parametrize(("offer", "message"), REFUSED.values(), ids=REFUSED)
def test_what_no_host_could_show_is_refused(offer: Callable[[App], Any], message: str) -> None:
    with pytest.raises(RegistrationError, match=message):
        offer(App("tests"))


def test_what_a_page_may_need_is_known() -> None:
    with pytest.raises(TypeError, match="there is no field script_domains"):
        UiPage(script_domains=["https://x.example"])  # type: ignore[call-arg]  # that is the point
