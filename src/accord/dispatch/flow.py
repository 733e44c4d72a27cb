"""The one path every call takes: route -> bind -> consent -> provide -> invoke -> normalize -> Outcome.

Written once: ``prepare`` takes a call as far as nobody else's code runs, and ``flow`` goes on from there, a generator
that yields a step wherever such code runs; ``blocking`` drives it on the caller's thread, ``awaiting`` inside a loop.
Knows no argv, no bytes and no transport.
"""

from typing import TYPE_CHECKING, Any

import msgspec

from accord._calls import JSON, Bound, Call, Failed, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch.arguments import as_json
from accord.dispatch.bind import bind
from accord.dispatch.normalize import normalize
from accord.dispatch.steps import Flow, Invoke
from accord.errors import RegistrationError

if TYPE_CHECKING:
    from accord.gate.mend import Repair

__all__ = ["Prepared", "finish", "flow", "prepare"]


class Prepared(msgspec.Struct, frozen=True, gc=False):
    """A call that may go ahead: its tool is found, its arguments are bound."""

    tool: Tool
    bound: Bound
    call: Call
    arguments: dict[str, JSON]
    is_plain: bool
    repairs: "tuple[Repair, ...]" = ()


def prepare(registry: Registry, call: Call) -> Prepared | Failed:
    """The beginning of every call: route, bind, and repair where the policy says so."""
    tool = registry.find(call.name)
    if tool is None or call.surface not in tool.surfaces:
        from accord.dispatch.unknown import unknown  # noqa: PLC0415 - as all imports below: a plain call needs none

        return unknown(registry, call)
    try:
        plain = tool.is_plain
    except RegistrationError as error:  # put off at registration, and still not possible
        from accord.dispatch.fault import fault  # noqa: PLC0415 - as above

        return fault(tool, error)
    arguments: JSON = call.arguments
    if call.surface != "mcp":
        arguments = as_json(tool, arguments) if plain else _as_json(registry, tool, call)
    if type(arguments) is Failed:
        return arguments
    bound = bind(tool, arguments) if plain else _bind(registry, tool, arguments, call)
    if type(bound) is Failed:
        return bound if registry.policy.repair == "off" else _mended(registry, tool, bound, arguments, call)
    if call.cancellation is not None and call.cancellation.requested:
        return _withdrawn(tool)
    return Prepared(tool, bound, call, arguments, plain)


def flow(registry: Registry, prepared: Prepared) -> Flow:
    """The steps of a call that may go ahead."""
    tool = prepared.tool
    if prepared.is_plain:
        value = yield Invoke(tool, prepared.bound, prepared.call, None)
        return finish(prepared, value)
    from accord.dispatch.guarded import guarded  # noqa: PLC0415 - as above

    outcome = yield from guarded(registry, tool, prepared.bound, prepared.arguments, prepared.call)
    return _with_repairs(outcome, prepared.repairs) if prepared.repairs else outcome


def finish(prepared: Prepared, value: Any) -> Outcome:
    """The end of a plain call, whose function gave this value or failed."""
    outcome = value if type(value) is Failed else normalize(prepared.tool, value)
    return _with_repairs(outcome, prepared.repairs) if prepared.repairs else outcome


def _mended(registry: Registry, tool: Tool, refusal: Failed, arguments: JSON, call: Call) -> Prepared | Failed:
    from accord.gate.mend import mend  # noqa: PLC0415 - as above

    mended = mend(tool.compiled.gate, arguments)
    if mended is None:
        return refusal
    arguments, repairs = mended
    registry.count(tool, repairs)
    bound = _bind(registry, tool, arguments, call)
    if type(bound) is Failed:
        return bound
    if call.cancellation is not None and call.cancellation.requested:
        return _withdrawn(tool)
    return Prepared(tool, bound, call, arguments, tool.is_plain, tuple(repairs))


def _withdrawn(tool: Tool) -> Failed:
    from accord.dispatch.fault import cancelled  # noqa: PLC0415 - as above

    return cancelled(tool.name)


def _as_json(registry: Registry, tool: Tool, call: Call) -> dict[str, JSON] | Failed:
    if tool.cursors is None:
        return as_json(tool, call.arguments)
    from accord.dispatch.cursors import with_cursors_as_json  # noqa: PLC0415 - as above

    return with_cursors_as_json(registry, tool, call)


def _bind(registry: Registry, tool: Tool, arguments: JSON, call: Call) -> Bound | Failed:
    from accord.dispatch.cursors import binding_of  # noqa: PLC0415 - as above

    with binding_of(registry, tool, arguments, call):
        return bind(tool, arguments)


def _with_repairs(outcome: Outcome, repairs: "tuple[Repair, ...]") -> Outcome:
    if isinstance(outcome, Failed):
        return outcome
    shown = [{"path": repair.path, "repair": repair.repair} for repair in repairs]
    return msgspec.structs.replace(outcome, meta={**(outcome.meta or {}), "accord/repairs": shown})
