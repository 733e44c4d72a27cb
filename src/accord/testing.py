"""For tests: call a tool as an MCP client would, in process, and look at the result.

The arguments travel as real JSON, through the gate, into the function and back through the output
schema; what comes out is the ``result`` object a client of the chosen protocol version receives.
"""

from typing import Any

import msgspec

from accord._bind import bind
from accord._calls import JSON, Failed, Ok
from accord._encode import Unencodable, encode
from accord._invoke import invoke
from accord._normalize import normalize
from accord._tool import Tool
from accord._wire import protocol_error, wire_result
from accord.app import App
from accord.context import Context
from accord.errors import UnknownTool
from accord.gate.refusal import refuse
from accord.gate.resemblance import nearest

__all__ = ["call_tool"]


def call_tool(app: App, params: dict[str, Any], *, protocol: str = "2026-07-28") -> dict[str, JSON]:
    """The result of ``tools/call`` with these params (``name`` and ``arguments``), as a dict.

    Raises:
        UnknownTool: the app has no tool of that name.
        ProtocolError: the call failed and the app's policy answers failures with JSON-RPC errors.
    """
    name = params["name"]
    tool = app.find(name) if isinstance(name, str) else None
    if tool is None:
        raise _unknown(app, name)
    outcome = _outcome(tool, params.get("arguments"))
    if isinstance(outcome, Failed) and app.policy.errors == "protocol":
        raise protocol_error(outcome) from outcome.exception
    result: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(wire_result(outcome, tool.compiled, protocol)))
    return result


def _outcome(tool: Tool, arguments: Any) -> Ok | Failed:
    try:
        sent = msgspec.json.decode(msgspec.json.encode(encode(arguments)))
    except Unencodable as error:
        return refuse(tool.name, [_not_json(error)], tool.compiled.published_input)
    except RecursionError:
        return refuse(tool.name, [_not_json(Unencodable("is nested too deeply"))], tool.compiled.published_input)
    bound = bind(tool, sent, dict.fromkeys(tool.compiled.signature.injected, Context()))
    if isinstance(bound, Failed):
        return bound
    value = invoke(tool, bound)
    return value if isinstance(value, Failed) else normalize(tool, value)


def _not_json(error: Unencodable) -> dict[str, JSON]:
    top = str(error.path[-1]) if error.path else None
    return {
        "path": error.pointer,
        "argument": top,
        "reason": "type_mismatch",
        "keyword": "type",
        "message": error.problem,
    }


def _unknown(app: App, name: object) -> UnknownTool:
    meant = nearest(str(name), app.tools)
    hint = f"; did you mean {meant!r}?" if meant else ""
    shown = str(name)[:100]
    data = {"tool": shown, "argument": None, "reason": "unknown_tool", "code": "UNKNOWN_TOOL", "retryable": False}
    return UnknownTool(f"no tool is called {shown!r}{hint}", data={**data, "suggestion": meant} if meant else data)
