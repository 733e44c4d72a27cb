"""Enums, flags and literals -> Choice and FlagBits nodes."""

import enum
import functools
import operator
from typing import Any

from accord._calls import JSON
from accord._encode import Unencodable, json_scalar
from accord._scope import Unfit
from accord.schema import tree

__all__ = ["of_enum", "of_literal"]


_MOST_SUMS = 256


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
        # As JSON sees them: 1 and 1.0 are one value, 1 and True are two.
        if not any(value == known and isinstance(value, bool) is isinstance(known, bool) for known in values):
            values.append(value)
            members.append(argument)
    return tree.Choice(values=tuple(values), members=tuple(members))


def _of_flag(cls: type[enum.Flag]) -> tree.Node:
    # Only the KEEP boundary takes bits that no member names.
    if getattr(cls, "_boundary_", None) is enum.KEEP:
        return tree.FlagBits(build=cls)
    members = [member.value for member in cls.__members__.values()]
    whole = functools.reduce(operator.or_, members, 0)
    # Iteration yields the single bits; a member may also be made of bits that have no name of their own.
    if sum(member.value for member in cls) == whole and whole & (whole + 1) == 0:
        return tree.FlagBits(build=cls, mask=whole)
    sums = {0}
    for value in members:
        sums |= {value | other for other in sums}
        if len(sums) > _MOST_SUMS:
            raise Unfit(f"{cls.__name__} has gaps between its bits", "Number the members without gaps, or use IntFlag.")
    return tree.FlagBits(build=cls, sums=tuple(sorted(sums)))


def _scalar(value: Any, owner: str) -> JSON:
    for base in (bool, int, float, str):
        if isinstance(value, base):
            return _written(value if type(value) is base else base(value), owner)
    if value is None:
        return None
    raise Unfit(
        f"{owner} has a value of type {type(value).__name__}, which is no JSON scalar",
        "Give every member a str, int, float, bool or None.",
    )


def _written(value: Any, owner: str) -> JSON:
    try:
        return json_scalar(value)
    except Unencodable as error:
        raise Unfit(f"{owner} has a value that JSON cannot write: it {error.problem}", "Leave it out.") from error
