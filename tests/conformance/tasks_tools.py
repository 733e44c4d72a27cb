"""The tools that the official suite's scenarios of the tasks extension call, written with the public API only."""

from __future__ import annotations

import asyncio
import time

from accord import App, Context
from accord.errors import ProtocolError, ToolError

#: seconds between two looks at whether a job was withdrawn
TICK = 0.05


def greet(name: str) -> str:
    """Greet somebody, at once."""
    return f"Hello, {name}!"


def slow_compute(seconds: float, label: str = "", ctx: Context = Context()) -> str:
    """Take some time over nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ctx.progress(f"computing {label}")
        time.sleep(TICK)
    return f"{label} computed in {seconds:g} s"


async def failing_job() -> str:
    """Fail, after a while."""
    await asyncio.sleep(1)
    raise ToolError("the job failed, as it always does")


async def protocol_error_job() -> str:
    """Fail with a JSON-RPC error."""
    await asyncio.sleep(0.1)
    raise ProtocolError("the job came upon something internal", code=-32603)


def confirm_delete(filename: str, ctx: Context) -> str:
    """Delete a file, if somebody says so."""
    return f"deleted {filename}" if ctx.confirm(f"Delete {filename}?") else f"kept {filename}"


async def multi_input(ctx: Context) -> str:
    """Ask two things at the same time."""
    first, second = await asyncio.gather(
        ctx.aask("A name, for sure?", name=str, confirm=bool), ctx.aask("Another one?", name=str, confirm=bool)
    )
    return f"{first['name']} and {second['name']}"


class UserName(str):
    """Whose task it is."""

    __slots__ = ()


def ask_user_name(ctx: Context) -> UserName:
    """Ask before the task begins."""
    return UserName(ctx.ask("What is your name?", name=str)["name"])


def test_tool_with_task(user: UserName) -> str:
    """Greet whoever has said their name, in a task."""
    return f"Hello, {user}!"


def register(app: App) -> None:
    """Give an app these tools."""
    app.provide(UserName, ask_user_name)
    app.add(greet)
    for tool in (slow_compute, confirm_delete, multi_input, protocol_error_job):
        app.add(tool, task=True)
    for tool in (failing_job, test_tool_with_task):
        app.add(tool, task="required")
