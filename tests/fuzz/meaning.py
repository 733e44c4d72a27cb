"""What an annotation means on the wire, read from DESIGN 3.2 alone: a second opinion on every schema.

The schema, the gate and the conversion of the engine grow from one reading of the annotation, so a misreading
would not make them disagree with each other. This file reads the annotation a second time, without any code
of the engine except the format table, which is shared by decree (R1). Each Meaning answers two questions:

    accepts(wire)            does DESIGN let this JSON value through?
    complaint(wire, value)   what is wrong with this Python value as the reading of that JSON value (or None)?

`reading.py` builds Meanings from annotations.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from accord.schema.formats import FORMATS
from tests.fuzz.patterns import matches
from tests.fuzz.plain_types import exactly_divides

JSON = Any


def is_number(wire: JSON) -> bool:
    return isinstance(wire, int | float) and not isinstance(wire, bool)


def is_integer(wire: JSON) -> bool:
    """JSON Schema's integers: 1.0 and 1e20 too."""
    return is_number(wire) and (isinstance(wire, int) or wire.is_integer())


def json_key(wire: JSON) -> Any:
    """Hashable, and equal when two values are equal to JSON Schema: 1 and 1.0 are, 1 and true are not."""
    if isinstance(wire, dict):
        return "object", frozenset((name, json_key(member)) for name, member in wire.items())
    if isinstance(wire, list):
        return "array", tuple(json_key(member) for member in wire)
    return ("boolean" if isinstance(wire, bool) else "number" if is_number(wire) else "other"), wire


def same(value: Any, expected: Any) -> bool:
    """Equal, and of one type: True is not 1, 1 is not 1.0. NaN is itself."""
    if type(value) is not type(expected):
        return False
    if isinstance(value, float) and math.isnan(value):
        return math.isnan(expected)
    if isinstance(value, list | tuple):
        return len(value) == len(expected) and all(map(same, value, expected))
    if isinstance(value, dict):
        return value.keys() == expected.keys() and all(same(value[name], expected[name]) for name in value)
    # A record whose default is NaN is unequal to its own twin.
    return bool(value == expected) or ("nan" in shown(value) and shown(value) == shown(expected))


