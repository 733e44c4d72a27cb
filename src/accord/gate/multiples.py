"""``multipleOf`` in exact decimal arithmetic, at every magnitude.

The compiled engine is exact for small numbers and gives up precision for large ones (1e20 is a
multiple of 0.1), so the keyword is ours.
"""

from fractions import Fraction
from typing import Any

__all__ = ["MultipleOf", "is_multiple"]


_WHOLE_FROM = 2**53


def is_multiple(value: float, step: float) -> bool:
    """Whether ``value / step`` is a whole number, reading both as the decimals they are written as.

    From 2**53 on a float is a whole number already, and counts as the one it holds, not as its rounded digits.
    """
    if type(value) is float and abs(value) >= _WHOLE_FROM:
        value = int(value)
    if type(value) is int and type(step) is int:
        return value % step == 0
    return (_exact(value) / _exact(step)).denominator == 1


def _exact(number: float) -> Fraction:
    return Fraction(number) if type(number) is int else Fraction(repr(number))


class MultipleOf:
    """The keyword, in the shape the engine calls."""

    def __init__(self, _parent: dict[str, Any], step: Any, _path: list[str | int]) -> None:
        if type(step) not in (int, float) or step <= 0:
            raise ValueError("multipleOf must be a number above zero")
        self._step = step

    def validate(self, instance: Any) -> None:
        """Raise ValueError for a number that is no multiple; other values pass."""
        if type(instance) in (int, float) and not is_multiple(instance, self._step):
            raise ValueError("not a multiple")
