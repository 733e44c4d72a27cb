"""What is read off a function at a glance is what compiling it finds out."""

import builtins
import math
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any

import pytest

from accord import App, Context, Description, Ge, Gt, Le, Lt, MaxLen, MinLen, Pattern
from accord._glance import glance
from accord._tool import Tool
from accord.errors import RegistrationError
from tests.unit._functions import EMPTY, made, nothing


def everyday(name: str, count: int = 1, share: float | None = None, *, tags: list[str] = [], dry: bool = False) -> str:
    return name


async def waiting(name: Annotated[str, MinLen(1), Description("d")] = "x") -> None: ...


def bare(anything, more=1): ...


def test_postponed_annotations_are_read_where_nothing_hides_the_names() -> None:
    space: dict[str, Any] = {"__name__": "somewhere"}
    exec("from __future__ import annotations\ndef tool(a: str, b: int | None = None) -> list[str]: ...", space)
    assert glance(space["tool"], nothing) is not None
    space["str"] = int
    assert glance(space["tool"], nothing) is None
    assert Tool(space["tool"]).input_schema["properties"]["a"] == {"type": "integer"}


def takes_variadic(*names: str): ...
def takes_keywords(**names: str): ...
def takes_context(a: str, ctx: Context = Context(), *, again: Context | None = None, b: int = 1) -> str:
    return f"{a} {ctx.surface} {again is not ctx} {b}"


def takes_something_else(ctx: Context | int): ...


def returns_context() -> Context: ...
def takes_positional(a: str, /): ...
def generates() -> str:
    yield "x"


def local_class() -> Any:
    class Local: ...

    def tool(a: "Local"): ...

    return tool


class Methods:
    def tool(self, a: str): ...


def wrapped() -> Any:
    def tool(a: str): ...

    tool.__wrapped__ = takes_variadic  # type: ignore[attr-defined]
    return tool


@pytest.mark.parametrize("function", [everyday, waiting, bare, takes_context])
def test_an_everyday_function_is_not_compiled_to_be_registered(function: Callable[..., Any]) -> None:
    tool = Tool(function)
    assert "compiled" not in vars(tool)
    tool.ready  # noqa: B018 - neither is it compiled to be called
    assert "compiled" not in vars(tool)
    assert tool.input_schema["type"] == "object"


@pytest.mark.parametrize(
    "function",
    [
        takes_variadic,
        takes_keywords,
        takes_something_else,
        returns_context,
        takes_positional,
        generates,
        local_class(),
        Methods().tool,
        wrapped(),
        builtins.len,
        Methods,
    ],
)
def test_what_is_not_plain_is_compiled(function: Any) -> None:
    assert glance(function, nothing) is None


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, Ge(5), Le(1)],
        Annotated[int, Gt(5), Lt(5)],
        Annotated[float, Ge(5), Lt(5)],
        Annotated[int, Gt(5), Le(5)],
        Annotated[str, MinLen(3), MaxLen(1)],
        Annotated[str, MinLen(-1)],
        Annotated[str, Ge(1)],
        Annotated[bool, Ge(1)],
        Annotated[int, Ge(math.inf)],
        Annotated[str, Pattern("(")],
    ],
)
def test_markers_that_cannot_be_are_refused_at_registration(annotation: Any) -> None:
    function = made([(annotation, EMPTY, False)], EMPTY)
    assert glance(function, nothing) is None
    with pytest.raises(RegistrationError):
        App("tests").command(function)


@pytest.mark.parametrize("options", [{"flatten": True}, {"input_schema": {"type": "object"}}, {"input_schema": 5}])
def test_options_that_can_fail_are_looked_at_at_once(options: dict[str, Any]) -> None:
    def tool(a: str = ""): ...

    app = App("tests")
    try:
        app.command(**options)(tool)
    except RegistrationError:
        return
    assert "compiled" in vars(app.tools["tool"])


def test_a_provider_of_an_everyday_type_takes_the_parameter_over() -> None:
    def tool(a: str, b: int | None = None) -> str:
        return f"{a} {b}"

    app = App("tests")
    app.command(tool)
    assert app.call("tool", a="x") == "x None"
    app.provide(str, lambda: "provided")
    assert app.call("tool") == "provided None"
    app.provide(int, lambda: 5)
    assert app.call("tool") == "provided 5"
    assert app.tools["tool"].input_schema["properties"] == {}


def test_a_support_of_the_authors_own_comes_before_a_glance() -> None:
    from accord import typesupport

    class Shouting:
        def matches(self, annotation: Any) -> bool:
            return typing.get_origin(annotation) is Annotated

        def schema(self, annotation: Any, direction: str) -> dict[str, Any]:
            return {"type": "string", "maxLength": 3}

        def decode(self, annotation: Any, value: Any) -> Any:
            return value.upper()

        def encode(self, value: Any) -> Any:
            return value

    def tool(a: Annotated[str, MinLen(1)]) -> str:
        return a

    support = Shouting()
    typesupport.register(support)
    try:
        app = App("tests")
        app.command(tool)
        assert app.call("tool", a="abc") == "ABC"
    finally:
        typesupport.unregister(support)


def test_contexts_are_filled_in_without_compiling() -> None:
    app = App("tests")
    app.command(takes_context)
    assert app.call("takes_context", a="x", b=2) == "x python True 2"
    assert "compiled" not in vars(app.tools["takes_context"])
    assert list(app.tools["takes_context"].input_schema["properties"]) == ["a", "b"]


def test_a_postponed_context_is_one_where_the_module_says_so() -> None:
    space: dict[str, Any] = {"__name__": "somewhere", "Context": Context}
    exec("from __future__ import annotations\ndef tool(a: str, c: Context | None = None) -> str: ...", space)
    ready = glance(space["tool"], nothing)
    assert ready is not None
    assert [each.name for each in ready.injected] == ["c"]
    space["Context"] = int
    assert glance(space["tool"], nothing) is None


def test_the_summary_of_a_plain_function_needs_no_compiling() -> None:
    def tool(a: str):
        """Do it.

        Args:
            a: what.
        """

    first, second = Tool(tool), Tool(tool)
    assert first.description == "Do it."
    assert "compiled" not in vars(first)
    assert second.compiled.signature.summary == first.description


def test_a_copy_of_a_function_is_read_like_the_function() -> None:
    twin = types.FunctionType(everyday.__code__, {}, "twin", everyday.__defaults__)
    twin.__kwdefaults__ = dict(everyday.__kwdefaults__)
    twin.__annotations__ = dict(everyday.__annotations__)
    first, second = glance(twin, nothing), glance(everyday, nothing)
    assert first is not None
    assert second is not None
    assert first.gate.schema == second.gate.schema
