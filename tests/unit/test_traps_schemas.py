"""Bugs the peers have in their schemas (`reference/traps.md`); each id names the trap it would fail on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel

from accord import App, Context, Description, Ge, MinLen, function_to_schema, return_to_schema
from accord.errors import RegistrationError
from tests.unit._tools import accepts, app_of, module_of, returns, run, send, takes

DIALECTS = ["accord", "milo", "openmcp", "governed", "omni"]


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Chain(TypedDict):
    value: int
    next: Chain | None


class Inner(BaseModel):
    count: int


class Outer(BaseModel):
    inner: Inner
    many: list[Inner] = []


@dataclass
class Limits:
    low: Annotated[int, Ge(1)]
    names: list[Annotated[str, MinLen(2)]] = field(default_factory=list)


class Row(TypedDict):
    amount: Annotated[int, Ge(1)]


def argument(annotation: Any, **default: Any) -> dict[str, Any]:
    """The input schema of a function with the one parameter `x`, for the oracle."""
    return function_to_schema(takes(annotation, **default))


@pytest.mark.parametrize(
    ("annotation", "good", "bad"),
    [
        pytest.param(int | str | None, [1, "a", None], [1.5, [], True], id="M-01 three way union"),
        pytest.param(Any, [{"a": 1}, None, 1, "x"], [], id="M-02 Any"),
        pytest.param(dict[str, Any], [{"a": 1}, {"a": None}, {}], [1, "x", []], id="M-02 dict of Any"),
        pytest.param(tuple[int, str], [[1, "a"]], [[1], [1, 2], [1, "a", 3], ["a", 1]], id="M-03 fixed tuple"),
        pytest.param(Literal[1.5, "a"], [1.5, "a"], [1, "b"], id="M-04 mixed Literal"),
        pytest.param(Literal[True, False], [True, False], [1, 0, "true"], id="M-04 bool Literal"),
        pytest.param(Enum("F", {"A": 0.5, "B": 2.5}), [0.5, 2.5], [1, "0.5"], id="M-04 float Enum"),
        pytest.param(Enum("M", {"A": 1, "B": "one"}), [1, "one"], [2, "1", True], id="M-04 mixed Enum"),
        pytest.param(str | None, [None, "a"], [1], id="M-05 required nullable"),
        pytest.param(list[int | None], [[1, None], []], [["a"]], id="M-05 nullable items"),
        pytest.param(
            Chain,
            [{"value": 1, "next": None}, {"value": 1, "next": {"value": 2, "next": None}}],
            [{"value": 1}, {"value": 1, "next": {"value": "x", "next": None}}, {"value": 1, "next": 3}],
            id="M-05 M-08 recursion ends with null",
        ),
        pytest.param(
            Limits,
            [{"low": 1}, {"low": 2, "names": ["ab"]}],
            [{"low": 0}, {"low": 1, "names": ["a"]}, {"low": 1, "more": 1}],
            id="M-06 nested constraints",
        ),
        pytest.param(Row, [{"amount": 1}], [{"amount": 0}, {"amount": 1, "more": 1}], id="M-06 TypedDict"),
        pytest.param(
            Outer,
            [{"inner": {"count": 1}}, {"inner": {"count": 1}, "many": [{"count": 2}]}],
            [{"inner": {"count": "x"}}, {"inner": {}}, {"inner": {"count": 1}, "many": [{}]}],
            id="D-01 nested models",
        ),
        pytest.param(Outer | None, [None, {"inner": {"count": 1}}], [{}, {"inner": 1}], id="D-01 nullable model"),
    ],
)
def test_schema_and_tool_take_exactly_the_good_values(annotation: Any, good: list[Any], bad: list[Any]) -> None:
    schema = argument(annotation)
    for value in good:
        assert accepts(schema, {"x": value}), value
        assert run(takes(annotation), {"x": value})["isError"] is False, value
    for value in bad:
        assert not accepts(schema, {"x": value}), value
        assert run(takes(annotation), {"x": value})["isError"] is True, value


@pytest.mark.parametrize("default", [None, 5], ids=["M-05 None", "M-05 a number"])
def test_an_optional_parameter_with_any_default_takes_null(default: int | None) -> None:
    schema = argument(int | None, default=default)
    assert schema["properties"]["x"]["default"] == default
    assert accepts(schema, {"x": None})
    assert run(takes(int | None, default=default), {"x": None})["isError"] is False


def test_strict_mode_lets_a_three_way_union_pass_because_it_is_known() -> None:
    """M-01."""
    assert function_to_schema(takes(int | str | None), strict=True)["properties"]["x"]["anyOf"] == [
        {"type": "integer"},
        {"type": "string"},
        {"type": "null"},
    ]


@pytest.mark.parametrize("typing", ["typing", "typing_extensions"])
def test_not_required_is_seen_under_postponed_annotations(typing: str) -> None:
    """M-07."""
    module = module_of(f"""
        from __future__ import annotations
        from {typing} import NotRequired, Required, TypedDict

        class Params(TypedDict):
            query: str
            limit: NotRequired[int]

        class Loose(TypedDict, total=False):
            query: Required[str]
            limit: int

        def tool(params: Params, loose: Loose) -> Params: ...
    """)
    properties = function_to_schema(module.tool)["properties"]
    assert properties["params"]["required"] == ["query"]
    assert properties["loose"]["required"] == ["query"]
    assert return_to_schema(module.tool)["required"] == ["query"]


@pytest.mark.parametrize("direction", ["input", "output"])
def test_every_reference_of_a_recursive_type_resolves(direction: str) -> None:
    """M-08, D-01. A dangling reference would accept anything, or nothing."""
    schema = argument(Chain) if direction == "input" else return_to_schema(returns(Chain))
    good: Any = {"value": 1, "next": {"value": 2, "next": None}}
    bad: Any = {"value": 1, "next": {"value": "two", "next": None}}
    wrap = (lambda value: {"x": value}) if direction == "input" else (lambda value: value)
    assert accepts(schema, wrap(good))
    assert not accepts(schema, wrap(bad))


def test_one_unresolvable_annotation_does_not_turn_the_others_into_strings() -> None:
    """M-09. The tool is refused by name; it is never published with made-up types."""
    module = module_of("""
        from __future__ import annotations
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from somewhere import Missing

        def tool(n: int, p: Missing) -> int:
            return n
    """)
    with pytest.raises(RegistrationError, match=r"(?s)tool.*'p'.*Missing"):
        function_to_schema(module.tool)


def test_a_literal_of_an_enum_member_cannot_break_the_listing() -> None:
    """M-13, and number 15 of the short list."""
    app = App("listing")
    app.command("good")(takes(int))
    app.command("odd")(takes(Literal[Color.RED]))
    listed = {name: json.loads(json.dumps(tool.input_schema)) for name, tool in app.tools.items()}
    assert listed["good"]["properties"] == {"x": {"type": "integer"}}
    assert listed["odd"]["properties"]["x"] == {"type": "string", "enum": ["red"]}


@pytest.mark.parametrize(
    ("annotation", "default"),
    [(Annotated[int, Ge(1)], 0), (Annotated[str, MinLen(1)], ""), (Literal["a", "b"], "c"), (int, "one")],
)
def test_a_default_that_breaks_its_own_contract_fails_at_registration(annotation: Any, default: Any) -> None:
    """M-22, and number 14 of the short list."""
    with pytest.raises(RegistrationError, match=r"(?s)tool.*'x'.*default"):
        app_of(takes(annotation, default=default))


def test_the_marker_beats_the_docstring() -> None:
    """M-24."""

    def tool(a: Annotated[int, Description("marker")], b: int) -> None:
        """Do it.

        Args:
            a: docstring
            b: docstring
        """

    properties = function_to_schema(tool)["properties"]
    assert (properties["a"]["description"], properties["b"]["description"]) == ("marker", "docstring")


def test_changing_a_schema_one_was_given_changes_nothing_else() -> None:
    """M-30."""

    def tool(x: list[int]) -> dict[str, int]:
        return {}

    app = app_of(tool)
    for get in (
        lambda: function_to_schema(tool),
        lambda: return_to_schema(tool),
        lambda: app.tools["tool"].input_schema,
        lambda: app.tools["tool"].output_schema,
    ):
        before = json.dumps(get())
        try:
            get().clear()
            get()["properties"]["x"]["items"]["type"] = "string"
        except (TypeError, KeyError, AttributeError):
            pass  # read-only, or without such a key
        assert json.dumps(get()) == before
    assert send(app, "tool", {"x": [1]})["isError"] is False
    assert send(app, "tool", {"x": ["a"]})["isError"] is True


@pytest.mark.parametrize("annotation", [int, Limits, Row, Outer, list[Limits]])
def test_a_schema_refuses_the_unknown_keys_the_tool_refuses(annotation: Any) -> None:
    """M-38. At the top and inside."""
    schema = argument(annotation)
    good: Any = {
        int: 1,
        Limits: {"low": 1},
        Row: {"amount": 1},
        Outer: {"inner": {"count": 1}},
        list[Limits]: [{"low": 1}],
    }[annotation]
    assert accepts(schema, {"x": good})
    wrong = [{"x": good, "more": 1}]
    if isinstance(good, dict):
        wrong.append({"x": {**good, "more": 1}})
    for arguments in wrong:
        assert not accepts(schema, arguments)
        assert run(takes(annotation), arguments)["errorData"]["reason"] == "unexpected_argument"


class TitledModel(BaseModel):
    title: str
    body: str


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_parameter_or_field_called_title_survives(dialect: str) -> None:
    """D-05."""

    def make(title: str, body: str) -> TitledModel: ...

    schema = function_to_schema(make, dialect=dialect)
    assert list(schema["properties"]) == ["title", "body"]
    assert schema["required"] == ["title", "body"]
    assert list(return_to_schema(make, dialect=dialect)["properties"]) == ["title", "body"]
    given = {
        "type": "object",
        "properties": {"title": {"type": "string", "title": "Kept"}},
        "required": ["title"],
    }
    assert app_of(make, input_schema=given).tools["make"].input_schema == given


def test_a_default_that_is_no_json_is_left_out_and_used() -> None:
    """D-07."""
    marker = object()

    def tool(a: int = 1, dependency: Any = marker, call: Any = len) -> bool:
        return dependency is marker and call is len

    app = app_of(tool)
    assert json.loads(json.dumps(app.tools["tool"].input_schema))["properties"] == {
        "a": {"type": "integer", "default": 1},
        "dependency": {},
        "call": {},
    }
    assert send(app, "tool", {})["structuredContent"] is True


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_context_parameter_costs_no_other_parameter_its_schema(dialect: str) -> None:
    """D-09."""

    def tool(n: Annotated[int, Ge(1)], ctx: Context, m: str = "x") -> str:
        return m

    properties = function_to_schema(tool, dialect=dialect)["properties"]
    assert list(properties) == ["n", "m"]
    assert properties["n"]["minimum"] == 1


def test_a_user_class_under_postponed_annotations_is_understood() -> None:
    """D-10."""
    module = module_of("""
        from __future__ import annotations
        from dataclasses import dataclass

        @dataclass
        class Place:
            city: str

        def tool(place: Place) -> str:
            return place.city
    """)
    assert function_to_schema(module.tool)["properties"]["place"]["required"] == ["city"]
    assert run(module.tool, {"place": {"city": "Oslo"}})["structuredContent"] == "Oslo"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_given_schema_stays_closed(dialect: str) -> None:
    """D-11, and number 13 of the short list."""
    from accord import Policy

    given = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}
    app = App("given", policy=Policy(dialect=dialect))

    @app.command(input_schema=given)
    def tool(**kwargs: Any) -> int:
        return len(kwargs)

    assert app.tools["tool"].input_schema == given
    assert send(app, "tool", {"a": 1, "b": 2})["isError"] is True


def test_a_bound_method_does_not_publish_self() -> None:
    """D-21."""

    class Counter:
        def __init__(self, start: int) -> None:
            self.start = start

        def add(self, n: int) -> int:
            return self.start + n

        @classmethod
        def name(cls, upper: bool) -> str:
            return cls.__name__.upper() if upper else cls.__name__

    app = app_of(Counter(40).add, Counter.name)
    assert list(app.tools["add"].input_schema["properties"]) == ["n"]
    assert list(app.tools["name"].input_schema["properties"]) == ["upper"]
    assert send(app, "add", {"n": 2})["structuredContent"] == 42
    assert send(app, "name", {"upper": True})["structuredContent"] == "COUNTER"


def test_positional_only_parameters_keep_the_schema_and_can_be_called() -> None:
    """D-23, M-32."""

    def tool(a: int, /, b: int = 2, *, c: int = 3) -> list[int]:
        return [a, b, c]

    app = app_of(tool)
    assert list(app.tools["tool"].input_schema["properties"]) == ["a", "b", "c"]
    assert app.tools["tool"].input_schema["required"] == ["a"]
    assert send(app, "tool", {"a": 1, "c": 9})["structuredContent"] == [1, 2, 9]


def test_enum_and_path_defaults_are_published_as_their_json() -> None:
    """D-25, and number 7 of the short list."""

    def tool(color: Color = Color.RED, path: Path = Path("out")) -> str:
        return f"{color.name} {path.name} {isinstance(path, Path)}"

    app = app_of(tool)
    properties = app.tools["tool"].input_schema["properties"]
    assert (properties["color"]["default"], properties["path"]["default"]) == ("red", "out")
    assert send(app, "tool", {})["structuredContent"] == "RED out True"


def test_a_numpy_docstring_is_read_at_any_indentation() -> None:
    """D-27."""

    class Deep:
        class Deeper:
            def tool(self, city: str, days: int = 3) -> None:
                """Forecast the weather.

                Parameters
                ----------
                city : str
                    Where.
                days : int, optional
                    How far
                    ahead.
                """

    properties = function_to_schema(Deep.Deeper().tool)["properties"]
    assert properties["city"]["description"] == "Where."
    assert properties["days"]["description"].split() == ["How", "far", "ahead."]


def test_unset_hints_are_left_out_and_a_false_one_is_sent() -> None:
    """Number 17 of the short list."""
    app = App("hints")
    app.command("plain")(takes(int))
    app.command("marked", read_only=True, destructive=False)(takes(int))
    plain, marked = app.tools["plain"].annotations, app.tools["marked"].annotations
    assert not [key for key in (plain or {}) if key.endswith("Hint")]
    assert {key: value for key, value in marked.items() if key.endswith("Hint")} == {
        "readOnlyHint": True,
        "destructiveHint": False,
    }
