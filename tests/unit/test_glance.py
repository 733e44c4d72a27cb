"""What is read off a function at a glance is what compiling it finds out."""

import builtins
import math
import types
import typing
import warnings
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Optional

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from accord import App, Context, Description, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern, Policy
from accord._calls import Failed
from accord._compile import compile_function
from accord._glance import glance
from accord._options import Options
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.errors import RegistrationError

EMPTY = object()
NOTES = {"description", "default", "examples", "title"}


@pytest.fixture(autouse=True)
def _forgetful_typing() -> Iterator[None]:
    """`typing` remembers what it subscripted, and to it MinLen(True) is MinLen(1): other tests would get the True."""
    yield
    for forget in typing._cleanups:
        forget()


class Colour(str):  # noqa: SLOT000 - as an author writes it
    """A class of the author's own."""


scalars = st.sampled_from([str, int, float, bool])
markers = st.one_of(
    st.builds(MinLen, st.sampled_from([0, 1, 3, -1, True])),
    st.builds(MaxLen, st.sampled_from([0, 1, 3, 2.5])),
    st.builds(Ge, st.sampled_from([0, 1, 2.5, math.nan, 2**60])),
    st.builds(Gt, st.sampled_from([0, 1, -3])),
    st.builds(Le, st.sampled_from([0, 1, 5, math.inf, "x"])),
    st.builds(Lt, st.sampled_from([0, 1, 5])),
    st.builds(MultipleOf, st.sampled_from([0, 2])),
    st.sampled_from([Pattern("^a"), Pattern("("), Description("d"), "text", 5, object()]),
)
inner = st.one_of(
    scalars,
    st.sampled_from([Any, list, dict, None, type(None), set, bytes, tuple, Colour, complex, object, Literal["a"]]),
)
annotations = st.one_of(
    scalars,
    inner,
    inner.map(lambda kind: list[kind]),
    inner.map(lambda kind: dict[str, kind]),
    st.sampled_from([dict[int, str], tuple[str, ...], list[list[int]], list[int | None], Optional[float], 5, []]),
    scalars.map(lambda kind: kind | None),
    scalars.map(lambda kind: list[kind] | None),
    st.sampled_from([int | str, int | str | None, Context, Context | None]),
    st.builds(lambda kind, notes: Annotated[(kind, *notes)], scalars, st.lists(markers, min_size=1, max_size=2)),
    st.sampled_from(["str", "int | None", "list[str]", "dict[str, float]", "Optional[int]", "list", "None", "nowhere"]),
)
defaults = st.one_of(
    st.just(EMPTY),
    st.sampled_from([None, "", "abc", "\ud800", 0, 1, 5, 2**70, 1.5, 2.0, math.nan, True, [], ["a"], {}, {"a": 1}]),
    st.sampled_from([[1], [1.5], [None], object(), (1,), b"x", Colour("a")]),
)
parameters = st.lists(st.tuples(annotations, defaults, st.booleans()), max_size=3)
NAMES = ["a", "b", "ctx"]


def made(wanted: list[tuple[Any, Any, bool]], returned: Any, annotated: bool = True) -> Callable[..., Any]:
    """A function at the top of a module, with these parameters."""
    parts, seen_default, starred = [], False, False
    space: dict[str, Any] = {"__name__": "somewhere", "Optional": Optional}
    for name, (_, default, keyword) in zip(NAMES, wanted, strict=False):
        if keyword and not starred:
            parts.append("*")
            starred = True
        seen_default = seen_default or default is not EMPTY
        if default is EMPTY and (starred or not seen_default):
            parts.append(name)
        else:
            space[f"default_{name}"] = None if default is EMPTY else default
            parts.append(f"{name}=default_{name}")
    exec(f"def tool({', '.join(parts)}): return None", space)
    function: Callable[..., Any] = space["tool"]
    function.__annotations__ = {name: kind for name, (kind, _, _) in zip(NAMES, wanted, strict=False) if kind != 5}
    if returned is not EMPTY:
        function.__annotations__["return"] = returned
    return function


def nothing(_annotation: Any) -> bool:
    return False


def without_notes(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_notes(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_notes(item) for name, item in value.items()}
        if key == "properties"
        else without_notes(value)
        for key, value in schema.items()
        if key not in NOTES
    }


JSON = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.sampled_from([1.0, 2.0, 1.5, 10**400, "", "a", "abcd", [], ["a"], [1, 2.0], [None], {}, {"a": 1}, {"a": 2.0}]),
)


@settings(max_examples=700, deadline=None)
@given(parameters, st.one_of(st.just(EMPTY), annotations), st.dictionaries(st.sampled_from(["a", "b", "c"]), JSON))
def test_what_a_glance_lets_pass_compiles_to_the_same(
    wanted: list[tuple[Any, Any, bool]], returned: Any, arguments: dict[str, Any]
) -> None:
    function = made(wanted, returned)
    ready = glance(function, nothing)
    assume(ready is not None)
    assert ready is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = compile_function(function, Options(), Policy(), nothing)
    assert ready.gate.schema == without_notes(compiled.input)
    assert (ready.output_gate and ready.output_gate.schema) == without_notes(compiled.output)
    assert (ready.positional_order, ready.types, ready.flattened) == ((), None, None)
    assert ready.injected == compiled.ready.injected
    assert ready.defaults == compiled.ready.defaults or math.nan in ready.defaults.values()
    assert [name for name, _, _ in ready.converters] == [name for name, _, _ in compiled.ready.converters]
    assert bound(function, ready, arguments) == bound(function, compiled.ready, arguments)


def bound(function: Callable[..., Any], ready: Any, arguments: dict[str, Any]) -> Any:
    tool = Tool(function)
    tool.ready = ready
    outcome = bind(tool, arguments)
    return repr(outcome.error_data if isinstance(outcome, Failed) else outcome.kwargs)


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
