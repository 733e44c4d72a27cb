"""Random functions, as authors write them: annotations in every spelling, odd defaults, and what is done to them."""

import collections.abc
import enum
import functools
import inspect
import math
import sys
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Final, ForwardRef, List, Literal, NewType, Optional, TypeVar, Union

import msgspec
import pydantic
from hypothesis import strategies as st

from accord import Context, Description, Examples, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern

EMPTY: Any = object()
NAMES = ["a", "b", "default", "ctx"]


class Colour(str):  # noqa: SLOT000 - as an author writes it
    """A class of the author's own."""


class Shade(str, enum.Enum):  # noqa: UP042 - the old spelling
    RED = "red"


class Rank(enum.IntEnum):
    LOW = 1


class Meta(type):
    """What some libraries make their classes of."""


class Made(str, metaclass=Meta):  # noqa: SLOT000 - as above
    """Text of a class that is no plain class."""


class MyContext(Context):
    """A context of the author's own."""


Name = NewType("Name", str)
T = TypeVar("T")
Bound = TypeVar("Bound", bound=int)

scalars = st.sampled_from([str, int, float, bool])
values_of_markers = st.sampled_from([0, 1, 2, 3, 5, -1, 0.5, 1.0, 2.5, 2**53, 2**60, True, math.nan, math.inf, "x"])
markers = st.one_of(
    st.builds(
        lambda marker, value: marker(value),
        st.sampled_from([MinLen, MaxLen, Ge, Gt, Le, Lt, MultipleOf]),
        values_of_markers,
    ),
    st.sampled_from(
        [
            Pattern("^a"),
            Pattern("("),
            Description("d"),
            Description("\ud800"),
            "\ud800",
            Examples("a"),
            "text",
            5,
            [],
            object(),
        ]
    ),
    st.sampled_from([pydantic.Field(ge=1), msgspec.Meta(min_length=1), pydantic.AfterValidator(str), None]),
)
inner = st.one_of(
    scalars,
    scalars,
    st.sampled_from([Any, list, dict, None, type(None), set, bytes, tuple, complex, object, frozenset]),
    st.sampled_from([Colour, Shade, Rank, Made, Literal["a"], Name, T, Bound, typing.SupportsInt]),
)
nullable = st.builds(
    lambda kind, spell: spell(kind),
    st.one_of(scalars, st.sampled_from([list, dict, list[int], dict[str, float], Colour, Shade, Any, None])),
    st.sampled_from(
        [
            lambda kind: Optional[kind],
            lambda kind: Union[kind, None],
            lambda kind: Union[None, kind],
            lambda kind: Optional[Optional[kind]],
        ]
    ),
)
limited = st.builds(
    lambda kind, notes: Annotated[(kind, *notes)],
    st.one_of(scalars, scalars, st.sampled_from([list[int], Optional[int], int | None, Any, "str", Colour, None])),
    st.lists(markers, min_size=1, max_size=3),
)
TEXTS = [
    *("str", "int", "float", "bool", "list", "dict", "None", "Any", "object", "bytes", "Colour", "nowhere", "5", ""),
    *("int | None", "None | int", "str|None", " str ", "Optional[int]", "Union[int, None]", "typing.Optional[str]"),
    *("list[str]", "list[str] | None", "dict[str, float]", "list[int | None]", "list[Colour]", "'int'", "Shade"),
    *("Annotated[int, Ge(1)]", "Annotated[str, MinLen(2)] | None", "Context", "Context | None", "Optional[Context]"),
]
annotations = st.one_of(
    scalars,
    inner,
    inner.map(lambda kind: list[kind]),
    inner.map(lambda kind: List[kind]),
    inner.map(lambda kind: dict[str, kind]),
    nullable,
    limited,
    limited,
    scalars.map(lambda kind: list[kind] | None),
    limited.map(lambda kind: list[kind]),
    limited.map(lambda kind: Annotated[kind, Description("outer")]),
    st.sampled_from([dict[int, str], tuple[str, ...], list[list[int]], list[int | None], 5, [], List, Final[int], ...]),
    st.sampled_from(
        [int | str, int | str | None, Context, Context | None, MyContext, Optional[Context], ForwardRef("int")]
    ),
    st.sampled_from([collections.abc.Sequence[str], Callable[..., int], types.NoneType]),
    st.sampled_from(TEXTS),
)
defaults = st.one_of(
    st.just(EMPTY),
    st.just(EMPTY),
    st.sampled_from([None, "", "abc", "\ud800", 0, 1, 5, -1, 2**70, 1.5, 2.0, math.nan, True, [], ["a"], {}, {"a": 1}]),
    st.sampled_from([[1], [1.5], [None], object(), (1,), b"x", Colour("a"), Shade.RED, Rank.LOW, pydantic.Field(5)]),
    st.sampled_from([Context(), pydantic.Field("x", min_length=1), 10**5000, inspect.Parameter.empty]),
)
#: what most parameters are
everyday = st.one_of(
    scalars,
    scalars.map(lambda kind: kind | None),
    scalars.map(lambda kind: list[kind]),
    scalars.map(lambda kind: dict[str, kind]),
    st.sampled_from(["str", "int | None", "list[str]", "float", "bool", "dict[str, float]"]),
    st.sampled_from([Annotated[str, MinLen(1)], Annotated[int, Ge(0), Le(5)], Annotated[float, Gt(1), "a note"]]),
)
parameters = st.lists(
    st.one_of(
        *(st.tuples(everyday, st.sampled_from([EMPTY, EMPTY, None]), st.booleans()) for _ in range(3)),
        st.tuples(everyday, defaults, st.booleans()),
        st.tuples(annotations, defaults, st.booleans()),
    ),
    max_size=4,
)

