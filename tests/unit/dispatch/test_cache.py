"""Results that are kept: for equal calls of one principal, for a while, and successes only."""

import asyncio
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from accord import App, Context, Policy, ToolError
from accord.content import Text, ToolResult
from accord.store import MemoryStore, Store
from accord.testing import call_tool
from tests.unit.dispatch._ways import EVERY_WAY, Way, awaited, python


def counting(**options: Any) -> tuple[App, list[Any]]:
    """An app whose tool ``look`` keeps its results, and what it ran with."""
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0, **options)
    def look(place: Any = None, radius: float = 1.0) -> dict[str, Any]:
        runs.append((place, radius))
        return {"place": place, "run": len(runs)}

    return app, runs


@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_second_equal_call_does_not_run_the_tool(way: Way) -> None:
    app, runs = counting()
    first = way(app, "look", place="here")
    assert way(app, "look", place="here").value == first.value == {"place": "here", "run": 1}
    assert len(runs) == 1


def test_the_ways_in_share_what_is_kept() -> None:
    app, runs = counting()
    assert len({way(app, "look", place="here").value["run"] for way in EVERY_WAY}) == 1
    assert len(runs) == 1


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("way", EVERY_WAY)
def test_async_tools_are_kept_too(way: Way, is_async: bool) -> None:
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0)
    async def look() -> int:
        runs.append(1)
        return len(runs)

    assert [way(app, "look").value for _ in range(3)] == [1, 1, 1]


# (one call, another, whether they are the same call)
PAIRS: tuple[tuple[dict[str, Any], dict[str, Any], bool], ...] = (
    ({"radius": 1}, {"radius": 1.0}, True),
    ({"place": 1}, {"place": 1.0}, True),
    ({"place": [{"a": 1, "b": 2.0}]}, {"place": [{"b": 2, "a": 1.0}]}, True),
    ({"place": "x", "radius": 2}, {"radius": 2, "place": "x"}, True),
    ({"place": 1}, {"place": "1"}, False),
    ({"place": 1}, {"place": True}, False),
    ({"place": 0}, {"place": None}, False),
    ({"place": ""}, {"place": None}, False),
    ({"place": [1, 2]}, {"place": [2, 1]}, False),
    ({"place": 2**63}, {"place": 2**63 + 1}, False),
    ({"radius": 1}, {"radius": 2}, False),
)


@pytest.mark.parametrize(("one", "other", "same"), PAIRS)
def test_calls_are_the_same_when_a_schema_could_not_tell_them_apart(
    one: dict[str, Any], other: dict[str, Any], same: bool
) -> None:
    app, runs = counting()
    app.call("look", **one)
    app.call("look", **other)
    assert len(runs) == (1 if same else 2)


def test_another_principal_misses() -> None:
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0)
    def mine(ctx: Context) -> str | None:
        runs.append(ctx.principal)
        return ctx.principal

    asked = ["ann", "bob", None, "ann", "bob", None]
    answers = [
        call_tool(app, {"name": "mine", "arguments": {}}, principal=principal)["structuredContent"]
        for principal in asked
    ]
    assert answers == asked
    assert runs == ["ann", "bob", None]


def test_tools_with_the_same_arguments_do_not_share() -> None:
    app = App("tests")
    app.command("one", cache_ttl=60.0)(lambda: 1)
    app.command("two", cache_ttl=60.0)(lambda: 2)
    assert [app.call("one"), app.call("two")] == [1, 2]


def test_a_tool_that_was_replaced_by_one_of_another_contract_is_asked_anew() -> None:
    app = App("tests")

    def look() -> int:
        return 1

    app.add(look, cache_ttl=60.0)
    assert app.call("look") == 1

    def other(place: str = "") -> str:
        return "two"

    app.add(other, name="look", cache_ttl=60.0, replace=True)
    assert app.call("look") == "two"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_failures_are_not_kept(way: Way) -> None:
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0)
    def look(kind: str) -> Any:
        runs.append(kind)
        if kind == "raise":
            raise ToolError("no")
        if kind == "invalid":
            return float("nan")
        return ToolResult([Text("no")], is_error=True)

    for kind in ("raise", "invalid", "is_error"):
        way(app, "look", kind=kind)
        way(app, "look", kind=kind)
    assert runs == ["raise"] * 2 + ["invalid"] * 2 + ["is_error"] * 2


@pytest.mark.parametrize("way", EVERY_WAY)
def test_refused_arguments_never_hit(way: Way) -> None:
    app, _ = counting()
    way(app, "look", radius=1)
    assert way(app, "look", radius="1").reason == "type_mismatch"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_results_expire() -> None:
    clock = Clock()
    app, runs = App("tests", store=MemoryStore(clock=clock)), []

    @app.command(cache_ttl=60.0)
    def look() -> int:
        runs.append(1)
        return len(runs)

    seen = []
    for clock.now in (0.0, 59.9, 60.0, 100.0, 120.0):
        seen.append(app.call("look"))
    assert seen == [1, 1, 2, 2, 3]


@dataclass
class Shelf:
    books: list[str] = field(default_factory=list)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_a_caller_does_to_a_result_no_other_caller_sees(way: Way) -> None:
    app = App("tests")
    made = Shelf(["a"])

    @app.command(cache_ttl=60.0)
    def shelf() -> Shelf:
        return made

    first = app.call("shelf")
    first.books.append("mine")
    made.books.append("the tool's own")
    second = app.call("shelf")
    second.books.append("mine again")
    assert way(app, "shelf").value == {"books": ["a"]}


