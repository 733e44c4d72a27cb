"""The part of the path that only some tools take: consent, what is kept from an earlier call, attempt after attempt.

One attempt is ``attempt``'s business; whether there is a next one is decided here.
"""

from typing import Any

import msgspec

from accord._caller import Cancellation, Unanswered
from accord._calls import JSON, Bound, Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch.attempt import attempt
from accord.dispatch.cursors import binding_of
from accord.dispatch.steps import Consult, Keep, Pause, Recall, Steps

__all__ = ["guarded"]

#: seconds before the second attempt; each later one waits twice as long, up to the limit
_BACKOFF = 0.05
_LONGEST_BACKOFF = 5.0
#: somebody decided against the call, or has yet to: another attempt would only ask again
_FINAL = ("cancelled", "confirmation_required", "input_required")


def guarded(registry: Registry, tool: Tool, bound: Bound, arguments: JSON, call: Call) -> Steps:
    """The steps of a call of a tool that asks for more than to be called."""
    options = tool.options
    if options.confirm:
        refusal = yield from _consent(tool, call)
        if refusal is not None:
            return refusal
    key: str | None = None
    if options.cache_ttl > 0:
        from accord.dispatch.cache import key_of  # noqa: PLC0415 - few tools keep results

        key = key_of(tool, arguments, call)
    if key is not None:
        kept = yield Recall(tool, registry.store, key)
        if kept is not None:
            return kept
    timeout = options.timeout if options.timeout is not None else registry.policy.timeout
    if timeout is not None and call.cancellation is None:
        call = msgspec.structs.replace(call, cancellation=Cancellation())
    binding = binding_of(registry, tool, arguments, call)
    remembered: dict[str, Any] = {}
    for number in range(1, options.max_attempts + 1):
        outcome = yield from attempt(registry, tool, bound, call, timeout, binding, remembered)
        if number == options.max_attempts or not _may_retry(outcome, tool, call):
            break
        if (yield Pause(call, _backoff(number))):
            from accord.dispatch.fault import cancelled  # noqa: PLC0415 - only failures pay for it

            outcome = cancelled(tool.name)
            break
    if key is not None and isinstance(outcome, Ok) and not outcome.is_error:
        yield Keep(registry.store, key, outcome, options.cache_ttl)
    return outcome


def _consent(tool: Tool, call: Call) -> Steps:
    question = tool.options.confirm if isinstance(tool.options.confirm, str) else f"Run {tool.name}?"
    answer = yield Consult(call, question)
    if answer is True:
        return None
    if isinstance(answer, Failed):
        return answer
    if isinstance(answer, Unanswered):
        text = f"Error: {tool.name} needs consent ({question}), and {answer.reason or 'nobody here can give it'}"
    else:
        text = f"Error: {tool.name} needs consent ({question}), and it was refused"
    from accord.gate.refusal import failure  # noqa: PLC0415 - as above

    return failure(tool.name, "confirmation_required", text, question=question)


def _may_retry(outcome: Outcome, tool: Tool, call: Call) -> bool:
    if not isinstance(outcome, Failed) or not isinstance(outcome.exception, tool.options.retry_on):
        return False
    if outcome.reason in _FINAL:
        return False
    return call.cancellation is None or not call.cancellation.requested


def _backoff(number: int) -> float:
    import random  # noqa: PLC0415 - as above

    longest: float = min(_BACKOFF * 2.0**number, _LONGEST_BACKOFF)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - jitter keeps callers apart, nothing more
