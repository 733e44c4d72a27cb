"""What a refused call says: every violation, in one order, each in its place, and nothing it should hide."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal

import pytest

from accord import App, Ge, Gt, Le, MaxLen, MinLen, Pattern, Policy, function_to_schema
from accord._calls import Failed
from accord._jsonpatch import apply_patch
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.errors import ProtocolError, UnknownTool
from tests.unit._tools import app_of, refusal, run, send, takes


class Order(Enum):
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass
class Span:
    start: int
    end: Annotated[int, Ge(0)] = 0


@dataclass
class Chat:
    kind: Literal["chat"]
    message: str


@dataclass
class Visit:
    kind: Literal["visit"]
    url: str


def search(
    query: Annotated[str, MinLen(3)],
    limit: Annotated[int, Ge(1), Le(100)] = 10,
    order: Order = Order.NEWEST,
    span: Span | None = None,
    tags: Annotated[list[str], MaxLen(3)] = [],
) -> list[str]:
    return [query]


def data(function: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    result = run(function, arguments)
    assert result["isError"] is True
    return result["errorData"]


def brief(error: dict[str, Any]) -> list[tuple[str, str]]:
    return [(violation["path"], violation["reason"]) for violation in error["violations"]]


def test_the_error_names_tool_argument_reason_code_and_schema() -> None:
    error = data(search, {"query": "abc", "limti": 5})
    assert error["tool"] == "search"
    assert error["argument"] == "limit", "the parameter that was meant"
    assert (error["reason"], error["code"]) == ("unexpected_argument", "INVALID_PARAMS")
    assert error["retryable"] is False
    assert error["schema"] == function_to_schema(search)


def test_the_printed_example_comes_out() -> None:
    """DESIGN 2.3: one misspelt key."""
    error = data(search, {"query": "abc", "limti": 5})
    (violation,) = error["violations"]
    assert violation.pop("message")
    assert violation == {
        "path": "/limti",
        "argument": "limti",
        "reason": "unexpected_argument",
        "keyword": "additionalProperties",
        "suggestion": "limit",
    }
    assert error["patch"] == [{"op": "move", "from": "/limti", "path": "/limit"}]


@pytest.mark.parametrize("dialect", ["accord", "milo", "openmcp", "governed", "omni"])
def test_the_schema_in_the_error_is_the_published_one(dialect: Any) -> None:
    app = App("dialects", policy=Policy(dialect=dialect))
    app.command(search)
    assert send(app, "search", {})["errorData"]["schema"] == app.tools["search"].input_schema


@pytest.mark.parametrize(
    ("annotation", "value", "reason", "keyword", "path"),
    [
        (int, "a", "type_mismatch", "type", "/x"),
        (int, None, "type_mismatch", "type", "/x"),
        (str, 1, "type_mismatch", "type", "/x"),
        (list[int], [1, "a"], "type_mismatch", "type", "/x/1"),
        (dict[str, int], {"k": "v"}, "type_mismatch", "type", "/x/k"),
        (Annotated[int, Ge(1)], 0, "constraint_violation", "minimum", "/x"),
        (Annotated[int, Gt(0)], 0, "constraint_violation", "exclusiveMinimum", "/x"),
        (Annotated[int, Le(5)], 6, "constraint_violation", "maximum", "/x"),
        (Annotated[str, MinLen(2)], "a", "constraint_violation", "minLength", "/x"),
        (Annotated[str, MaxLen(2)], "abc", "constraint_violation", "maxLength", "/x"),
        (Annotated[list[int], MinLen(1)], [], "constraint_violation", "minItems", "/x"),
        (Annotated[str, Pattern("^a$")], "b", "constraint_violation", "pattern", "/x"),
        (Order, "middle", "constraint_violation", "enum", "/x"),
        (Literal["a", "b"], "c", "constraint_violation", "enum", "/x"),
        (set[int], [1, 1], "constraint_violation", "uniqueItems", "/x"),
        (Span, {}, "missing_required_argument", "required", "/x/start"),
        (Span, {"start": 1, "begin": 2}, "unexpected_argument", "additionalProperties", "/x/begin"),
        (Span, {"start": 1, "end": -1}, "constraint_violation", "minimum", "/x/end"),
        (list[Span], [{"start": 1}, {"start": "a"}], "type_mismatch", "type", "/x/1/start"),
    ],
)
def test_a_violation_names_its_reason_keyword_and_place(
    annotation: Any, value: Any, reason: str, keyword: str, path: str
) -> None:
    (violation,) = refusal(annotation, value)["violations"]
    assert (violation["reason"], violation["keyword"], violation["path"]) == (reason, keyword, path)
    assert violation["argument"] == "x"


def test_a_value_of_another_type_at_an_enum_is_one_type_mismatch() -> None:
    (violation,) = refusal(Order, 5)["violations"]
    assert violation["reason"] == "type_mismatch"


def test_a_missing_argument_is_placed_where_it_belongs() -> None:
    error = data(search, {})
    assert brief(error) == [("/query", "missing_required_argument")]
    assert (error["argument"], error["reason"]) == ("query", "missing_required_argument")


def test_missing_ones_come_first_then_unexpected_ones_then_schema_order() -> None:
    def tool(a: int, b: Annotated[int, Ge(0)], c: str, d: bool, e: int = 0) -> None: ...

    error = data(tool, {"zz": 1, "e": "x", "b": -1, "yy": 2, "a": "x"})
    assert brief(error) == [
        ("/c", "missing_required_argument"),
        ("/d", "missing_required_argument"),
        ("/zz", "unexpected_argument"),
        ("/yy", "unexpected_argument"),
        ("/a", "type_mismatch"),
        ("/b", "constraint_violation"),
        ("/e", "type_mismatch"),
    ]
    first = error["violations"][0]
    assert (error["argument"], error["reason"]) == (first["argument"], first["reason"])


def test_the_order_does_not_depend_on_the_order_of_the_arguments() -> None:
    def tool(a: int, b: int, c: int) -> None: ...

    wrong = {"a": "1", "b": "2", "c": None}
    assert brief(data(tool, wrong)) == brief(data(tool, dict(reversed(wrong.items()))))


@pytest.mark.parametrize("count", [20, 21, 1000])
def test_at_most_20_violations_are_listed_and_all_are_counted(count: int) -> None:
    error = refusal(list[int], ["x"] * count)
    assert len(error["violations"]) == 20
    if count > 20:
        assert count in error.values(), "the total is missing"
        assert str(count) in run(takes(list[int]), {"x": ["x"] * count})["content"][0]["text"]


@pytest.mark.parametrize(
    ("key", "pointer"),
    [("a/b", "/a~1b"), ("a~b", "/a~0b"), ("~1", "/~01"), ("", "/"), ("é ü", "/é ü"), ("0", "/0")],
)
def test_pointers_are_escaped(key: str, pointer: str) -> None:
    error = data(takes(int), {"x": 1, key: 1})
    assert brief(error) == [(pointer, "unexpected_argument")]
    inner = refusal(dict[str, int], {key: "text"})
    assert brief(inner) == [(f"/x{pointer}", "type_mismatch")]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        pytest.param(Annotated[int, Ge(1)] | None, 0, [("/x", "constraint_violation")], id="the type fits"),
        pytest.param(Annotated[int, Ge(1)] | None, "a", [("/x", "type_mismatch")], id="no type fits"),
        pytest.param(Span | None, {"start": "a"}, [("/x/start", "type_mismatch")], id="inside the object"),
        pytest.param(Span | str, {}, [("/x/start", "missing_required_argument")], id="missing inside"),
        pytest.param(list[int] | int, [1, "a"], [("/x/1", "type_mismatch")], id="inside the array"),
        pytest.param(int | str | None, [], [("/x", "type_mismatch")], id="one for three branches"),
        pytest.param(
            Chat | Visit,
            {"kind": "chat"},
            [("/x/message", "missing_required_argument")],
            id="the branch its tag names",
        ),
        pytest.param(
            Chat | Visit,
            {"kind": "visit", "url": 3},
            [("/x/url", "type_mismatch")],
            id="the second branch by tag",
        ),
        pytest.param(list[Span | None], [None, {"start": 1, "x": 2}], [("/x/1/x", "unexpected_argument")], id="deep"),
    ],
)
def test_of_a_union_the_branch_that_fits_is_reported(annotation: Any, value: Any, expected: Any) -> None:
    assert brief(refusal(annotation, value)) == expected


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        ({"query": "abc", "limti": 1}, "limit"),
        ({"query": "abc", "Limit": 1}, "limit"),
        ({"query": "abc", "tag": []}, "tags"),
        ({"query": "abc", "span": {"start": 1, "ende": 2}}, "end"),
        ({"query": "abc", "order": "newset"}, "newest"),
        ({"query": "abc", "order": "NEWEST"}, "newest"),
    ],
)
def test_a_near_miss_is_suggested(arguments: dict[str, Any], suggestion: str) -> None:
    error = data(search, arguments)
    assert error["violations"][0]["suggestion"] == suggestion
    assert suggestion in run(search, arguments)["content"][0]["text"]


@pytest.mark.parametrize("arguments", [{"query": "abc", "wholly_unrelated": 1}, {"query": "abc", "order": "zzz"}])
def test_nothing_is_suggested_for_what_resembles_nothing(arguments: dict[str, Any]) -> None:
    assert "suggestion" not in data(search, arguments)["violations"][0]


@pytest.mark.parametrize(
    ("arguments", "repaired"),
    [
        pytest.param({"qurey": "abc"}, {"query": "abc"}, id="rename"),
        pytest.param({"query": "abc", "zzz": 1}, {"query": "abc"}, id="drop"),
        pytest.param({"query": "abc", "limit": "7"}, {"query": "abc", "limit": 7}, id="parse a number"),
        pytest.param({"query": "abc", "tags": '["a"]'}, {"query": "abc", "tags": ["a"]}, id="parse a list"),
        pytest.param(
            {"query": "abc", "span": '{"start": 1}'},
            {"query": "abc", "span": {"start": 1}},
            id="parse an object",
        ),
        pytest.param({"query": "abc", "limit": 1000}, {"query": "abc", "limit": 100}, id="clamp from above"),
        pytest.param({"query": "abc", "limit": -5}, {"query": "abc", "limit": 1}, id="clamp from below"),
        pytest.param({"query": "abc", "limti": "700", "zzz": 1}, {"query": "abc", "limit": 100}, id="several at once"),
        pytest.param(
            {"query": "abc", "span": {"strat": 1, "end": -3}},
            {"query": "abc", "span": {"start": 1, "end": 0}},
            id="inside an object",
        ),
    ],
)
def test_a_patch_repairs_what_the_schema_decides(arguments: dict[str, Any], repaired: dict[str, Any]) -> None:
    before = json.dumps(arguments)
    error = data(search, arguments)
    assert apply_patch(arguments, error["patch"]) == repaired
    assert json.dumps(arguments) == before, "applying a patch changed the arguments it was given"
    assert Tool(search).gate.is_valid(repaired)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({}, id="missing"),
        pytest.param({"limit": 5}, id="missing beside a right one"),
        pytest.param({"query": "ab"}, id="too short"),
        pytest.param({"query": 5}, id="another type"),
        pytest.param({"query": "abc", "limit": "many"}, id="text that is no number"),
        pytest.param({"query": "abc", "span": {}}, id="missing inside"),
        pytest.param({"query": "ab", "zzz": 1}, id="one of two has no repair"),
        pytest.param({"query": "abc", "limit": None}, id="null where none is taken"),
    ],
)
def test_there_is_no_patch_where_a_value_would_have_to_be_invented(arguments: dict[str, Any]) -> None:
    error = data(search, arguments)
    if "patch" in error:
        # dropping an optional argument invents nothing; anything else would
        assert arguments == {"query": "abc", "limit": None}
        assert apply_patch(arguments, error["patch"]) == {"query": "abc"}


def test_the_error_stands_in_meta_too_and_never_in_structured_content() -> None:
    """Number 18 of the short list: some clients drop unknown members."""
    result = run(search, {"limti": 1})
    assert result["_meta"]["accord/errorData"] == result["errorData"]
    assert "structuredContent" not in result
    (block,) = result["content"]
    assert block["text"].startswith("Error: ")


def test_the_text_is_enough_to_repair_the_call_from() -> None:
    """Every violation's place, and what was expected there, can be read."""
    text = run(search, {"limit": 1000, "order": "newset", "tags": "a", "zzz": 1})["content"][0]["text"]
    for word in ("query", "limit", "100", "order", "newest", "tags", "array", "zzz"):
        assert word in text, word
    assert len(text) < 2000


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_the_error_is_the_same_in_every_era(era: str) -> None:
    app = app_of(search)
    assert send(app, "search", {}, era)["errorData"] == send(app, "search", {})["errorData"]


