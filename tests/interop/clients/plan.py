"""What the Python clients have in common: a plan comes in on stdin, and for each of its steps a line goes out.

Runs in the environment of a client, where neither Accord nor its tests can be imported.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

LIMIT = 30.0  # seconds for one step


class User:
    """Whoever sits at the client: gives the answers of the present step, and remembers what was asked."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.asked: list[str] = []

    def answer(self, question: str) -> Any:
        self.asked.append(question)
        return self.answers.pop(0)


class Connection:
    """The verbs of a plan, in the words both generations of the SDK share. Results are read by their wire names."""

    protocol_error: type[Exception]
    types: Any  # the SDK's module of that name

    def __init__(self, client: Any, version: str, user: User | None) -> None:
        self.client = client
        self._version = version
        self._user = user

    async def cancel(self, task: asyncio.Task[Any], number: int) -> None:
        """Withdraw a call the way users of the SDK do; `number` counts the requests before it."""
        raise NotImplementedError

    def number(self) -> int:
        """The number of the next request, where the SDK needs it to cancel."""
        return 0

    async def version(self) -> Any:
        return self._version

    async def tools(self) -> Any:
        return wire(await self.client.list_tools())["tools"]

    async def call(self, name: str, arguments: dict[str, Any]) -> Any:
        result = wire(await self.client.call_tool(name, arguments))
        return {
            "text": text(result),
            "value": result.get("structuredContent"),
            "error": result.get("isError", False),
            "data": result.get("_meta", {}).get("accord/errorData"),
            "asked": self._user.asked if self._user else [],
        }

    async def during(
        self, name: str, arguments: dict[str, Any], reports: int, meanwhile: dict[str, Any], cancel: bool
    ) -> Any:
        progress: list[Any] = []
        reported = asyncio.Event()

        async def told(done: float, total: float | None, message: str | None) -> None:
            progress.append([done, total, message])
            if len(progress) == reports:
                reported.set()

        number = self.number()
        task = asyncio.ensure_future(self.client.call_tool(name, arguments, progress_callback=told))
        task.add_done_callback(lambda _: reported.set())  # a call that ends early is not waited for
        await reported.wait()
        other = text(wire(await self.client.call_tool(**meanwhile)))
        if cancel and not task.done():
            await self.cancel(task, number)
        try:
            ended = text(wire(await task))
        except asyncio.CancelledError:
            ended = "cancelled"
        return {"progress": progress, "meanwhile": other, "ended": ended}

    async def resources(self) -> Any:
        return [entry["uri"] for entry in wire(await self.client.list_resources())["resources"]]

    async def templates(self) -> Any:
        listed = wire(await self.client.list_resource_templates())
        return [entry["uriTemplate"] for entry in listed["resourceTemplates"]]

    async def read(self, uri: str) -> Any:
        return wire(await self.client.read_resource(uri))["contents"][0]["text"]

    async def prompts(self) -> Any:
        return [
            {"name": prompt["name"], "arguments": [argument["name"] for argument in prompt["arguments"]]}
            for prompt in wire(await self.client.list_prompts())["prompts"]
        ]

    async def prompt(self, name: str, arguments: dict[str, str]) -> Any:
        return wire(await self.client.get_prompt(name, arguments))["messages"][0]["content"]["text"]

    async def complete(self, prompt: str, argument: str, value: str) -> Any:
        ref = self.types.PromptReference(type="ref/prompt", name=prompt)
        completed = await self.client.complete(ref, {"name": argument, "value": value})
        return wire(completed)["completion"]["values"]


def wire(message: Any) -> dict[str, Any]:
    """An object of the SDK as JSON, under the names of the protocol."""
    plain: dict[str, Any] = message.model_dump(mode="json", by_alias=True, exclude_none=True)
    return plain


def text(result: dict[str, Any]) -> str:
    return "".join(block["text"] for block in result["content"])


def callbacks(types: Any, user: User | None) -> dict[str, Any]:
    """How a client asks its user, in the parameters of the SDK whose `types` these are; none where nobody is there."""
    if user is None:
        return {}

    async def elicit(_context: Any, params: Any) -> Any:
        return types.ElicitResult(**user.answer(params.message))

    async def sample(_context: Any, params: Any) -> Any:
        said = types.TextContent(type="text", text=user.answer(params.messages[0].content.text))
        return types.CreateMessageResult(role="assistant", content=said, model="a model")

    async def roots(_context: Any) -> Any:
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in user.answer("roots")])

    return {"elicitation_callback": elicit, "sampling_callback": sample, "list_roots_callback": roots}


Connect = Callable[[dict[str, Any], str, "User | None"], AbstractAsyncContextManager[Connection]]


async def followed(connect: Connect) -> None:
    """Hold every conversation of the plan, each on a connection of its own."""
    plan = json.load(sys.stdin)
    for conversation in plan["conversations"]:
        user = User() if conversation["user"] else None
        async with connect(plan["server"], conversation["era"], user) as connection:
            for step in conversation["steps"]:
                answers = step["given"].pop("answers", [])
                if user is not None:
                    user.answers, user.asked = answers, []
                saw = await seen(connection, step)
                print(json.dumps({"era": conversation["era"], "says": step["says"], "saw": saw}), flush=True)


async def seen(connection: Connection, step: dict[str, Any]) -> Any:
    """What comes of a step, whatever is raised included."""
    try:
        return await asyncio.wait_for(getattr(connection, step["verb"])(**step["given"]), LIMIT)
    except connection.protocol_error as error:
        return {"code": error.error.code, "data": error.error.data}  # type: ignore[attr-defined]  # both have it
    except Exception as error:  # the test shows it beside what should have been seen
        return {"raised": f"{type(error).__name__}: {error}"}


def follow(connect: Connect) -> None:
    """Run the program."""
    asyncio.run(followed(connect))
