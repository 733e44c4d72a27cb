"""Meanings with parts: arrays, sets, mappings and records. See meaning.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.fuzz.meaning import JSON, Meaning, json_key, told


@dataclass
class Array(Meaning):
    item: Meaning
    types: tuple[type, ...]

    def accepts(self, wire: JSON) -> bool:
        return isinstance(wire, list) and all(map(self.item.accepts, wire))

    def complaint(self, wire: JSON, value: Any) -> str | None:
        if type(value) not in self.types or len(value) != len(wire):
            return f"{value!r} is not a {self.types[0].__name__} of {len(wire)}"
        return next(filter(None, map(self.item.complaint, wire, value)), None)


@dataclass
class Row(Meaning):
    """A tuple of fixed length, or a NamedTuple."""

    structured = True
    items: list[Meaning]
    cls: type = tuple

    def accepts(self, wire: JSON) -> bool:
        if not isinstance(wire, list) or len(wire) != len(self.items):
            return False
        return all(item.accepts(member) for item, member in zip(self.items, wire, strict=True))

    def complaint(self, wire: JSON, value: Any) -> str | None:
        if type(value) is not self.cls or len(value) != len(wire):
            return f"{value!r} is not a {self.cls.__name__} of {len(wire)}"
        found = (item.complaint(*pair) for item, *pair in zip(self.items, wire, value, strict=True))
        return next(filter(None, found), None)


@dataclass
class Distinct(Meaning):
    """A set. Different JSON values may still read as one member: two spellings of one instant, true and 1."""

    item: Meaning
    types: tuple[type, ...]

    def accepts(self, wire: JSON) -> bool:
        if not isinstance(wire, list) or not all(map(self.item.accepts, wire)):
            return False
        return len({json_key(member) for member in wire}) == len(wire)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        if type(value) not in self.types:
            return f"{value!r} is not a {self.types[0].__name__}"
        for member in value:
            if all(self.item.complaint(given, member) for given in wire):
                return f"{member!r} in the set is the reading of no item of {wire!r}"
        if len(value) < len(wire):  # items collapsed; which one of them was kept cannot be told
            return None if value else f"nothing is left of {wire!r}"
        for given in wire:
            if all(self.item.complaint(given, member) for member in value):
                return f"{given!r} is missing from {value!r}"
        return None


@dataclass
class Entries(Meaning):
    """A mapping; its keys are strings on the wire, whatever they are in Python."""

    key: Meaning
    value: Meaning

    def accepts(self, wire: JSON) -> bool:
        return isinstance(wire, dict) and all(
            self.key.accepts(name) and self.value.accepts(member) for name, member in wire.items()
        )

    def complaint(self, wire: JSON, value: Any) -> str | None:
        if type(value) is not dict:
            return f"{value!r} is not a dict"
        for name, member in wire.items():
            found = [held for key, held in value.items() if self.key.complaint(name, key) is None]
            if not found:
                return f"the key {name!r} is missing from {value!r}"
            problem = self.value.complaint(member, found[0])
            if problem and len(value) == len(wire):  # else two spellings of one key met: the last one wins
                return problem
        return None if len(value) <= len(wire) else f"{value!r} has more keys than {wire!r}"


@dataclass
class WholeKey(Meaning):
    def accepts(self, wire: JSON) -> bool:
        return re.fullmatch("0|-?[1-9][0-9]*", wire) is not None

    def complaint(self, wire: JSON, value: Any) -> str | None:
        return told(value, int(Decimal(wire)))  # int("...") gives up at 4300 digits


ABSENT = object()


@dataclass(frozen=True)
class Field:
    """One property of an object: its key on the wire, its name in Python, what it holds."""

    key: str
    name: str
    meaning: Meaning
    required: bool
    default: Callable[[], Any] = field(repr=False, default=lambda: ABSENT)


def is_of(value: Any, cls: Any) -> bool:
    """Of this very class. pydantic makes a generic's class again when its argument has no hash: then by name."""
    generic = getattr(cls, "__pydantic_generic_metadata__", {}).get("origin")
    return type(value) is cls or (bool(generic) and isinstance(value, generic) and type(value).__name__ == cls.__name__)


@dataclass
class Record(Meaning):
    """A class with fields, or a TypedDict. Closed, unless the class says that it is open (R4)."""

    structured = True
    cls: Any
    fields: tuple[Field, ...]
    open: bool = False
    tag: tuple[str, JSON] | None = None
    """a Struct's tag: a required key that is not among the fields"""
    computed: tuple[tuple[str, Any], ...] = ()
    """fields that callers do not give, and their values"""

    def accepts(self, wire: JSON) -> bool:
        if not isinstance(wire, dict):
            return False
        known = {one.key for one in self.fields}
        if self.tag:
            known.add(self.tag[0])
            if wire.get(self.tag[0], ABSENT) != self.tag[1]:
                return False
        if not self.open and not known >= wire.keys():
            return False
        return all(one.meaning.accepts(wire[one.key]) if one.key in wire else not one.required for one in self.fields)

    def complaint(self, wire: JSON, value: Any) -> str | None:
        if not is_of(value, self.cls):
            return f"{value!r} is a {type(value).__name__}, not a {self.cls.__name__}"
        found = (self.field_complaint(one, wire, value) for one in self.fields)
        extra = {key: member for key, member in wire.items() if key not in {one.key for one in self.fields}}
        if self.open and not self.tag:
            found = (*found, told(value.model_extra, extra))
        own = (told(getattr(value, name, ABSENT), expected) for name, expected in self.computed)
        return next(filter(None, (*found, *own)), None)

    def field_complaint(self, one: Field, wire: JSON, value: Any) -> str | None:
        held = value.get(one.key, ABSENT) if self.cls is dict else getattr(value, one.name, ABSENT)
        if one.key in wire:
            problem = "absent" if held is ABSENT else one.meaning.complaint(wire[one.key], held)
        else:
            problem = told(held, one.default())
        return f"{getattr(self.cls, '__name__', '')}.{one.name}: {problem}" if problem else None


@dataclass
class Arguments:
    """All parameters of a function: what stands at the top of every schema."""

    fields: tuple[Field, ...]

    def accepts(self, wire: dict[str, JSON]) -> bool:
        return Record(dict, self.fields).accepts(wire)

    def complaint(self, wire: dict[str, JSON], values: dict[str, Any]) -> str | None:
        return Record(dict, self.fields).complaint(wire, values)