def shown(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:  # Python does not print integers of more than 4300 digits
        return "a value that holds a number of thousands of digits"


def told(value: Any, expected: Any) -> str | None:
    if same(value, expected):
        return None
    return f"{shown(value)} ({type(value).__name__}) instead of {shown(expected)}"


@dataclass
class Meaning:
    structured = False
    """says more than a JSON type and is no constant or format: a record, a bounded type, a kind of text"""

    def accepts(self, wire: JSON) -> bool:
        raise NotImplementedError

    def complaint(self, wire: JSON, value: Any) -> str | None:
        raise NotImplementedError

    def exact(self, wire: JSON) -> bool:
        """Whether the JSON type is the annotation's own: an int for `int`, not an integral float (R15)."""
        return True

    def generality(self, wire: JSON) -> int:
        """How specific a branch of a union is (R15): constants, enums 0, formats 1, types 2, anything 3."""
        return 2


@dataclass
class Anything(Meaning):
    def accepts(self, wire: JSON) -> bool:
        return True

    def complaint(self, wire: JSON, value: Any) -> str | None:
        return told(value, wire)

    def generality(self, wire: JSON) -> int:
        return 3


@dataclass
class Scalar(Meaning):
    """str, bool, None and JSON scalars as they are."""

    types: tuple[type, ...]

    def accepts(self, wire: JSON) -> bool:
        return type(wire) in self.types

    def complaint(self, wire: JSON, value: Any) -> str | None:
        return told(value, wire)


@dataclass
class Whole(Meaning):
    def accepts(self, wire: JSON) -> bool:
        return is_integer(wire)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        # A float of this size is no text of one integer: 9.223372036854776e18 is ...776000 as a decimal and
        # ...775808 in binary. R1 wants "an int"; either is one.
        return told(value, int(wire)) and told(value, int(Decimal(repr(wire))))

    def exact(self, wire: JSON) -> bool:
        return isinstance(wire, int)


@dataclass
class Real(Meaning):
    def accepts(self, wire: JSON) -> bool:
        return is_number(wire)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        try:
            return told(value, float(wire))
        except OverflowError:  # 10**400 has no float: it stays what it is
            return told(value, wire)

    def exact(self, wire: JSON) -> bool:
        return isinstance(wire, float)


@dataclass
class Text(Meaning):
    """A string that is parsed into something: by `format`, a row of the table, or by a pattern.

    R15 names formats as specific and is silent on base64, which is a pattern: beside a format either may win.
    """

    parse: Callable[[str], Any]
    format: str | None = None
    pattern: str | None = None

    def accepts(self, wire: JSON) -> bool:
        if not isinstance(wire, str) or (self.pattern and not matches(self.pattern, wire)):
            return False
        return self.format is None or bool(FORMATS[self.format](wire))

    def complaint(self, wire: JSON, value: Any) -> str | None:
        expected = self.parse(wire)
        if getattr(expected, "tzinfo", None) and same(value, expected):
            return told(value.utcoffset(), expected.utcoffset())
        return told(value, expected)

    @property
    def structured(self) -> bool:  # type: ignore[override]
        return self.pattern is not None

    def generality(self, wire: JSON) -> int:
        return 1 if self.format or self.pattern else 2


@dataclass
class DecimalNumber(Meaning):
    """A number or a numeric string; with numeric bounds a number only."""

    structured = True
    pattern: str
    bounded: bool = False

    def accepts(self, wire: JSON) -> bool:
        return is_number(wire) or (not self.bounded and isinstance(wire, str) and matches(self.pattern, wire))

    def complaint(self, wire: JSON, value: Any) -> str | None:
        if isinstance(wire, float) and self.bounded and abs(wire) >= 2**53:
            return told(value, Decimal(int(wire)))  # what its bounds were held against
        return told(value, Decimal(wire if isinstance(wire, str | int) else repr(wire)))

    def exact(self, wire: JSON) -> bool:
        return not isinstance(wire, int)  # a whole number rather belongs to an integer's branch


@dataclass
class OneOf(Meaning):
    """Enum members and Literal values: pairs of the JSON value and of what it stands for."""

    pairs: tuple[tuple[JSON, Any], ...]

    def accepts(self, wire: JSON) -> bool:
        return any(json_key(constant) == json_key(wire) for constant, _ in self.pairs)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        expected = [member for constant, member in self.pairs if json_key(constant) == json_key(wire)]
        return None if any(same(value, member) for member in expected) else f"{value!r} is not one of {expected!r}"

    def exact(self, wire: JSON) -> bool:
        return any(same(constant, wire) for constant, _ in self.pairs)

    def generality(self, wire: JSON) -> int:
        return 0


@dataclass
class Bits(Meaning):
    """A Flag: an integer made of its members' bits. An IntFlag takes every integer."""

    cls: Any
    open: bool

    def accepts(self, wire: JSON) -> bool:
        mask = 0
        for member in self.cls.__members__.values():
            mask |= member.value
        return is_integer(wire) and (self.open or (wire >= 0 and int(wire) & ~mask == 0))

    def complaint(self, wire: JSON, value: Any) -> str | None:
        return told(value, self.cls(int(wire)))

    def exact(self, wire: JSON) -> bool:
        return isinstance(wire, int)


@dataclass
class Bounded(Meaning):
    """Markers: each binds the JSON types it can apply to and leaves the others alone."""

    structured = True
    inner: Meaning
    bounds: tuple[tuple[str, Any], ...]

    def accepts(self, wire: JSON) -> bool:
        return self.inner.accepts(wire) and all(within(wire, name, bound) for name, bound in self.bounds)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        return self.inner.complaint(wire, value)

    def exact(self, wire: JSON) -> bool:
        return self.inner.exact(wire)

    def generality(self, wire: JSON) -> int:
        return self.inner.generality(wire)


NUMERIC: Mapping[str, Callable[[Any, Any], bool]] = {
    "ge": lambda number, bound: number >= bound,
    "gt": lambda number, bound: number > bound,
    "le": lambda number, bound: number <= bound,
    "lt": lambda number, bound: number < bound,
    "multiple_of": lambda number, step: exactly_divides(step, number),
}


def within(wire: JSON, name: str, bound: Any) -> bool:
    if name in NUMERIC:
        return not is_number(wire) or NUMERIC[name](wire, bound)
    if name == "pattern":
        return not isinstance(wire, str) or matches(bound, wire)
    if not isinstance(wire, str | list | dict):
        return True
    return len(wire) >= bound if name == "min_length" else len(wire) <= bound


@dataclass
class Union(Meaning):
    branches: list[Meaning]

    def accepts(self, wire: JSON) -> bool:
        return any(branch.accepts(wire) for branch in self.branches)

    def chosen(self, wire: JSON) -> list[Meaning]:
        """R15: exact JSON type first, then the most specific branch, then declaration order.

        R15 counts constants, enums and formats as specific. Whether a record is more specific than a dict, or a
        bounded type than an open one, it does not say: such a branch is as right as the first one declared.
        """
        fitting = [branch for branch in self.branches if branch.accepts(wire)]
        exact = [branch for branch in fitting if branch.exact(wire)] or fitting
        least = min(branch.generality(wire) for branch in exact)
        specific = [branch for branch in exact if branch.generality(wire) == least]
        return specific[:1] + [branch for branch in specific[1:] if branch.structured]

    def complaint(self, wire: JSON, value: Any) -> str | None:
        found = [branch.complaint(wire, value) for branch in self.chosen(wire)]
        return None if None in found else found[0]

    def exact(self, wire: JSON) -> bool:
        return self.chosen(wire)[0].exact(wire)

    def generality(self, wire: JSON) -> int:
        return self.chosen(wire)[0].generality(wire)


@dataclass
class Later(Meaning):
    """A recursive type's own name, met inside itself."""

    resolve: Callable[[], Meaning] = field(repr=False)

    def accepts(self, wire: JSON) -> bool:
        return self.resolve().accepts(wire)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        return self.resolve().complaint(wire, value)


# ---- text that becomes something else: parsed here with the standard library, not with the engine's parsers


def parse_duration(text: str) -> Any:
    from datetime import timedelta

    found = re.fullmatch(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?", text)
    assert found, text
    sign, days, hours, minutes, seconds, fraction = found.groups()
    micros = int(((fraction or "") + "000000")[:6])
    whole = ((int(days or 0) * 24 + int(hours or 0)) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return (-1 if sign else 1) * timedelta(seconds=whole, microseconds=micros)


def parse_base64(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def parse_path(text: str) -> Path:
    return Path(text)
