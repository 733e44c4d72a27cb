"""Tool x arguments -> bound arguments.

Ends before anything of the author's runs but the constructors of their types, so that a failure
here is the caller's and a failure later is the tool's: whose fault it is, is never guessed.
"""

from collections.abc import Mapping
from typing import Any

from accord._branches import Rejection
from accord._calls import JSON, Bound, Failed
from accord._compile import Compiled
from accord._jsonpatch import short_pointer
from accord._tool import Tool
from accord.gate.refusal import refuse, refuse_arguments

__all__ = ["bind"]

_ABSENT = object()
_DEEPEST = "is nested too deeply to be converted"


def bind(tool: Tool, arguments: JSON, injected: Mapping[str, Any] | None = None) -> Bound | Failed:
    """The values the function is called with, or why the arguments do not satisfy the contract.

    ``arguments`` is JSON (None counts as no arguments), ``injected`` the parameters Accord fills in.
    """
    compiled = tool.compiled
    if arguments is None:
        arguments = {}
    if not compiled.gate.is_valid(arguments):
        return refuse_arguments(tool.name, compiled.gate, arguments, compiled.published_input)
    if compiled.types is not None and not compiled.types.is_valid(arguments):
        return refuse_arguments(tool.name, compiled.types, arguments, compiled.published_input)
    try:
        values = _converted(compiled, arguments)
    except Rejection as rejection:
        return refuse(tool.name, _violations(rejection), compiled.published_input)
    except RecursionError:
        return refuse(tool.name, [_violation((), _DEEPEST)], compiled.published_input)
    if injected:
        values.update(injected)
    order = compiled.signature.positional_order
    return Bound((), values) if not order else _placed(order, values)


def _converted(compiled: Compiled, arguments: dict[str, JSON]) -> dict[str, Any]:
    if compiled.flattened is not None:
        only = compiled.signature.parameters[0]
        if not arguments and not only.required:
            return {only.name: only.default}
        return {only.name: compiled.flattened(arguments)}
    values = {**compiled.defaults, **arguments}
    name = ""
    try:
        for name, ready, convert in compiled.converters:
            value = arguments.get(name, _ABSENT)
            if value is not _ABSENT and type(value) is not ready:
                values[name] = convert(value)
    except Rejection as rejection:
        rejection.path.append(name)
        raise
    return values


def _placed(order: tuple[str, ...], values: dict[str, Any]) -> Bound:
    return Bound(tuple(values.pop(name) for name in order if name in values), values)


def _violations(rejection: Rejection) -> list[dict[str, JSON]]:
    prefix = tuple(reversed(rejection.path))
    return [_violation((*prefix, *path), message) for path, message in rejection.reasons[:20]]


def _violation(path: tuple[str | int, ...], message: str) -> dict[str, JSON]:
    return {
        "path": short_pointer(path),
        "argument": str(path[0]) if path else None,
        "reason": "constraint_violation",
        "keyword": "custom",
        "message": message[:500],
    }
