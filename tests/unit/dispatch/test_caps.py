"""How large a result may be: caps on what a tool turned out to return, apart from the caps of its schema."""

from typing import Annotated, Any

import pytest

from accord import App, MaxLen, Policy
from accord.content import Text, ToolResult
from accord.errors import CapExceeded
from tests.unit.dispatch._ways import EVERY_WAY, Way


def returning(annotation: Any, policy: Policy = Policy(), **options: Any) -> App:
    app = App("tests", policy=policy)

    def give(value: Any = None) -> Any:
        return value

    give.__annotations__ = {"value": Any, "return": annotation}
    app.command(**options)(give)
    return app


# (cap, annotation, value, what is too much of it: None when it fits)
SIZES: tuple[tuple[dict[str, int], Any, Any, dict[str, Any] | None], ...] = (
    ({"max_response_bytes": 10}, str, "x" * 10, None),
    ({"max_response_bytes": 10}, str, "x" * 11, {"what": "bytes", "found": 11, "most": 10}),
    ({"max_response_bytes": 10}, str, "é" * 6, {"what": "bytes", "found": 12, "most": 10}),
    ({"max_response_bytes": 10}, dict[str, str], {"a": "xx"}, None),
    ({"max_response_bytes": 10}, dict[str, str], {"a": "xxx"}, {"what": "bytes", "found": 11, "most": 10}),
    ({"max_response_bytes": 10}, list[int], [1, 2, 3, 4, 5], {"what": "bytes", "found": 11, "most": 10}),
    ({"max_response_bytes": 10}, bool, True, None),
    ({"max_response_bytes": 10}, None, None, None),
    ({"max_response_bytes": 10}, int, 10**60, {"what": "bytes", "found": 61, "most": 10}),
    ({"max_items": 3}, list[int], [1, 2, 3], None),
    ({"max_items": 3}, list[int], [1, 2, 3, 4], {"what": "items", "found": 4, "most": 3}),
    ({"max_items": 3}, dict[str, list[int]], {"a": [1, 2], "b": [3]}, None),
    ({"max_items": 3}, dict[str, list[int]], {"a": [1, 2], "b": [3, 4]}, {"what": "items", "found": 4, "most": 3}),
    ({"max_items": 3}, str, "abcdef", None),
    ({"max_items": 3, "max_response_bytes": 5}, list[int], [1, 2, 3], {"what": "bytes", "found": 7, "most": 5}),
)


@pytest.mark.parametrize(("caps", "annotation", "value", "excess"), SIZES)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_result_over_a_cap_is_a_failure_that_says_how_much(
    caps: dict[str, int], annotation: Any, value: Any, excess: dict[str, Any] | None, way: Way
) -> None:
    answer = way(returning(annotation, **caps), "give", value=value)
    if excess is None:
        assert (answer.reason, answer.value) == (None, value)
    else:
        assert (answer.reason, answer.data["code"], answer.data["cap"]) == ("cap_exceeded", "CAP_EXCEEDED", excess)
        assert answer.data["retryable"] is False


def test_python_gets_the_exception_of_its_own() -> None:
    with pytest.raises(CapExceeded, match="has 4 items, and at most 3 are allowed"):
        returning(list[int], max_items=3).call("give", value=[1, 2, 3, 4])


@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_policys_cap_holds_where_a_tool_has_none(way: Way) -> None:
    policy = Policy(max_response_bytes=10)
    assert way(returning(str, policy), "give", value="x" * 11).reason == "cap_exceeded"
    assert way(returning(str, policy, max_response_bytes=20), "give", value="x" * 11).value == "x" * 11


@pytest.mark.parametrize("way", EVERY_WAY)
def test_content_a_tool_made_itself_counts_whole(way: Way) -> None:
    app = App("tests")

    @app.command(max_response_bytes=100)
    def show(text: str) -> ToolResult:
        return ToolResult([Text(text)])

    assert way(app, "show", text="x").reason is None
    assert way(app, "show", text="x" * 100).reason == "cap_exceeded"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_caps_of_a_schema_are_the_callers_business(way: Way) -> None:
    app = App("tests")

    @app.command(max_items=2)
    def keep(words: Annotated[list[str], MaxLen(2)]) -> list[str]:
        return words * 2

    answer = way(app, "keep", words=["a", "b", "c"])
    assert (answer.reason, answer.data["code"]) == ("constraint_violation", "INVALID_PARAMS")
    assert way(app, "keep", words=["a", "b"]).reason == "cap_exceeded"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_result_over_the_cap_of_its_own_schema_is_the_tools_mistake(way: Way) -> None:
    app = App("tests")

    @app.command(max_items=1)
    def words() -> Annotated[list[str], MaxLen(2)]:
        return ["a", "b", "c"]

    assert way(app, "words").reason == "output_invalid"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_result_that_is_too_large_is_not_kept(way: Way) -> None:
    app, runs = App("tests"), []

    @app.command(max_items=1, cache_ttl=60.0)
    def words() -> list[str]:
        runs.append(1)
        return ["a", "b"]

    for _ in range(2):
        assert way(app, "words").reason == "cap_exceeded"
    assert len(runs) == 2
