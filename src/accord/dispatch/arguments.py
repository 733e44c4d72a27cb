"""Arguments as somebody has them -> JSON, as the contract wants them.

From Python come annotated values as well as their JSON forms; both pass the same gate, so values are written as
JSON first: under the names they are read by, with their secrets, and without the fields nobody may give.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from accord._calls import JSON, Failed
from accord._encode import Unencodable, encode
from accord._tool import Tool

if TYPE_CHECKING:
    from accord._shapes import Shape

__all__ = ["as_json"]

_SCALARS = {str, int, bool, type(None)}


def as_json(tool: Tool, arguments: Any) -> dict[str, JSON] | Failed:
    """The arguments of a call as JSON, or why they cannot be."""
    for value in arguments.values():
        if type(value) not in _SCALARS and not (type(value) is float and math.isfinite(value)):
            break
    else:  # as nearly always: JSON already
        given: dict[str, JSON] = arguments
        return given
    try:
        return _mapping(arguments)
    except Unencodable as error:
        return _refused(tool, error)
    except RecursionError:
        return _refused(tool, Unencodable("contains itself, or is nested too deeply"))


def _value(value: Any) -> JSON:
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is float and math.isfinite(value):
        return value
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, list | tuple):
        return _sequence(value)
    if hasattr(value, "get_secret_value"):
        return _value(value.get_secret_value())
    from accord._records import shape_of  # noqa: PLC0415 - JSON needs none of it
    from accord.typesupport import support_for  # noqa: PLC0415 - as above

    shape = None if support_for(kind) else shape_of(kind)
    return encode(value) if shape is None or shape.dump is not None else _record(shape, value)


def _mapping(value: Mapping[Any, Any]) -> dict[str, JSON]:
    written: dict[str, JSON] = {}
    for key, item in value.items():
        name = key if type(key) is str else next(iter(encode({key: None})))
        try:
            written[name] = _value(item)
        except Unencodable as error:
            error.path.append(name)
            raise
    return written


def _sequence(value: Any) -> list[JSON]:
    written: list[JSON] = []
    try:
        for item in value:
            written.append(_value(item))  # noqa: PERF401 - the length so far is the path of a failure
    except Unencodable as error:
        error.path.append(len(written))
        raise
    return written


def _record(shape: "Shape", value: Any) -> dict[str, JSON]:
    written: dict[str, JSON] = {shape.tag[0]: shape.tag[1]} if shape.tag else {}
    for field in shape.fields:
        item = getattr(value, field.attribute, field.default)
        if not field.read or (item is field.default and not field.required):
            continue  # a default needs no JSON form
        try:
            written[field.name] = _value(item)
        except Unencodable as error:
            error.path.append(field.name)
            raise
    extra = shape.extra_of(value) if shape.extra_of else None
    return {**written, **_mapping(extra)} if extra else written


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