def test_errors_can_be_sent_as_protocol_errors_with_the_same_data() -> None:
    """R12."""
    app = app_of(search, policy=Policy(errors="protocol"))
    with pytest.raises(ProtocolError) as caught:
        send(app, "search", {"limti": 1})
    expected = send(app_of(search), "search", {"limti": 1})["errorData"]
    assert caught.value.code == -32602
    assert caught.value.data == expected


def test_an_unknown_tool_is_a_protocol_error_with_a_suggestion() -> None:
    with pytest.raises(UnknownTool, match="serach") as caught:
        send(app_of(search), "serach", {})
    assert caught.value.code == -32602
    assert "search" in json.dumps(caught.value.data) or "search" in str(caught.value)


@pytest.mark.parametrize(
    "raised",
    [
        RuntimeError("boom"),
        OSError(2, "No such file or directory", "/srv/private/keys.pem"),
        ValueError("cannot read /srv/private/keys.pem now"),
        ValueError("cannot open file:///srv/private/keys.pem"),
        KeyError("k"),
    ],
)
def test_a_failing_tool_shows_no_traceback_and_no_path(raised: Exception) -> None:
    """R26."""

    def tool() -> None:
        raise raised

    result = run(tool)
    text = json.dumps(result)
    assert result["errorData"]["reason"] == "tool_error"
    assert type(raised).__name__ in text
    assert "Traceback" not in text
    assert "/srv/private" not in text
    assert __file__ not in text
    assert not re.search(r"line \d+", text)


def test_masked_errors_say_nothing_of_the_exception() -> None:
    """R26."""

    def tool() -> None:
        raise RuntimeError("the moon is blue")

    text = json.dumps(run(tool, policy=Policy(mask_errors=True)))
    assert "moon" not in text


def test_the_arguments_are_not_part_of_the_error() -> None:
    canary = "zebra-crossing-77"
    outcome = bind(Tool(search), {"query": 5, "tags": [canary], "span": {"start": canary}})
    assert isinstance(outcome, Failed)
    assert "tags" not in {violation["argument"] for violation in outcome.error_data["violations"]}
    assert "arguments" not in outcome.error_data
    assert outcome.text == outcome.text.strip()
