"""Enums, flags and literals -> Choice and FlagBits nodes."""

import enum
import math
from typing import Any

from accord._calls import JSON
from accord._scope import Unfit
from accord.schema import tree

__all__ = ["of_enum", "of_literal"]


def of_enum(cls: type[enum.Enum]) -> tree.Node:
    """The node of an Enum class: its values on paper, its members for the handler."""
    if issubclass(cls, enum.Flag):
        return _of_flag(cls)
    members = list(cls)
    if not members:
        raise Unfit(f"{cls.__name__} has no members", "Give it members, or use another type.")
    return tree.Choice(values=tuple(_scalar(member.value, cls.__name__) for member in members), members=tuple(members))


def of_literal(arguments: tuple[Any, ...]) -> tree.Node:
    """The node of ``Literal[...]``, without duplicates, enum members by their values."""
    values: list[JSON] = []
    members: list[Any] = []
    for argument in arguments:
        value = _scalar(argument.value if isinstance(argument, enum.Enum) else argument, "Literal")
        if not any(type(value) is type(known) and value == known for known in values):
            values.append(value)
            members.append(argument)
    return tree.Choice(values=tuple(values), members=tuple(members))


def _of_flag(cls: type[enum.Flag]) -> tree.Node:
    # Only the KEEP boundary takes bits that no member names.
    if getattr(cls, "_boundary_", None) is enum.KEEP:
        return tree.FlagBits(build=cls)
    bits = [member.value for member in cls]
    mask = sum(bits)
    if mask & (mask + 1) == 0:
        return tree.FlagBits(build=cls, mask=mask)
    if len(bits) > 8:
        raise Unfit(f"{cls.__name__} has gaps between its bits", "Number the members without gaps, or use IntFlag.")
    sums = sorted(
        {sum(bit for index, bit in enumerate(bits) if chosen >> index & 1) for chosen in range(2 ** len(bits))}
    )
    return tree.FlagBits(build=cls, sums=tuple(sums))


def _scalar(value: Any, owner: str) -> JSON:
    kind = type(value)
    if kind is float and not math.isfinite(value):
        raise Unfit(f"{owner} has the value {value!r}, which JSON cannot write", "Leave it out.")
    for base in (bool, int, float, str):
        if isinstance(value, base):
            return value if kind is base else base(value)
    if value is None:
        return None
    raise Unfit(
        f"{owner} has a value of type {kind.__name__}, which is no JSON scalar",
        "Give every member a str, int, float, bool or None.",
    )
