"""For tests: what an MCP client of an app would see, without a process to start.

A client and the app's server talk in this process over the bytes they would send each other: an answer has passed the
protocol, the gate, the function and the output schema on its way, and so have its mistakes.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from accord._calls import JSON, Failed
from accord._encode import Unencodable, encode
from accord._parity import Answer, Ask, Case, answered, ask_cli, ask_python, differences, refused
from accord.app import App
from accord.dispatch.arguments import as_json
from accord.dispatch.exceptions import protocol_error
from accord.dispatch.normalize import wire_failure
from accord.errors import (
    InvalidParams,
    ProtocolError,
    RegistrationError,
    ResourceNotFound,
    UnknownPrompt,
    UnknownTool,
)
from accord.protocol.errors import METHOD_NOT_FOUND, Error
from accord.protocol.profile import SERVER_INFO
from accord.protocol.replies import Failure, Result
from accord.protocol.versions import VERSIONS
from accord.transports.memory import Answering, Conversation

__all__ = ["SURFACES", "Client", "assert_parity", "call_tool"]

_LATEST = "2026-07-28"

#: the reason in an error's data -> the class that says so
_MISSING: dict[object, type[UnknownTool | UnknownPrompt | ResourceNotFound]] = {
    "unknown_tool": UnknownTool,
    "unknown_prompt": UnknownPrompt,
    "unknown_resource": ResourceNotFound,
}


def call_tool(
    app: App,
    params: dict[str, Any],
    *,
    protocol: str = _LATEST,
    principal: str | None = None,
    answer: Answering | None = None,
) -> dict[str, JSON]:
    """The result of ``tools/call`` with these params (``name`` and ``arguments``), as a dict.

    Without what every result of its version holds, ``resultType`` and the server's name. ``answer`` is what ``Client``
    says of it.

    Raises:
        UnknownTool: the app has no tool of that name.
        ProtocolError: the call was answered with a JSON-RPC error, as the app's policy may have it.
        InvalidParams: the arguments cannot be written as JSON.
    """
    return Client(app, principal=principal, protocol=protocol, answer=answer)._call(params)


class Client:
    """An MCP client of an app, in process: lists its tools and calls them as a client of ``protocol`` would.

    ``answer`` is called when the server asks this client something, with the method (``elicitation/create``,
    ``sampling/createMessage``, ``roots/list``) and its params, and returns the result, or None to refuse. With it the
    client declares that it can be asked all this, without it that it can be asked nothing. ``principal`` is who the
    server takes it for. With ``tasks`` it declares that it knows tasks, and waits for what becomes of them.
    """

    def __init__(
        self,
        app: App,
        *,
        principal: str | None = None,
        protocol: str = _LATEST,
        answer: Answering | None = None,
        tasks: bool = False,
    ) -> None:
        if protocol not in VERSIONS:
            raise ValueError(f"{protocol!r} is no version of the protocol: there are {', '.join(VERSIONS)}")
        self.app = app
        self.principal = principal
        self.protocol = protocol
        self.answer = answer
        self.tasks = tasks

    def list_tools(self) -> list[dict[str, JSON]]:
        """The entries of ``tools/list``, of all its pages."""
        return self._entries("tools/list", "tools")

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> dict[str, JSON]:
        """The result of calling a tool. Raises what ``call_tool`` raises."""
        return self._call({"name": name, "arguments": arguments or {}})

    def list_resources(self) -> list[dict[str, JSON]]:
        """The entries of ``resources/list``."""
        return self._entries("resources/list", "resources")

    def list_resource_templates(self) -> list[dict[str, JSON]]:
        """The entries of ``resources/templates/list``."""
        return self._entries("resources/templates/list", "resourceTemplates")

    def list_prompts(self) -> list[dict[str, JSON]]:
        """The entries of ``prompts/list``."""
        return self._entries("prompts/list", "prompts")

    def read_resource(self, uri: str) -> list[dict[str, JSON]]:
        """The contents at a URI.

        Raises:
            ResourceNotFound: nothing is there.
            ProtocolError: it cannot be read, or the app has no resources at all.
        """
        contents: list[dict[str, JSON]] = self._result("resources/read", _written({"uri": uri}))["contents"]
        return contents

    def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> dict[str, JSON]:
        """The result of ``prompts/get``: ``messages``, and the ``description``.

        Raises:
            UnknownPrompt: there is no such prompt.
            ProtocolError: its arguments were refused, it failed, or the app has no prompts at all.
        """
        return self._result("prompts/get", _written({"name": name, "arguments": arguments or {}}))

    def complete(
        self, ref: str, argument: str, value: str = "", *, arguments: dict[str, str] | None = None
    ) -> list[str]:
        """How an argument of a prompt, or of a URI template, may go on after ``value``; ``arguments`` are the others.

        Raises:
            ProtocolError: there is no such prompt, template or argument, or it cannot be completed.
        """
        target = {"type": "ref/resource", "uri": ref} if ":" in ref else {"type": "ref/prompt", "name": ref}
        params: dict[str, Any] = {"ref": target, "argument": {"name": argument, "value": value}}
        if arguments:
            params["context"] = {"arguments": arguments}
        values: list[str] = self._result("completion/complete", _written(params))["completion"]["values"]
        return values

    # -- on the wire ---------------------------------------------------------------------------------------------

    def _call(self, params: dict[str, Any]) -> dict[str, JSON]:
        name = params.get("name")
        if not isinstance(name, str):
            raise UnknownTool(f"a tool is named by a text, and this is {name!r}")
        arguments = _as_json(self.app, name, params.get("arguments"))
        if isinstance(arguments, Failed):  # no client could send them; they are refused as they are in Python
            if self.app.policy.errors == "protocol":
                raise protocol_error(arguments)
            refusal: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(wire_failure(arguments)))
            return refusal
        return self._result("tools/call", {**_written({**params, "arguments": None}), "arguments": arguments})

    def _entries(self, method: str, member: str) -> list[dict[str, JSON]]:
        """The entries of a list, page by page; none where the server knows no such list."""
        conversation, entries = self._conversation(), []
        params: dict[str, JSON] = {}
        while True:
            reply = conversation.ask(method, params)
            if isinstance(reply, Failure) and reply.error.code == METHOD_NOT_FOUND:
                return []
            page = _result_of(reply)
            entries += page[member]
            if page.get("nextCursor") is None:
                return entries
            params = {"cursor": page["nextCursor"]}

    def _result(self, method: str, params: dict[str, JSON]) -> dict[str, JSON]:
        return _result_of(self._conversation().ask(method, params))

    def _conversation(self) -> Conversation:
        return Conversation(
            self.app, version=self.protocol, principal=self.principal, answer=self.answer, tasks=self.tasks
        )


def _as_json(app: App, name: str, arguments: Any) -> JSON | Failed:
    """A tool's arguments as a client writes them, annotated values included; the refusal of what has no JSON form."""
    tool = app.find(name)
    if tool is not None and isinstance(arguments, dict):
        # Where annotations still cannot be understood, the call itself will say so.
        with suppress(RegistrationError):
            return as_json(tool, arguments)
    return _written(arguments)


