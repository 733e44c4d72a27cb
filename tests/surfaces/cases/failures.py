"""Every way to fail, whose fault it is, and that the account of it does not depend on the surface."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pydantic

from accord import App, Context, Policy, Progress, ToolError
from accord.errors import (
    CapExceeded,
    ConfirmationRequired,
    OutputInvalid,
    RegistrationError,
    ToolCancelled,
    ToolTimeout,
    UnknownTool,
)
from tests.surfaces._case import Case, Fails

app = App("failures")
strict = App("strict", policy=Policy(errors="protocol", mask_errors=True))
site = app.group("site")


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class Connection:
    """Something that is opened for a call."""


@app.command
def search(query: str) -> str:
    return query


@site.command
def build(clean: bool = False) -> bool:
    return clean


@app.command
def boom(text: str = "broken") -> str:
    raise ValueError(text)


@app.command
def key() -> str:
    raise KeyError("missing")


@app.command
def wrong_call() -> None:
    int(1, 2, 3)  # type: ignore[call-overload]  # a TypeError of the body is the body's


@app.command
def leave(code: int) -> None:
    raise SystemExit(code)


@app.command
def unprintable() -> None:
    raise Unprintable


@app.command
async def aboom() -> str:
    await asyncio.sleep(0)
    raise ValueError("async")


@app.command
def stops() -> Iterator[Progress | int]:
    yield Progress("going")
    raise ValueError("half way")


@app.command
def busy() -> str:
    raise ToolError("the queue is full", code="BUSY", data={"waiting": 7}, retryable=True)


@app.command
def login(token: pydantic.SecretStr) -> str:
    raise PermissionError(f"{token.get_secret_value()} is not welcome")


@app.command
def on_purpose() -> str:
    raise ToolError("not today: /etc/passwd stays")


@app.command
def withdrawn() -> str:
    raise ToolCancelled("never mind")


@app.command
def interrupted() -> str:
    raise KeyboardInterrupt


@app.command(timeout=0.05)
def slow(ctx: Context) -> str:
    while not ctx.cancelled:
        threading.Event().wait(0.005)
    return "given up"


@app.command(timeout=0.05)
async def aslow() -> str:
    await asyncio.sleep(30)
    return "never"


@app.command(max_items=2)
def many(count: int) -> list[int]:
    return list(range(count))


@app.command(max_response_bytes=10)
def long(count: int) -> str:
    return "x" * count


@app.command(confirm="Wipe it all?")
def wipe() -> str:
    return "wiped"


@app.command
def asks(ctx: Context) -> bool:
    return ctx.confirm("Sure?")


@app.command
def lies() -> dict[str, int]:
    return {"n": "many"}  # type: ignore[dict-item]  # that it lies is the point


@app.command
def nan() -> float:
    return float("nan")


@app.command
def object_result() -> dict[str, Any]:
    return {"inside": object()}


@app.command(max_attempts=3, retry_on=(ConnectionError,))
def flaky() -> str:
    attempts.append(1)
    raise ConnectionError("gone")


@app.provide(Connection)
def connect() -> Connection:
    raise ConnectionError("nobody answers")


@app.command
def no_connection(connection: Connection) -> str:
    return "never"


@app.command
def undefined(x: NeverDefined) -> int:  # noqa: F821 - that nobody defines it is the point
    return x


@strict.command
def masked() -> str:
    raise ValueError("secret plans")


attempts: list[int] = []


def _three() -> None:
    assert len(attempts) % 3 == 0
    assert attempts


CASES = [
    Case(
        "no such tool",
        app,
        "serach",
        "serach --query cats",
        {"query": "cats"},
        fails=Fails("unknown_tool", raises=UnknownTool, data={"suggestion": "search", "tool": "serach"}),
    ),
    Case(
        "no such tool in a group",
        app,
        "site.biuld",
        "site biuld",
        {},
        fails=Fails("unknown_tool", raises=UnknownTool, data={"suggestion": "site.build", "tool": "site.biuld"}),
    ),
    Case(
        "no tool anything like it",
        app,
        "zzzzzz",
        "zzzzzz",
        {},
        fails=Fails("unknown_tool", raises=UnknownTool, data={"suggestion": None}),
    ),
    Case(
        "a tool's own exception", app, "boom", "boom", {}, fails=Fails("tool_error", raises=ValueError, says="broken")
    ),
    Case("a KeyError", app, "key", "key", {}, fails=Fails("tool_error", raises=KeyError)),
    Case("a TypeError of the body", app, "wrong_call", "wrong_call", {}, fails=Fails("tool_error", raises=TypeError)),
    Case("sys.exit", app, "leave", "leave --code 0", {"code": 0}, fails=Fails("tool_error", raises=SystemExit)),
    Case(
        "an exception nobody can print",
        app,
        "unprintable",
        "unprintable",
        {},
        fails=Fails("tool_error", raises=Unprintable),
    ),
    Case("an async tool's exception", app, "aboom", "aboom", {}, fails=Fails("tool_error", raises=ValueError)),
    Case("a generator's exception", app, "stops", "stops", {}, fails=Fails("tool_error", raises=ValueError)),
    Case(
        "a ToolError with everything",
        app,
        "busy",
        "busy",
        {},
        fails=Fails(
            "tool_error",
            raises=ToolError,
            says="the queue is full",
            data={"replaces": {"code": "BUSY"}, "retryable": True, "data": {"waiting": 7}},
        ),
    ),
    Case(
        "a secret in a message",
        app,
        "login",
        "login --token hunter2",
        {"token": "hunter2"},
        values={"token": pydantic.SecretStr("hunter2")},
        fails=Fails("tool_error", raises=PermissionError),
    ),
    Case("a ToolError", app, "on_purpose", "on_purpose", {}, fails=Fails("tool_error", raises=ToolError)),
    Case("a cancelled tool", app, "withdrawn", "withdrawn", {}, fails=Fails("cancelled", raises=ToolCancelled)),
    Case(
        "an interrupt",
        app,
        "interrupted",
        "interrupted",
        {},
        fails=Fails("cancelled", raises=KeyboardInterrupt),
    ),
    Case(
        "out of time",
        app,
        "slow",
        "slow",
        {},
        fails=Fails("timeout", raises=ToolTimeout, data={"retryable": True}),
    ),
    Case("out of time, async", app, "aslow", "aslow", {}, fails=Fails("timeout", raises=ToolTimeout)),
    Case(
        "too many items",
        app,
        "many",
        "many --count 3",
        {"count": 3},
        fails=Fails("cap_exceeded", raises=CapExceeded, data={"cap": {"what": "items", "found": 3, "most": 2}}),
    ),
    Case("just as many items as may be", app, "many", "many --count 2", {"count": 2}, [0, 1]),
    Case(
        "too many bytes",
        app,
        "long",
        "long --count 11",
        {"count": 11},
        fails=Fails("cap_exceeded", raises=CapExceeded, data={"cap": {"what": "bytes", "found": 11, "most": 10}}),
    ),
    Case(
        "consent that nobody gave",
        app,
        "wipe",
        "wipe",
        {},
        fails=Fails("confirmation_required", raises=ConfirmationRequired, data={"question": "Wipe it all?"}),
    ),
    Case(
        "a question nobody answers",
        app,
        "asks",
        "asks",
        {},
        fails=Fails("confirmation_required", raises=ConfirmationRequired),
    ),
    Case(
        "a result of another type",
        app,
        "lies",
        "lies",
        {},
        fails=Fails("output_invalid", raises=OutputInvalid, violations={"/n": ""}),
    ),
    Case("no number as a result", app, "nan", "nan", {}, fails=Fails("output_invalid", raises=OutputInvalid)),
    Case(
        "a result that is no JSON",
        app,
        "object_result",
        "object_result",
        {},
        fails=Fails("output_invalid", raises=OutputInvalid, violations={"/inside": ""}),
    ),
    Case(
        "three attempts",
        app,
        "flaky",
        "flaky",
        {},
        fails=Fails("tool_error", raises=ConnectionError),
        before=attempts.clear,
        after=_three,
    ),
    Case(
        "a factory that fails",
        app,
        "no_connection",
        "no_connection",
        {},
        fails=Fails("tool_error", raises=ConnectionError),
    ),
    Case(
        "a type that nobody defines",
        app,
        "undefined",
        "undefined --x 1",
        {"x": 1},
        fails=Fails("tool_error", raises=RegistrationError, says="NeverDefined"),
    ),
    Case("a masked exception", strict, "masked", "masked", {}, fails=Fails("tool_error", raises=ValueError)),
]