# ---- what happens to a function after it was written


def wrapped(function: Any) -> Any:
    @functools.wraps(function)
    def outer(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return outer


def wraps_another(function: Any) -> Any:
    def other(a: int, b: str = "x") -> None: ...

    function.__wrapped__ = other
    return function


def signed(function: Any) -> Any:
    function.__signature__ = inspect.Signature([inspect.Parameter("a", inspect.Parameter.KEYWORD_ONLY, annotation=int)])
    return function


def closed_over(function: Any) -> Any:
    str = int

    def outer(a: "str", b: "str" = 1) -> "str":
        return str(a) + b

    return outer


def in_a_method(function: Any) -> Any:
    holder = type("Holder", (), {"tool": function})
    return holder().tool


def in_a_static_method(function: Any) -> Any:
    return type("Holder", (), {"tool": staticmethod(function)}).tool


def partially(function: Any) -> Any:
    return functools.partial(function, a=1)


def marked(function: Any) -> Any:
    function.marked = True
    return function


def copied(function: Any) -> Any:
    twin = types.FunctionType(function.__code__, function.__globals__, "twin", function.__defaults__, ())
    twin.__annotations__ = dict(function.__annotations__)
    twin.__kwdefaults__ = function.__kwdefaults__
    return twin


def hiding(*names: str) -> Callable[[Any], Any]:
    def hide(function: Any) -> Any:
        function.__globals__.update(dict.fromkeys(names, Colour))
        return function

    return hide


def called_local(function: Any) -> Any:
    function.__qualname__ = "outer.<locals>.tool"
    return function


def with_type_parameters(function: Any) -> Any:
    if sys.version_info >= (3, 12):
        function.__type_params__ = (TypeVar("str"),)
    return function


def as_written(function: Any) -> Any:
    return function


AFTERWARDS = [
    *(as_written for _ in range(12)),
    *(wrapped, wraps_another, signed, closed_over, in_a_method, in_a_static_method, partially, marked, copied),
    *(hiding("int"), hiding("str", "None"), hiding("Context"), hiding("Optional"), called_local, with_type_parameters),
]
afterwards = st.sampled_from(AFTERWARDS)


def made(wanted: list[tuple[Any, Any, bool]], returned: Any, given_back: Any = None) -> Callable[..., Any]:
    """A function at the top of a module, with these parameters."""
    parts, seen_default, starred = [], False, False
    space: dict[str, Any] = {"__name__": "somewhere", "typing": typing, "given_back": given_back}
    known = (Optional, Union, Any, Annotated, Ge, MinLen, Context, Colour, Shade)
    space.update({getattr(each, "__name__", None) or each._name: each for each in known})
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
    exec(f"def tool({', '.join(parts)}): return given_back", space)
    function: Callable[..., Any] = space["tool"]
    function.__annotations__ = {name: kind for name, (kind, _, _) in zip(NAMES, wanted, strict=False) if kind != 5}
    if returned is not EMPTY:
        function.__annotations__["return"] = returned
    return function


def nothing(_annotation: Any) -> bool:
    return False
