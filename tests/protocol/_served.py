"""The real server of an app at one end of a pipe, and an app with a tool of every kind. What is written is judged."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

from accord import App, Context, Ge, MinLen, Policy, Progress, ToolError, UiPage
from accord.content import Audio, EmbeddedResource, Image, ResourceLink, Text, ToolResult
from accord.protocol import events
from accord.server.desk import Desk
from accord.server.profile import profile_of
from tests.protocol._server import Pipe
from tests.protocol._wire import HANDSHAKES, initialize, notification, request, stateless

DEADLINE = 30


class Served(Pipe):
    """A desk and its session. `say` waits until all that was asked is answered; `told` is what came by itself."""

    def __init__(self, app: App, version: str | None = None, **capabilities: Any) -> None:
        super().__init__(profile_of(app))
        self._written: list[bytes] = []
        self.registry = app._registry
        self.desk = Desk(app._registry, self.session, self._written.append)
        self.registry.watchers.append(self.desk)
        self.at = version
        if version in HANDSHAKES:
            self.say(initialize(version, **capabilities), notification("notifications/initialized"))

    def react(self, came: list[events.Event]) -> bytes:
        self.seen += came
        for event in came:
            call = self.desk.accept(event)
            if call is not None:
                over = threading.Event()
                self.desk.answer(call, over.set)
                assert over.wait(DEADLINE)
        return self._taken()

    def _taken(self) -> bytes:
        data = b"".join(self._written)
        self._written.clear()
        return data

    def told(self) -> list[Any]:
        """What the server has written since."""
        return self.judged(self._taken())

    def ask(self, method: str, /, **params: Any) -> Any:
        """The response to one request of the pipe's version."""
        whole = (request if self.at in HANDSHAKES else stateless)("it", method, **params)
        (answer,) = [message for message in self.say(whole) if message.get("id") == "it"]
        return answer

    def result(self, method: str, /, **params: Any) -> Any:
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def call(self, name: str, /, **arguments: Any) -> Any:
        return self.result("tools/call", name=name, arguments=arguments)

    def hang_up(self) -> list[Any]:
        """End as a server does whose client is gone; what is still written."""
        self.registry.watchers.remove(self.desk)
        self.desk.cancel_all()
        self.desk.end_streams()
        assert self.desk.is_idle
        assert self.session.open == []
        return self.told()


class Colour(Enum):
    RED = "red"


@dataclass
class Place:
    city: Annotated[str, MinLen(1)]
    colour: Colour = Colour.RED
    inner: Place | None = None


#: keywords that no annotation of ours gives
GIVEN = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:example:given",
    "type": "object",
    "$defs": {"size": {"$anchor": "size", "type": "integer", "minimum": 1}},
    "properties": {"size": {"$ref": "#size"}, "unit": {"type": "string"}, "x": {"oneOf": [{"const": 1}, {"const": 2}]}},
    "additionalProperties": False,
    "if": {"required": ["unit"]},
    "then": {"required": ["size"]},
    "else": {"not": {"required": ["size"]}},
}


def everything(policy: Policy = Policy()) -> App:
    app = App("everything", version="1.0", description="All of it", policy=policy)

    @app.command(read_only=True, title="Nothing at all")
    def nothing() -> None:
        """Take nothing and give nothing."""

    @app.command
    def add(a: int, b: Annotated[int, Ge(0)] = 0) -> int:
        """Add.

        Args:
            a: The first.
            b: The second.
        """
        return a + b

    @app.command
    def named(keys: list[str]) -> dict[str, int]:
        return {key: len(key) for key in keys}

    @app.command
    def place(place: Place) -> Place:
        return place

    @app.command
    def maybe(text: str | None = None) -> str | None:
        return text

    @app.command
    def anything(value: Any = None) -> Any:
        return value

    @app.command
    def either(number: int) -> Place | None:
        return Place("Ulm") if number else None

    @app.command
    async def later(text: str) -> str:
        await asyncio.sleep(0)
        return text

    @app.command
    def steps(number: int) -> Iterator[Progress | str]:
        for step in range(number):
            yield Progress(f"step {step}", step + 1, number)
        yield "done"

    @app.command
    def tells(ctx: Context) -> str:
        ctx.info("on it")
        ctx.warning("careful")
        return "told"

    @app.command
    def lies() -> list[int]:
        return ["not a number"]  # type: ignore[list-item]  # what is tested

    @app.command
    def cannot() -> dict[str, float]:
        return {"x": float("nan")}

    @app.command
    def sells_out() -> str:
        raise ToolError("sold out", code="SOLD_OUT", data={"left": 0}, retryable=False)

    @app.command
    def breaks() -> int:
        raise KeyError("/home/someone/secret.txt")

    @app.command
    def blocks() -> list[Text | Image | Audio | ResourceLink | EmbeddedResource]:
        return [
            Text("hello"),
            Image(b"\x89PNG\x00", "image/png"),
            Audio(b"RIFF\xff", "audio/wav"),
            ResourceLink("file:///a", "a"),
            EmbeddedResource("file:///a", text="hi", mime_type="text/plain"),
            EmbeddedResource("file:///b", blob=b"\x00\xff"),
        ]

    @app.command
    def whole() -> ToolResult:
        return ToolResult([Text("half done")], structured={"done": None}, meta={"example.org/took": 3})

    @app.command(input_schema=GIVEN)
    def given(**kwargs: Any) -> dict[str, Any]:
        return kwargs

    @app.group("site").command("build")
    def build(clean: bool = False) -> bool:
        return clean

    @app.resource("file:///about", mime_type="text/markdown", title="About", annotations={"priority": 0.5})
    def about() -> str:
        return "# About"

    @app.resource("file:///picture")
    def picture() -> Image:
        return Image(b"\x89PNG\x00\xff", "image/png")

    @app.resource("file:///raw")
    def raw() -> bytes:
        return bytes(range(256))

    @app.resource("file:///notes/{+path}")
    def note(path: str) -> str:
        return f"the note {path}"

    @app.resource("ui://everything/chart.html", ui=UiPage(prefers_border=True))
    def chart() -> str:
        return "<!DOCTYPE html><html></html>"

    @app.prompt
    def review(code: str, tone: Colour = Colour.RED) -> str:
        """Ask for a review."""
        return f"Review {code}: {tone.value}"

    return app
