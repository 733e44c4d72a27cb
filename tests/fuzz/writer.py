"""The pen with which random annotations are written, as Python source.

A generated signature is a module of source text: classes first, then one function `tool`. Text, because then
the falsifying example that hypothesis prints is a program that anybody can paste and run, and because the
annotations go through exactly what a user's module goes through: `from __future__ import annotations`,
forward references, `typing.get_type_hints`, class decorators. This file knows how to choose, name and
constrain; the constructors of DESIGN 3.2 stand in plain_types.py, containers.py and records.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

NAMES = (
    *(
        "name",
        "count",
        "title",
        "format",
        "default",
        "type",
        "ref",
        "self_",
        "items",
        "properties",
        "required",
    ),
    *(
        "enum",
        "const",
        "description",
        "value",
        "args",
        "kwargs",
        "anyOf",
        "additionalProperties",
        "largeName",
    ),
    *(
        "result",
        "content",
        "meta",
        "arguments",
        "tool",
        "cls",
        "x",
        "names",
        "é_accent",
        "pattern_",
        "minimum",
    ),
)
"""Names of parameters and fields: mostly words that mean something to JSON Schema, MCP or an engine."""

WIRE_NAMES = (
    "$ref",
    "self",
    "a-b",
    "a/b",
    "a~b",
    "",
    "from",
    "class",
    "ключ",
    "$defs",
    "__proto__",
    "a.b",
    "title",
)
"""Keys that only the functional TypedDict syntax, an alias or a dict can hold."""

PREAMBLE = """\
import enum, re, attrs, msgspec, pydantic, typing_extensions as te, annotated_types as at
from collections.abc import Collection, Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import *
from uuid import UUID
from accord import Description, Examples, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern
"""


@dataclass(frozen=True)
class Need:
    """What the place demands of the annotation written for it."""

    hashable: bool = False
    """the value becomes a member of a set, or the key of a dict"""
    pydantic: bool = False
    """the place is inside a pydantic class, which refuses to be defined over attrs classes and Structs"""


@dataclass(frozen=True)
class Written:
    """An annotation as source text, with expressions of default values that it admits."""

    text: str
    defaults: tuple[str, ...] = ()
    mutable: bool = True
    """a class body must then say it through a default factory"""


Constructor = Callable[["Writer", int, Need], Written]


@cache
def upto(high: int) -> st.SearchStrategy[int]:
    return st.integers(0, high)


@dataclass
class Writer:
    draw: Callable[[st.SearchStrategy[Any]], Any]
    leaves: dict[str, Constructor]
    branches: dict[str, Constructor]
    future: bool = False
    """the module begins with `from __future__ import annotations`"""
    body: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    serial: int = 0

    # Choosing. Everything shrinks towards the first option and towards "no".

    def number(self, low: int, high: int) -> int:
        return low + self.draw(upto(high - low)) if high > low else low

    def pick(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)]

    def chance(self, one_in: int) -> bool:
        return self.number(1, one_in) == one_in

    def sample(self, options: Sequence[T], low: int, high: int) -> list[T]:
        """Between low and high different options, in the order drawn."""
        rest = list(options)
        return [rest.pop(self.number(0, len(rest) - 1)) for _ in range(self.number(low, min(high, len(rest))))]

    # Writing.

    def fresh(self, stem: str) -> str:
        self.serial += 1
        return f"{stem}{self.serial}"

    def define(self, *lines: str) -> None:
        self.body.extend(lines)

    def annotation(self, depth: int, need: Need = Need()) -> Written:
        """An annotation of at most `depth` more levels; every one goes through here and is counted."""
        table = self.leaves if depth <= 0 or self.chance(4) else self.branches
        kind = self.pick(list(table))
        written = table[kind](self, depth, need)
        self.kinds[kind] += 1
        return written

    def described(self, written: Written) -> Written:
        """Now and then a description on top, which must change nothing but the paper."""
        if not self.chance(8):
            return written
        self.kinds["Description"] += 1
        metadata = self.pick(('Description("What it is for")', 'te.Doc("What it is for")'))
        return Written(f"Annotated[{written.text}, {metadata}]", written.defaults, written.mutable)


def quoted(w: Writer, text: str) -> str:
    """A forward reference, quoted unless the future import does that.

    Under the future import `typing` caches the reference inside a NotRequired['...'] for all modules, and
    gives the second module that spells it so the class of the first.
    """
    return text if w.future else repr(text)


# ---- constraints: one set of bounds, four ways to write it down --------------------------------------------

MARKERS = {
    "ge": "Ge", "gt": "Gt", "le": "Le", "lt": "Lt", "multiple_of": "MultipleOf",
    "min_length": "MinLen", "max_length": "MaxLen", "pattern": "Pattern",
}  # fmt: skip


def by_accord(bounds: dict[str, Any]) -> str:
    return ", ".join(f"{MARKERS[name]}({bound!r})" for name, bound in bounds.items())


def by_annotated_types(bounds: dict[str, Any]) -> str:
    # annotated_types has no pattern; its other markers are called as ours are.
    return ", ".join(f"{'' if n == 'pattern' else 'at.'}{MARKERS[n]}({b!r})" for n, b in bounds.items())


def by_pydantic(bounds: dict[str, Any]) -> str:
    return f"pydantic.Field({', '.join(f'{name}={bound!r}' for name, bound in bounds.items())})"


def by_msgspec(bounds: dict[str, Any]) -> str:
    return f"msgspec.Meta({', '.join(f'{name}={bound!r}' for name, bound in bounds.items())})"


def constrained(w: Writer, base: str, bounds: dict[str, Any], need: Need) -> str:
    """`base` under `bounds`, in one of the four vocabularies that DESIGN section 2 says are understood."""
    if not bounds:
        return base
    w.kinds.update(MARKERS[name] for name in bounds)
    spellings = [by_accord, by_annotated_types, by_pydantic, by_msgspec]
    if ("gt" in bounds and "ge" in bounds) or ("lt" in bounds and "le" in bounds):
        spellings.remove(by_msgspec)  # Meta refuses both at once
    if need.pydantic and "(?" in bounds.get("pattern", ""):
        spellings.remove(by_pydantic)  # pydantic's own regex engine knows no lookaround, and says so in the class body
    spelling = w.pick(spellings)
    w.kinds[f"metadata {spelling.__name__[3:]}"] += 1
    return f"Annotated[{base}, {spelling(bounds)}]"


def length_bounds(w: Writer) -> dict[str, Any]:
    """minLength and maxLength, or minItems and maxItems, or minProperties and maxProperties."""
    bounds: dict[str, Any] = {}
    low = w.number(0, 2)
    if w.chance(2):
        bounds["min_length"] = low
    if w.chance(2):
        bounds["max_length"] = low + w.number(0, 3)
    return bounds


def admits_length(bounds: dict[str, Any], length: int) -> bool:
    return bounds.get("min_length", 0) <= length <= bounds.get("max_length", length)
