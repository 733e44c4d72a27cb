"""An outcome -> the answer on the wire: a result, or a JSON-RPC error where the policy or the spec asks for one."""

import msgspec

from accord._calls import JSON, Failed, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord._wire import wire_result
from accord.dispatch.exceptions import error_on_purpose
from accord.dispatch.fault import as_said
from accord.protocol.errors import Error
from accord.protocol.events import CallTool
from accord.protocol.session import ServerSession

__all__ = ["error_of", "reply"]


def reply(session: ServerSession, registry: Registry, request: CallTool, tool: Tool | None, outcome: Outcome) -> bytes:
    """The bytes that answer the call; none where it was withdrawn."""
    if isinstance(outcome, Failed) and (
        outcome.reason == "unknown_tool"
        or registry.policy.errors == "protocol"
        or error_on_purpose(outcome) is not None
    ):
        return session.error(request, error_of(outcome))
    compiled = None if tool is None or not tool.is_compiled else tool.compiled
    result = wire_result(outcome, compiled, registry.policy, request.version.name)
    meta: dict[str, JSON] | None = result.pop("_meta", None)
    return session.result(request, msgspec.json.encode(result), meta=meta)


def error_of(failed: Failed) -> Error:
    """The JSON-RPC error of a failure."""
    said = error_on_purpose(failed)
    if said is not None:
        data = as_said(said.data)
        return Error(said.code, str(said), msgspec.UNSET if data is None else data)
    # A call that was withdrawn is not answered at all; one whose tool gave up by itself is an internal error.
    return Error(failed.kind.rpc_code or -32603, failed.text.removeprefix("Error: "), failed.error_data)