def _written(value: Any) -> JSON:
    try:
        written = encode(value)
        msgspec.json.encode(written)  # finds text that is not Unicode
    except Unencodable as error:
        problem, where = error.problem, f" at {error.pointer}" if error.path else ""
    except RecursionError:
        problem, where = "it contains itself, or is nested too deeply", ""
    except UnicodeEncodeError:
        problem, where = "it holds text that is not Unicode (a lone surrogate)", ""
    else:
        return written
    raise InvalidParams(f"this cannot be written as JSON{where}: {problem}")


def _result_of(reply: Result | Failure) -> dict[str, JSON]:
    """The result object without what its version adds to each."""
    if isinstance(reply, Failure):
        raise _exception_of(reply.error)
    result = {name: value for name, value in reply.result.items() if name not in _ADDED}
    meta = {name: value for name, value in reply.result.get("_meta", {}).items() if name != SERVER_INFO}
    return {**result, "_meta": meta} if meta else result


_ADDED = {"resultType", "_meta"}


def _exception_of(error: Error) -> ProtocolError:
    data = None if error.data is msgspec.UNSET else error.data
    reason = data.get("reason") if isinstance(data, dict) else None
    kind = _MISSING.get(reason) if isinstance(reason, str) else None
    return (kind or ProtocolError)(error.message, code=error.code, data=data)


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
    is_task = tool is not None and tool.options.task == "required"
    try:
        result = Client(app, tasks=is_task).call(name, dict(arguments))
    except ProtocolError as error:
        return refused(error.data)
    if result["isError"]:
        return refused(result["errorData"])
    if "structuredContent" in result:
        return answered(result["structuredContent"])
    return answered("".join(block["text"] for block in result["content"] if block["type"] == "text"))


#: the ways to ask that ``assert_parity`` compares
SURFACES: Mapping[str, Ask] = {"python": ask_python, "cli": ask_cli, "mcp": _ask_mcp}
