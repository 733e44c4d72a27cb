"""The one path every call takes: route -> bind -> consent -> provide -> invoke -> normalize -> Outcome.

Written once, as a generator that yields a step wherever code that is not ours runs; ``blocking`` drives it on the
caller's thread, ``awaiting`` inside an event loop. Knows no argv, no bytes and no transport.
"""

import random
from typing import Any

import msgspec

from accord._caller import Cancellation, Unanswered
from accord._calls import JSON, Bound, Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch.arguments import as_json
from accord.dispatch.attempt import attempt
from accord.dispatch.bind import bind
from accord.dispatch.cache import key_of
from accord.dispatch.cursors import binding_of, with_cursors_as_json
from accord.dispatch.fault import cancelled, fault
from accord.dispatch.normalize import normalize
from accord.dispatch.steps import Consult, Flow, Invoke, Keep, Pause, Recall, Steps
from accord.errors import RegistrationError
from accord.gate.mend import Repair, mend
from accord.gate.refusal import failure
from accord.gate.resemblance import nearest

__all__ = ["flow"]

#: seconds before the second attempt; each later one waits twice as long, up to the limit
_BACKOFF = 0.05
_LONGEST_BACKOFF = 5.0
#: somebody decided against the call, and another attempt would only ask again
_FINAL = ("cancelled", "confirmation_required")


def flow(registry: Registry, call: Call) -> Flow:
    """The steps of a call, from its name to its outcome."""
    tool = registry.find(call.name)
    if tool is None or call.surface not in tool.options.surfaces:
        return _unknown(registry, call)
    try:
        plain = tool.is_plain
    except RegistrationError as error:  # put off at registration, and still not possible
        return fault(tool, error)
    arguments = call.arguments if call.surface == "mcp" else _as_json(registry, tool, call)
    if isinstance(arguments, Failed):
        return arguments
    bound = bind(tool, arguments) if plain else _bind(registry, tool, arguments, call)
    repairs: list[Repair] = []
    if isinstance(bound, Failed) and registry.policy.repair == "report":
        mended = mend(tool.compiled.gate, arguments)
        if mended is not None:
            arguments, repairs = mended
            registry.count(tool, repairs)
            bound = _bind(registry, tool, arguments, call)
    if isinstance(bound, Failed):
        return bound
    if call.cancellation is not None and call.cancellation.requested:
        return cancelled(tool.name)
    if plain:
        value = yield Invoke(tool, bound, call, None)
        outcome: Outcome = value if isinstance(value, Failed) else normalize(tool, value)
    else:
        outcome = yield from _special(registry, tool, bound, arguments, call)
    return _with_repairs(outcome, repairs) if repairs else outcome


def _as_json(registry: Registry, tool: Tool, call: Call) -> dict[str, JSON] | Failed:
    return as_json(tool, call.arguments) if tool.cursors is None else with_cursors_as_json(registry, tool, call)


def _bind(registry: Registry, tool: Tool, arguments: JSON, call: Call) -> Bound | Failed:
    with binding_of(registry, tool, arguments, call):
        return bind(tool, arguments)


def _unknown(registry: Registry, call: Call) -> Failed:
    names = [tool.name for tool in registry.tools.values() if call.surface in tool.options.surfaces]
    shown = str(call.name)[:100]
    meant = nearest(shown, names)
    hint = f"; did you mean {meant!r}?" if meant else ""
    more = {"suggestion": meant} if meant else {}
    return failure(shown, "unknown_tool", f"Error: no tool is called {shown!r}{hint}", **more)


def _with_repairs(outcome: Outcome, repairs: list[Repair]) -> Outcome:
    if isinstance(outcome, Failed):
        return outcome
    shown = [{"path": repair.path, "repair": repair.repair} for repair in repairs]
    return msgspec.structs.replace(outcome, meta={**(outcome.meta or {}), "accord/repairs": shown})


def _special(registry: Registry, tool: Tool, bound: Bound, arguments: JSON, call: Call) -> Steps:
    options = tool.options
    if options.confirm:
        refusal = yield from _consent(tool, call)
        if refusal is not None:
            return refusal
    key = key_of(tool, arguments, call) if options.cache_ttl > 0 else None
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
    if isinstance(answer, Unanswered):
        text = f"Error: {tool.name} needs consent ({question}), and nobody here can give it"
    else:
        text = f"Error: {tool.name} needs consent ({question}), and it was refused"
    return failure(tool.name, "confirmation_required", text, question=question)


def _may_retry(outcome: Outcome, tool: Tool, call: Call) -> bool:
    if not isinstance(outcome, Failed) or not isinstance(outcome.exception, tool.options.retry_on):
        return False
    if outcome.reason in _FINAL:
        return False
    return call.cancellation is None or not call.cancellation.requested


def _backoff(number: int) -> float:
    longest: float = min(_BACKOFF * 2.0**number, _LONGEST_BACKOFF)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - jitter keeps callers apart, nothing more
