"""``minimum`` and its kin beyond 2**53, compared exactly.

The compiled engine compares through floats once a limit no longer fits one, and gets the last digit
wrong. Python does not; the keywords are ours where a schema has such a limit, and the engine's elsewhere.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any

from accord._calls import JSON

__all__ = ["exact_bounds"]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}
_EXACT_BELOW = 2**53


def exact_bounds(parts: Iterable[dict[str, JSON]]) -> dict[str, type]:
    """The keywords to take over for a schema, given its subschemas: those with a limit the engine cannot compare."""
    limits = [(keyword, part[keyword]) for part in parts for keyword in part if keyword in _KEYWORDS]
    large = {keyword for keyword, limit in limits if _is_large(limit)}
    return {keyword: _KEYWORDS[keyword] for keyword in large}


def _is_large(limit: Any) -> bool:
    return type(limit) in (int, float) and abs(limit) >= _EXACT_BELOW


class _Bound:
    """One keyword, in the shape the engine calls."""

    holds: Callable[[Any, Any], bool]

    def __init__(self, _parent: dict[str, Any], limit: Any, _path: list[str | int]) -> None:
        self._limit = limit

    def validate(self, instance: Any) -> None:
        """Raise ValueError for a number outside the bound; other values pass."""
        if type(instance) in (int, float) and not self.holds(instance, self._limit):
            raise ValueError("out of bounds")


_KEYWORDS = {
    keyword: type(f"_{keyword}", (_Bound,), {"holds": staticmethod(holds)}) for keyword, holds in _COMPARISONS.items()
}
