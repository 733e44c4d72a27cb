"""What an author writes inside ``Annotated[...]`` to say more than a type can.

Each marker is a small frozen value. This module knows no schema: ``accord.schema`` gives the
markers their meaning, and refuses one that cannot apply to its type.
"""

from __future__ import annotations

from accord._values import Value

__all__ = [
    "Description",
    "Examples",
    "Ge",
    "Gt",
    "Header",
    "Le",
    "Lt",
    "MaxLen",
    "MinLen",
    "MultipleOf",
    "Option",
    "Pattern",
    "Positional",
]


class _Number(Value):
    """A limit. ``Ge(1)`` is not ``Ge(1.0)``: typing hands out the one for the other where they are equal."""

    value: int | float

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((type(self), self._identity()))

    def _identity(self) -> tuple[type, float]:
        return type(self.value), self.value


class MinLen(_Number):
    """At least ``value`` characters, items or entries."""

    value: int


class MaxLen(_Number):
    """At most ``value`` characters, items or entries."""

    value: int


class Gt(_Number):
    """Greater than ``value``."""


class Ge(_Number):
    """Greater than or equal to ``value``."""


class Lt(_Number):
    """Less than ``value``."""


class Le(_Number):
    """Less than or equal to ``value``."""


class MultipleOf(_Number):
    """A whole multiple of ``value``, in exact decimal arithmetic."""


class Pattern(Value):
    """Text in which the ECMA-262 regular expression ``value`` finds a match (anchor it with ``^`` and ``$``)."""

    value: str


class Description(Value):
    """What the value means, for people and for models. Wins over the docstring."""

    value: str


class Examples:
    """Values worth showing: ``Examples("a", "b")``."""

    __slots__ = ("values",)
    values: tuple[object, ...]

    def __init__(self, *values: object) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"Examples({', '.join(map(repr, self.values))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Examples) and other.values == self.values

    def __hash__(self) -> int:
        # Values may be lists or dicts; the markers only need hashing because Annotated does.
        return hash((Examples, repr(self.values)))


class Header(Value):
    """Over HTTP, clients repeat the argument in the header ``Mcp-Param-<name>``, so that a gateway can route by it.

    ``Header("Region")``; without a name it is made of the parameter's: ``max_count`` gives ``Max-Count``. For text,
    whole numbers, booleans and enums of these, and never for secrets. Other surfaces ignore it.
    """

    name: str | None = None


class Positional(Value):
    """On the command line, given by its place instead of by its name. Write it with or without parentheses."""


class Option:
    """How a parameter is given on the command line: ``Option("-s", "--svc", env="SERVICE")``.

    ``names`` come before the spellings made from the parameter's name; ``env`` names an environment variable to read
    when the option is absent; ``metavar`` stands for the value in help; ``hidden`` keeps the option out of it.

    Raises:
        ValueError: a name is no option: ``-s`` or ``--svc``.
    """

    __slots__ = ("env", "hidden", "metavar", "names")
    names: tuple[str, ...]
    env: str | None
    metavar: str | None
    hidden: bool

    def __init__(self, *names: str, env: str | None = None, metavar: str | None = None, hidden: bool = False) -> None:
        for name in names:
            if not _is_option(name):
                raise ValueError(f"{name!r} cannot be an option: write one like '-s' or '--svc'")
        self.names, self.env, self.metavar, self.hidden = names, env, metavar, hidden

    def __repr__(self) -> str:
        settings = (f"{name}={getattr(self, name)!r}" for name in ("env", "metavar", "hidden"))
        return f"Option({', '.join([*map(repr, self.names), *settings])})"

    def __eq__(self, other: object) -> bool:
        # Annotated is cached: what is equal here is one and the same annotation.
        return isinstance(other, Option) and repr(other) == repr(self)

    def __hash__(self) -> int:
        return hash((Option, repr(self)))


def _is_option(name: str) -> bool:
    short = len(name) == 2 and name[0] == "-" and name[1].isalpha()
    return short or (name.startswith("--") and len(name) > 2 and name[2:].replace("-", "").replace("_", "").isalnum())
