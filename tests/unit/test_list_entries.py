"""What an author says of a tool, a resource or a prompt for clients to show: titles, icons and `_meta`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from accord import App, Icon
from accord.errors import RegistrationError
from accord.testing import Client

ICON = Icon("https://icons.example/a.png", "image/png", sizes=["48x48", "96x96"], theme="light")
SENT = {"src": "https://icons.example/a.png", "mimeType": "image/png", "sizes": ["48x48", "96x96"], "theme": "light"}
DRAWN = Icon("data:image/svg+xml;base64,PHN2Zy8+", sizes="any")
META = {"example.com/team": "shop", "cost": 1.5, "com.example.mcp/a-b_c.d": [None, {"deep": True}], "a.b/": ()}


def plain() -> str:
    """Nothing special."""
    return "x"


def each(app: App, **options: Any) -> dict[str, dict[str, Any]]:
    """The entries of a tool, a resource, a template and a prompt with these options."""
    app.command("tool", **options)(plain)
    app.resource("x://a", **options)(plain)
    app.resource("x://{a}", **options)(lambda a: a)
    app.prompt("prompt", **options)(plain)
    client = Client(app)
    return {
        "tool": client.list_tools()[0],
        "resource": client.list_resources()[0],
        "template": client.list_resource_templates()[0],
        "prompt": client.list_prompts()[0],
    }


@pytest.mark.parametrize("kind", ["tool", "resource", "template", "prompt"])
def test_all_that_is_said_is_listed(kind: str) -> None:
    entry = each(App("tests"), title="A title", icons=[ICON, DRAWN], meta=META)[kind]
    assert entry["title"] == "A title"
    assert entry["icons"] == [SENT, {"src": DRAWN.src, "sizes": ["any"]}]
    assert entry["_meta"] == {**META, "a.b/": []}


@pytest.mark.parametrize("kind", ["tool", "resource", "template", "prompt"])
def test_nothing_is_listed_of_what_is_not_said(kind: str) -> None:
    silent = each(App("tests"))[kind]
    assert not {"title", "icons", "_meta"} & silent.keys()
    assert each(App("tests"), icons=[], meta={})[kind] == silent
    assert each(App("tests"), icons=None, meta=None)[kind] == silent


def test_one_icon_may_stand_alone_and_be_written_as_it_is_sent() -> None:
    assert each(App("tests"), icons=SENT) == each(App("tests"), icons=ICON) == each(App("tests"), icons=(ICON,))


@pytest.mark.parametrize(("protocol", "knows"), [("2025-06-18", False), ("2025-11-25", True), ("2026-07-28", True)])
def test_icons_of_tools_are_hidden_from_versions_that_know_none(protocol: str, knows: bool) -> None:
    app = App("tests")
    app.command("tool", icons=[ICON], title="A title", meta={"a": 1})(plain)
    (entry,) = Client(app, protocol=protocol).list_tools()
    assert ("icons" in entry) is knows
    assert (entry["title"], entry["annotations"], entry["_meta"]) == ("A title", {"title": "A title"}, {"a": 1})


def test_what_was_said_stays_when_an_app_is_added_to_another() -> None:
    inner, outer = App("inner"), App("outer")
    before = each(inner, title="A title", icons=[ICON], meta=META)
    outer.add(inner, prefix="inner")
    client = Client(outer)
    assert client.list_tools() == [{**before["tool"], "name": "inner.tool"}]
    assert client.list_resources() == [before["resource"]]
    assert client.list_prompts() == [{**before["prompt"], "name": "inner.prompt"}]


def test_an_author_cannot_change_later_what_was_checked() -> None:
    meta: dict[str, Any] = {"example.com/list": [1]}
    app = App("tests")
    app.command("tool", meta=meta)(plain)
    meta["mcp.dev/no"] = meta["example.com/list"].append(2)
    assert Client(app).list_tools()[0]["_meta"] == {"example.com/list": [1]}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "an icon over an open line": ({"icons": [Icon("http://x.example/a.png")]}, "Let its src be an https: or data: URL"),
    "an icon in a file": ({"icons": [Icon("file:///a.png")]}, "https: or data:"),
    "a script": ({"icons": [Icon("javascript:alert(1)")]}, "https: or data:"),
    "no src": ({"icons": [{"mimeType": "image/png"}]}, "Give accord.Icon"),
    "a word of our own": ({"icons": [{"src": "data:,", "mime_type": "image/png"}]}, "Give accord.Icon"),
    "no icon": ({"icons": ["https://x.example/a.png"]}, "Give accord.Icon"),
    "no list": ({"icons": 5}, "Give accord.Icon"),
    "no size": ({"icons": [Icon("data:,", sizes=["48"])]}, "Its sizes are like"),
    "sizes that are none": ({"icons": [Icon("data:,", sizes=48)]}, "Its sizes are like"),  # type: ignore[arg-type]  # so
    "no theme": ({"icons": [Icon("data:,", theme="blue")]}, "its theme is"),  # type: ignore[arg-type]  # that is the point
    "no type": ({"icons": [Icon("data:,", mime_type=5)]}, "mime_type is text"),  # type: ignore[arg-type]  # as above
    "no dict": ({"meta": ["a"]}, "Give a dict"),
    "no text": ({"meta": {5: 1}}, "a key 5, which is no key of _meta"),
    "empty": ({"meta": {"": 1}}, "no key of _meta"),
    "a space": ({"meta": {"a b": 1}}, "no key of _meta"),
    "a dot at the end": ({"meta": {"example.com/a.": 1}}, "no key of _meta"),
    "a label that begins with a digit": ({"meta": {"1example.com/a": 1}}, "no key of _meta"),
    "a label that ends with a hyphen": ({"meta": {"example-.com/a": 1}}, "no key of _meta"),
    "an empty label": ({"meta": {"example..com/a": 1}}, "no key of _meta"),
    "no prefix": ({"meta": {"/a": 1}}, "no key of _meta"),
    "two slashes": ({"meta": {"a/b/c": 1}}, "no key of _meta"),
    "the protocol's": ({"meta": {"io.modelcontextprotocol/x": 1}}, "reserved for the protocol"),
    "the protocol's other": ({"meta": {"dev.mcp/x": 1}}, "reserved for the protocol. Begin it with a domain of your"),
    "the protocol's tools": ({"meta": {"com.mcp.tools/x": 1}}, "reserved for the protocol"),
    "the protocol's by its oldest version": ({"meta": {"mcp.dev/x": 1}}, "reserved for the protocol"),
    "a trace": ({"meta": {"traceparent": "00-"}}, "reserved for the context of a trace"),
    "a page": ({"meta": {"ui": {}}}, "Say ui=... instead"),
    "a page as it once was": ({"meta": {"ui/resourceUri": "ui://a"}}, "Say ui=... instead"),
    "no JSON": ({"meta": {"a": {1, 2}}}, r"meta\['a'\] holds \{1, 2\}, which is no JSON"),
    "no number": ({"meta": {"a": [float("nan")]}}, "which is no JSON"),
    "a number for no client": ({"meta": {"a": 2**53}}, "which is no JSON"),
    "no Unicode": ({"meta": {"a": "\ud800"}}, "which is no JSON"),
    "no names": ({"meta": {"a": {1: 2}}}, "which is no JSON"),
}


@pytest.mark.parametrize(
    "offer",
    [
        lambda app, options: app.command("tool", **options),
        lambda app, options: app.resource("x://a", **options),
        lambda app, options: app.prompt("prompt", **options),
    ],
    ids=["tool", "resource", "prompt"],
)
@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_refused(
    offer: Callable[[App, dict[str, Any]], Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(RegistrationError, match=f"^plain: .*{message}"):
        offer(App("tests"), options)(plain)


def test_a_structure_that_contains_itself_is_no_json() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RegistrationError, match="which is no JSON"):
        App("tests").command("tool", meta={"a": endless})(plain)


def test_help_of_an_app_with_icons_and_pages_loads_no_library() -> None:
    program = """
import sys
from accord import App, Icon, Ui
app = App("shown")

@app.command(icons=[Icon("data:,")], meta={"a": [1]}, ui=Ui("ui://a/b"))
def tool(name: str) -> str:
    'Do something.'

try:
    app.run(["--help"])
except SystemExit:
    pass
print({"msgspec", "typing", "re"} & sys.modules.keys(), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "set()"
