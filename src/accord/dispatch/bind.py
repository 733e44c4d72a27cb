"""Call -> tool and bound arguments: the beginning of every call, whoever makes it.

Ends before anything of the author's runs but the constructors of their types, so that a failure
here is the caller's and a failure later is the tool's: whose fault it is, is never guessed.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from accord._calls import JSON, Bound, Call, Failed
from accord._ready import Converter, Given, Rejection
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch.arguments import as_json
from accord.errors import RegistrationError

if TYPE_CHECKING:
    from accord._compile import Compiled
    from accord.gate.mend import Repair

__all__ = ["Prepared", "bind", "inject", "prepare"]

_DEEPEST = "is nested too deeply to be converted"


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
    tool = registry.tools.get(call.name) or registry.find(call.name)
    if tool is None or call.surface not in tool.surfaces:
        from accord.dispatch.unknown import unknown  # noqa: PLC0415 - a call that goes well needs none of these

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


def bind(tool: Tool, arguments: JSON) -> Bound | Failed:
    """The values the function is called with, or why the arguments do not satisfy the contract.

    ``arguments`` is JSON; None counts as no arguments. What Accord fills in is added by ``inject``.
    """
    ready = tool.ready
    if arguments is None:
        arguments = {}
    try:
        if not ready.gate.admits(arguments) or not (ready.types is None or ready.types.admits(arguments)):
            return _refused(tool, arguments)
    except ValueError:  # the gate's word for a value that is not JSON
        return _refused(tool, arguments)
    if type(arguments) is Given:
        arguments = arguments.chosen
    name: str | None = None
    try:
        if ready.flattened is not None:
            values = _flattened(tool.compiled, ready.flattened, arguments)
        else:
            values = {**ready.defaults, **arguments} if ready.defaults else arguments.copy()
            for name, kind, convert in ready.converters:
                if name in arguments and type(value := arguments[name]) is not kind:
                    values[name] = convert(value)
    except Rejection as rejection:
        return _reported(tool, _violations(rejection, name))
    except RecursionError:
        return _reported(tool, [_violation((), _DEEPEST)])
    order = ready.positional_order
    return Bound((), values) if not order or ready.injected else _placed(order, values)


def inject(tool: Tool, bound: Bound, injected: Mapping[str, Any]) -> Bound:
    """The same with the parameters Accord fills in."""
    values = {**bound.kwargs, **injected}
    order = tool.ready.positional_order
    return Bound((), values) if not order else _placed(order, values)


def _refused(tool: Tool, arguments: JSON) -> Failed:
    """Explain with the gate that said no: the schema's own, or the annotations' behind an explicit schema."""
    from accord.gate.refusal import refuse_arguments  # noqa: PLC0415 - only failures pay for it

    ready = tool.compiled.ready
    gate = ready.types if ready.types is not None and ready.gate.is_valid(arguments) else ready.gate
    return refuse_arguments(tool.name, gate, arguments, tool.compiled.published_input)


def _reported(tool: Tool, violations: list[dict[str, JSON]]) -> Failed:
    from accord.gate.refusal import refuse  # noqa: PLC0415 - as above

    return refuse(tool.name, violations, tool.compiled.published_input)


def _flattened(compiled: "Compiled", convert: Converter, arguments: dict[str, JSON]) -> dict[str, Any]:
    """The one model whose fields the arguments are; its default when none is given."""
    only = compiled.signature.parameters[0]
    return {only.name: only.default if not arguments and not only.required else convert(arguments)}


def _placed(order: tuple[str, ...], values: dict[str, Any]) -> Bound:
    return Bound(tuple(values.pop(name) for name in order if name in values), values)


def _violations(rejection: Rejection, name: str | None) -> list[dict[str, JSON]]:
    prefix = (*([] if name is None else [name]), *reversed(rejection.path))
    return [_violation((*prefix, *path), message) for path, message in rejection.reasons[:20]]


def _violation(path: tuple[str | int, ...], message: str) -> dict[str, JSON]:
    from accord._jsonpatch import short_pointer  # noqa: PLC0415 - as above

    return {
        "path": short_pointer(path),
        "argument": str(path[0]) if path else None,
        "reason": "constraint_violation",
        "keyword": "custom",
        "message": message[:500],
    }


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
