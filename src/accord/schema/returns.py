"""Return annotation -> the annotation of the result, or nothing where there is no result to describe."""

import collections.abc
import types
import typing
from collections.abc import Callable
from typing import Any

from accord._calls import Progress
from accord._official import BLOCKS, ENVELOPES, RESULTS, is_official
from accord._parameters import EMPTY, is_generator
from accord._scope import Scope

__all__ = ["NO_RESULT", "result_annotation"]

#: no output schema: nothing is promised, or MCP content that needs no schema is
NO_RESULT = EMPTY

_ITERATORS = (collections.abc.Iterator, collections.abc.AsyncIterator, collections.abc.AsyncGenerator)
_UNIONS = (typing.Union, types.UnionType)


def result_annotation(function: Callable[..., Any], annotation: Any, scope: Scope) -> Any:
    """What the result is: awaitables and generators unwrapped, ``NO_RESULT`` where nothing is promised.

    Raises:
        Unresolved: the annotation names something not defined yet.
    """
    if isinstance(annotation, str | typing.ForwardRef):
        annotation = scope.resolve(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is collections.abc.Awaitable:
        return result_annotation(function, arguments[0], scope)
    if origin is collections.abc.Coroutine:
        return result_annotation(function, arguments[2], scope)
    if origin is collections.abc.Generator:
        return result_annotation(function, arguments[2], scope) if len(arguments) > 2 else NO_RESULT
    if origin in _ITERATORS and (_has_progress(arguments[0]) or _is_generator(function)):
        rest = _without_progress(arguments[0]) if _has_progress(arguments[0]) else NO_RESULT
        return result_annotation(function, rest, scope)
    if annotation in (None, type(None), typing.NoReturn, typing.Never, NO_RESULT) or _holds_content(annotation):
        return NO_RESULT
    return annotation


def _is_generator(function: Callable[..., Any]) -> bool:
    return is_generator(function)


def _has_progress(annotation: Any) -> bool:
    return annotation is Progress or (
        typing.get_origin(annotation) in _UNIONS and Progress in typing.get_args(annotation)
    )


def _without_progress(annotation: Any) -> Any:
    rest = tuple(argument for argument in typing.get_args(annotation) if argument is not Progress)
    return typing.Union[rest] if rest else NO_RESULT  # noqa: UP007 - built from a tuple


def _holds_content(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return annotation.__module__ == "accord.content" or is_official(annotation, BLOCKS | RESULTS | ENVELOPES)
    if typing.get_origin(annotation) is typing.Literal:
        return False
    return any(_holds_content(argument) for argument in typing.get_args(annotation))
