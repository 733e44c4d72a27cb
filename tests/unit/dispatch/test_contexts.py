"""The context of a call: who calls, what is remembered, and what a human at a terminal is shown."""

import asyncio
from typing import Any

import pytest

from accord import App, Context
from accord._caller import Caller, Cancellation, Unanswered
from accord._calls import Call, Failed, Ok
from accord.dispatch.blocking import dispatch
from accord.errors import ConfirmationRequired
from tests.unit.dispatch._ways import EVERY_WAY, Way, mcp


class Session(Context):
    """A context with a method of its own."""

    def who(self) -> str:
        return self.principal or "nobody"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_context_is_injected_in_every_spelling(way: Way) -> None:
    app = App("tests")

    @app.command
    def by_name(ctx) -> str:
        return ctx.surface

    @app.command
    def by_type(context: Context) -> str:
        return context.surface

    @app.command
    def optional(ctx: Context | None = None) -> str:
        assert ctx is not None
        return ctx.surface

    @app.command
    def default(ctx: Context = Context()) -> str:
        return ctx.surface

    @app.command
    def text(ctx: "Context") -> str:
        return ctx.surface

    @app.command
    def subclass(session: Session) -> str:
        assert session.who() == "nobody"
        return session.surface

    @app.command
    def two(ctx: Context, session: Session) -> str:
        assert type(ctx) is Context
        assert type(session) is Session
        return session.surface

    @app.command
    def positional(ctx: Context, /, n: int = 1) -> str:
        return ctx.surface

    for name, tool in app.tools.items():
        assert set(tool.input_schema.get("properties", {})) <= {"n"}, name
        assert way(app, name).value == ("mcp" if way is mcp else "python"), name


@pytest.mark.parametrize("way", EVERY_WAY)
def test_nobody_can_hand_in_a_context(way: Way) -> None:
    app = App("tests")

    @app.command
    def tool(ctx: Context) -> str:
        return ctx.surface

    answer = way(app, "tool", ctx="mine")
    assert (answer.reason, answer.data["argument"]) == ("unexpected_argument", "ctx")


def test_a_context_knows_the_call() -> None:
    app, seen = App("tests"), []

    @app.command
    def tool(ctx: Context) -> None:
        seen.append((ctx.surface, ctx.principal, ctx.request_id, ctx.cancelled))

    dispatch(app._registry, Call("tool", {}, "mcp", principal="ann", request_id=7, cancellation=Cancellation()))
    app.call("tool")
    assert seen == [("mcp", "ann", 7, False), ("python", None, None, False)]


def test_every_call_has_a_context_of_its_own() -> None:
    app, seen = App("tests"), []

    @app.command
    def tool(ctx: Context) -> None:
        assert ctx.once("key", lambda: len(seen)) == len(seen)
        seen.append(ctx)

    app.call("tool")
    app.call("tool")
    assert seen[0] is not seen[1]


def test_once_is_once_for_each_key_and_a_failure_is_not_remembered() -> None:
    context, runs = Context(), []

    def fail() -> None:
        runs.append("fail")
        raise ValueError

    assert [context.once("a", lambda: runs.append("a")), context.once("a", lambda: runs.append("again"))] == [None] * 2
    for _ in range(2):
        with pytest.raises(ValueError):
            context.once("b", fail)
    assert context.once("c", lambda: 3) == context.once("c", lambda: 4) == 3
    assert runs == ["a", "fail", "fail"]


def test_what_runs_once_may_be_awaited() -> None:
    context, runs = Context(), []

    async def run() -> int:
        runs.append(1)
        return 7

    async def both() -> list[int]:
        return [await context.aonce("a", run), await context.aonce("a", run)]

    assert asyncio.run(both()) == [7, 7]
    assert runs == [1]


class Program:
    """Something like a Textual app."""

    def run(self) -> str:
        return "picked"


class AtATerminal(Caller):
    has_screen = True


