"""An outcome -> the answer on the wire: a result, or a JSON-RPC error where the policy or the spec says so.

``desk`` writes the successes of tools itself. Knows no pipe and no thread.
"""

import msgspec

from accord._calls import JSON, Failed, Ok, Outcome
from accord._registry import Registry
from accord.dispatch.normalize import wire_result
from accord.protocol.errors import Error
from accord.protocol.events import CallTool, Request
from accord.protocol.session import ServerSession

__all__ = ["reply"]


def reply(session: ServerSession, registry: Registry, request: Request, outcome: Outcome) -> bytes:
    """The bytes that answer the request; none where it was withdrawn."""
    if isinstance(outcome, Ok):
        return session.result(request, msgspec.json.encode(outcome.structured))
    if not isinstance(request, CallTool) or outcome.reason == "unknown_tool" or registry.policy.errors == "protocol":
        return session.error(request, _error(request, outcome))
    result = wire_result(outcome, registry.find(request.name), registry.policy, request.version.name)
    meta: dict[str, JSON] | None = result.pop("_meta", None)
    return session.result(request, msgspec.json.encode(result), meta=meta)


def _error(request: Request, failed: Failed) -> Error:
    """The JSON-RPC error of a failure."""
    text = failed.text.removeprefix("Error: ")
    if failed.reason == "unknown_resource":
        return Error(request.version.resource_not_found, text, failed.error_data)
    # A call that was withdrawn is not answered at all; one whose tool gave up by itself is an internal error.
    return Error(failed.kind.rpc_code or -32603, text, failed.error_data)
