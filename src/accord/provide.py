"""Dependency injection by annotation: which factory makes a value of which type, and for how long.

A provider's own parameters are filled in the same way. This module knows types and factories; it runs no
factory (that is user code, and ``_invoke`` runs it) and knows no tool.
"""

import collections.abc
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any, Literal

import msgspec

from accord._scope import Unfit, Unresolved
from accord._signature import Injected, Signature, name_of, signature_of, without_none
from accord.errors import RegistrationError

__all__ = ["Opened", "Provider", "Providers", "Scope", "provided_kind"]

Scope = Literal["call", "app"]


class Provider(msgspec.Struct, frozen=True, eq=False):
    """Makes values of one type: for one call each, or one for the app."""

    kind: Any
    factory: Callable[..., Any]
    scope: Scope

    @property
    def name(self) -> str:
        """What errors call it."""
        return name_of(self.factory)


class Opened(msgspec.Struct, frozen=True, eq=False):
    """A value a factory made; ``closer`` is the factory's generator, where there is something to clean up."""

    provider: Provider
    value: Any
    closer: Any = None


class Providers:
    """The providers of an app, by the type they make. ``built_in`` come with every app and may be replaced."""

    def __init__(self, built_in: Callable[[Any], Provider | None]) -> None:
        self._built_in = built_in
        self._by_kind: dict[Any, Provider] = {}
        self._signatures: dict[Provider, Signature] = {}

    def add(self, kind: Any, factory: Callable[..., Any], scope: str) -> Provider:
        """Let ``factory`` make the values of ``kind``.

        Raises:
            RegistrationError: this cannot be a type, a factory or a scope.
        """
        if scope not in ("call", "app"):
            raise RegistrationError(name_of(factory), None, f"scope={scope!r} makes no sense", 'Give "call" or "app".')
        provider = Provider(kind, factory, scope)  # type: ignore[arg-type]  # checked in the line above
        self._by_kind[kind] = provider
        self._signatures.clear()  # a factory may have done without it so far
        return provider

    def before(self, others: "Providers") -> "Providers":
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

    def needs(self, provider: Provider) -> tuple[Injected, ...]:
        """What a factory's own parameters ask for.

        Raises:
            RegistrationError: a parameter has no default and nobody provides it.
        """
        signature = self._signatures.get(provider)
        if signature is None:
            signature = self._signatures[provider] = self._checked(provider)
        return signature.injected

    def _checked(self, provider: Provider) -> Signature:
        try:
            signature = signature_of(provider.factory, is_provided=self.provides)
        except Unresolved as error:
            raise _undefined(provider.name, error.parameter, error) from error
        for parameter in signature.parameters:
            if parameter.required:
                raise RegistrationError(
                    provider.name,
                    parameter.name,
                    "a factory gets what is provided and the context, and nobody provides this",
                    "Provide its type, or give it a default.",
                )
        if provider.scope == "app":
            self._check_lasting(provider, signature)
        return signature

    def _check_lasting(self, provider: Provider, signature: Signature) -> None:
        """What lives as long as the app cannot be made of what is closed after every call."""
        for injected in signature.injected:
            needed = None if injected.is_context else self.provider_of(injected.kind)
            if needed is not None and needed.scope == "call" and _cleans_up(needed.factory):
                raise RegistrationError(
                    provider.name,
                    injected.name,
                    f"{needed.name} is closed after every call, and this value lives as long as the app",
                    'Provide both with scope="app", or both for a call.',
                )

    def order_for(self, wanted: tuple[Injected, ...]) -> list[Provider]:
        """The providers to open for these parameters, each after those it needs.

        Raises:
            RegistrationError: a factory cannot work, or two need each other.
        """
        ordered: list[Provider] = []
        self._visit(wanted, ordered, ())
        return ordered

    def _visit(self, wanted: tuple[Injected, ...], ordered: list[Provider], above: tuple[Provider, ...]) -> None:
        for provider in self._of(wanted):
            if provider in above:
                chain = " -> ".join(known.name for known in (*above, provider))
                raise RegistrationError(
                    provider.name, None, f"these factories need each other: {chain}", "Cut the circle."
                )
            if provider not in ordered:
                self._visit(self.needs(provider), ordered, (*above, provider))
                ordered.append(provider)

    def _of(self, wanted: tuple[Injected, ...]) -> Iterator[Provider]:
        for injected in wanted:
            provider = None if injected.is_context else self.provider_of(injected.kind)
            if provider is not None:
                yield provider


def provided_kind(factory: Callable[..., Any]) -> Any:
    """The type a factory says it makes, in its return annotation.

    Raises:
        RegistrationError: it does not say.
    """
    signature = signature_of(factory)
    annotation = signature.returns
    if isinstance(annotation, str):
        try:
            annotation = signature.scope.resolve(annotation)
        except Unresolved as error:
            raise _undefined(signature.function, "return", error) from error
        except Unfit as error:
            raise RegistrationError(signature.function, "return", error.problem, error.remedy) from error
    if typing.get_origin(annotation) in _YIELDING:
        annotation = typing.get_args(annotation)[0]
    annotation = without_none(annotation)
    if annotation is inspect.Parameter.empty or annotation is None:
        raise RegistrationError(
            signature.function,
            "return",
            "it does not say what it makes",
            "Annotate it, or name the type: provide(Type, factory).",
        )
    return annotation


def _undefined(function: str, parameter: str | None, error: Unresolved) -> RegistrationError:
    return RegistrationError(
        function,
        parameter,
        f"its annotation names {error.missing!r}, which is not defined",
        "Define it before the first use, or import it outside of TYPE_CHECKING.",
    )


def _cleans_up(factory: Callable[..., Any]) -> bool:
    return inspect.isgeneratorfunction(factory) or inspect.isasyncgenfunction(factory)


#: what a factory that is a generator says it returns
_YIELDING = (
    collections.abc.Iterator,
    collections.abc.Generator,
    collections.abc.Iterable,
    collections.abc.AsyncIterator,
    collections.abc.AsyncGenerator,
    collections.abc.AsyncIterable,
)