def test_what_cannot_be_copied_is_not_kept_and_the_author_is_told(caplog: pytest.LogCaptureFixture) -> None:
    app, runs = App("tests"), []

    class Handle:
        def __init__(self) -> None:
            self.lock = threading.Lock()

        def model_dump(self, **_options: Any) -> dict[str, Any]:
            return {"open": True}

    @app.command(cache_ttl=60.0)
    def handle() -> Any:
        runs.append(1)
        return Handle()

    for _ in range(2):
        app.call("handle")
    assert len(runs) == 2
    assert "a Handle could not be kept" in caplog.text


def test_calls_from_threads_and_tasks_see_whole_results() -> None:
    app, runs = counting()
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda number: app.call("look", place=number % 4), range(64)))
    assert all(result["place"] == number % 4 for number, result in enumerate(results))

    async def together() -> list[Any]:
        return await asyncio.gather(*(app.acall("look", place=number % 4) for number in range(16)))

    before = len(runs)
    assert [result["place"] for result in asyncio.run(together())] == [0, 1, 2, 3] * 4
    assert len(runs) == before


class Pickling:
    """A store as another process would have one: bytes in, bytes out."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.ttl: list[float] = []

    def get(self, key: str) -> Any | None:
        return pickle.loads(self.kept[key]) if key in self.kept else None

    def put(self, key: str, value: Any, ttl: float) -> None:
        self.kept[key] = pickle.dumps(value)
        self.ttl.append(ttl)


def _squares(app: App) -> list[int]:
    runs: list[int] = []

    @app.command(cache_ttl=7.5)
    def square(number: int) -> Shelf:
        runs.append(number)
        return Shelf([str(number * number)])

    return runs


def test_an_app_keeps_results_where_its_author_says() -> None:
    store = Pickling()
    assert isinstance(store, Store)
    first, second = App("tests", store=store), App("tests", store=store)
    runs = [*_squares(first), *_squares(second)]
    assert first.call("square", number=3) == second.call("square", number=3) == Shelf(["9"])
    assert runs == []
    assert store.ttl == [7.5]
    for way in EVERY_WAY:
        assert way(second, "square", number=3).value == {"books": ["9"]}


def test_a_store_that_fails_costs_the_result_and_not_the_call(caplog: pytest.LogCaptureFixture) -> None:
    class Down:
        def get(self, key: str) -> Any | None:
            raise ConnectionError("the store is down")

        def put(self, key: str, value: Any, ttl: float) -> None:
            raise ConnectionError("the store is down")

    app = App("tests", store=Down())
    runs = _squares(app)
    for way in EVERY_WAY:
        assert way(app, "square", number=3).value == {"books": ["9"]}
    assert runs == [3, 3, 3]
    assert "the store is down" in caplog.text


def test_a_slow_store_does_not_block_the_event_loop() -> None:
    asked, answer = threading.Event(), threading.Event()

    class Slow(Pickling):
        def get(self, key: str) -> Any | None:
            asked.set()
            assert answer.wait(10), "the event loop stood still"
            return super().get(key)

    app = App("tests", store=Slow())
    _squares(app)

    async def both() -> Shelf:
        task = asyncio.ensure_future(app.acall("square", number=3))
        while not asked.is_set():
            await asyncio.sleep(0)
        answer.set()
        return await task

    assert asyncio.run(both()) == Shelf(["9"])


def test_meta_and_blocks_are_kept_with_the_value() -> None:
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0)
    def show() -> ToolResult:
        runs.append(1)
        return ToolResult([Text("hello")], meta={"run": len(runs)})

    first = call_tool(app, {"name": "show", "arguments": {}})
    assert call_tool(app, {"name": "show", "arguments": {}}) == first
    assert len(runs) == 1


def test_repairs_are_told_of_the_call_that_was_repaired() -> None:
    app, runs = App("tests", policy=Policy(repair="report")), []

    @app.command(cache_ttl=60.0)
    def count(words: list[str]) -> int:
        runs.append(1)
        return len(words)

    repaired = call_tool(app, {"name": "count", "arguments": {"words": '["a"]'}})
    plain = call_tool(app, {"name": "count", "arguments": {"words": ["a"]}})
    again = call_tool(app, {"name": "count", "arguments": {"words": '["a"]'}})
    assert len(runs) == 1
    assert "accord/repairs" not in plain.get("_meta", {})
    assert repaired == again
    assert repaired["_meta"]["accord/repairs"]


@pytest.mark.parametrize("make", [lambda depth: [depth], lambda depth: {"a": depth}])
def test_arguments_too_deep_to_be_compared_are_answered_all_the_same(make: Callable[[Any], Any]) -> None:
    app, _ = counting()
    deep: Any = 1
    for _ in range(900):
        deep = make(deep)
    for way in EVERY_WAY:
        answer = way(app, "look", place=deep)
        assert answer.reason in (None, "type_mismatch", "constraint_violation", "output_invalid")


@pytest.mark.parametrize("way", [python, awaited])
def test_text_that_is_no_unicode_is_refused_and_nothing_is_kept_of_it(way: Way) -> None:
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0)
    def length(text: str) -> int:
        runs.append(text)
        return len(text)

    for _ in range(2):
        assert way(app, "length", text="half a \ud800 character").reason == "type_mismatch"
    assert runs == []
