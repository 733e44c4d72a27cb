"""Arguments as somebody has them -> JSON, as the contract wants them.

From Python come annotated values as well as their JSON forms; both pass the same gate, so values are written as
JSON first. What is JSON already is copied here; the rest is the business of ``instances``, who knows the annotations.
"""

from typing import TYPE_CHECKING, Any

from accord._calls import JSON, Failed
from accord._encode import Unencodable, json_scalar
from accord._ready import Given
from accord._tool import Tool

if TYPE_CHECKING:
    from accord.schema import tree

__all__ = ["as_json"]


_SCALARS = {str, int, float, bool, type(None)}


class _NotJson(Exception):
    """Something among the arguments is no JSON, but may have a JSON form."""


def as_json(tool: Tool, arguments: Any) -> dict[str, JSON] | Failed:
    """The arguments of a call as JSON, or why they cannot be."""
    for value in arguments.values():
        kind = type(value)
        if kind is str:
            if not value.isascii():
                break
        elif kind is int:
            if not -0x8000000000000000 < value < 0x8000000000000000:  # a larger one deserves a second look
                break
        elif kind is float:
            if value - value != 0:  # NaN, or beyond all numbers
                break
        elif kind is not bool and value is not None:
            break
    else:  # as nearly always: JSON already
        given: dict[str, JSON] = arguments
        return given
    try:
        return _copy(tool, arguments)
    except Unencodable as error:
        return _refused(tool, error)
    except RecursionError:
        return _refused(tool, Unencodable("contains itself, or is nested too deeply"))


def _copy(tool: Tool, arguments: Any) -> dict[str, JSON]:
    try:
        return _members(arguments)
    except _NotJson:
        return _written(tool.compiled.whole, arguments)


def _written(whole: "tree.Tree", arguments: Any) -> dict[str, JSON]:
    from accord.schema.instances import Writer, without_choices  # noqa: PLC0415 - JSON needs none of it

    writer = Writer(lambda reference: whole.definitions[reference.key][1], sparse=True)
    chosen: dict[str, Any] = writer.arguments(arguments, whole.root)
    if not writer.chose:
        return chosen
    given = Given(without_choices(chosen))
    given.chosen = chosen
    return given


def _members(value: dict[str, Any]) -> dict[str, JSON]:
    copied: dict[str, JSON] = {}
    for name, item in value.items():
        if type(name) is not str:
            raise _NotJson
        json_scalar(name)
        try:
            copied[name] = _value(item)
        except Unencodable as error:
            error.path.append(name)
            raise
    return copied


def _items(value: list[Any]) -> list[JSON]:
    copied: list[JSON] = []
    try:
        for item in value:
            copied.append(_value(item))  # noqa: PERF401 - the length so far is the path of a failure
    except Unencodable as error:
        error.path.append(len(copied))
        raise
    return copied


def _value(value: Any) -> JSON:
    kind = type(value)
    if kind is dict:
        return _members(value)
    if kind is list:
        return _items(value)
    if kind not in _SCALARS:
        raise _NotJson
    return json_scalar(value)


def _refused(tool: Tool, error: Unencodable) -> Failed:
    from accord.gate.refusal import refuse  # noqa: PLC0415 - only failures pay for it

    top = str(error.path[-1]) if error.path else None
    violation = {
        "path": error.pointer,
        "argument": top,
        "reason": "type_mismatch",
        "keyword": "type",
        "message": error.problem,
    }
    return refuse(tool.name, [violation], tool.compiled.published_input)
