"""An outcome -> the answer on the wire: a result, or a JSON-RPC error where the policy or the spec says so.

``desk`` writes the successes of tools itself. Knows no pipe and no thread.
"""

import msgspec

from accord._calls import INPUT_REQUIRED, JSON, Failed, Ok, Outcome
from accord._registry import Registry
from accord.dispatch.normalize import wire_result
from accord.protocol.errors import Error
from accord.protocol.events import CallTool, Request
from accord.protocol.session import ServerSession

__all__ = ["error_of", "is_an_error", "reply"]


def reply(session: ServerSession, registry: Registry, request: Request, outcome: Outcome) -> bytes:
    """The bytes that answer the request; none where it was withdrawn."""
    if isinstance(outcome, Ok):
        return session.result(request, msgspec.json.encode(outcome.structured))
    if outcome.kind is INPUT_REQUIRED:
        from accord.server.rounds import question_or_failure  # noqa: PLC0415 - few tools ask

        asked = question_or_failure(session, request, outcome)
        if isinstance(asked, bytes):
            return asked
        outcome = asked
    if not isinstance(request, CallTool) or is_an_error(registry, outcome):
        return session.error(request, error_of(request, outcome))
    result = wire_result(outcome, registry.find(request.name), registry.policy, request.version)
    meta: dict[str, JSON] | None = result.pop("_meta", None)
    return session.result(request, msgspec.json.encode(result), meta=meta)


def is_an_error(registry: Registry, failed: Failed) -> bool:
    """Whether a tool's failure is told as a JSON-RPC error, and not as a result."""
    if failed.reason == "unknown_tool" or registry.policy.errors == "protocol":
        return True
    from accord.dispatch.exceptions import error_on_purpose  # noqa: PLC0415 - only failures pay for it

    return error_on_purpose(failed) is not None


def error_of(request: Request, failed: Failed) -> Error:
    """The JSON-RPC error of a failure: what the author's code raised as one, with its own code and data."""
    from accord.dispatch.exceptions import error_on_purpose  # noqa: PLC0415 - as above
    from accord.dispatch.fault import as_said  # noqa: PLC0415 - as above

    said = error_on_purpose(failed)
    if said is not None:
        data = as_said(said.data)
        message = str(said).encode("utf-8", "backslashreplace").decode()
        return Error(said.code, message, msgspec.UNSET if data is None else data)
    text = failed.text.removeprefix("Error: ")
    if failed.reason == "unknown_resource":
        return Error(request.version.resource_not_found, text, failed.error_data)
    # A call that was withdrawn is not answered at all; one whose tool gave up by itself is an internal error.
    return Error(failed.kind.rpc_code or -32603, text, failed.error_data)
