"""The one path every call takes: route -> bind -> consent -> provide -> invoke -> normalize -> Outcome.

Written once, as a generator that yields a step wherever code that is not ours runs; ``blocking`` drives it on the
caller's thread, ``awaiting`` inside an event loop. Knows no argv, no bytes and no transport.
"""

from typing import TYPE_CHECKING

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

__all__ = ["flow"]


def flow(registry: Registry, call: Call) -> Flow:
    """The steps of a call, from its name to its outcome."""
    tool = registry.find(call.name)
    if tool is None or call.surface not in tool.options.surfaces:
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
    repairs: list[Repair] = []
    if type(bound) is Failed and registry.policy.repair == "report":
        from accord.gate.mend import mend  # noqa: PLC0415 - as above

        mended = mend(tool.compiled.gate, arguments)
        if mended is not None:
            arguments, repairs = mended
            registry.count(tool, repairs)
            bound = _bind(registry, tool, arguments, call)
    if type(bound) is Failed:
        return bound
    if call.cancellation is not None and call.cancellation.requested:
        from accord.dispatch.fault import cancelled  # noqa: PLC0415 - as above

        return cancelled(tool.name)
    if plain:
        value = yield Invoke(tool, bound, call, None)
        outcome: Outcome = value if type(value) is Failed else normalize(tool, value)
    else:
        from accord.dispatch.guarded import guarded  # noqa: PLC0415 - as above

        outcome = yield from guarded(registry, tool, bound, arguments, call)
    return _with_repairs(outcome, repairs) if repairs else outcome


def _as_json(registry: Registry, tool: Tool, call: Call) -> dict[str, JSON] | Failed:
    if tool.cursors is None:
        return as_json(tool, call.arguments)
    from accord.dispatch.cursors import with_cursors_as_json  # noqa: PLC0415 - as above

    return with_cursors_as_json(registry, tool, call)


def _bind(registry: Registry, tool: Tool, arguments: JSON, call: Call) -> Bound | Failed:
    from accord.dispatch.cursors import binding_of  # noqa: PLC0415 - as above

    with binding_of(registry, tool, arguments, call):
        return bind(tool, arguments)


def _with_repairs(outcome: Outcome, repairs: "list[Repair]") -> Outcome:
    if isinstance(outcome, Failed):
        return outcome
    shown = [{"path": repair.path, "repair": repair.repair} for repair in repairs]
    return msgspec.structs.replace(outcome, meta={**(outcome.meta or {}), "accord/repairs": shown})
