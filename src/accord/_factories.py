"""What a factory asks for and what it makes, read off its signature; and which to open before which.

Beside ``provide``, which only looks factories up: reading them is for the calls that need one.
"""

import collections.abc
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any

from accord._parameters import EMPTY
from accord._scope import Unfit, Unresolved
from accord._signature import Injected, Signature, signature_of, without_none
from accord.errors import RegistrationError
from accord.provide import Provider, Providers

__all__ = ["needs_of", "order_for", "provided_kind"]


def needs_of(provider: Provider, providers: Providers) -> tuple[Injected, ...]:
    """What a factory's own parameters ask for.

    Raises:
        RegistrationError: a parameter has no default and nobody provides it.
    """
    signature = providers.signatures.get(provider)
    if signature is None:
        signature = providers.signatures[provider] = _checked_signature(provider, providers)
    return signature.injected


def order_for(wanted: tuple[Injected, ...], providers: Providers) -> list[Provider]:
    """The providers to open for these parameters, each after those it needs.

    Raises:
        RegistrationError: a factory cannot work, or two need each other.
    """
    ordered: list[Provider] = []
    _visit(wanted, providers, ordered, ())
    return ordered


def _visit(
    wanted: tuple[Injected, ...], providers: Providers, ordered: list[Provider], above: tuple[Provider, ...]
) -> None:
    for provider in _providers_of(wanted, providers):
        if provider in above:
            chain = " -> ".join(known.name for known in (*above, provider))
            raise RegistrationError(provider.name, None, f"these factories need each other: {chain}", "Cut the circle.")
        if provider not in ordered:
            _visit(needs_of(provider, providers), providers, ordered, (*above, provider))
            ordered.append(provider)


def _providers_of(wanted: tuple[Injected, ...], providers: Providers) -> Iterator[Provider]:
    for injected in wanted:
        provider = None if injected.is_context else providers.provider_of(injected.kind)
        if provider is not None:
            yield provider


def _checked_signature(provider: Provider, providers: Providers) -> Signature:
    try:
        signature = signature_of(provider.factory, is_provided=providers.provides)
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
        _check_lasting(provider, signature, providers)
    return signature


def _check_lasting(provider: Provider, signature: Signature, providers: Providers) -> None:
    """What lives as long as the app cannot be made of what is closed after every call."""
    for injected in signature.injected:
        needed = None if injected.is_context else providers.provider_of(injected.kind)
        if needed is not None and needed.scope == "call" and _cleans_up(needed.factory):
            raise RegistrationError(
                provider.name,
                injected.name,
                f"{needed.name} is closed after every call, and this value lives as long as the app",
                'Provide both with scope="app", or both for a call.',
            )


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
    if annotation is EMPTY or annotation is None:
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
