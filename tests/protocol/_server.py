"""A server as small as can be, which answers every event at once, and a pipe that judges whatever it writes."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from accord.protocol import events
from accord.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, Error, Refused, Undeclared
from accord.protocol.headers import Headers
from accord.protocol.ladder import Agreed
from accord.protocol.pages import completion, listing, page_of
from accord.protocol.profile import Hints, Limits, Profile, Sealing, ServerInfo
from accord.protocol.questions import Elicit
from accord.protocol.session import ServerSession
from tests.protocol._wire import NEW, STATELESS, line, messages, objections

CAPABILITIES = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
    "completions": {},
    "logging": {},
}
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
WHO = Elicit("Who are you?", NAME)

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("add", "ask", "boom", "hang", "log", "work")]
ICONS = [{"src": "data:image/png;base64,aGk="}]


def seal(state: Any, binding: bytes, key: bytes = b"a key") -> str:
    body = json.dumps(state)
    return hmac.new(key, body.encode() + b"|" + binding, hashlib.sha256).hexdigest() + body


def unseal(token: str, binding: bytes, key: bytes = b"a key") -> Any:
    body = token[64:]
    if not hmac.compare_digest(seal(json.loads(body or "null"), binding, key), token):
        raise ValueError("altered")
    return json.loads(body)


SEALING = Sealing(seal, unseal)


def profile(capabilities: dict[str, Any] | None = None, **options: Any) -> Profile:
    options.setdefault("sealing", SEALING)
    return Profile(
        ServerInfo(name="scripted", version="1"), CAPABILITIES if capabilities is None else capabilities, **options
    )


class Pipe:
    """A session with the scripted server at one end. `say` returns what the server wrote, judged by the schemas."""

    def __init__(self, of: Profile | None = None, *, agreed: Agreed | None = None) -> None:
        self.session = ServerSession(of or profile(), agreed=agreed)
        self.version = agreed.version.name if agreed else NEW
        self.methods: dict[Any, tuple[str, str]] = {}
        self.asked: dict[str, events.CallTool] = {}
        self.seen: list[events.Event] = []

    # -- the wire ------------------------------------------------------------------------------------------------

    def say(self, *said: Any) -> list[Any]:
        """Messages in, one after the other in one piece; messages out."""
        return self.push(b"".join(line(each) for each in said), said)

    def push(self, data: bytes, said: tuple[Any, ...] = ()) -> list[Any]:
        for each in said:
            self.expect(each)
        return self.judged(self.react(self.session.receive(data)))

    def post(self, message: Any, headers: Headers) -> tuple[list[Any], int | None]:
        """One message over HTTP; what was written, and the error code that came with it."""
        self.expect(message)
        before = len(self.seen)
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        written = self.judged(self.react(self.session.message(body, headers)))
        codes = [event.code for event in self.seen[before:] if isinstance(event, events.Send)]
        return written, codes[-1] if codes else None

    def expect(self, message: Any) -> None:
        """Remember what a response to this will be judged as."""
        if not isinstance(message, dict) or "method" not in message or isinstance(message.get("id"), list | dict):
            return
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        is_enveloped = isinstance(meta, dict) and "io.modelcontextprotocol/protocolVersion" in meta
        if message["method"] == "initialize" and isinstance(params, dict):
            wanted = params.get("protocolVersion")
            self.version = wanted if wanted in ("2025-06-18", "2025-11-25") else "2025-11-25"
            is_enveloped = False
        version = STATELESS if is_enveloped else self.version
        self.methods[_key(message.get("id"))] = message["method"], version

    def judged(self, data: bytes) -> list[Any]:
        written = messages(data)
        for message in written:
            method, version = self.methods.get(_key(message.get("id")), (None, self.version))
            if "method" in message and "subscriptionId" in json.dumps(message.get("params", {}).get("_meta", {})):
                version = STATELESS
            assert objections(message, version, method) == [], message
        return written

    # -- the server ----------------------------------------------------------------------------------------------

    def react(self, came: list[events.Event]) -> bytes:
        self.seen += came
        return b"".join(self.reaction(event) for event in came)

    def reaction(self, event: events.Event) -> bytes:
        match event:
            case events.Send():
                return event.data
            case events.CallTool():
                return self.call(event)
            case events.ListTools():
                return self.list(event, TOOLS, "tools")
            case events.ListPrompts():
                return self.list(event, [{"name": "greet", "description": "Greets", "icons": ICONS}], "prompts")
            case events.ListResources():
                return self.list(event, [{"uri": "file:///a", "name": "a"}], "resources")
            case events.ListTemplates():
                return self.list(event, [{"uriTemplate": "file:///{x}", "name": "x"}], "resourceTemplates")
            case events.ReadResource():
                return self.read(event)
            case events.GetPrompt():
                text = {"type": "text", "text": f"Hello {event.arguments.get('who', 'you')}"}
                return self.session.result(event, {"messages": [{"role": "user", "content": text}]})
            case events.Complete():
                return self.session.result(event, completion([event.argument.value + "!"]))
            case events.Answer():
                answer = event.result or {}
                return self.say_text(
                    self.asked.pop(event.id), f"Hello {answer.get('content', {}).get('name', 'nobody')}"
                )
        return b""

    def list(self, event: Any, entries: list[Any], kind: str) -> bytes:
        try:
            stand, after = page_of(kind, [each["name"] for each in entries], event.cursor, 4)
        except Refused as refused:
            return self.session.error(event, refused.error)
        body = listing(type(event), event.version, [entries[at] for at in stand], after)
        return self.session.result(event, body, hints=Hints(1000, "public"))

    def read(self, event: events.ReadResource) -> bytes:
        if event.uri != "file:///a":
            code = event.version.resource_not_found
            return self.session.error(event, Error(code, "Resource not found", {"uri": event.uri}))
        return self.session.result(event, {"contents": [{"uri": event.uri, "text": "hi"}]})

    def call(self, event: events.CallTool) -> bytes:
        match event.name:
            case "add":
                return self.say_text(
                    event, str(sum(each for each in event.arguments.values() if isinstance(each, int)))
                )
            case "ask":
                try:
                    return self.ask(event, WHO)
                except (Refused, Undeclared) as refused:
                    return self.session.error(event, refused.error)
            case "boom":
                return self.session.error(event, Error(INTERNAL_ERROR, "It broke"))
            case "hang":
                return b""
            case "log":
                told = [self.session.log(event, level, level) for level in ("debug", "info", "error")]
                return b"".join(told) + self.say_text(event, "logged")
            case "work":
                steps = [self.session.progress(event, step, 2, f"step {step}") for step in (1, 1, 2)]
                return b"".join(steps) + self.say_text(event, "done")
        return self.session.error(event, Error(INVALID_PARAMS, f"Unknown tool: {event.name}"))

    def ask(self, event: events.CallTool, question: Elicit) -> bytes:
        if not event.version.stateless:
            asked = self.session.ask(question, event)
            self.asked[asked.id] = event
            return asked.data
        answer = event.retry.answers.get("who") if event.retry else None
        if answer is None:
            return self.session.input_required(event, {"who": question}, {"round": 1})
        content = question.read(answer).content or {}
        return self.say_text(event, f"Hello {content.get('name', 'nobody')}")

    def say_text(self, event: events.CallTool, text: str) -> bytes:
        return self.session.result(event, {"content": [{"type": "text", "text": text}]})

    def of(self, kind: type[Any]) -> list[Any]:
        """The events of this kind seen so far."""
        return [event for event in self.seen if isinstance(event, kind)]


def _key(id: Any) -> tuple[type, Any]:
    return type(id), id


def small(**limits: int) -> Profile:
    return profile(limits=Limits(**limits))
