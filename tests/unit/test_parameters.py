"""Signatures and docstrings are read as inspect reads them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._docstring import unindented
from accord._parameters import EMPTY, docstring_of, is_bare, is_generator, written

KINDS = {kind: int(kind) for kind in inspect._ParameterKind}


def inspected(function: Callable[..., Any]) -> tuple[list[tuple[Any, ...]], Any]:
    signature = inspect.signature(function)
    empty = inspect.Parameter.empty

    def known(value: Any) -> Any:
        return EMPTY if value is empty else value

    parameters = [
        (each.name, KINDS[each.kind], known(each.default), known(each.annotation))
        for each in signature.parameters.values()
    ]
    return parameters, known(signature.return_annotation)


def ours(function: Callable[..., Any]) -> tuple[list[tuple[Any, ...]], Any]:
    found = written(function)
    return [(each.name, each.kind, each.default, each.annotation) for each in found.parameters], found.returns


@st.composite
def functions(draw: st.DrawFn) -> Callable[..., Any]:
    """Any mixture of kinds, defaults, annotations and local variables."""
    number = iter(range(100))

    def names(most: int) -> list[str]:
        return [f"p{next(number)}" for _ in range(draw(st.integers(0, most)))]

    positional, ordinary, keyword_only = names(2), names(3), names(2)
    first_default = draw(st.integers(0, len(positional) + len(ordinary)))
    parts = []
    for index, name in enumerate([*positional, *ordinary]):
        annotation = draw(st.sampled_from(["", ": int", ": 'str | None'"]))
        parts.append(f"{name}{annotation}" + (f" = {index}" if index >= first_default else ""))
        if positional and index == len(positional) - 1:
            parts.append("/")
    star = draw(st.sampled_from(["*args: float", "*" if keyword_only else "", "" if not keyword_only else "*"]))
    parts += [star] if star else []
    parts += [name + draw(st.sampled_from(["", " = None", ": bool = False"])) for name in keyword_only]
    parts += draw(st.sampled_from([[], ["**options"], ["**options: bytes"]]))
    returns = draw(st.sampled_from(["", " -> None", " -> 'list[str]'"]))
    prefix = draw(st.sampled_from(["", "async "]))
    body = draw(st.sampled_from(["local = 1", "yield 1", "return None"]))
    if prefix and body == "yield 1":
        returns = ""
    space: dict[str, Any] = {}
    exec(f"{prefix}def tool({', '.join(parts)}){returns}:\n    other = 2\n    {body}", space)
    made: Callable[..., Any] = space["tool"]
    return made


@settings(max_examples=300, deadline=None)
@given(functions())
def test_the_signature_of_a_plain_function_is_that_of_inspect(function: Callable[..., Any]) -> None:
    assert is_bare(function)
    assert ours(function) == inspected(function)
    assert is_generator(function) == (inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function))


def plain(a: int, b: str = "x") -> None:
    """Plain."""


def signed() -> Any:
    def tool(a: int) -> None: ...

    tool.__signature__ = inspect.Signature([inspect.Parameter("b", inspect.Parameter.KEYWORD_ONLY)])  # type: ignore[attr-defined]
    return tool


def wrapping() -> Any:
    @functools.wraps(plain)
    def tool(*args: Any, **kwargs: Any) -> None: ...

    return tool


class Thing:
    """A thing."""

    def method(self, a: int) -> None:
        """A method."""

    def __call__(self, a: int, *, b: int = 1) -> None: ...


class Derived(Thing):
    def method(self, a: int) -> None: ...


@pytest.mark.parametrize(
    "function", [plain, signed(), wrapping(), functools.partial(plain, b="y"), Thing().method, Thing(), Thing, len]
)
def test_whatever_else_is_callable_is_read_the_same(function: Any) -> None:
    assert ours(function) == inspected(function)


@pytest.mark.parametrize(
    "function", [plain, wrapping(), Thing.method, Derived.method, Derived().method, Thing, signed()]
)
def test_the_docstring_is_that_of_inspect(function: Any) -> None:
    assert docstring_of(function) == (inspect.getdoc(function) or "")


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["", "  ", "    word", "word", "  two words ", "\tword", "        deep"]), max_size=6))
def test_a_docstring_loses_the_indentation_inspect_takes_off(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert unindented(text) == inspect.cleandoc(text)
