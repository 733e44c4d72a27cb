"""Callable -> Signature: what the author wrote, one parameter at a time, still without any schema.

Resolves string annotations and docstrings, and tells the caller's arguments from the parameters
Accord fills in itself. Parameters that cannot be resolved yet raise ``Unresolved``.
"""

import typing
from collections.abc import Callable
from typing import Any

import msgspec

from accord._docstring import parameter_descriptions, summary_of
from accord._options import name_of
from accord._parameters import (
    EMPTY,
    POSITIONAL_ONLY,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Written,
    WrittenParameter,
    docstring_of,
    is_bare,
    written,
)
from accord._ready import Injected
from accord._scope import Scope, Unfit, Unresolved, scope_of_function
from accord.errors import RegistrationError

__all__ = ["Injected", "Parameter", "Signature", "name_of", "signature_of", "summary_of_function", "without_none"]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One argument the caller may give. ``default`` is ``EMPTY`` when there is none."""

    name: str
    annotation: Any
    default: Any
    positional_only: bool
    description: str | None
    metadata: tuple[Any, ...] = ()

    @property
    def required(self) -> bool:
        """Whether the function cannot be called without it."""
        return self.default is EMPTY


class Signature(msgspec.Struct, frozen=True, kw_only=True):
    """A function as its caller sees it.

    ``injected`` are the parameters Accord fills in, ``positional_order`` names those that can only be
    given by position.
    """

    function: str
    summary: str
    parameters: tuple[Parameter, ...]
    injected: tuple[Injected, ...]
    positional_order: tuple[str, ...]
    variadic: bool
    takes_any_keyword: bool
    returns: Any
    scope: Scope


def summary_of_function(function: Callable[..., Any]) -> str:
    """What a function's docstring says before its first section: all that a listing needs, and it resolves nothing."""
    return summary_of(docstring_of(function)) if _has_own_doc(function) else ""


def signature_of(
    function: Callable[..., Any], *, is_provided: Callable[[Any], bool] = lambda _annotation: False
) -> Signature:
    """The signature of a function, method, partial or callable object.

    Raises:
        RegistrationError: the function has no signature, or a parameter breaks a rule.
        Unresolved: an annotation names something not defined yet.
    """
    name = name_of(function)
    raw = _written(function, name)
    scope = scope_of_function(function)
    described = parameter_descriptions(docstring_of(function))
    parameters, injected = [], []
    for parameter in raw.parameters:
        if parameter.kind in (VAR_POSITIONAL, VAR_KEYWORD):
            continue
        annotation = _resolved(parameter, scope, name)
        kind = without_none(annotation)
        wants_context = _wants_context(parameter.name, annotation, name)
        if wants_context or is_provided(kind):
            injected.append(Injected(parameter.name, _injected_kind(kind), wants_context))
            continue
        parameters.append(_parameter(parameter, annotation, described.get(parameter.name)))
    kinds = {parameter.kind for parameter in raw.parameters}
    return Signature(
        function=name,
        summary=summary_of_function(function),
        parameters=tuple(parameters),
        injected=tuple(injected),
        positional_order=tuple(each.name for each in raw.parameters if each.kind == POSITIONAL_ONLY),
        variadic=VAR_POSITIONAL in kinds or VAR_KEYWORD in kinds,
        takes_any_keyword=VAR_KEYWORD in kinds,
        returns=raw.returns,
        scope=scope,
    )


def _written(function: Callable[..., Any], name: str) -> Written:
    try:
        return written(function)
    except (TypeError, ValueError) as error:
        raise RegistrationError(
            name, None, "it has no signature Python can show", "Register a Python function that calls it."
        ) from error


def _resolved(parameter: WrittenParameter, scope: Scope, function: str) -> Any:
    annotation = parameter.annotation
    if not isinstance(annotation, str | typing.ForwardRef):
        return annotation
    try:
        return scope.resolve(annotation)
    except Unresolved as unresolved:
        if _names_context(annotation):
            return _ContextByName
        unresolved.parameter = parameter.name
        raise
    except Unfit as error:
        raise RegistrationError(function, parameter.name, error.problem, error.remedy) from error


class _ContextByName:
    """Stands for an annotation that says Context where the name is only imported for type checkers."""

    __accord_injected__ = True


def _names_context(annotation: str | typing.ForwardRef) -> bool:
    text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
    names = {part.strip().rpartition(".")[2] for part in text.replace("Optional[", "").rstrip("]").split("|")}
    return names <= {"Context", "None"} and "Context" in names


def without_none(annotation: Any) -> Any:
    """``T`` for ``T | None`` and ``Annotated[T, ...]``, the annotation itself otherwise."""
    if typing.get_origin(annotation) is typing.Annotated:
        return without_none(annotation.__origin__)
    arguments = [argument for argument in typing.get_args(annotation) if argument is not type(None)]
    return arguments[0] if len(arguments) == 1 and len(typing.get_args(annotation)) == 2 else annotation


def _injected_kind(kind: Any) -> Any:
    return None if kind is EMPTY or kind is _ContextByName else kind


def _wants_context(name: str, annotation: Any, function: str) -> bool:
    wants_context = getattr(without_none(annotation), "__accord_injected__", False) is True
    if name == "ctx" and not wants_context and annotation is not EMPTY:
        raise RegistrationError(
            function,
            name,
            f"ctx is the context's own name, and it is annotated {annotation!r}",
            "Annotate it with Context, or rename the parameter.",
        )
    return wants_context or name == "ctx"


def _parameter(raw: WrittenParameter, annotation: Any, description: str | None) -> Parameter:
    default: Any = raw.default
    metadata: tuple[Any, ...] = ()
    if type(default).__name__ == "FieldInfo" and hasattr(default, "is_required"):
        # ``x: int = Field(5, ge=1)``: the default is inside, and so is more metadata.
        metadata, info = (default,), default
        default = EMPTY if info.is_required() else info.get_default(call_default_factory=True)
    return Parameter(
        name=raw.name,
        annotation=annotation,
        default=default,
        positional_only=raw.kind == POSITIONAL_ONLY,
        description=description,
        metadata=metadata,
    )


def _has_own_doc(function: Callable[..., Any]) -> bool:
    """A partial or a callable object would otherwise show its class's docstring."""
    if is_bare(function):
        return True
    import inspect  # noqa: PLC0415 - a plain function does without

    return not hasattr(function, "func") and inspect.isroutine(function)
