"""One attempt at a call: what is injected is opened, the tool runs, its result is held against contract and caps, and
what was opened is closed, whatever happened.

Knows providers and contexts; whether there is another attempt is decided by ``flow``.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from accord._calls import Bound, Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord.context import Context
from accord.dispatch.bind import inject
from accord.dispatch.caps import within_caps
from accord.dispatch.normalize import normalize
from accord.dispatch.steps import Begin, Close, Invoke, Open, Steps
from accord.errors import AccordError
from accord.provide import Opened, Provider

if TYPE_CHECKING:
    from accord.dispatch.question import Question

__all__ = ["attempt"]

MakeContext = Callable[[type[Context] | None], Context]


def attempt(
    registry: Registry,
    tool: Tool,
    bound: Bound,
    call: Call,
    timeout: float | None,
    binding: AbstractContextManager[Any],
    remembered: dict[str, Any],
) -> Steps:
    """One run of the tool, with everything injected for it opened before and closed after."""
    opened: dict[Provider, Opened] = {}
    outcome: Outcome | None = None
    if tool.ready.injected:
        providers = registry.providers_of(tool.name)
        context = _contexts(registry, tool, call, remembered)
        refusal = yield from _open_all(registry, tool, providers, opened, context)
        if refusal is None:
            bound = inject(tool, bound, _fill(tool.ready.injected, providers, opened, context))
        outcome = refusal
    if outcome is None and call.cancellation is not None and call.cancellation.requested:
        from accord.dispatch.fault import cancelled  # noqa: PLC0415 - only failures pay for it

        outcome = cancelled(tool.name)  # while something was opened
    if outcome is None and tool.options.task:
        outcome = yield Begin(tool, call)
    if outcome is None:
        value = yield Invoke(tool, bound, call, timeout)
        with binding:  # around no step: what is set here would be seen by whoever takes the steps
            written = value if isinstance(value, Failed) else normalize(tool, value)
        outcome = within_caps(tool, registry.policy, written)
    for each in reversed(list(opened.values())):
        if each.provider.scope == "call" and each.closer is not None:
            from accord.dispatch.exceptions import exception_of  # noqa: PLC0415 - only what was opened is closed

            error = exception_of(outcome) if isinstance(outcome, Failed) else None
            problem = yield Close(tool, each, error)
            if problem is not None and isinstance(outcome, Ok):
                outcome = problem  # what could not be finished did not succeed
    return outcome


def _contexts(
    registry: Registry, tool: Tool, call: Call, remembered: dict[str, Any]
) -> Callable[[type[Context] | None], Context]:
    settings = registry.settings_of(tool.name)
    names: set[str] = set()

    def question_of(kind: Any, questions: dict[str, Any]) -> "Question":
        from accord.dispatch import question  # noqa: PLC0415 - few tools ask

        return question.question_of(kind, questions)

    def make(kind: type[Context] | None) -> Context:
        return (kind or Context).of(call, settings=settings, kept=remembered, question_of=question_of, names=names)

    return make


def _open_all(registry: Registry, tool: Tool, providers: Any, opened: dict[Provider, Opened], context: Any) -> Steps:
    """Open what the tool needs, each after what it needs itself; the failure of the first that fails."""
    if all(each.is_context for each in tool.ready.injected):
        return None
    from accord._factories import needs_of, order_for  # noqa: PLC0415 - a context needs no factory

    try:
        order = order_for(tool.ready.injected, providers)
        for provider in order:
            arguments = _fill(needs_of(provider, providers), providers, opened, context)
            if provider.scope == "app":
                made = yield Open(tool, provider, arguments, registry.open, registry.opening)
            else:
                made = yield Open(tool, provider, arguments)
            if isinstance(made, Failed):
                return made
            opened[provider] = made
    except AccordError as error:
        from accord.dispatch.fault import fault  # noqa: PLC0415 - only failures pay for it

        return fault(tool, error)
    return None


def _fill(wanted: Any, providers: Any, opened: dict[Provider, Opened], context: Any) -> dict[str, Any]:
    return {
        injected.name: context(injected.kind)
        if injected.is_context
        else opened[providers.provider_of(injected.kind)].value
        for injected in wanted
    }
