"""``accord.testing.Client``: what it sees came over the wire, in every version, and what it is asked it can answer."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from accord import App, Context, Policy, Progress
from accord.errors import (
    ConfirmationRequired,
    InvalidParams,
    ProtocolError,
    ResourceNotFound,
    UnknownPrompt,
    UnknownTool,
)
from accord.protocol.events import CallTool
from accord.protocol.questions import Elicit
from accord.server import listing
from accord.server.desk import Desk
from accord.testing import Client, call_tool
from accord.transports import memory

EVERY = ("2025-06-18", "2025-11-25", "2026-07-28")
HANDSHAKES = EVERY[:2]


@dataclass
class Place:
    city: str


def offering() -> App:
    app = App("offering")

    @app.command
    def where(place: Place, ctx: Context) -> dict[str, Any]:
        return {"city": place.city, "principal": ctx.principal}

    @app.command
    async def later(text: str) -> str:
        await asyncio.sleep(0)
        return text

    @app.resource("note://mine")
    def mine(ctx: Context) -> str:
        return f"of {ctx.principal}"

    @app.resource("note://{name}")
    def note(name: str) -> str:
        return name

    @app.prompt
    def greet(who: str, ctx: Context) -> str:
        """Greet somebody."""
        return f"Greet {who} for {ctx.principal}"

    @app.completion("greet", "who")
    def people(value: str, others: dict[str, str], ctx: Context) -> list[str]:
        return [f"{value}{ctx.principal}", *others]

    return app


@pytest.mark.parametrize("protocol", EVERY)
def test_everything_is_asked_for_in_the_name_of_the_principal(protocol: str) -> None:
    client = Client(offering(), principal="ada", protocol=protocol)
    assert client.call("where", {"place": Place("Ulm")})["structuredContent"] == {"city": "Ulm", "principal": "ada"}
    assert client.read_resource("note://mine")[0]["text"] == "of ada"
    assert client.get_prompt("greet", {"who": "Bo"}) == {
        "description": "Greet somebody.",
        "messages": [{"role": "user", "content": {"type": "text", "text": "Greet Bo for ada"}}],
    }
    assert client.complete("greet", "who", "x", arguments={"tone": "kind"}) == ["xada", "tone"]


@pytest.mark.parametrize("protocol", EVERY)
def test_what_is_not_there_raises_its_own_class(protocol: str) -> None:
    client = Client(offering(), protocol=protocol)
    with pytest.raises(UnknownTool, match="whera") as tool:
        client.call("whera")
    assert (tool.value.code, tool.value.data["suggestion"]) == (-32602, "where")
    with pytest.raises(UnknownPrompt) as prompt:
        client.get_prompt("greed")
    assert prompt.value.code == -32602
    with pytest.raises(ResourceNotFound) as resource:
        client.read_resource("paper://mine")
    assert resource.value.code == (-32602 if protocol == EVERY[-1] else -32002)
    assert resource.value.data["uri"] == "paper://mine"
    with pytest.raises(ProtocolError) as argument:
        client.complete("greet", "whom")
    assert argument.value.code == -32602


def test_a_policy_of_protocol_errors_is_one_for_this_client_too() -> None:
    app = App("tests", policy=Policy(errors="protocol"))

    @app.command
    def add(a: int, b: int) -> int:
        return a + b

    for arguments in ({"a": 1}, {"a": 1, "b": object()}):
        with pytest.raises(ProtocolError) as raised:
            call_tool(app, {"name": "add", "arguments": arguments})
        assert raised.value.code == -32602
        assert raised.value.data["tool"] == "add"


@pytest.mark.parametrize("protocol", EVERY)
def test_the_pages_of_a_list_are_read_to_the_end(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE", 2)
    app = App("many")
    for number in range(7):
        app.command(f"tool{number}")(lambda: None)
        app.resource(f"note://{number}")(lambda: "")
        app.resource(f"note://{number}/{{x}}")(lambda x: x)
        app.prompt(f"prompt{number}")(lambda: "")
    client = Client(app, protocol=protocol)
    assert [tool["name"] for tool in client.list_tools()] == [f"tool{number}" for number in range(7)]
    assert len(client.list_resources()) == len(client.list_resource_templates()) == len(client.list_prompts()) == 7


def test_an_app_without_resources_and_prompts_lists_none() -> None:
    client = Client(App("bare"))
    assert client.list_tools() == client.list_resources() == client.list_resource_templates() == []
    assert client.list_prompts() == []


def test_a_version_nobody_speaks_is_named_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"2024-11-05.*2025-06-18, 2025-11-25, 2026-07-28"):
        Client(App("tests"), protocol="2024-11-05")


CYCLE: list[Any] = []
CYCLE.append(CYCLE)

# (what cannot be sent, where the message says it is)
UNSENDABLE = [
    (object(), "/x"),
    (float("nan"), "/x"),
    ("\ud800", "surrogate"),
    ([{"a": {1j}}], "/x/0/a"),
    (CYCLE, "nested"),
]


@pytest.mark.parametrize(("value", "where"), UNSENDABLE, ids=["object", "nan", "surrogate", "inside", "cycle"])
def test_arguments_that_are_no_json_are_refused_in_words(value: Any, where: str) -> None:
    app = offering()

    @app.command
    def takes(x: Any) -> None: ...

    result = call_tool(app, {"name": "takes", "arguments": {"x": value}})
    assert result["isError"]
    assert result["errorData"]["reason"] == "type_mismatch"
    with pytest.raises(InvalidParams, match=where):
        call_tool(app, {"name": "nobody", "arguments": {"x": value}})
    with pytest.raises(InvalidParams, match="cannot be written as JSON"):
        Client(app).get_prompt("greet", {"who": value})


def test_a_message_too_long_for_the_server_is_an_error_and_a_long_answer_arrives() -> None:
    app = App("tests")

    @app.command
    def repeat(text: str, times: int) -> str:
        return text * times

    with pytest.raises(ProtocolError, match="at most"):
        call_tool(app, {"name": "repeat", "arguments": {"text": "x" * 17 * 1024 * 1024, "times": 0}})
    result = call_tool(app, {"name": "repeat", "arguments": {"text": "x" * 1024, "times": 17 * 1024}})
    assert len(result["structuredContent"]) == 17 * 1024 * 1024


def test_meta_of_the_tools_own_is_kept_and_that_of_every_result_left_out() -> None:
    from accord.content import Text, ToolResult

    app = App("tests")

    @app.command
    def told() -> ToolResult:
        return ToolResult([Text("x")], meta={"example.org/took": 3})

    @app.command
    def plain() -> str:
        return "x"

    for protocol in EVERY:
        assert call_tool(app, {"name": "told"}, protocol=protocol)["_meta"] == {"example.org/took": 3}
        assert list(call_tool(app, {"name": "plain"}, protocol=protocol)) == ["content", "structuredContent", "isError"]


# -- who waits -----------------------------------------------------------------------------------------------------


def test_an_async_tool_is_waited_for_also_in_somebody_elses_loop() -> None:
    client = Client(offering())
    assert client.call("later", {"text": "a"})["structuredContent"] == "a"

    async def main() -> Any:
        return client.call("later", {"text": "b"})

    assert asyncio.run(main())["structuredContent"] == "b"


def test_waiting_inside_the_loop_for_the_loop_is_an_error_and_no_standstill() -> None:
    app = offering()

    @app.command
    async def inside() -> str:
        await asyncio.sleep(0)
        return str(call_tool(app, {"name": "later", "arguments": {"text": "x"}}))

    @app.command
    async def at_once() -> str:
        return str(call_tool(app, {"name": "later", "arguments": {"text": "x"}}))

    for name in ("inside", "at_once"):
        result = call_tool(app, {"name": name})
        assert result["isError"]
        assert "inside the event loop" in result["content"][0]["text"]


def test_an_interrupt_while_waiting_withdraws_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    app, withdrawn, begun = App("tests"), threading.Event(), threading.Event()

    @app.command
    async def waits() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            withdrawn.set()

    def interrupted(_over: threading.Event) -> None:
        assert begun.wait(20)
        raise KeyboardInterrupt

    monkeypatch.setattr(memory, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call_tool(app, {"name": "waits"})
    assert withdrawn.wait(20)


def test_what_a_tool_tells_on_its_way_does_no_harm() -> None:
    app = App("tests")

    @app.command
    def told(ctx: Context) -> Any:
        ctx.info("on it")
        ctx.progress("half", 1, 2)
        app.command("another")(lambda: None)
        yield Progress("done", 2, 2)
        return "told"

    assert call_tool(app, {"name": "told", "_meta": {"progressToken": 1}})["content"][0]["text"] == "told"


# -- being asked ---------------------------------------------------------------------------------------------------


def asking() -> App:
    app = App("asking")

    @app.command
    def name(ctx: Context) -> str:
        return f"Hello {ctx.ask('Your name?', str)}"

    @app.command
    async def aname(ctx: Context) -> str:
        return f"Hello {await ctx.aask('Your name?', str)}"

    @app.command(confirm="Really?")
    def wipe() -> str:
        return "wiped"

    @app.command
    def say(ctx: Context) -> str:
        said: dict[str, Any] = ctx.sample("Say something")
        return str(said["content"]["text"])

    @app.command
    def folders(ctx: Context) -> list[str]:
        return ctx.roots()

    return app


ANSWERS: dict[str, dict[str, Any]] = {
    "Your name?": {"action": "accept", "content": {"answer": "Ada"}},
    "Really?": {"action": "accept", "content": {"confirm": True}},
    "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "Yo"}, "model": "m"},
    "roots/list": {"roots": [{"uri": "file:///w"}]},
}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    return ANSWERS[params["message"] if method == "elicitation/create" else method]


ASKED = {"name": "Hello Ada", "aname": "Hello Ada", "wipe": "wiped", "say": "Yo", "folders": ["file:///w"]}


def _is_unanswered(result: dict[str, Any]) -> bool:
    if result["isError"]:
        return bool(result["errorData"]["reason"] == "confirmation_required")
    return bool(result["content"][0]["text"] == "[]")  # nobody names a folder


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("protocol", HANDSHAKES)
def test_a_question_is_answered_by_the_function_given(protocol: str, name: str) -> None:
    result = Client(asking(), protocol=protocol, answer=answer).call(name)
    assert not result["isError"], result["content"]
    assert result["structuredContent"]["result"] == ASKED[name]


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("protocol", EVERY)
def test_a_client_without_answers_cannot_be_asked(protocol: str, name: str) -> None:
    result = call_tool(asking(), {"name": name}, protocol=protocol)
    assert _is_unanswered(result)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("protocol", HANDSHAKES)
def test_none_refuses(protocol: str, name: str) -> None:
    result = call_tool(asking(), {"name": name}, protocol=protocol, answer=lambda method, params: None)
    assert _is_unanswered(result)


@pytest.mark.parametrize("name", ["name", "aname"])
def test_what_an_answering_function_raises_is_raised_by_the_call(name: str) -> None:
    def wrong(method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert method == "roots/list", "not what was asked"
        return {}

    with pytest.raises(AssertionError, match="not what was asked"):
        call_tool(asking(), {"name": name}, protocol="2025-11-25", answer=wrong)
    with pytest.raises(TypeError, match="elicitation/create is a dict"):
        call_tool(asking(), {"name": name}, protocol="2025-11-25", answer=lambda *_: ["Ada"])  # type: ignore[arg-type,return-value]  # what is tested


class _Rounds(Desk):
    """Answers every call with a question, until it has three answers."""

    def answer(self, request: Any, over: Any) -> None:
        assert isinstance(request, CallTool)
        given = dict(request.retry.answers) if request.retry else {}
        if request.name == "lasts" or not {"a", "b"} <= given.keys():
            key = "b" if "a" in given else "a"
            questions = {name: Elicit("Your name?", {"type": "object", "properties": {}}) for name in {key, *given}}
            self.write(lambda: self._session.input_required(request, dict(questions)))
        else:
            self.write(lambda: self._session.result(request, {"content": [], "structuredContent": given}))
        over()


def test_a_request_is_repeated_with_answers_until_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "Desk", _Rounds)
    given = call_tool(App("x"), {"name": "ends"}, answer=answer)["structuredContent"]
    assert given == dict.fromkeys("ab", ANSWERS["Your name?"])
    with pytest.raises(ConfirmationRequired, match="elicitation/create"):
        call_tool(App("x"), {"name": "ends"}, answer=lambda method, params: None)
    with pytest.raises(ConfirmationRequired, match="another question"):
        call_tool(App("x"), {"name": "lasts"}, answer=answer)
