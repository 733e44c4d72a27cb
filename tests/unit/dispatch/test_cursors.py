"""Listings page by page: a cursor goes on where it came from, and nowhere else."""

import asyncio
import contextvars
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from accord import App, Ge, Le, Policy
from accord.errors import InvalidParams
from accord.testing import call_tool
from accord.types import Cursor, Page

PageSize = Annotated[int, Ge(1), Le(100)]
WORDS = [f"word {number}" for number in range(7)]


def page_of(words: list[str], cursor: Cursor | None, size: int) -> Page[str]:
    start = 0 if cursor is None else cursor.state["at"]
    end = start + size
    following = Cursor({"at": end}) if end < len(words) else None
    return Page(words[start:end], following, len(words))


def listing() -> App:
    app = App("tests")

    @app.command
    def words(query: str = "", cursor: Cursor | None = None, page_size: PageSize = 3) -> Page[str]:
        return page_of([word for word in WORDS if query in word], cursor, page_size)

    @app.command
    async def awords(query: str = "", cursor: Cursor | None = None, limit: int = 3) -> Page[str]:
        await asyncio.sleep(0)
        return page_of([word for word in WORDS if query in word], cursor, limit)

    return app


def over_mcp(app: App, name: str, *, principal: str | None = None, **arguments: Any) -> dict[str, Any]:
    result = call_tool(app, {"name": name, "arguments": arguments}, principal=principal)
    assert not result["isError"], result["content"][0]["text"]
    page: dict[str, Any] = result["structuredContent"]
    return page


def refusal(app: App, name: str, *, principal: str | None = None, **arguments: Any) -> dict[str, Any]:
    result = call_tool(app, {"name": name, "arguments": arguments}, principal=principal)
    assert result["isError"], "the cursor was taken"
    data: dict[str, Any] = result["errorData"]
    return data


@pytest.mark.parametrize("name", ["words", "awords"])
def test_a_client_reads_a_listing_to_its_end(name: str) -> None:
    app, seen, arguments = listing(), [], {}
    while True:
        page = over_mcp(app, name, **arguments)
        seen += page["items"]
        assert page["total"] == len(WORDS)
        if "nextCursor" not in page:
            break
        arguments = {"cursor": page["nextCursor"]}
    assert seen == WORDS


@pytest.mark.parametrize("name", ["words", "awords"])
def test_python_reads_a_listing_to_its_end(name: str) -> None:
    app, seen, cursor = listing(), [], None
    while True:
        page = app.call(name, cursor=cursor)
        seen += page.items
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == WORDS


def test_an_event_loop_reads_many_listings_at_once() -> None:
    app = listing()

    async def read(name: str, query: str) -> list[str]:
        seen: list[str] = []
        page = await app.acall(name, query=query)
        while True:
            seen += page.items
            if page.next_cursor is None:
                return seen
            page = await app.acall(name, query=query, cursor=page.next_cursor)

    async def read_all() -> list[list[str]]:
        return await asyncio.gather(*(read(name, query) for name in ("words", "awords") for query in ("", "word", "6")))

    assert asyncio.run(read_all()) == [WORDS, WORDS, ["word 6"]] * 2


def test_listings_are_read_in_threads_without_mixing_them_up() -> None:
    app = listing()

    def read(number: int) -> list[str]:
        query = ("", "word", "6")[number % 3]
        page = over_mcp(app, "words", query=query, principal=f"user {number}")
        seen = list(page["items"])
        while "nextCursor" in page:
            page = over_mcp(app, "words", query=query, cursor=page["nextCursor"], principal=f"user {number}")
            seen += page["items"]
        return seen

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, range(24)))
    assert found == [WORDS, WORDS, ["word 6"]] * 8


def test_the_page_size_may_change_from_page_to_page() -> None:
    app = listing()
    first = over_mcp(app, "words", page_size=2)
    second = over_mcp(app, "words", page_size=1, cursor=first["nextCursor"])
    third = over_mcp(app, "words", cursor=second["nextCursor"])
    assert [first["items"], second["items"], third["items"]] == [WORDS[:2], WORDS[2:3], WORDS[3:6]]


def _altered(token: str) -> str:
    return token[:30] + ("A" if token[30] != "A" else "B") + token[31:]


