"""A request that runs somebody's code -> its answer: which part of dispatch makes the outcome, and how that is written.

A table from the kind of request to the two. Knows no pipe and no thread.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from accord._caller import Caller, Cancellation
from accord._calls import INPUT_REQUIRED, Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord.dispatch.blocking import dispatch
from accord.protocol.errors import Error
from accord.protocol.events import CallTool, Complete, GetPrompt, PromptRef, ReadResource, Request
from accord.protocol.session import ServerSession
from accord.server.reply import error_of, reply
from accord.server.rounds import question_or_failure

__all__ = ["WORK", "outcome_of", "written"]


def outcome_of(registry: Registry, request: Request, caller: Caller, cancellation: Cancellation) -> Outcome:
    """What came of a request."""
    return WORK[type(request)](registry, request, caller, cancellation)


def written(session: ServerSession, registry: Registry, request: Request, outcome: Outcome) -> bytes:
    """The bytes that answer the request; none where it was withdrawn."""
    if type(outcome) is Failed and outcome.kind is INPUT_REQUIRED:
        asked = question_or_failure(session, request, outcome)
        if isinstance(asked, bytes):
            return asked
        outcome = asked
    if isinstance(request, CallTool):
        return reply(session, registry, request, registry.find(request.name), outcome)
    if isinstance(outcome, Ok):
        return session.result(request, msgspec.json.encode(outcome.structured))
    return session.error(request, _error(request, outcome))


def _error(request: Request, failed: Failed) -> Error:
    if failed.reason == "unknown_resource":
        text = failed.text.removeprefix("Error: ")
        return Error(request.version.resource_not_found, text, failed.error_data)
    return error_of(failed)


def _call(registry: Registry, request: Any, caller: Caller, cancellation: Cancellation) -> Outcome:
    return dispatch(registry, _asked(request, request.name, request.arguments, caller, cancellation))


def _read(registry: Registry, request: Any, caller: Caller, cancellation: Cancellation) -> Outcome:
    from accord.dispatch.reading import read_resource  # noqa: PLC0415 - few servers have resources

    return read_resource(registry, _asked(request, request.uri, {}, caller, cancellation))


def _prompt(registry: Registry, request: Any, caller: Caller, cancellation: Cancellation) -> Outcome:
    from accord.dispatch.prompting import get_prompt  # noqa: PLC0415 - few servers have prompts

    return get_prompt(registry, _asked(request, request.name, request.arguments, caller, cancellation))


def _complete(registry: Registry, request: Any, caller: Caller, cancellation: Cancellation) -> Outcome:
    from accord.dispatch.completing import complete  # noqa: PLC0415 - as above

    is_prompt = isinstance(request.ref, PromptRef)
    target = request.ref.name if is_prompt else request.ref.uri
    call = _asked(request, target, request.context.arguments, caller, cancellation)
    kind: Literal["prompt", "resource"] = "prompt" if is_prompt else "resource"
    return complete(registry, call, kind=kind, argument=request.argument.name, value=request.argument.value)


def _asked(request: Request, name: str, arguments: Any, caller: Caller, cancellation: Cancellation) -> Call:
    return Call(name, arguments, "mcp", caller, None, request.id, cancellation)


WORK: dict[type[Request], Callable[[Registry, Any, Caller, Cancellation], Outcome]] = {
    CallTool: _call,
    ReadResource: _read,
    GetPrompt: _prompt,
    Complete: _complete,
}
