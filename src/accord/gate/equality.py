"""``enum``, ``const`` and ``uniqueItems`` with numbers beyond 2**53, compared exactly.

The compiled engine compares an integer and a float by their digits once they do not fit 64 bits, so that 1e30 is 10**30
to it, and 2.0**63 is not 2**63; Python says which integer the float is. The keywords are ours where a schema may meet
such a number, and the engine's elsewhere.
"""

from collections.abc import Hashable, Iterable
from typing import Any

from accord._calls import JSON

__all__ = ["exact_equality"]

_EXACT_BELOW = 2**53


def exact_equality(parts: Iterable[dict[str, JSON]]) -> dict[str, type]:
    """The keywords to take over for a schema, given its subschemas: those that may have to compare such numbers."""
    taken: dict[str, type] = {}
    for part in parts:
        for keyword in part.keys() & _KEYWORDS.keys():
            if keyword not in taken and _may_be_large(keyword, part):
                taken[keyword] = _KEYWORDS[keyword]
    return taken


def _may_be_large(keyword: str, schema: dict[str, JSON]) -> bool:
    if keyword != "uniqueItems":
        return _is_large(schema[keyword])
    items = schema.get("items")
    return not isinstance(items, dict) or items.get("type") != "string"


def _is_large(value: JSON) -> bool:
    if isinstance(value, list):
        return any(map(_is_large, value))
    if isinstance(value, dict):
        return any(map(_is_large, value.values()))
    return type(value) in (int, float) and abs(value) >= _EXACT_BELOW


def _identity(value: JSON) -> Hashable:
    """Equal for values that JSON Schema calls equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, list):
        return "array", tuple(map(_identity, value))
    if isinstance(value, dict):
        return "object", frozenset((name, _identity(member)) for name, member in value.items())
    return isinstance(value, bool), value


class _Enum:
    """The keyword, in the shape the engine calls."""

    def __init__(self, _parent: dict[str, Any], constants: list[JSON], _path: list[str | int]) -> None:
        self._known = frozenset(map(_identity, constants))

    def validate(self, instance: JSON) -> None:
        """Raise ValueError for a value that is none of the constants."""
        try:
            known = _identity(instance) in self._known
        except RecursionError:
            known = False  # no constant is as deep
        if not known:
            raise ValueError("not one of the constants")


class _Const(_Enum):
    """The same for the one constant of ``const``."""

    def __init__(self, parent: dict[str, Any], constant: JSON, path: list[str | int]) -> None:
        super().__init__(parent, [constant], path)


class _UniqueItems:
    """The keyword, in the shape the engine calls."""

    def __init__(self, _parent: dict[str, Any], unique: bool, _path: list[str | int]) -> None:
        self._unique = unique

    def validate(self, instance: JSON) -> None:
        """Raise ValueError for a list that holds an item twice; other values pass."""
        if not self._unique or not isinstance(instance, list) or len(instance) < 2:
            return
        kinds = set(map(type, instance))
        try:
            different = set(instance if kinds <= _PLAIN_NUMBERS else map(_identity, instance))
        except RecursionError as error:
            raise ValueError("nested too deeply to be compared") from error
        if len(different) < len(instance):
            raise ValueError("an item is there twice")


_PLAIN_NUMBERS = {int, float}
_KEYWORDS: dict[str, type] = {"enum": _Enum, "const": _Const, "uniqueItems": _UniqueItems}
