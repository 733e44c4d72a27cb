"""The official Python client calls every tool of an example over stdio, in both eras."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters, types

from tests.interop.example import app

ROOT = Path(__file__).parents[2]
SERVER = StdioServerParameters(command=sys.executable, args=["-m", "tests.interop.example"], cwd=str(ROOT))
MODES = ("auto", "legacy")

Work = Callable[[Client], Coroutine[Any, Any, Any]]


def talk(work: Work, mode: str, **options: Any) -> Any:
    """What came of a conversation with the server."""

    async def conversation() -> Any:
        async with Client(SERVER, mode=mode, **options) as client:
            return await asyncio.wait_for(work(client), 30)

    return asyncio.run(conversation())


def called(name: str, arguments: dict[str, Any], mode: str, **options: Any) -> types.CallToolResult:
    async def work(client: Client) -> Any:
        return await client.call_tool(name, arguments)

    result: types.CallToolResult = talk(work, mode, **options)
    return result


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_is_listed_with_its_contract(mode: str) -> None:
    async def work(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = talk(work, mode)
    assert [tool.name for tool in tools] == list(app.tools)
    echo = tools[0]
    assert echo.description == "Say it again."
    assert echo.input_schema == app.tools["echo"].input_schema
    assert echo.annotations is not None
    assert echo.annotations.read_only_hint is True


# (tool, arguments, text, structured value in the stateless era, in the handshake era)
CALLS: list[tuple[str, dict[str, Any], str, Any, Any]] = [
    ("echo", {"text": "hé", "times": 2}, "héhé", "héhé", {"result": "héhé"}),
    ("add", {"a": 1, "b": 2}, '{"sum":3}', {"sum": 3}, {"sum": 3}),
    ("count", {"items": ["a", "b"]}, "2", 2, {"result": 2}),
    ("nothing", {}, "", None, None),
    ("later", {"text": "x"}, "x", "x", {"result": "x"}),
    ("steps", {"number": 2}, "done", "done", {"result": "done"}),
    ("noisy", {}, "quiet", "quiet", {"result": "quiet"}),
    ("reads", {}, "nothing, and 0 for the child", "nothing, and 0 for the child", None),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "arguments", "text", "structured", "boxed"), CALLS, ids=[row[0] for row in CALLS])
def test_a_call_gives_its_text_and_its_value(
    name: str, arguments: dict[str, Any], text: str, structured: Any, boxed: Any, mode: str
) -> None:
    result = called(name, arguments, mode)
    assert not result.is_error
    assert result.content[0].text == text  # type: ignore[union-attr]  # it is text
    if mode == "auto":
        assert result.structured_content == structured
    else:
        assert result.structured_content == (boxed or (None if structured is None else {"result": structured}))


@pytest.mark.parametrize("mode", MODES)
def test_a_refusal_and_a_failure_reach_the_client_with_their_data(mode: str) -> None:
    refused = called("echo", {"txet": "x", "times": 0}, mode)
    assert refused.is_error
    data = (refused.meta or {})["accord/errorData"]
    assert data["code"] == "INVALID_PARAMS"
    assert [step["op"] for step in data["patch"]] == ["move", "replace"]
    failed = called("fails", {"how": "on purpose"}, mode)
    assert failed.is_error
    assert (failed.meta or {})["accord/errorData"]["code"] == "SOLD_OUT"
    assert called("leaves", {}, mode).is_error


@pytest.mark.parametrize("mode", MODES)
def test_a_tool_that_is_not_there_is_a_protocol_error(mode: str) -> None:
    async def work(client: Client) -> Any:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("ecko", {})
        return raised.value

    error = talk(work, mode)
    assert error.code == -32602
    assert error.data["suggestion"] == "echo"


@pytest.mark.parametrize("mode", MODES)
def test_progress_reaches_the_callback(mode: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def work(client: Client) -> Any:
        return await client.call_tool("steps", {"number": 3}, progress_callback=told)

    talk(work, mode)
    assert seen == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")]


@pytest.mark.parametrize("mode", MODES)
def test_a_slow_tool_keeps_nobody_waiting_and_can_be_cancelled(mode: str) -> None:
    async def work(client: Client) -> Any:
        slow = asyncio.ensure_future(client.call_tool("waits", {"seconds": 20}))
        quick = await client.call_tool("add", {"a": 1, "b": 1})
        slow.cancel()
        after = await client.call_tool("add", {"a": 2, "b": 2})
        return quick, after

    quick, after = talk(work, mode)
    assert (quick.structured_content, after.structured_content) == ({"sum": 2}, {"sum": 4})


@pytest.mark.parametrize("mode", MODES)
def test_a_question_reaches_the_clients_user(mode: str) -> None:
    async def answer(_context: Any, params: Any) -> types.ElicitResult:
        assert params.message == "What is your name?"
        return types.ElicitResult(action="accept", content={"answer": "Ada"})

    assert called("asks", {}, mode, elicitation_callback=answer).content[0].text == "hello Ada"  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", MODES)
def test_where_nobody_can_be_asked_consent_is_missing(mode: str) -> None:
    result = called("wipes", {}, mode)
    assert result.is_error
    assert (result.meta or {})["accord/errorData"]["reason"] == "confirmation_required"


@pytest.mark.parametrize("mode", MODES)
def test_resources_prompts_and_completions_are_served(mode: str) -> None:
    async def work(client: Client) -> Any:
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        prompts = (await client.list_prompts()).prompts
        read = (await client.read_resource("note://today")).contents
        numbers = (await client.read_resource("data://numbers")).contents
        prompt = await client.get_prompt("review", {"code": "x = 1", "tone": "strict"})
        ref = types.PromptReference(type="ref/prompt", name="review")
        completed = await client.complete(ref, {"name": "tone", "value": "s"})
        with pytest.raises(MCPError) as missing:
            await client.read_resource("data://nothing")
        return resources, templates, prompts, read, numbers, prompt, completed, missing.value

    resources, templates, prompts, read, numbers, prompt, completed, missing = talk(work, mode)
    assert [str(resource.uri) for resource in resources] == ["data://numbers"]
    assert [template.uri_template for template in templates] == ["note://{name}"]
    assert [argument.name for argument in prompts[0].arguments] == ["code", "tone"]
    assert read[0].text == "the note today"
    assert json.loads(numbers[0].text) == [1, 2]
    assert prompt.messages[0].content.text == "Review this in a strict tone: x = 1"
    assert completed.completion.values == ["strict"]
    assert missing.code == (-32602 if mode == "auto" else -32002)
