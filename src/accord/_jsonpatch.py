"""The few operations of RFC 6902 that repairs are made of: add, remove, replace, move."""

from typing import Any

from accord._calls import JSON

__all__ = ["Operation", "apply_patch", "pointer_of", "steps_of"]

Operation = dict[str, JSON]


def pointer_of(path: "tuple[str | int, ...] | list[str | int]") -> str:
    """The JSON Pointer of a path."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def steps_of(pointer: str) -> list[str]:
    """The steps of a JSON Pointer, unescaped."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def apply_patch(document: JSON, patch: list[Operation]) -> JSON:
    """The document with the operations applied in order; the document itself stays as it was.

    Raises:
        LookupError: an operation names a place that is not there.
    """
    for operation in patch:
        kind, steps = operation["op"], steps_of(operation["path"])
        if kind == "remove":
            document, _ = _without(document, steps)
        elif kind == "move":
            document, value = _without(document, steps_of(operation["from"]))
            document = _with(document, steps, value)
        elif kind in ("add", "replace"):
            document = _with(document, steps, operation["value"])
        else:
            raise LookupError(f"no operation is called {kind!r}")
    return document


def _with(document: Any, steps: list[str], value: JSON) -> JSON:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(document, list):
        copy = list(document)
        copy[int(step)] = _with(copy[int(step)], rest, value)
        return copy
    if not isinstance(document, dict):
        raise LookupError(f"there is no {step!r} in a scalar")
    inner = document[step] if rest else None
    return {**document, step: _with(inner, rest, value)}


def _without(document: Any, steps: list[str]) -> tuple[JSON, JSON]:
    """The document without the value at the path, and that value."""
    step, rest = steps[0], steps[1:]
    if isinstance(document, list):
        inner, taken = _without(document[int(step)], rest)
        return [*document[: int(step)], inner, *document[int(step) + 1 :]], taken
    if not isinstance(document, dict):
        raise LookupError(f"there is no {step!r} in a scalar")
    if rest:
        inner, taken = _without(document[step], rest)
        return {**document, step: inner}, taken
    copy = dict(document)
    return copy, copy.pop(step)