# (what was done to it, the call it is used in, its token from that of the first page, what the caller is told)
MISUSES: tuple[tuple[str, dict[str, Any], Callable[[str], str], str], ...] = (
    ("another query", {"query": "w"}, str, "belongs to another query, tool or caller"),
    ("another tool", {"name": "awords"}, str, "belongs to another query, tool or caller"),
    ("another principal", {"principal": "eve"}, str, "belongs to another query, tool or caller"),
    ("nobody", {"principal": None}, str, "belongs to another query, tool or caller"),
    ("tampered with", {}, _altered, "not a cursor that this server made"),
    ("cut off", {}, lambda token: token[:-3], "not a cursor that this server made"),
    ("cut to nothing", {}, lambda _token: "x", "not a cursor that this server made"),
    ("made longer", {}, lambda token: token + "AAAA", "not a cursor that this server made"),
    ("a guess", {}, lambda _token: "3", "not a cursor that this server made"),
)


@pytest.mark.parametrize(("changed", "token_of", "told"), [row[1:] for row in MISUSES], ids=[row[0] for row in MISUSES])
def test_a_cursor_used_elsewhere_is_refused_at_its_place(
    changed: dict[str, Any], token_of: Callable[[str], str], told: str
) -> None:
    app = listing()
    token = over_mcp(app, "words", principal="ann")["nextCursor"]
    call = {"name": "words", "principal": "ann", "cursor": token_of(token), **changed}
    data = refusal(app, **call)
    assert (data["reason"], data["code"], data["argument"]) == ("constraint_violation", "INVALID_PARAMS", "cursor")
    (violation,) = data["violations"]
    assert violation["path"] == "/cursor"
    assert told in violation["message"]
    assert "start again without a cursor" in violation["message"]


def test_another_apps_cursor_is_refused() -> None:
    token = over_mcp(listing(), "words")["nextCursor"]
    assert refusal(listing(), "words", cursor=token)["violations"][0]["path"] == "/cursor"


def test_python_may_hand_in_a_token_too_and_a_foreign_one_is_refused() -> None:
    app = listing()
    token = over_mcp(app, "words")["nextCursor"]
    assert app.call("words", cursor=token).items == WORDS[3:6]
    with pytest.raises(InvalidParams, match="another query") as refused:
        app.call("words", query="w", cursor=token)
    assert refused.value.error_data is not None
    assert refused.value.error_data["violations"][0]["path"] == "/cursor"
    with pytest.raises(InvalidParams, match="another query"):
        asyncio.run(app.acall("awords", cursor=token))


def test_a_command_line_reads_on_with_the_token_it_printed() -> None:
    app = listing()
    first = json.loads(app.invoke(["--format", "json", "words", "--page-size", "2"]).output)
    second = app.invoke(["--format", "json", "words", "--cursor", first["nextCursor"]])
    assert json.loads(second.output)["items"] == WORDS[2:5]
    refused = app.invoke(["--format", "json", "words", "--query", "w", "--cursor", first["nextCursor"]])
    assert json.loads(refused.stderr)["argument"] == "cursor"


def test_a_default_cursor_is_published_nowhere_and_used() -> None:
    app = App("tests")

    @app.command
    def count(cursor: Cursor = Cursor(0)) -> Page[int]:
        return Page([cursor.state], Cursor(cursor.state + 1))

    assert "default" not in app.tools["count"].input_schema["properties"]["cursor"]
    first = over_mcp(app, "count")
    assert over_mcp(app, "count", cursor=first["nextCursor"])["items"] == [1]


def test_numbers_that_are_equal_ask_the_same_query() -> None:
    app = App("tests")

    @app.command
    def near(point: float, cursor: Cursor | None = None) -> Page[int]:
        return Page([1], None if cursor else Cursor(1))

    token = over_mcp(app, "near", point=2)["nextCursor"]
    assert over_mcp(app, "near", point=2.0, cursor=token) == {"items": [1]}


def test_a_cursor_that_stands_for_the_first_page_is_part_of_no_query() -> None:
    app = listing()
    token = over_mcp(app, "words", cursor=None)["nextCursor"]
    assert over_mcp(app, "words", cursor=token)["items"] == WORDS[3:6]


