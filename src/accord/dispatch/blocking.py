"""Call -> Outcome on the caller's own thread: middleware around the flow, and each of its steps taken here.

Async middleware, factories and tools run on a loop of ours, which this thread waits for.
"""

from collections.abc import Callable
from typing import Any

from accord._caller import Unwind
from accord._calls import Call, Failed, Ok, Outcome
from accord._registry import Middleware, Registry
from accord.dispatch.bind import prepare
from accord.dispatch.flow import flow
from accord.dispatch.invoke import close, invoke, open_provider
from accord.dispatch.normalize import finish
from accord.dispatch.steps import Begin, Close, Consult, Flow, Invoke, Keep, Open, Pause, Recall
from accord.provide import Opened

__all__ = ["dispatch", "drive"]

Stage = Callable[[Call], Outcome]


def dispatch(registry: Registry, call: Call, *, wrapped: bool = False) -> Outcome:
    """The outcome of a call. Never raises for what a tool, a factory or a middleware does.

    ``wrapped`` says that its middleware is around it already.
    """
    if (registry.middleware or registry.homes) and not wrapped:
        tool = registry.find(call.name)
        return _chain(registry, tool.name if tool else "")(call)
    prepared = prepare(registry, call)
    if type(prepared) is Failed:
        return prepared
    if prepared.is_plain:  # one step, which needs no generator to be taken
        return finish(prepared.tool, invoke(prepared.tool, prepared.bound, call), prepared.repairs)
    return drive(flow(registry, prepared))


def drive(steps: Flow) -> Outcome:
    """Take every step of a flow."""
    try:
        step = next(steps)
        while True:
            step = steps.send(_TAKE[type(step)](step))
    except StopIteration as stop:
        outcome: Outcome = stop.value
        return outcome


def _invoke(step: Invoke) -> Any:
    try:
        return invoke(step.tool, step.bound, step.call, step.timeout)
    except KeyboardInterrupt as error:  # between our lines and the tool's: what was opened still has to be closed
        from accord.dispatch.fault import fault  # noqa: PLC0415 - only failures pay for it

        return fault(step.tool, error)


def _begin(step: Begin) -> Failed | None:
    try:
        step.call.caller.begin(step.tool.name, lambda: step.tool.digest)
    except BaseException as error:  # noqa: BLE001 - boundary: what keeps tasks may be the author's code
        from accord.dispatch.fault import fault  # noqa: PLC0415 - only failures pay for it

        return fault(step.tool, error)
    return None


def _open(step: Open) -> Opened | Failed:
    try:
        if step.kept is None:
            return Opened(step.provider, *open_provider(step.provider, step.arguments))
        with step.lock:
            if step.provider not in step.kept:
                step.kept[step.provider] = Opened(step.provider, *open_provider(step.provider, step.arguments))
            return step.kept[step.provider]
    except BaseException as error:  # noqa: BLE001 - boundary: the factory is the author's code
        from accord.dispatch.fault import fault  # noqa: PLC0415 - only failures pay for it

        return fault(step.tool, error)


def _close(step: Close) -> Failed | None:
    try:
        close(step.opened.closer, step.error)
    except BaseException as error:  # noqa: BLE001 - boundary: the factory is the author's code
        from accord.dispatch.fault import fault  # noqa: PLC0415 - only failures pay for it

        return fault(step.tool, error)
    return None


def _consult(step: Consult) -> Any:
    try:
        return step.call.caller.confirm(step.question)
    except Unwind as unwind:
        from accord.dispatch.fault import input_required  # noqa: PLC0415 - few callers answer in another run

        return input_required(step.call.name, unwind)


def _pause(step: Pause) -> bool:
    if step.call.cancellation is not None:
        return step.call.cancellation.wait(step.seconds)
    _sleep(step.seconds)
    return False


def _sleep(seconds: float) -> None:
    import time  # noqa: PLC0415 - looked up late, so that a test's clock is the one that is asked

    time.sleep(seconds)


def _recall(step: Recall) -> Ok | None:
    from accord.dispatch.cache import look_up  # noqa: PLC0415 - few tools keep results

    return look_up(step.store, step.key)


def _keep(step: Keep) -> None:
    from accord.dispatch.cache import keep  # noqa: PLC0415 - few tools keep results

    keep(step.store, step.key, step.outcome, step.ttl)


_TAKE: dict[type, Callable[[Any], Any]] = {
    Begin: _begin,
    Invoke: _invoke,
    Open: _open,
    Close: _close,
    Consult: _consult,
    Pause: _pause,
    Recall: _recall,
    Keep: _keep,
}


def _chain(registry: Registry, name: str) -> Stage:
    """The middleware around a tool, composed when there is more of it than the last time."""
    current = list(registry.middleware_of(name))
    composed, stage = registry.chains.get((name, "sync"), (None, None))
    if composed != current:
        stage = _core(registry)
        for middleware in reversed(current):
            stage = _around(registry, middleware, stage)
        registry.chains[name, "sync"] = current, stage
    chain: Stage = stage
    return chain


def _core(registry: Registry) -> Stage:
    return lambda call: dispatch(registry, call, wrapped=True)


def _around(registry: Registry, middleware: Middleware, inner: Stage) -> Stage:
    import inspect  # noqa: PLC0415 - a call without middleware needs none of it

    from accord.dispatch import invoke_async, loop  # noqa: PLC0415 - as above
    from accord.dispatch.middleware import checked, is_async, raised  # noqa: PLC0415 - as above

    following: Callable[[Call], Any] = _awaitable(inner) if is_async(middleware) else inner

    def stage(call: Call) -> Ok | Failed:
        try:
            outcome = middleware(call, following)
            if inspect.isawaitable(outcome):
                outcome = loop.run(invoke_async.awaited(outcome))
        except BaseException as error:  # noqa: BLE001 - boundary: middleware is the author's code
            return raised(registry, call, error)
        return checked(call, middleware, outcome)

    return stage


def _awaitable(inner: Stage) -> Callable[[Call], Any]:
    """The next stage for an async middleware, which awaits it: on a thread, because it may block."""

    async def following(call: Call) -> Outcome:
        from accord.dispatch.loop import on_a_thread  # noqa: PLC0415 - a call without middleware needs none of it

        outcome: Outcome = await on_a_thread(inner, call)
        return outcome

    return following
