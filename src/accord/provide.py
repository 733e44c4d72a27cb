"""Dependency injection by annotation: which factory makes a value of which type, and for how long.

A table of types and factories. What a factory needs in turn is read by ``_factories``, what it makes by dispatch; this
module runs nothing and knows no tool.
"""

from __future__ import annotations

from accord._options import name_of
from accord._values import Value
from accord.errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from accord._signature import Signature

__all__ = ["Opened", "Provider", "Providers", "Scope"]

Scope: TypeAlias = "Literal['call', 'app']"


class Provider(Value, eq=False):
    """Makes values of one type: for one call each, or one for the app."""

    kind: Any
    factory: Callable[..., Any]
    scope: Scope

    @property
    def name(self) -> str:
        """What errors call it."""
        return name_of(self.factory)


class Opened(Value, eq=False):
    """A value a factory made; ``closer`` is the factory's generator, where there is something to clean up."""

    provider: Provider
    value: Any
    closer: Any = None


class Providers:
    """The providers of an app, by the type they make. ``built_in`` come with every app and may be replaced."""

    def __init__(self, built_in: Callable[[Any], Provider | None]) -> None:
        self._built_in = built_in
        self._by_kind: dict[Any, Provider] = {}
        #: of the factories read so far
        self.signatures: dict[Provider, Signature] = {}

    def add(self, kind: Any, factory: Callable[..., Any], scope: str) -> Provider:
        """Let ``factory`` make the values of ``kind``.

        Raises:
            RegistrationError: this cannot be a type, a factory or a scope.
        """
        if scope not in ("call", "app"):
            raise RegistrationError(name_of(factory), None, f"scope={scope!r} makes no sense", 'Give "call" or "app".')
        provider = Provider(kind, factory, scope)  # type: ignore[arg-type]  # checked in the line above
        self._by_kind[kind] = provider
        self.signatures.clear()  # a factory may have done without it so far
        return provider

    def before(self, others: Providers) -> Providers:
        """These, and where none of them fits, the others."""
        both = Providers(lambda kind: self._built_in(kind) or others.provider_of(kind))
        both._by_kind = self._by_kind  # the same table: what is added later counts
        return both

    def provides(self, kind: Any) -> bool:
        """Whether a parameter annotated so is filled in."""
        return self.provider_of(kind) is not None

    def provider_of(self, kind: Any) -> Provider | None:
        """The provider of a type, or None."""
        try:
            return self._by_kind.get(kind) or self._built_in(kind)
        except TypeError:  # an annotation that cannot be hashed is nobody's type
            return None
