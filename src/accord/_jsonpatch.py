"""The few operations of RFC 6902 that repairs are made of: add, remove, replace, move."""

from collections.abc import Callable, Sequence
from typing import Any

from accord._calls import JSON

__all__ = ["Operation", "apply_patch", "pointer_of", "short_pointer", "steps_of", "value_at"]

Operation = dict[str, JSON]

_LONGEST_STEP = 100


def pointer_of(path: Sequence[str | int]) -> str:
    """The JSON Pointer of a path."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def short_pointer(path: Sequence[str | int]) -> str:
    """The pointer of a path in which no step is longer than a reader (or a wire) can bear."""
    return pointer_of([_shortened(step) for step in path])


def _shortened(step: str | int) -> str | int:
    if not isinstance(step, str):
        return step
    step = step.encode("utf-8", "replace").decode()
    return step if len(step) <= _LONGEST_STEP else f"{step[:_LONGEST_STEP]}..."


def steps_of(pointer: str) -> list[str]:
    """The steps of a JSON Pointer, unescaped."""
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def value_at(document: Any, path: Sequence[str | int]) -> Any:
    """What stands at a path that is there."""
    for step in path:
        document = document[step]
    return document


def apply_patch(document: JSON, patch: list[Operation]) -> JSON:
    """The document with the operations applied in order; the document itself stays as it was.

    Raises:
        LookupError: an operation names a place that is not there.
    """
    for operation in patch:
        kind, steps = operation["op"], steps_of(operation["path"])
        if kind == "remove":
            document = _changed(document, steps, _removed)
        elif kind == "move":
            source = steps_of(operation["from"])
            value = _found(document, source)
            document = _changed(document, source, _removed)
            document = _changed(document, steps, _adding(value))
        elif kind == "add":
            document = _changed(document, steps, _adding(operation["value"])) if steps else operation["value"]
        elif kind == "replace":
            _found(document, steps)
            document = _changed(document, steps, _replacing(operation["value"])) if steps else operation["value"]
        else:
            raise LookupError(f"no operation is called {kind!r}")
    return document


#: a change of a copied container at its last step
_Change = Callable[[Any, str], None]


def _found(document: Any, steps: list[str]) -> JSON:
    for step in steps:
        document = document[_index(document, step)]
    return document


def _changed(document: Any, steps: list[str], change: _Change) -> JSON:
    """A copy in which the containers along the path are new, and the last of them was changed."""
    if not isinstance(document, dict | list):
        raise LookupError(f"there is no {steps[0]!r} in a scalar")
    copy: Any = document.copy()
    if len(steps) == 1:
        change(copy, steps[0])
    else:
        place = _index(copy, steps[0])
        copy[place] = _changed(copy[place], steps[1:], change)
    return copy


def _index(container: Any, step: str) -> Any:
    if isinstance(container, dict):
        return step
    if isinstance(container, list) and step.isdecimal() and int(step) < len(container):
        return int(step)
    raise LookupError(f"there is no {step!r} here")


def _removed(container: Any, step: str) -> None:
    del container[_index(container, step)]


def _adding(value: JSON) -> _Change:
    def add(container: Any, step: str) -> None:
        if isinstance(container, dict):
            container[step] = value
        elif step == "-" or step == str(len(container)):
            container.append(value)
        else:
            container.insert(_index(container, step), value)

    return add


def _replacing(value: JSON) -> _Change:
    def replace(container: Any, step: str) -> None:
        container[_index(container, step)] = value

    return replace
