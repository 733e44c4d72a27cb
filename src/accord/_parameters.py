"""Callable -> parameters, result and docstring as its author wrote them.

What ``inspect`` would say, without it where the callable is a plain Python function: importing inspect takes longer
than reading a hundred signatures. Resolves nothing and knows none of our rules.
"""

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import msgspec

from accord._docstring import unindented
from accord._options import MARK

__all__ = [
    "EMPTY",
    "KEYWORD_ONLY",
    "POSITIONAL_ONLY",
    "POSITIONAL_OR_KEYWORD",
    "VAR_KEYWORD",
    "VAR_POSITIONAL",
    "Written",
    "WrittenParameter",
    "docstring_of",
    "is_bare",
    "is_generator",
    "written",
]

#: the kinds of parameters, in the order and with the numbers Python gives them
POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)

#: code flags
_ARGS, _KEYWORDS, _GENERATOR, _ASYNC_GENERATOR = 0x04, 0x08, 0x20, 0x200


class EMPTY:
    """Stands for an annotation or a default that is not there."""


class WrittenParameter(msgspec.Struct, frozen=True):
    """One parameter, nothing resolved."""

    name: str
    kind: int
    default: Any
    annotation: Any


class Written(msgspec.Struct, frozen=True):
    """A whole signature, nothing resolved."""

    parameters: tuple[WrittenParameter, ...]
    returns: Any


def is_bare(function: Any) -> bool:
    """Whether this is a Python function with nothing written on it that inspect would heed."""
    return type(function) is FunctionType and function.__dict__.keys() <= {MARK}


def written(function: Callable[..., Any]) -> Written:
    """The signature of a callable.

    Raises:
        TypeError: it is none.
        ValueError: Python cannot show its signature.
    """
    if is_bare(function):
        try:
            return _of_function(function)
        except NameError:  # annotations are evaluated late, and something is not defined yet
            return _inspected(function)
    return _inspected(function)


def _of_function(function: Any) -> Written:
    code, annotations = function.__code__, function.__annotations__
    given = function.__defaults__ or ()
    named = code.co_argcount + code.co_kwonlyargcount
    defaults = dict(zip(code.co_varnames[code.co_argcount - len(given) : code.co_argcount], given, strict=True))
    defaults.update(function.__kwdefaults__ or {})
    order = [
        (name, POSITIONAL_ONLY if index < code.co_posonlyargcount else POSITIONAL_OR_KEYWORD)
        for index, name in enumerate(code.co_varnames[: code.co_argcount])
    ]
    extra = iter(code.co_varnames[named:])
    if code.co_flags & _ARGS:
        order.append((next(extra), VAR_POSITIONAL))
    order += [(name, KEYWORD_ONLY) for name in code.co_varnames[code.co_argcount : named]]
    if code.co_flags & _KEYWORDS:
        order.append((next(extra), VAR_KEYWORD))
    return Written(
        tuple(
            WrittenParameter(name, kind, defaults.get(name, EMPTY), annotations.get(name, EMPTY))
            for name, kind in order
        ),
        annotations.get("return", EMPTY),
    )


def _inspected(function: Callable[..., Any]) -> Written:
    import inspect  # noqa: PLC0415 - a plain function does without

    options: dict[str, Any] = {}
    if sys.version_info >= (3, 14):
        # Lazily evaluated annotations: a name that is not defined yet stays a ForwardRef.
        import annotationlib  # noqa: PLC0415 - exists from 3.14 on

        options["annotation_format"] = annotationlib.Format.FORWARDREF
    signature = inspect.signature(function, **options)
    return Written(
        tuple(
            WrittenParameter(each.name, int(each.kind), _known(each.default), _known(each.annotation))
            for each in signature.parameters.values()
        ),
        _known(signature.return_annotation),
    )


def _known(value: Any) -> Any:
    return EMPTY if value is sys.modules["inspect"].Parameter.empty else value


def docstring_of(function: Callable[..., Any]) -> str:
    """The docstring without its indentation; empty when there is none."""
    if is_bare(function) and isinstance(function.__doc__, str):
        return unindented(function.__doc__)
    import inspect  # noqa: PLC0415 - only what may inherit its docstring gets here

    return inspect.getdoc(function) or ""


def is_generator(function: Callable[..., Any]) -> bool:
    """Whether calling it makes a generator, async or not."""
    if is_bare(function):
        return bool(function.__code__.co_flags & (_GENERATOR | _ASYNC_GENERATOR))
    import inspect  # noqa: PLC0415 - as above

    return inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)
