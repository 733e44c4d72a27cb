"""A program to be started in a terminal, or into a pipe: each command does one thing worth watching there."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Literal

from accord import App, Context, Ge, Positional, Progress

app = App("program", version="1.0.0")


class Connection:
    """Something that has to be closed."""


class AsyncConnection:
    """The same, for those who wait."""


@app.provide(Connection)
def connect(ctx: Context) -> Iterator[Connection]:
    try:
        yield Connection()
    finally:
        ctx.info("cleaned up")


@app.provide(AsyncConnection)
async def aconnect(ctx: Context) -> AsyncIterator[AsyncConnection]:
    try:
        yield AsyncConnection()
    finally:
        ctx.info("cleaned up")


def _wait() -> None:
    """Longer than any test does; a signal ends it, also one that came just before, or that woke another thread."""
    for _ in range(1200):
        threading.Event().wait(0.05)


@app.command
def count(steps: int = 4, seconds: float = 0.12) -> Iterator[Progress | str]:
    for number in range(steps):
        yield Progress("counting", number, steps)
        threading.Event().wait(seconds)
    yield "all counted"


@app.command
def tells(ctx: Context) -> str:
    for number in range(3):
        ctx.progress("telling", number, 3)
        print(f"printed {number}")
    return input("name? ")


@app.command
def rows() -> list[dict[str, int]]:
    return [{"a": 1, "b": 2}, {"a": 3, "b": 4}]


@app.command
def chatty(ctx: Context) -> dict[str, str]:
    print("printed")
    os.system("echo from a child")
    ctx.warning("careful")
    return {"text": "a\x1b[31mb"}


@app.command
def wait_sync(ctx: Context, connection: Connection) -> str:
    ctx.info("ready")
    _wait()
    return "never"


@app.command
async def wait_async(ctx: Context, connection: AsyncConnection) -> str:
    ctx.info("ready")
    try:
        await asyncio.sleep(60)
    finally:
        ctx.info("coroutine ended")
    return "never"


@app.command(timeout=60)
def wait_limited(ctx: Context, connection: Connection) -> str:
    ctx.info("ready")
    _wait()
    return "never"


@app.command
async def wait_elsewhere(ctx: Context, connection: AsyncConnection) -> str:
    ctx.info("ready")
    await asyncio.to_thread(_wait)
    return "never"


@app.command(timeout=0.05)
async def late(ctx: Context, connection: AsyncConnection) -> str:
    await asyncio.to_thread(_wait)
    return "never"


@app.command
async def stubborn(ctx: Context) -> str:
    ctx.info("ready")
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        ctx.info("not yet")
        await asyncio.sleep(60)
    return "never"


@app.command
def wait_steps(connection: Connection) -> Iterator[Progress]:
    yield Progress("ready", 1, 2)
    _wait()


@app.command
async def wait_asteps(connection: AsyncConnection) -> AsyncIterator[Progress]:
    yield Progress("ready", 1, 2)
    await asyncio.sleep(60)


@app.command(max_attempts=3, retry_on=(KeyboardInterrupt, Exception))
def wait_again(ctx: Context) -> str:
    ctx.info("ready")
    _wait()
    return "never"


@app.command
def swallow(ctx: Context) -> str:
    try:
        ctx.info("ready")
        _wait()
    except KeyboardInterrupt:
        return "went on"
    return "never"


@app.command(confirm="Really wipe?")
def wipe(connection: Connection) -> str:
    return "wiped"


@app.command
async def awipe(ctx: Context, connection: AsyncConnection) -> str:
    return "wiped" if await ctx.aconfirm("Really wipe?") else "kept"


@app.command
def quiz(ctx: Context, connection: Connection) -> str:
    answers = ctx.ask("Where to?", host=str, port=Annotated[int, Ge(1)], how=Literal["slow", "fast"], sure=bool)
    return repr(answers)


@app.command
async def aquiz(ctx: Context) -> str:
    return repr(await ctx.aask("How many?", int))


@app.command
def login(ctx: Context) -> str:
    import pydantic

    answers = ctx.ask("Who are you?", name=str, token=pydantic.SecretStr)
    return f"{answers['name']} {len(answers['token'].get_secret_value())}"


@app.command
async def alogin(ctx: Context) -> str:
    import pydantic

    answers = await ctx.aask("Who are you?", name=str, token=pydantic.SecretStr)
    return f"{answers['name']} {len(answers['token'].get_secret_value())}"


@app.command
def screen(ctx: Context) -> str:
    def program() -> str:
        print(f"on the screen: {sys.stdin.isatty()}")
        return "program"

    return ctx.run_app(program, fallback="fallback")


@app.command
def lines(times: int) -> Iterator[str]:
    for number in range(times):
        print(f"line {number}")
    yield "the result"


@app.command
def echo(text: Annotated[str, Positional]) -> str:
    return text


@app.command
def reads(value: dict[str, int]) -> dict[str, int]:
    return value


if __name__ == "__main__":
    app.run()
