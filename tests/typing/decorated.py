"""What type checkers make of a registered function: exactly what they made of it before.

Checked by mypy and by pyright (`make types`). A line that is wrong on purpose carries an ignore, and both
complain about an ignore that is not needed.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, assert_type

import accord
from accord import App, Context, Icon, Progress, Ui, UiPage
from accord._calls import Call, Outcome
from accord._tool import Tool
from accord.app import Group
from accord.content import Message

app = App("typed")
group = app.group("group")


@app.command
def bare(number: int, *, text: str = "") -> list[str]:
    return [text] * number


@app.command("renamed", idempotent=True, tags=["a"])
def named(number: int, ctx: Context = Context()) -> str:
    ctx.info("hello")
    return str(number)


@app.tool(description="The same decorator", icons=[Icon("data:,"), {"src": "data:,"}], ui="ui://a/b", meta={"a": 1})
async def awaited(number: int) -> int:
    return number


@group.command
def steps(number: int) -> Iterator[Progress | int]:
    yield Progress("counting", 0, number)
    yield number


@accord.tool(read_only=True)
def free(flag: bool) -> bool:
    return flag


@app.resource("notes://{day}", mime_type="text/plain", annotations={"priority": 1})
def note(day: int) -> str:
    return str(day)


@app.prompt
def bare_prompt(day: int) -> str:
    return str(day)


@app.prompt("renamed", title="A prompt")
def named_prompt(day: int) -> list[Message]:
    return [Message(str(day), "assistant")]


@app.completion(note, "day")
async def days(value: str) -> list[str]:
    return [value]


@accord.resource("ui://notes/today", ui=UiPage(permissions=["camera"], frame_domains="https://x.example"))
def free_resource() -> bytes:
    return b""


@accord.prompt(title="Free")
def free_prompt(flag: bool) -> str:
    return str(flag)


class Tools:
    @accord.tool
    def method(self, number: int) -> int:
        return number


class Database:
    """Something that is provided."""


@app.provide(Database)
def connect() -> Iterator[Database]:
    yield Database()


@app.provide(str, scope="app")
def name() -> str:
    return "it"


@app.provide
async def numbers(database: Database) -> list[int]:
    return [len(str(database))]


async def factories_keep_their_types() -> None:
    assert_type(connect(), Iterator[Database])
    assert_type(name(), str)
    assert_type(await numbers(Database()), list[int])
    same: Callable[[], Iterator[Database]] = app.provide(Database, connect)
    assert same is connect
    app.provide(Database, scope="session")  # type: ignore[call-overload]


@dataclass
class Answer:
    yes: bool


async def answers_have_the_types_that_were_asked_for(ctx: Context) -> None:
    assert_type(ctx.ask("Who?"), str)
    assert_type(ctx.ask("How many?", int), int)
    assert_type(ctx.ask("Sure?", Answer), Answer)
    assert_type(ctx.ask("Where to?", host=str, port=int), dict[str, Any])
    assert_type(await ctx.aask("Who?"), str)
    assert_type(await ctx.aask("How many?", int), int)
    assert_type(await ctx.aask("Sure?", Answer), Answer)
    assert_type(await ctx.aask("Where to?", host=str, port=int), dict[str, Any])
    assert_type(await ctx.aconfirm("Sure?"), bool)


async def functions_keep_their_types() -> None:
    assert_type(bare(1, text="x"), list[str])
    assert_type(named(1), str)
    assert_type(await awaited(1), int)
    assert_type(steps(1), Iterator[Progress | int])
    assert_type(free(True), bool)
    assert_type(note(1), str)
    assert_type(bare_prompt(1), str)
    assert_type(named_prompt(1), list[Message])
    assert_type(await days("1"), list[str])
    assert_type(free_resource(), bytes)
    assert_type(free_prompt(True), str)
    assert_type(Tools().method(1), int)
    assert_type(app.group("a").group("b"), Group)


def wrong_calls_are_seen() -> None:
    bare("1")  # type: ignore[arg-type]
    named(1, 2)  # type: ignore[arg-type]
    free(flag=1)  # type: ignore[arg-type]
    app.command("x", idempotnt=True)  # type: ignore[call-overload]
    app.command("x", tags=3)  # type: ignore[call-overload]
    accord.tool(hidden="yes")  # type: ignore[call-overload]
    app.resource("notes://x", size="3")  # type: ignore[arg-type]
    app.resource("ui://x", ui=Ui("ui://x"))  # type: ignore[arg-type]
    Ui("ui://x", visibility="user")  # type: ignore[arg-type]
    Icon("data:,", theme="blue")  # type: ignore[arg-type]
    app.prompt("x", uri="notes://x")  # type: ignore[call-overload]
    assert accord.comand  # type: ignore[attr-defined]


def the_facade_has_types() -> None:
    assert_type(app.tools, Mapping[str, Tool])
    assert_type(app.prompts["x"].arguments[0].required, bool)
    assert_type(app.resources["x"].uri, str)
    assert_type(app.invoke(["bare"]).exit_code, int)
    same: Callable[[Call, Callable[[Call], Outcome]], Outcome] = app.use(passing)
    assert same is passing


def passing(call: Call, following: Callable[[Call], Outcome]) -> Outcome:
    return following(call)
