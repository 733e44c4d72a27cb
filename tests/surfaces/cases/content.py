"""Results that are content the tool made itself."""

from __future__ import annotations

import base64

from accord import App
from accord.content import EmbeddedResource, Image, ResourceLink, Text, ToolResult
from tests.surfaces._case import Case

app = App("content")
PICTURE = base64.b64encode(b"\x89PNG").decode()


@app.command
def text() -> Text:
    return Text("hello")


@app.command
def mixed() -> list[Text | Image]:
    return [Text("see"), Image(b"\x89PNG")]


@app.command
def link() -> ResourceLink:
    return ResourceLink("file:///a.txt", "a")


@app.command
def embedded() -> EmbeddedResource:
    return EmbeddedResource("memo:1", text="inside")


@app.command
def whole() -> ToolResult:
    return ToolResult([Text("for people")], structured={"for": "programs"}, meta={"k": 1})


@app.command
def described_error() -> ToolResult:
    return ToolResult([Text("it went wrong")], is_error=True)


CASES = [
    Case(
        "content: text",
        app,
        "text",
        "text",
        {},
        [{"type": "text", "text": "hello"}],
        returned=Text("hello"),
        is_content=True,
        plain="hello\n",
    ),
    Case(
        "content: text and an image",
        app,
        "mixed",
        "mixed",
        {},
        [{"type": "text", "text": "see"}, {"type": "image", "data": PICTURE, "mimeType": "image/png"}],
        returned=[Text("see"), Image(b"\x89PNG")],
        is_content=True,
        plain="see\n[image image/png 4 bytes]\n",
    ),
    Case(
        "content: a link",
        app,
        "link",
        "link",
        {},
        [{"type": "resource_link", "uri": "file:///a.txt", "name": "a"}],
        returned=ResourceLink("file:///a.txt", "a"),
        is_content=True,
    ),
    Case(
        "content: an embedded resource",
        app,
        "embedded",
        "embedded",
        {},
        [{"type": "resource", "resource": {"uri": "memo:1", "text": "inside"}}],
        returned=EmbeddedResource("memo:1", text="inside"),
        is_content=True,
        plain="inside\n",
    ),
    Case(
        "content: a whole result",
        app,
        "whole",
        "whole",
        {},
        {"for": "programs"},
        returned=ToolResult([Text("for people")], structured={"for": "programs"}, meta={"k": 1}),
        is_content=True,
        plain="for people\n",
    ),
    Case(
        "content: described as an error",
        app,
        "described_error",
        "described_error",
        {},
        [{"type": "text", "text": "it went wrong"}],
        returned=ToolResult([Text("it went wrong")], is_error=True),
        is_content=True,
        plain="it went wrong\n",
    ),
]
