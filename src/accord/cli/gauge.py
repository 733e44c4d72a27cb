"""How far a call is, as text: the bar of a terminal, and the line for anything else.

Pure: knows numbers and widths, and neither streams nor time.
"""

import math

import msgspec

from accord.cli.terminal import Look, cut, ellipsis_of, one_line, paint, shown

__all__ = ["Stage", "bar_line", "step_line"]

_WIDEST = 30
#: what 29 / 100 * 100 lacks to be 29
_ROUNDING = 1e-9


class Stage(msgspec.Struct, frozen=True):
    """What was last told. A ``total`` that is not above zero is not known."""

    status: str
    step: float
    total: float

    @property
    def is_known(self) -> bool:
        """Whether there is an end to measure by."""
        return 0 < self.total < math.inf

    @property
    def is_complete(self) -> bool:
        """Whether the end is reached."""
        return self.is_known and self.step >= self.total

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        if not self.step > 0:  # NaN neither
            return 0.0
        try:
            return 1.0 if self.step >= self.total else self.step / self.total
        except OverflowError:  # a float beside an integer that no float can hold
            return 0.0


def bar_line(stage: Stage, turn: int, look: Look) -> str:
    """The bar, the count and the status, in less than the terminal's width.

    ``turn`` counts the drawings: where no total is known, a block moves by one cell with each.
    """
    # The last cell stays free: terminals differ in whether writing it begins a new line.
    width = max(look.width - 1, 0)
    size = min(_WIDEST, width // 3)
    if stage.is_known:
        bar = _filled(stage.share, size, look)
        count = f"{int(stage.share * 100 + _ROUNDING):3d}%"
    else:
        bar = _wandering(turn, size, look)
        count = _number(stage.step) if stage.step else ""
    beside = " ".join(filter(None, (count, _status(stage, look))))
    return f"{bar} {cut(beside, width - size - 1, ellipsis_of(look))}".rstrip()


def step_line(stage: Stage, look: Look) -> str:
    """The step as a line of its own: ``[2/10] copying``."""
    count = ""
    if stage.is_known:
        count = f"[{_number(stage.step)}/{_number(stage.total)}]"
    elif stage.step:
        count = f"[{_number(stage.step)}]"
    return " ".join(filter(None, (count, _status(stage, look))))


def _status(stage: Stage, look: Look) -> str:
    return shown(one_line(stage.status), look)


def _filled(share: float, size: int, look: Look) -> str:
    full = int(share * size + _ROUNDING)
    return _drawn(0, full, size, look)


def _wandering(turn: int, size: int, look: Look) -> str:
    block = (size + 3) // 4
    way = size - block
    place = turn % (2 * way) if way else 0
    return _drawn(min(place, 2 * way - place), block, size, look)


def _drawn(start: int, length: int, size: int, look: Look) -> str:
    full, empty = ("━", "─") if look.unicode else ("#", "-")
    return empty * start + paint(full * length, "cyan", look) + empty * (size - start - length)


def _number(value: float) -> str:
    if not -math.inf < value < math.inf:
        return str(value)
    try:
        return str(int(value)) if value == int(value) else f"{value:g}"
    except ValueError:  # an integer of thousands of digits
        return "?"
