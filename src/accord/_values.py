"""Frozen values, and attributes that are made once, out of nothing but the language.

Every start of a program makes these: when it registers its tools, finds its command, shows its help. Importing what
one would make them with (msgspec, dataclasses, functools; typing to annotate them) takes longer than all of that
together. The values of a running call are msgspec's. Knows none of ours.
"""

from __future__ import annotations

from _collections_abc import Mapping  # the same class, without the millisecond that its package takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from functools import cached_property as lazy
    from inspect import Signature
    from typing import Any, Self, TypeVar, dataclass_transform

    _Class = TypeVar("_Class")
    _Value = TypeVar("_Value", bound="Value")
    _Shown = TypeVar("_Shown")
else:

    def dataclass_transform(**_meaning: bool) -> Callable[[_Class], _Class]:
        """What type checkers heed, and nobody else."""
        return lambda kind: kind

    class lazy:  # noqa: N801 - a decorator, named like property
        """An attribute that a method makes when it is first asked for."""

        def __init__(self, make: Callable[[Any], Any]) -> None:
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            # Later reads find this first, and never get here. Threads that come at once get the same one of theirs.
            return instance.__dict__.setdefault(self._name, self._make(instance))


__all__ = ["Value", "View", "field_names", "lazy", "replace"]


class _Signature:
    """What ``inspect.signature``, and with it ``help`` and notebooks, say of a class of values."""

    def __get__(self, value: Value | None, kind: type[Value]) -> Signature:
        from inspect import Parameter, Signature, signature  # noqa: PLC0415 - for people who look

        if kind.__init__ is not Value.__init__:  # it takes something else than its fields
            whole = signature(kind.__init__)
            return whole.replace(parameters=list(whole.parameters.values())[1:])
        annotations: dict[str, Any] = {}
        for base in reversed(kind.__mro__[:-1]):
            annotations |= base.__annotations__
        named = [name for name in kind._names if name not in kind._by_position]
        return Signature(
            [
                Parameter(
                    name,
                    Parameter.KEYWORD_ONLY if name in named else Parameter.POSITIONAL_OR_KEYWORD,
                    default=Parameter.empty if name in kind._required else getattr(kind, name),
                    annotation=annotations[name],
                )
                for name in (*kind._by_position, *named)
            ]
        )


@dataclass_transform(frozen_default=True)
class Value:
    """The base of frozen values: what a class annotates are its fields, and what it assigns to them their defaults.

    Equal fields make equal values, which can be hashed if the fields can. With ``eq=False`` a value is equal to
    itself only; with ``kw_only=True`` its fields cannot be given by position.
    """

    __signature__: _Signature = _Signature()
    _names: tuple[str, ...] = ()
    _by_position: tuple[str, ...] = ()
    _required: frozenset[str] = frozenset()
    _known: frozenset[str] = frozenset()

    def __init_subclass__(cls, *, kw_only: bool = False, eq: bool = True) -> None:
        own = tuple(name for name in cls.__annotations__ if name not in cls._names)
        cls._names += own
        cls._by_position += () if kw_only else own
        cls._required = frozenset(name for name in cls._names if not hasattr(cls, name))
        cls._known = frozenset(cls._names)
        if not eq:
            cls.__eq__ = object.__eq__  # type: ignore[method-assign]  # that is what was asked for
            cls.__hash__ = object.__hash__  # type: ignore[method-assign]  # as above

    def __init__(self, /, *values: Any, **named: Any) -> None:
        if values:
            named = self._with_names(values, named)
        if not self._required <= named.keys() <= self._known:
            raise TypeError(self._complaint(named))
        # A field that is left out is read off the class: making a value costs what is given.
        self.__dict__.update(named)

    def _with_names(self, values: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        names = self._by_position
        if len(values) > len(names):
            raise TypeError(f"{type(self).__name__} takes {len(names)} fields by position, not {len(values)}")
        given = dict(zip(names, values, strict=False))
        if named:
            twice = sorted(given.keys() & named.keys())
            if twice:
                raise TypeError(f"{type(self).__name__}: {twice[0]} is given twice")
            given.update(named)
        return given

    def _complaint(self, given: dict[str, Any]) -> str:
        missing = [name for name in self._names if name in self._required and name not in given]
        unknown = [name for name in given if name not in self._known]
        problem = f"{missing[0]} is missing" if missing else f"there is no field {unknown[0]}"
        return f"{type(self).__name__}: {problem}"

    if not TYPE_CHECKING:  # seen by a type checker, these would let it accept any name

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._names)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._names)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in self._names)))

    def __replace__(self, /, **changes: Any) -> Self:
        return type(self)(**{**self.__dict__, **changes})


def replace(value: _Value, /, **changes: Any) -> _Value:
    """The value with some of its fields changed."""
    return value.__replace__(**changes)


class View(Mapping[str, "_Shown"]):
    """A read-only view of a table, whose growth it shows."""

    def __init__(self, what: str, shown: Mapping[str, _Shown]) -> None:
        self._what = what
        self._shown = shown

    def __getitem__(self, name: str) -> _Shown:
        return self._shown[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    def __repr__(self) -> str:
        return f"<{self._what}: {', '.join(self._shown)}>"


def field_names(kind: type[Value]) -> tuple[str, ...]:
    """The fields of a class of values, in the order they were written."""
    return kind._names
