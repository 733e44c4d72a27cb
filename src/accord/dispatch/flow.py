"""The one path every call takes: route -> bind -> consent -> provide -> invoke -> normalize -> Outcome.

Written once: ``bind.prepare`` takes a call as far as nobody else's code runs, and ``flow`` goes on from there, a
generator that yields a step wherever such code runs; ``blocking`` drives it on the caller's thread, ``awaiting`` inside
a loop. Knows no argv, no bytes and no transport.
"""

from accord._registry import Registry
from accord.dispatch.bind import Prepared
from accord.dispatch.normalize import finish, with_repairs
from accord.dispatch.steps import Flow, Invoke

__all__ = ["flow"]


def flow(registry: Registry, prepared: Prepared) -> Flow:
    """The steps of a call that may go ahead."""
    tool = prepared.tool
    if prepared.is_plain:
        value = yield Invoke(tool, prepared.bound, prepared.call, None)
        return finish(tool, value, prepared.repairs)
    from accord.dispatch.guarded import guarded  # noqa: PLC0415 - a plain call needs none

    outcome = yield from guarded(registry, tool, prepared.bound, prepared.arguments, prepared.call)
    return with_repairs(outcome, prepared.repairs) if prepared.repairs else outcome