@dataclass
class Query:
    text: str = ""
    cursor: Cursor | None = None


@pytest.mark.parametrize("flatten", [False, True])
def test_a_cursor_may_be_a_field_of_the_query(flatten: bool) -> None:
    app = App("tests")

    @app.command(flatten=flatten)
    def words(query: Query) -> Page[str]:
        return page_of([word for word in WORDS if query.text in word], query.cursor, 3)

    def arguments(**fields: str) -> dict[str, Any]:
        return fields if flatten else {"query": fields}

    place = "/cursor" if flatten else "/query/cursor"
    token = over_mcp(app, "words", **arguments(text="word"))["nextCursor"]
    assert over_mcp(app, "words", **arguments(text="word", cursor=token))["items"] == WORDS[3:6]
    assert refusal(app, "words", **arguments(text="w", cursor=token))["violations"][0]["path"] == place


def test_a_tool_that_says_nothing_about_its_result_may_return_a_page() -> None:
    app = App("tests")

    @app.command
    def words(cursor: Cursor | None = None):
        return page_of(WORDS, cursor, 3)

    token = over_mcp(app, "words")["nextCursor"]
    assert over_mcp(app, "words", cursor=token)["items"] == WORDS[3:6]


def test_a_bare_page_holds_cursors_too() -> None:
    app = App("tests")

    @app.command
    def first() -> Page:
        return page_of(WORDS, None, 3)

    assert over_mcp(app, "first")["nextCursor"]


def test_aliases_and_spellings_are_the_same_listing() -> None:
    app = App("tests")

    @app.command("list.words", aliases=["ls"])
    def words(cursor: Cursor | None = None) -> Page[str]:
        return page_of(WORDS, cursor, 3)

    token = over_mcp(app, "ls")["nextCursor"]
    assert over_mcp(app, "list_words", cursor=token)["items"] == WORDS[3:6]


def test_an_added_listing_keeps_its_cursors() -> None:
    outer = App("outer")
    outer.add(listing(), prefix="inner")
    token = over_mcp(outer, "inner.words")["nextCursor"]
    assert over_mcp(outer, "inner.words", cursor=token)["items"] == WORDS[3:6]


def test_a_page_that_is_kept_is_kept_for_one_principal_and_its_cursor_goes_on() -> None:
    app, runs = App("tests"), []

    @app.command(cache_ttl=60.0)
    def words(cursor: Cursor | None = None, limit: int = 3) -> Page[str]:
        runs.append(cursor)
        return page_of(WORDS, cursor, limit)

    first = over_mcp(app, "words", principal="ann")
    assert over_mcp(app, "words", principal="ann") == first
    assert len(runs) == 1
    over_mcp(app, "words", principal="bob")
    assert len(runs) == 2
    for _ in range(2):
        assert over_mcp(app, "words", principal="ann", cursor=first["nextCursor"])["items"] == WORDS[3:6]
    assert len(runs) == 3
    assert refusal(app, "words", principal="bob", cursor=first["nextCursor"])["argument"] == "cursor"


def test_a_repaired_call_is_the_query_it_was_repaired_to() -> None:
    app = App("tests", policy=Policy(repair="report"))

    @app.command
    def words(tags: list[str], cursor: Cursor | None = None, page_size: int = 3) -> Page[str]:
        return page_of(WORDS, cursor, page_size)

    token = over_mcp(app, "words", tags='["a"]')["nextCursor"]
    assert over_mcp(app, "words", tags=["a"], cursor=token)["items"] == WORDS[3:6]
    assert over_mcp(app, "words", tags='["a"]', cursor=token)["items"] == WORDS[3:6]


def test_nothing_of_a_call_is_left_behind_in_the_callers_context() -> None:
    app = listing()
    before = dict(contextvars.copy_context())
    app.call("words")
    app.call("awords")
    assert dict(contextvars.copy_context()) == before


def test_tools_without_cursors_pay_for_none() -> None:
    app = App("tests")

    @app.command
    def plain(limit: int = 1) -> list[str]:
        return WORDS[:limit]

    assert app.tools["plain"].cursors is None
    assert app.tools["plain"].is_plain
