"""Registration: what cannot work is refused in one sentence, and what can work late is given the time."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel

from accord import App, Context, Ge, Gt, Le, MaxLen, MinLen, MultipleOf, Pattern, Policy
from accord.errors import AccordError, AccordWarning, RegistrationError
from accord.schema import function_to_schema, return_to_schema, type_to_schema
from tests.unit._tools import app_of, returns, send, takes

REMEDY = re.compile(
    r"\b(use|remove|rename|make|give|write|annotate|pass|add|change|drop|choose|set|declare|replace|define|import"
    r"|keep|put|widen|name|register|move|pick|turn|wrap|call|leave|take|say|list|mark|spell|close|start)\b",
    re.IGNORECASE,
)


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Objects(Enum):
    A = object()
    B = (1, 2)


class Level(Enum):
    LOW = 1


@dataclass
class Plain:
    a: int


@dataclass
class Badly:
    name: Annotated[int, MinLen(1)]


class BadTyped(TypedDict):
    name: Annotated[str, Ge(1)]


class Members(BaseModel):
    members: set[list[int]] = set()


@dataclass
class Mislaid:
    size: Annotated[int, Ge(10)] = 1


def ctx_of_another_type(a: int, ctx: int) -> None: ...


def ctx_with_string_annotation(a: int, ctx: "str") -> None: ...


def two_models(first: Plain, second: Plain) -> None: ...


def default_below(x: Annotated[int, Ge(1)] = 0) -> None: ...


# (what, function, options, the parameter to be named)
CANNOT_WORK: tuple[tuple[str, Callable[..., Any], dict[str, Any], str], ...] = (
    ("default below its bound", default_below, {}, "x"),
    ("default too short", takes(Annotated[str, MinLen(2)], default="a"), {}, "x"),
    ("default too long", takes(Annotated[list[int], MaxLen(1)], default=[1, 2]), {}, "x"),
    ("default that breaks its pattern", takes(Annotated[str, Pattern("^a$")], default="b"), {}, "x"),
    ("default of another type", takes(int, default="one"), {}, "x"),
    ("default outside the Literal", takes(Literal["a", "b"], default="c"), {}, "x"),
    ("default that is no multiple", takes(Annotated[int, MultipleOf(5)], default=7), {}, "x"),
    ("default inside a list", takes(list[Annotated[int, Ge(0)]], default=[-1]), {}, "x"),
    ("default of an Enum that is no member", takes(Color, default="green"), {}, "x"),
    ("default of a field", takes(Mislaid), {}, "x"),
    ("length of an int", takes(Annotated[int, MinLen(1)]), {}, "x"),
    ("bound of a str", takes(Annotated[str, Ge(1)]), {}, "x"),
    ("bound of a bool", takes(Annotated[bool, Gt(0)]), {}, "x"),
    ("pattern of an int", takes(Annotated[int, Pattern("a")]), {}, "x"),
    ("step of a str", takes(Annotated[str, MultipleOf(2)]), {}, "x"),
    ("length of bytes", takes(Annotated[bytes, MaxLen(2)]), {}, "x"),
    ("length of an Enum", takes(Annotated[Color, MinLen(1)]), {}, "x"),
    ("length of a datetime", takes(Annotated[datetime.datetime, MaxLen(9)]), {}, "x"),
    ("length of a model", takes(Annotated[Plain, MaxLen(9)]), {}, "x"),
    ("bound in a union nothing in it can have", takes(Annotated[str | None, Le(3)]), {}, "x"),
    ("marker of a dataclass field", takes(Badly), {}, "x"),
    ("marker of a TypedDict field", takes(BadTyped), {}, "x"),
    ("limits that leave nothing", takes(Annotated[int, Ge(5), Le(4)]), {}, "x"),
    ("pattern with a Python group", takes(Annotated[str, Pattern("(?P<year>[0-9]+)")]), {}, "x"),
    ("pattern with a Python anchor", takes(Annotated[str, Pattern(r"\Aabc\Z")]), {}, "x"),
    ("pattern that is none", takes(Annotated[str, Pattern("(a")]), {}, "x"),
    ("set of lists", takes(set[list[int]]), {}, "x"),
    ("set of dicts", takes(set[dict[str, int]]), {}, "x"),
    ("frozenset of unhashable dataclasses", takes(frozenset[Plain]), {}, "x"),
    ("set of sets", takes(set[set[int]]), {}, "x"),
    ("set inside a model", takes(Members), {}, "x"),
    ("dict with list keys", takes(dict[list[int], int]), {}, "x"),
    ("dict with model keys", takes(dict[Plain, int]), {}, "x"),
    ("Enum of objects", takes(Objects), {}, "x"),
    ("Literal of bytes", takes(Literal[b"a"]), {}, "x"),
    ("ctx of another type", ctx_of_another_type, {}, "ctx"),
    ("ctx of another type in quotes", ctx_with_string_annotation, {}, "ctx"),
    ("flatten of a scalar", takes(int), {"flatten": True}, "x"),
    ("flatten of two models", two_models, {"flatten": True}, "second"),
)


@pytest.mark.parametrize(
    ("function", "options", "parameter"), [pytest.param(*row[1:], id=row[0]) for row in CANNOT_WORK]
)
def test_what_cannot_work_is_one_error_that_names_function_parameter_and_remedy(
    function: Callable[..., Any], options: dict[str, Any], parameter: str
) -> None:
    app = App("refusals")
    with pytest.raises(RegistrationError) as caught:
        app.command("a_tool", **options)(function)
    message = str(caught.value)
    assert "a_tool" in message or function.__name__ in message
    if options.get("flatten") and function is two_models:
        assert "first" in message or "second" in message
    else:
        assert re.search(rf"\b{parameter}\b", message), message
    assert REMEDY.search(caught.value.remedy), caught.value.remedy
    assert caught.value.remedy in message
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, AccordError)
    assert caught.value.__suppress_context__ or "During handling" not in message
    assert "a_tool" not in app.tools


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"type": "objekt"}, "objekt"),
        ({"type": "array"}, "object"),
        ({"type": "string"}, "object"),
        ({"properties": 3}, "properties"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/Missing"}}}, "Missing"),
        ({"type": "object", "properties": {"a": {"pattern": "("}}}, "pattern"),
        ({"type": "object", "required": "a"}, "required"),
    ],
)
def test_a_given_schema_that_cannot_work_is_refused(given: Any, word: str) -> None:
    """R10: the schema is published untouched, so it must be one."""

    def tool(**kwargs: Any) -> None: ...

    with pytest.raises(RegistrationError, match=r"(?s)tool.*input_schema") as caught:
        app_of(tool, input_schema=given)
    assert word in str(caught.value)
    assert REMEDY.search(str(caught.value))


@pytest.mark.parametrize(
    "name", ["a/b", "a\\b", "", ".", "..", "a.output", "con", "NUL", "a\0b", "a\nb", "x" * 300, "a:b"]
)
def test_a_name_that_cannot_be_a_file_name_is_refused(name: str) -> None:
    """R24."""
    app = App("names")
    with pytest.raises(RegistrationError):
        app.command(name)(takes(int))
    assert list(app.tools) == []


@pytest.mark.parametrize("name", ["deploy", "site.build", "site-build", "site_build", "Deploy2", "output"])
def test_an_ordinary_name_is_kept(name: str) -> None:
    """R24."""
    app = App("names")
    app.command(name)(takes(int))
    assert list(app.tools) == [name]


def test_a_second_tool_of_one_name_is_refused_and_the_first_stays() -> None:
    app = App("names")
    app.command("a_tool")(takes(int))
    with pytest.raises(RegistrationError, match="a_tool") as caught:
        app.command("a_tool")(takes(str))
    assert REMEDY.search(str(caught.value))
    assert app.tools["a_tool"].input_schema["properties"] == {"x": {"type": "integer"}}


def test_two_names_that_differ_only_in_dot_and_underscore_collide() -> None:
    """R24: both spellings are accepted on call, so there can be one owner."""
    app = App("names")
    app.command("site.build")(takes(int))
    with pytest.raises(RegistrationError, match=r"site[._]build"):
        app.command("site_build")(takes(str))


def test_both_spellings_of_a_name_are_accepted_on_call() -> None:
    """R24."""
    app = App("names")
    app.command("site.build")(takes(int))
    assert send(app, "site.build", {"x": 1})["isError"] is False
    assert send(app, "site_build", {"x": 1})["isError"] is False


def test_names_can_be_published_with_underscores() -> None:
    """R24."""
    app = App("names", policy=Policy(names="underscore"))
    app.command("site.build")(takes(int))
    assert [tool.name for tool in app.tools.values()] == ["site_build"]
    assert send(app, "site.build", {"x": 1})["isError"] is False


# ---- unknown annotations (R9) ----------------------------------------------------------------------------


class Handle:
    def __init__(self, number: int) -> None: ...


def test_an_unknown_annotation_is_a_string_with_a_warning_and_the_handler_gets_the_text() -> None:
    """R9."""

    def tool(handle: Handle) -> bool:
        return type(handle) is str

    with pytest.warns(AccordWarning, match=r"tool.*handle|handle.*tool"):
        app = app_of(tool)
    assert app.tools["tool"].input_schema["properties"] == {"handle": {"type": "string"}}
    assert send(app, "tool", {"handle": "h"})["structuredContent"] is True


def test_an_unknown_annotation_warns_from_every_producer() -> None:
    """R9."""
    with pytest.warns(AccordWarning, match="Handle"):
        assert function_to_schema(takes(Handle))["properties"] == {"x": {"type": "string"}}
    with pytest.warns(AccordWarning, match="Handle"):
        assert return_to_schema(returns(Handle)) == {"type": "string"}
    with pytest.warns(AccordWarning, match="Handle"):
        assert type_to_schema(Handle, direction="input") == {"type": "string"}


def test_a_warning_points_at_the_authors_own_line() -> None:
    app = App("tests")
    for name, register in (
        ("x", lambda: app.command(takes(Handle))),
        ("result", lambda: return_to_schema(returns(Handle))),
    ):
        with pytest.warns(AccordWarning, match=name) as warned:
            register()
        assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.parametrize("annotation", [Handle, list[Handle], Handle | None, dict[str, Handle]])
def test_strict_refuses_an_unknown_annotation_wherever_it_stands(annotation: Any) -> None:
    """R9."""
    with pytest.raises(TypeError, match=r"(?s)tool.*'x'"):
        function_to_schema(takes(annotation), strict=True)
    with pytest.raises(RegistrationError, match=r"(?s)tool.*'x'"):
        app_of(takes(annotation), policy=Policy(strict=True))


def test_an_unannotated_parameter_takes_anything_and_warns_of_nothing() -> None:
    """R9. `filterwarnings = error` would turn a warning into a failure."""

    def tool(x, y=3):
        return [x, y]

    app = app_of(tool)
    assert app.tools["tool"].input_schema["properties"] == {"x": {}, "y": {"default": 3}}
    assert send(app, "tool", {"x": {"a": [None]}})["isError"] is False


# ---- the context (R20) -----------------------------------------------------------------------------------


class OurContext(Context):
    pass


def by_name(ctx) -> bool:
    return isinstance(ctx, Context)


def by_annotation(anything: Context) -> bool:
    return isinstance(anything, Context)


def by_nullable(anything: Context | None = None) -> bool:
    return isinstance(anything, Context)


def by_string(anything: "Context") -> bool:
    return isinstance(anything, Context)


def by_default(ctx: Context = None) -> bool:
    return isinstance(ctx, Context)


def by_inert_default(ctx: Context = Context()) -> bool:
    return isinstance(ctx, Context)


def by_keyword(*, ctx: Context) -> bool:
    return isinstance(ctx, Context)


@pytest.mark.parametrize(
    "function", [by_name, by_annotation, by_nullable, by_string, by_default, by_inert_default, by_keyword]
)
def test_the_context_is_injected_and_never_published(function: Callable[..., Any]) -> None:
    """R20."""
    app = app_of(function)
    assert app.tools[function.__name__].input_schema["properties"] == {}
    assert send(app, function.__name__, {})["structuredContent"] is True


def test_a_subclass_of_the_context_is_not_published() -> None:
    """R20."""

    def tool(x: int, run: OurContext) -> None: ...

    assert list(function_to_schema(tool)["properties"]) == ["x"]


def test_a_field_called_ctx_is_ordinary() -> None:
    """R20."""

    @dataclass
    class Job:
        ctx: str

    def tool(job: Job) -> str:
        return job.ctx

    tool.__annotations__["job"] = Job
    app = app_of(tool)
    assert app.tools["tool"].input_schema["properties"]["job"]["properties"] == {"ctx": {"type": "string"}}
    assert send(app, "tool", {"job": {"ctx": "c"}})["structuredContent"] == "c"


def test_the_function_is_returned_unchanged() -> None:
    def plain(x: int) -> int:
        return x + 1

    before = dict(vars(plain))
    assert App("same").command(plain) is plain
    assert App("same").tool("other")(plain) is plain
    assert plain(1) == 2
    assert vars(plain) == before


def test_a_default_nobody_can_publish_is_left_out() -> None:
    """R5."""

    def tool(a: float = float("inf"), b: Any = object(), c: Callable[..., Any] = print) -> None: ...

    tool.__annotations__["c"] = Any
    properties = function_to_schema(tool)["properties"]
    assert properties == {"a": {"type": "number"}, "b": {}, "c": {}}


def test_none_as_the_default_of_a_type_that_takes_no_null_is_not_published() -> None:
    """R3."""

    def tool(x: int = None) -> bool:
        return x is None

    app = app_of(tool)
    assert app.tools["tool"].input_schema["properties"] == {"x": {"type": "integer"}}
    assert "required" not in app.tools["tool"].input_schema
    assert send(app, "tool", {})["structuredContent"] is True
    assert send(app, "tool", {"x": None})["isError"] is True
