"""What a tool's own code raises: the right failure on every surface, and the very exception in Python."""

import asyncio
import concurrent.futures
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from accord import App, Progress, ToolError
from accord.errors import CapExceeded, ConfirmationRequired, ToolCancelled, ToolTimeout
from accord.testing import call_tool
from tests.unit.dispatch._ways import EVERY_WAY, Way, mcp, python


class Unreadable(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this works")


class CancelledError(Exception):
    """A name that is not taken by asyncio alone."""


class Homemade(BaseException):
    pass


def plain(error: BaseException) -> Callable[..., Any]:
    def tool() -> int:
        raise error

    return tool


def coroutine(error: BaseException) -> Callable[..., Any]:
    async def tool() -> int:
        await asyncio.sleep(0)
        raise error

    return tool


def generator(error: BaseException) -> Callable[..., Any]:
    def tool() -> Iterator[Progress | int]:
        yield Progress("on it")
        raise error

    return tool


def async_generator(error: BaseException) -> Callable[..., Any]:
    async def tool() -> AsyncIterator[Progress | int]:
        yield Progress("on it")
        raise error

    return tool


BODIES = (plain, coroutine, generator, async_generator)

# (what is raised, the reason, the text a client reads)
RAISED: tuple[tuple[BaseException, str, str], ...] = (
    (ValueError("no such city"), "tool_error", "Error: ValueError: no such city"),
    (ValueError(), "tool_error", "Error: ValueError"),
    (ToolError("out of coffee"), "tool_error", "Error: out of coffee"),
    (TypeError("tool() missing 1 required positional argument: 'x'"), "tool_error", "Error: TypeError: tool() missing"),
    (KeyError("x"), "tool_error", "Error: KeyError: 'x'"),
    (Unreadable(), "tool_error", "Error: Unreadable: (its message cannot be read)"),
    (CancelledError("the order"), "tool_error", "Error: CancelledError: the order"),
    (Homemade("mine"), "tool_error", "Error: Homemade: mine"),
    (
        ExceptionGroup("both", [ValueError("a"), ToolError("b")]),
        "tool_error",
        "Error: ExceptionGroup: both (2 sub-exceptions): ValueError: a; b",
    ),
    (RecursionError("deep"), "tool_error", "Error: RecursionError: deep"),
    (MemoryError(), "tool_error", "Error: MemoryError"),
    (SystemExit("the key is not set"), "tool_error", "Error: SystemExit: the key is not set"),
    (SystemExit(3), "tool_error", "Error: SystemExit: 3"),
    (GeneratorExit(), "tool_error", "Error: GeneratorExit"),
    (KeyboardInterrupt(), "cancelled", "Error: KeyboardInterrupt"),
    (ToolCancelled("enough"), "cancelled", "Error: ToolCancelled: enough"),
    (ConfirmationRequired("ask first"), "confirmation_required", "Error: ConfirmationRequired: ask first"),
    (CapExceeded("too much"), "cap_exceeded", "Error: CapExceeded: too much"),
    (ToolTimeout("too long"), "timeout", "Error: ToolTimeout: too long"),
)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(("error", "reason", "text"), RAISED, ids=[type(row[0]).__name__ for row in RAISED])
def test_what_a_tool_raises_reaches_python_as_it_is_and_clients_as_data(
    error: BaseException, reason: str, text: str, body: Callable[[BaseException], Any]
) -> None:
    app = App("tests")
    app.command("fails")(body(error))
    for way in EVERY_WAY:
        answer = way(app, "fails")
        assert answer.reason == reason, way
        if way is mcp:
            assert answer.data["tool"] == "fails"
            assert answer.data["argument"] is None
        else:
            assert answer.exception is error


@pytest.mark.parametrize(("error", "reason", "text"), RAISED, ids=[type(row[0]).__name__ for row in RAISED])
def test_clients_read_the_type_and_the_message(error: BaseException, reason: str, text: str) -> None:
    app = App("tests")
    app.command("fails")(plain(error))
    (block,) = call_tool(app, {"name": "fails", "arguments": {}})["content"]
    assert block["text"].startswith(text)


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError(), concurrent.futures.CancelledError()], ids=["own", "future"]
)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_tool_that_cancels_itself_cancels_nobody_else(
    body: Callable[[BaseException], Any], way: Way, error: BaseException
) -> None:
    app = App("tests")
    app.command("fails")(body(error))
    answer = way(app, "fails")
    assert answer.reason == "cancelled"
    if way is not mcp:
        assert isinstance(answer.exception, ToolCancelled)


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("body", BODIES)
def test_stop_iteration_from_a_body_is_a_failure_and_no_result(body: Callable[[BaseException], Any], way: Way) -> None:
    # Python itself turns it into a RuntimeError on its way through coroutines and generators.
    app = App("tests")
    app.command("fails")(body(StopIteration(5)))
    answer = way(app, "fails")
    assert answer.reason == "tool_error"
    assert answer.value is None


@pytest.mark.parametrize("body", BODIES)
def test_the_app_goes_on_after_every_failure(body: Callable[[BaseException], Any]) -> None:
    app = App("tests")

    @app.command
    def works() -> str:
        return "yes"

    for number, (error, _, _) in enumerate(RAISED):
        app.command(f"fails{number}")(body(error))
        for way in EVERY_WAY:
            way(app, f"fails{number}")
            assert way(app, "works").value == "yes"


def test_what_a_tool_error_says_is_in_the_data() -> None:
    app = App("tests")

    @app.command
    def buy() -> int:
        raise ToolError("out of coffee", code="SOLD_OUT", data={"restock": "monday"}, retryable=True)

    data = mcp(app, "buy").data
    assert (data["code"], data["data"], data["retryable"]) == ("SOLD_OUT", {"restock": "monday"}, True)
    assert dict(python(app, "buy").data) == data


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_type_error_in_the_body_is_never_the_callers_fault(way: Way) -> None:
    app = App("tests")

    @app.command
    def add(a: int, b: int = 2) -> int:
        return add()  # the mistake under test

    answer = way(app, "add", a=1)
    assert answer.reason == "tool_error"
    assert way(app, "add").reason == "missing_required_argument"


def test_a_task_group_tells_what_went_wrong_inside_and_no_more_than_can_be_read() -> None:
    app = App("tests")

    @app.command
    async def gather(count: int) -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(count):
                group.create_task(coroutine(ConnectionError(f"host {number} at /home/ann/hosts is down"))())

    (block,) = call_tool(app, {"name": "gather", "arguments": {"count": 1}})["content"]
    assert block["text"].endswith("(1 sub-exception): ConnectionError: host 0 at <path> is down")
    (block,) = call_tool(app, {"name": "gather", "arguments": {"count": 300}})["content"]
    assert len(block["text"]) < 2100
