"""For tests: call a tool as an MCP client would, in process, and look at the result.

The arguments travel as real JSON, through the gate, into the function and back through the output
schema; what comes out is the ``result`` object a client of the chosen protocol version receives.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from accord._calls import JSON, Call, Failed, Outcome
from accord._parity import Answer, Ask, Case, answered, ask_cli, ask_python, differences, refused
from accord.app import App
from accord.dispatch.arguments import as_json
from accord.dispatch.blocking import dispatch
from accord.dispatch.completing import complete
from accord.dispatch.exceptions import error_on_purpose, protocol_error
from accord.dispatch.normalize import wire_result
from accord.dispatch.prompting import get_prompt
from accord.dispatch.reading import read_resource
from accord.errors import ProtocolError, UnknownTool
from accord.offers.shelf import offers_of

__all__ = ["SURFACES", "Client", "assert_parity", "call_tool"]


def call_tool(
    app: App, params: dict[str, Any], *, protocol: str = "2026-07-28", principal: str | None = None
) -> dict[str, JSON]:
    """The result of ``tools/call`` with these params (``name`` and ``arguments``), as a dict.

    Raises:
        UnknownTool: the app has no tool of that name.
        ProtocolError: the tool raised it, or failed where the app's policy answers failures with JSON-RPC errors.
    """
    name = params.get("name")
    if not isinstance(name, str):
        raise UnknownTool(f"a tool is named by a text, and this is {name!r}")
    outcome = _outcome(app, name, params.get("arguments"), principal)
    if isinstance(outcome, Failed):
        said = error_on_purpose(outcome)
        if said is not None:
            raise said
        if app.policy.errors == "protocol" or outcome.reason == "unknown_tool":
            raise protocol_error(outcome) from outcome.exception
    wired = wire_result(outcome, app.find(name), app.policy, protocol)
    result: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(wired))
    return result


class Client:
    """An MCP client of an app, in process: lists its tools and calls them as a client of ``protocol`` would."""

    def __init__(self, app: App, *, principal: str | None = None, protocol: str = "2026-07-28") -> None:
        self.app = app
        self.principal = principal
        self.protocol = protocol

    def list_tools(self) -> list[dict[str, JSON]]:
        """The entries of ``tools/list``."""
        return [tool.wire(self.protocol) for tool in self.app.tools.values() if "mcp" in tool.options.surfaces]

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> dict[str, JSON]:
        """The result of calling a tool. Raises what ``call_tool`` raises."""
        params = {"name": name, "arguments": arguments or {}}
        return call_tool(self.app, params, protocol=self.protocol, principal=self.principal)

    def list_resources(self) -> list[dict[str, JSON]]:
        """The entries of ``resources/list``."""
        return offers_of(self.app._registry).list_resources()

    def list_resource_templates(self) -> list[dict[str, JSON]]:
        """The entries of ``resources/templates/list``."""
        return offers_of(self.app._registry).list_templates()

    def list_prompts(self) -> list[dict[str, JSON]]:
        """The entries of ``prompts/list``."""
        return offers_of(self.app._registry).list_prompts()

    def read_resource(self, uri: str) -> list[dict[str, JSON]]:
        """The contents at a URI.

        Raises:
            ResourceNotFound: nothing is there.
            ProtocolError: it cannot be read.
        """
        contents: list[dict[str, JSON]] = self._answer(read_resource, uri, {})["contents"]
        return contents

    def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> dict[str, JSON]:
        """The result of ``prompts/get``: ``messages``, and the ``description``.

        Raises:
            UnknownPrompt: there is no such prompt.
            ProtocolError: its arguments were refused, or it failed.
        """
        return self._answer(get_prompt, name, arguments or {})

    def complete(
        self, ref: str, argument: str, value: str = "", *, arguments: dict[str, str] | None = None
    ) -> list[str]:
        """How an argument of a prompt, or of a URI template, may go on after ``value``; ``arguments`` are the others.

        Raises:
            ProtocolError: there is no such prompt, template or argument, or it cannot be completed.
        """
        kind = "resource" if ":" in ref else "prompt"
        answer = self._answer(complete, ref, arguments or {}, kind=kind, argument=argument, value=value)
        values: list[str] = answer["completion"]["values"]
        return values

    def _answer(
        self, ask: Callable[..., Outcome], name: str, arguments: dict[str, Any], **more: Any
    ) -> dict[str, JSON]:
        outcome = ask(self.app._registry, Call(name, arguments, "mcp", principal=self.principal), **more)
        if isinstance(outcome, Failed):
            error = protocol_error(outcome)
            raise error from (None if error is outcome.exception else outcome.exception)
        result: dict[str, JSON] = outcome.structured
        return result


def assert_parity(app: App, name: str, cases: Iterable[Case], *, surfaces: Mapping[str, Ask] | None = None) -> None:
    """Call a tool on every surface, and fail where they differ from each other or from what was expected.

    A case is ``(arguments, expected)``, where ``expected`` is the result (as JSON, or as the annotated value) or the
    reason of the failure (``"type_mismatch"``). Alike means: the same result, or the same ``errorData``.

    A surface the tool is not on is left out, and so is the command line where its arguments are wrong in a way that
    words cannot be: text for a number is the number there. ``surfaces`` are the ways to ask, by name; by default
    ``app.call``, ``app.invoke`` with ``--format json``, and ``call_tool``.

    Raises:
        AssertionError: they are not alike; it shows the difference, case by case.
    """
    problems = list(differences(app, name, cases, SURFACES if surfaces is None else surfaces))
    assert not problems, "\n\n".join(problems)


def _ask_mcp(app: App, name: str, arguments: Mapping[str, Any]) -> Answer | None:
    tool = app.find(name)
    if tool is not None and "mcp" not in tool.options.surfaces:
        return None
    try:
        result = call_tool(app, {"name": name, "arguments": dict(arguments)})
    except ProtocolError as error:
        return refused(error.data)
    if result["isError"]:
        return refused(result["errorData"])
    if "structuredContent" in result:
        return answered(result["structuredContent"])
    return answered("".join(block["text"] for block in result["content"] if block["type"] == "text"))


#: the ways to ask that ``assert_parity`` compares
SURFACES: Mapping[str, Ask] = {"python": ask_python, "cli": ask_cli, "mcp": _ask_mcp}


def _outcome(app: App, name: str, arguments: Any, principal: str | None) -> Outcome:
    tool = app.find(name)
    if tool is not None and isinstance(arguments, dict):
        written = as_json(tool, arguments)
        if isinstance(written, Failed):
            return written
        arguments = msgspec.json.decode(msgspec.json.encode(written))
    return dispatch(app._registry, Call(name, arguments, "mcp", principal=principal))
