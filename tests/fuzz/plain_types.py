"""The constructors of DESIGN 3.2 that have no parts: scalars, strings with a meaning, enumerations."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tests.fuzz.patterns import PATTERNS
from tests.fuzz.writer import Constructor, Need, Writer, Written, admits_length, constrained, length_bounds

# ---- numbers -----------------------------------------------------------------------------------------------


def number_bounds(w: Writer, corners: tuple[Any, ...], steps: tuple[Any, ...], grain: int = 0) -> dict[str, Any]:
    """Bounds that leave a value: the engine refuses those that do not. `grain` is 1 for whole numbers."""
    bounds: dict[str, Any] = {}
    if not w.chance(2):
        return bounds
    low, high = sorted((w.pick(corners), w.pick(corners)))
    if w.chance(2):
        bounds[w.pick(("ge", "gt"))] = low
    if w.chance(2):
        bounds[w.pick(("le", "lt"))] = high
    if w.chance(3):
        bounds["multiple_of"] = w.pick(steps)
    return bounds if satisfiable(bounds, grain) else {}


def satisfiable(bounds: dict[str, Any], grain: int) -> bool:
    if not {"ge", "gt"} & bounds.keys() or not {"le", "lt"} & bounds.keys():
        return True
    low, high = (exactly(bounds.get(a, bounds.get(b))) for a, b in (("ge", "gt"), ("le", "lt")))
    step = Fraction(repr(bounds.get("multiple_of", grain)))
    if not step:
        return low < high or (low == high and "ge" in bounds and "le" in bounds)
    first = math.ceil(low / step) * step
    first += step if first == low and "gt" in bounds else 0
    return first < high or (first == high and "le" in bounds)


def admits_number(bounds: dict[str, Any], number: Any) -> bool:
    return (
        number >= bounds.get("ge", number)
        and number <= bounds.get("le", number)
        and ("gt" not in bounds or number > bounds["gt"])
        and ("lt" not in bounds or number < bounds["lt"])
        and ("multiple_of" not in bounds or exactly_divides(bounds["multiple_of"], number))
    )


def exactly_divides(step: float, number: float) -> bool:
    """In decimals as written; from 2**53 on a float is the integer it holds, as its bounds and its reader see it."""
    return (exactly(number) / exactly(step)).denominator == 1


def exactly(number: float) -> Fraction:
    return Fraction(repr(int(number) if isinstance(number, float) and abs(number) >= 2**53 else number))


INT_CORNERS = (
    *(0, 1, -1, 3, 10, -7, 100, 2**31, 2**53, 2**53 + 1, -(2**53) - 1),
    *(-(2**63), 2**63 - 1, 2**63, 2**64, 2**64 + 1, 10**30, -(10**30) - 1),
)
FLOAT_CORNERS = (
    *(0.0, 1.0, -1.0, 0.1, 0.5, 2.5, -3.3, 100.0, 1e-9, 1e9, 0, 5),
    *(2.0**53, 2**53 + 1, 1e16, -1e20, 2.0**63, 2**63 - 1, 1e30, 1e300),
)
INT_DEFAULTS = (0, 1, -1, 2, 6, 12, 30, -6, 101, 2**53, 2**53 + 5, -(2**63) - 1, 10**30)
FLOAT_DEFAULTS = (0.0, 1.0, 0.3, -0.7, 1.5, 2.0, 6.6, 99.9, 1e-7, 1e12, -1e300)


def integers(w: Writer, depth: int, need: Need) -> Written:
    bounds = number_bounds(w, INT_CORNERS, (1, 2, 3, 5, 2**53 + 1, 10**20), grain=1)
    fitting = tuple(repr(n) for n in INT_DEFAULTS if admits_number(bounds, n))
    return Written(constrained(w, "int", bounds, need), fitting, mutable=False)


def floats(w: Writer, depth: int, need: Need) -> Written:
    bounds = number_bounds(w, FLOAT_CORNERS, (0.1, 0.01, 0.5, 3, 0.7, 1e16, 2**53 + 1))
    fitting = tuple(repr(x) for x in FLOAT_DEFAULTS if admits_number(bounds, x))
    if not bounds and w.chance(10):
        fitting = ("float('inf')", "float('nan')")  # no JSON: the default works and is not published (R5)
    return Written(constrained(w, "float", bounds, need), fitting, mutable=False)


def decimals(w: Writer, depth: int, need: Need) -> Written:
    bounds = number_bounds(w, FLOAT_CORNERS, (0.1, 0.5)) if w.chance(3) else {}
    fitting = tuple(f"Decimal('{x}')" for x in ("0", "1.5", "-0.30", "100") if admits_number(bounds, float(x)))
    return Written(constrained(w, "Decimal", bounds, need), fitting, mutable=False)


# ---- strings -----------------------------------------------------------------------------------------------


def strings(w: Writer, depth: int, need: Need) -> Written:
    bounds = length_bounds(w) if w.chance(2) else {}
    samples: tuple[str, ...] = ("", "a", "ab", "abc", "é😀x", '"quoted"\n', "None", "0", "title")
    if w.chance(3):
        pattern = w.pick(PATTERNS)
        # A default is built by pydantic itself, whose \\d and \\s are not ECMA's beyond ASCII.
        samples = tuple(text for text in pattern.matching if text.isascii() or not need.pydantic)
        bounds["pattern"] = pattern.source
    fitting = tuple(repr(text) for text in samples if admits_length(bounds, len(text)))
    return Written(constrained(w, "str", bounds, need), fitting, mutable=False)


def fixed(text: str, *defaults: str) -> Constructor:
    """A constructor without choices."""
    return lambda w, depth, need: Written(text, defaults, mutable=False)


def any_value(w: Writer, depth: int, need: Need) -> Written:
    if need.hashable:
        return strings(w, depth, need)
    return Written(w.pick(("Any", "object")), ("None", "1", "'any'", "{'k': [1.5, None]}"))


# ---- enumerations ------------------------------------------------------------------------------------------

TEXTS = ("red", "green", "Red", "", "1", "true", "null", "blue sky", "naïve")
WHOLE = (0, 1, 2, 5, -3, 2**53, 2**53 + 1, 2**63, 2**64, -(2**64) - 1, 10**30)
MIXED = ("red", 1, 2.5, None, "1", True, 0, "", False, 2.0**53, 2**53 + 1, 1e30, 10**30, 1e16)

ALIKE = (0, False, 1, True, "0", "1")
"""Equal to Python in pairs, and different to JSON."""


def members(w: Writer, name: str, values: list[Any], base: str) -> Written:
    w.define(f"class {name}({base}):", *(f"    M{index} = {value!r}" for index, value in enumerate(values)))
    return Written(name, (f"{name}.M0", f"{name}.M{len(values) - 1}"), mutable=False)


def different(values: list[Any]) -> list[Any]:
    """Without values equal to an earlier one: an Enum would make them aliases (True and 1, for one)."""
    return [value for index, value in enumerate(values) if value not in values[:index]]


def text_enum(w: Writer, depth: int, need: Need) -> Written:
    return members(w, w.fresh("Shade"), w.sample(TEXTS, 1, 4), w.pick(("enum.Enum", "str, enum.Enum", "enum.StrEnum")))


def whole_enum(w: Writer, depth: int, need: Need) -> Written:
    return members(w, w.fresh("Rank"), w.sample(WHOLE, 1, 4), w.pick(("enum.Enum", "int, enum.Enum")))


def int_enum(w: Writer, depth: int, need: Need) -> Written:
    return members(w, w.fresh("Level"), w.sample(WHOLE, 1, 4), "enum.IntEnum")


def mixed_enum(w: Writer, depth: int, need: Need) -> Written:
    return members(w, w.fresh("Blend"), different(w.sample(MIXED, 2, 5)), "enum.Enum")


def flag(w: Writer, depth: int, need: Need) -> Written:
    bits = w.pick(((1, 2, 4), (1, 4), (1,), (2, 8, 16), (1, 2, 3)))
    return members(w, w.fresh("Access"), list(bits), "enum.Flag")


def int_flag(w: Writer, depth: int, need: Need) -> Written:
    return members(w, w.fresh("Mode"), [1, 2, 4], "enum.IntFlag")


def literal(w: Writer, depth: int, need: Need) -> Written:
    constants = [value for value in w.pick((TEXTS, WHOLE, ALIKE, ALIKE, MIXED)) if is_literal(value, need)]
    values = [repr(value) for value in w.sample(constants, 1, 4)]
    if w.chance(6):  # a member of an Enum, written as its value on the wire
        values = [text_enum(w, depth, need).defaults[0]]
    # None stands in every Literal[...] as itself; as a default it would read as "optional", so it is not one
    # here.
    return Written(f"Literal[{', '.join(values)}]", tuple(v for v in values if v != "None"), mutable=False)


def is_literal(value: Any, need: Need) -> bool:
    """No float may stand in a Literal, and pydantic compares whole numbers as 64-bit ones."""
    return not isinstance(value, float) and not (need.pydantic and isinstance(value, int) and abs(value) >= 2**63)


PLAIN: dict[str, Constructor] = {
    "str": strings,
    "int": integers,
    "float": floats,
    "bool": fixed("bool", "False", "True"),
    "None": fixed("None", "None"),
    "Any": any_value,
    "Enum of str": text_enum,
    "Enum of int": whole_enum,
    "Enum mixed": mixed_enum,
    "IntEnum": int_enum,
    "Flag": flag,
    "IntFlag": int_flag,
    "Literal": literal,
    "datetime": fixed("datetime", "datetime(2024, 2, 29, 12, 30)", "datetime(1, 1, 1, tzinfo=timezone.utc)"),
    "date": fixed("date", "date(2024, 2, 29)", "date(9999, 12, 31)"),
    "time": fixed("time", "time(23, 59, 59, 999999)", "time(0, 0, tzinfo=timezone.utc)"),
    "timedelta": fixed("timedelta", "timedelta(days=1, seconds=2)", "timedelta(microseconds=-1)"),
    "UUID": fixed("UUID", "UUID(int=7)"),
    "IPv4Address": fixed("IPv4Address", "IPv4Address('10.0.0.1')"),
    "IPv6Address": fixed("IPv6Address", "IPv6Address('::1')"),
    "re.Pattern": lambda w, depth, need: Written(
        w.pick(("re.Pattern", "re.Pattern[str]")), ("re.compile('a+')",), mutable=False
    ),
    "Decimal": decimals,
    "bytes": fixed("bytes", "b''", "b'\\xff\\x00'"),
    "Path": fixed("Path", "Path('.')", "Path('a/b')"),
    "SecretStr": fixed("pydantic.SecretStr", "pydantic.SecretStr('hush')"),
}