# (program, fallback, the result at a terminal, the result elsewhere: None for a refusal)
PROGRAMS: tuple[tuple[Any, Any, Any, Any], ...] = (
    (Program(), None, "picked", None),
    (Program(), lambda: "fell back", "picked", "fell back"),
    (lambda: "ran", "a value", "ran", "a value"),
    (lambda: "ran", None, "ran", None),
)


@pytest.mark.parametrize(("program", "fallback", "shown", "elsewhere"), PROGRAMS)
def test_an_interactive_program_runs_where_a_human_is_and_its_fallback_elsewhere(
    program: Any, fallback: Any, shown: Any, elsewhere: Any
) -> None:
    app = App("tests")

    @app.command
    def pick(ctx: Context) -> str:
        return ctx.run_app(program, fallback=fallback)

    outcome = dispatch(app._registry, Call("pick", {}, "cli", AtATerminal()))
    assert isinstance(outcome, Ok)
    assert outcome.value == shown
    for way in EVERY_WAY:
        answer = way(app, "pick")
        assert answer.value == elsewhere
        assert answer.reason == (None if elsewhere else "confirmation_required")


class Listening(Caller):
    def __init__(self) -> None:
        self.heard: list[Any] = []

    def log(self, level: Any, message: str, verbosity: int) -> None:
        self.heard.append((level, message, verbosity))

    def sample(self, request: dict[str, Any]) -> dict[str, Any] | Unanswered:
        self.heard.append(request)
        return {"content": "four"}

    def roots(self) -> list[str] | Unanswered:
        return ["file:///home/me"]


def test_what_a_tool_says_reaches_the_caller() -> None:
    app, caller = App("tests"), Listening()

    @app.command
    def tool(ctx: Context) -> list[str]:
        ctx.log("plain")
        ctx.log("chatty", level=2)
        ctx.info("interesting")
        ctx.warning("odd")
        ctx.error("bad")
        ctx.log(5)
        assert ctx.sample("2 + 2?", maxTokens=5) == {"content": "four"}
        return ctx.roots()

    outcome = dispatch(app._registry, Call("tool", {}, "mcp", caller))
    assert isinstance(outcome, Ok)
    assert outcome.value == ["file:///home/me"]
    assert caller.heard == [
        ("info", "plain", 1),
        ("debug", "chatty", 2),
        ("info", "interesting", 1),
        ("warning", "odd", 0),
        ("error", "bad", 0),
        ("info", "5", 1),
        {"messages": "2 + 2?", "maxTokens": 5},
    ]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_caller_without_a_model_or_folders(way: Way) -> None:
    app = App("tests")

    @app.command
    def sample(ctx: Context) -> str:
        return str(ctx.sample("2 + 2?"))

    @app.command
    def roots(ctx: Context) -> list[str]:
        return ctx.roots()

    assert way(app, "sample").reason == "confirmation_required"
    assert way(app, "roots").value == []


def test_a_caller_that_fails_fails_the_call_and_not_the_process() -> None:
    class Broken(Caller):
        def log(self, level: Any, message: str, verbosity: int) -> None:
            raise OSError("the line is cut")

    app = App("tests")

    @app.command
    def tool(ctx: Context) -> str:
        ctx.info("hello?")
        return "done"

    outcome = dispatch(app._registry, Call("tool", {}, "mcp", Broken()))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "tool_error"


def test_a_context_without_a_call_is_inert() -> None:
    context = Context()
    context.log("into the void")
    context.info("into the void")
    context.progress("half", 1, 2)
    assert (context.surface, context.principal, context.request_id) == ("python", None, None)
    assert context.cancelled is False
    assert dict(context.settings) == {}
    assert context.roots() == []
    assert context.run_app(Program(), fallback="fell back") == "fell back"
    for ask in (context.ask, context.confirm, context.sample, context.run_app):
        with pytest.raises(ConfirmationRequired):
            ask("anything")


def test_the_function_itself_can_be_called_with_an_inert_context() -> None:
    app = App("tests")

    @app.command
    def tool(name: str, ctx: Context = Context()) -> str:
        ctx.info(name)
        return name

    assert tool("direct") == app.call("tool", name="direct") == "direct"
