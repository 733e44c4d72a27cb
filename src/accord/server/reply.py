"""An outcome -> the answer on the wire: a result, or a JSON-RPC error where the policy or the spec asks for one."""

import msgspec

from accord._calls import JSON, Failed, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord._wire import wire_result
from accord.protocol.errors import Error
from accord.protocol.events import CallTool
from accord.protocol.session import ServerSession

__all__ = ["error_of", "reply"]


def reply(session: ServerSession, registry: Registry, request: CallTool, tool: Tool | None, outcome: Outcome) -> bytes:
    """The bytes that answer the call; none where it was withdrawn."""
    if isinstance(outcome, Failed) and _is_an_error(registry, outcome):
        return session.error(request, error_of(outcome))
    compiled = None if tool is None or not tool.is_compiled else tool.compiled
    result = wire_result(outcome, compiled, registry.policy, request.version.name)
    meta: dict[str, JSON] | None = result.pop("_meta", None)
    return session.result(request, msgspec.json.encode(result), meta=meta)


def _is_an_error(registry: Registry, failed: Failed) -> bool:
    """Whether a tool's failure is told as a JSON-RPC error, and not as a result."""
    from accord.dispatch.exceptions import error_on_purpose  # noqa: PLC0415 - only failures pay for it

    if failed.reason == "unknown_tool" or registry.policy.errors == "protocol":
        return True
    return error_on_purpose(failed) is not None


def error_of(failed: Failed) -> Error:
    """The JSON-RPC error of a failure: what the author's code raised as one, with its own code and data."""
    from accord.dispatch.exceptions import error_on_purpose  # noqa: PLC0415 - as above
    from accord.dispatch.fault import as_said  # noqa: PLC0415 - as above

    said = error_on_purpose(failed)
    if said is not None:
        data = as_said(said.data)
        message = str(said).encode("utf-8", "backslashreplace").decode()
        return Error(said.code, message, msgspec.UNSET if data is None else data)
    # A call that was withdrawn is not answered at all; one whose tool gave up by itself is an internal error.
    return Error(failed.kind.rpc_code or -32603, failed.text.removeprefix("Error: "), failed.error_data)
