"""Asking in the stateless era: a tool runs again for every round, and what must not happen twice does not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from accord import App, Call, Context, Outcome
from accord._calls import Failed
from accord.errors import SettingsError, ToolError
from accord.protocol.events import Retry
from accord.protocol.questions import Elicit
from accord.server.replay import ROUNDS
from accord.server.sealing import LIFETIME
from accord.transports.asgi.endpoint import Endpoint
from tests.protocol._checklist import covers
from tests.protocol._wire import EVERY, STATELESS
from tests.unit.server._user import Line, accept, asked_of, converse, data, in_rounds, says, text

KEY = "a key of sixteen characters or more"
NOT_VALID = {"code": -32602, "message": "The requestState is not valid for this request"}


class Connection:
    pass


class Session:
    pass


class Account:
    def __init__(self, name: str) -> None:
        self.name = name


def paying() -> tuple[App, list[str]]:
    """A tool that asks, does something that must happen once, and asks again."""
    app, paid = App("paying"), []

    @app.command
    def pay(to: str, ctx: Context) -> str:
        amount = ctx.ask("How much?", int)
        receipt = ctx.once("pay", lambda: paid.append(f"{amount} to {to}") or {"number": len(paid)})
        receipt["number"] += 1
        return f"{amount} {ctx.ask('Which colour?')} {receipt}"

    return app, paid


def first_question(line: Line, **more: Any) -> tuple[str, dict[str, Any], str]:
    """Call the tool: the key of what it asks, the question, and the state."""
    line.call("pay", {"to": "Ada"}, **more)
    message = line.hear()
    ((key, question),) = asked_of(message).items()
    return key, question, message["result"]["requestState"]


@covers(69)
def test_what_runs_once_runs_in_one_round_and_is_remembered_in_the_others() -> None:
    app, paid = paying()
    assert text(converse(Line(app), "pay", says(accept(answer=5), accept(answer="red")), {"to": "Ada"})) == (
        "5 red {'number': 2}"
    ), "what the tool does to the value afterwards does not travel"
    assert paid == ["5 to Ada"]


def test_what_runs_once_may_be_awaited_and_may_ask_itself() -> None:
    app, paid = App("paying"), []

    @app.command
    async def pay(ctx: Context) -> str:
        async def paying() -> list[str]:
            await asyncio.sleep(0)
            paid.append(await ctx.aask("Who?"))
            return paid

        who = await ctx.aonce("pay", paying)
        same = await ctx.aonce("pay", paying)
        return f"{who} {same} {await ctx.aask('Who?')} {await ctx.aask('Who?')}"

    answers = says(accept(answer="Ada"), accept(answer="Bob"), accept(answer="Eve"))
    assert text(converse(Line(app), "pay", answers)) == "['Ada'] ['Ada'] Bob Eve"
    assert paid == ["Ada"]


@covers(69)
@pytest.mark.parametrize("version", EVERY)
def test_questions_that_are_asked_together_travel_together(version: str) -> None:
    app, runs = App("many"), []

    @app.command
    async def many(ctx: Context) -> str:
        runs.append(1)
        name, sure, folders = await asyncio.gather(ctx.aask("Who?"), ctx.aconfirm("Sure?"), ctx.aroots())
        return f"{name} {sure} {folders}"

    @app.command
    async def grouped(ctx: Context) -> str:
        runs.append(1)
        async with asyncio.TaskGroup() as group:
            name = group.create_task(ctx.aask("Who?"))
            sure = group.create_task(later(ctx))
        return f"{name.result()} {sure.result()}"

    async def later(ctx: Context) -> bool:
        await asyncio.sleep(0)
        return await ctx.aconfirm("Sure?")

    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "roots/list":
            return {"roots": []}
        return accept(answer="Ada") if params["message"] == "Who?" else accept(confirm=True)

    assert text(converse(Line(app, version), "many", user)) == "Ada True []"
    assert text(converse(Line(app, version), "grouped", user)) == "Ada True"
    assert len(runs) == (4 if version == STATELESS else 2)


@covers(67)
def test_a_missing_answer_is_asked_for_again_and_extra_ones_are_ignored() -> None:
    line = Line(paying()[0])
    key, question, state = first_question(line)
    again = first_question(line, requestState=state, inputResponses={"other": accept(answer=5)})
    assert again[:2] == (key, question)
    second = first_question(line, requestState=state, inputResponses={key: accept(answer=5), "more": accept()})
    assert second[1]["params"]["message"] == "Which colour?"
    key, _, state = second
    line.call("pay", {"to": "Ada"}, requestState=state, inputResponses={key: accept(answer="red")})
    assert text(line.hear()) == "5 red {'number': 2}"


@covers(67)
@pytest.mark.parametrize("malformed", [{}, {"action": "yes"}, {"action": "accept"}, {"action": "accept", "content": 1}])
def test_a_malformed_answer_is_asked_for_again(malformed: dict[str, Any]) -> None:
    line = Line(paying()[0])
    key, question, state = first_question(line)
    assert first_question(line, requestState=state, inputResponses={key: malformed})[:2] == (key, question)


def test_an_answer_a_run_has_gone_by_cannot_be_changed_afterwards() -> None:
    app, paid = paying()
    line = Line(app)
    first, _, state = first_question(line)
    second, _, state = first_question(line, requestState=state, inputResponses={first: accept(answer=5)})
    answers = {first: accept(answer=500), second: accept(answer="red")}
    line.call("pay", {"to": "Ada"}, requestState=state, inputResponses=answers)
    assert text(line.hear()).startswith("5 red")
    assert paid == ["5 to Ada"]


def test_no_answer_is_taken_for_that_of_another_question() -> None:
    app, odd = App("odd"), [True]

    @app.command
    def order(ctx: Context) -> str:
        """Asks in another order each time it runs."""
        odd.append(not odd[-1])
        said = {q: ctx.ask(q) for q in (("A?", "B?") if odd[-1] else ("B?", "A?"))}
        return f"{said['A?']} {said['B?']}"

    @app.command
    def same(ctx: Context) -> str:
        return f"{ctx.ask('Next?')} {ctx.ask('Next?')} {ctx.ask('Next?', int)}"

    def user(method: str, params: dict[str, Any]) -> dict[str, Any]:
        return accept(answer=params["message"].lower())

    assert text(converse(Line(app), "order", user)) == "a? b?"
    assert text(converse(Line(app), "same", says(*(accept(answer=each) for each in ("1", "2", 3))))) == "1 2 3"


@covers(65)
@pytest.mark.parametrize("altered", ["tampered", "another tool", "other arguments", "no token", "another method"])
def test_a_state_that_does_not_belong_here_is_refused_with_one_message(altered: str) -> None:
    app, paid = paying()
    app.command(name="other")(lambda to: to)
    line = Line(app)
    key, _, state = first_question(line)
    said: dict[str, Any] = {"name": "pay", "arguments": {"to": "Ada"}, "requestState": state}
    if altered == "tampered":
        middle = len(state) // 2
        said["requestState"] = state[:middle] + ("A" if state[middle] != "A" else "B") + state[middle + 1 :]
    elif altered == "another tool":
        said["name"] = "other"
    elif altered == "other arguments":
        said["arguments"] = {"to": "Eve"}
    elif altered == "no token":
        said["requestState"] = "token"
    line.send(
        2,
        "prompts/get" if altered == "another method" else "tools/call",
        **said,
        inputResponses={key: accept(answer=5)},
    )
    assert line.hear()["error"] == (
        NOT_VALID if altered != "another method" else {"code": -32601, "message": "Method not found: prompts/get"}
    )
    assert paid == []


@covers(65)
def test_a_state_that_has_expired_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(paying()[0])
    _, _, state = first_question(line)
    import time

    hour = time.time()
    monkeypatch.setattr("accord._seal.time.time", lambda: hour + LIFETIME - 5)
    line.call("pay", {"to": "Ada"}, id=2, requestState=state)
    assert "result" in line.hear()
    monkeypatch.setattr("accord._seal.time.time", lambda: hour + LIFETIME + 5)
    line.call("pay", {"to": "Ada"}, id=3, requestState=state)
    assert line.hear()["error"] == NOT_VALID


@covers(65)
def test_what_one_principal_was_asked_no_other_can_answer() -> None:
    app, _ = paying()
    _, _, state = first_question(Line(app, principal="ann"))
    for principal, goes_on in (("ann", True), ("bob", False), (None, False)):
        line = Line(app, principal=principal)
        line.call("pay", {"to": "Ada"}, requestState=state)
        assert ("result" in line.hear()) is goes_on


@covers(66)
def test_another_process_with_the_same_key_goes_on_and_one_without_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_SEAL_KEY", KEY)
    key, _, state = first_question(Line(paying()[0]))
    answer = {"requestState": state, "inputResponses": {key: accept(answer=5)}}
    monkeypatch.setenv("ACCORD_SEAL_KEY", f"another key that is long enough, {KEY}")
    assert first_question(Line(paying()[0]), **answer)[1]["params"]["message"] == "Which colour?"
    for other in ("another key that is long enough", ""):
        monkeypatch.setenv("ACCORD_SEAL_KEY", other)
        line = Line(paying()[0])
        line.call("pay", {"to": "Ada"}, **answer)
        assert line.hear()["error"] == NOT_VALID


@covers(65)
def test_a_state_of_another_app_with_the_same_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_SEAL_KEY", KEY)
    _, _, state = first_question(Line(paying()[0]))
    stranger = App("another")
    stranger.command(name="pay")(lambda to: to)
    line = Line(stranger)
    line.call("pay", {"to": "Ada"}, requestState=state)
    assert line.hear()["error"] == NOT_VALID


@pytest.mark.parametrize("key", ["short", ",", f"{KEY},short"])
def test_a_key_that_cannot_seal_is_reported_when_the_server_starts(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_SEAL_KEY", key)
    for start in (Line, Endpoint):
        with pytest.raises(SettingsError, match="ACCORD_SEAL_KEY: a sealing key has at least 16 characters"):
            start(paying()[0])


# -- what does not see the question ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sync", "async", "consent", "grouped"])
def test_what_was_opened_is_closed_in_every_round_with_the_reason(name: str) -> None:
    app, log = App("providers"), []

    @app.provide(Connection)
    def connect() -> Iterator[Connection]:
        log.append("open")
        try:
            yield Connection()
        except BaseException as error:
            log.append(type(error).__name__)
            raise
        finally:
            log.append("close")

    @app.provide(Session)
    async def begin(connection: Connection) -> AsyncIterator[Session]:
        try:
            yield Session()
        except BaseException as error:
            log.append(f"async {type(error).__name__}")
            raise

    @app.command
    def sync(session: Session, ctx: Context) -> str:
        return ctx.ask("Who?")

    @app.command(name="async")
    async def async_(session: Session, ctx: Context) -> str:
        return await ctx.aask("Who?")

    @app.command
    async def grouped(session: Session, ctx: Context) -> str:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(ctx.aask("Who?"))
        return task.result()

    @app.command(confirm="Sure?")
    def consent(session: Session, ctx: Context) -> str:
        return ctx.ask("Who?")

    answers = [accept(answer="Ada")]
    assert (
        text(converse(Line(app), name, says(*([accept(confirm=True)] if name == "consent" else []), *answers))) == "Ada"
    )
    assert log == ["open", "async Unwind", "Unwind", "close", "open", "close"]


def test_a_provider_may_ask_too() -> None:
    app, log = App("providers"), []

    @app.provide(Account)
    def account(ctx: Context) -> Iterator[Account]:
        log.append("asks")
        yield Account(ctx.ask("Which account?"))

    @app.command
    def who(account: Account) -> str:
        return account.name

    assert text(converse(Line(app), "who", says(accept(answer="Ada")))) == "Ada"
    assert log == ["asks", "asks"]


@pytest.mark.parametrize("retried", [(Exception,), (BaseException,)])
def test_a_question_is_neither_tried_again_nor_kept(retried: tuple[type[BaseException], ...]) -> None:
    app, runs = App("options"), []

    @app.command(retry_on=retried, max_attempts=3, cache_ttl=60.0)
    def who(ctx: Context) -> str:
        runs.append(1)
        return ctx.ask("Who?")

    line = Line(app)
    assert text(converse(line, "who", says(accept(answer="Ada")))) == "Ada"
    assert len(runs) == 2
    assert text(converse(line, "who", says())) == "Ada", "the answer is kept"
    assert len(runs) == 2


def test_an_attempt_that_failed_may_ask_again() -> None:
    app, answers = App("attempts"), []

    @app.command(retry_on=(ValueError,), max_attempts=2)
    def who(ctx: Context) -> int:
        answers.append(ctx.ask("A number?"))
        return int(answers[-1])

    assert text(converse(Line(app), "who", says(accept(answer="x"), accept(answer="7")))) == "7"
    assert answers == ["x", "x", "7"]


@pytest.mark.parametrize("is_async", [False, True])
def test_middleware_sees_that_input_is_required(is_async: bool) -> None:
    app, seen = App("middleware"), []

    def note(outcome: Outcome) -> Outcome:
        seen.append(outcome.reason if isinstance(outcome, Failed) else "ok")
        return outcome

    async def watch_async(call: Call, following: Any) -> Outcome:
        return note(await following(call))

    def watch(call: Call, following: Any) -> Outcome:
        return note(following(call))

    app.use(watch_async if is_async else watch)

    @app.command
    def who(ctx: Context) -> str:
        return ctx.ask("Who?")

    assert text(converse(Line(app), "who", says(accept(answer="Ada")))) == "Ada"
    assert seen == ["input_required", "ok"]


def test_a_middleware_that_loses_the_question_fails_the_call() -> None:
    app = App("middleware")

    @app.use
    def lose(call: Call, following: Any) -> Outcome:
        outcome = following(call)
        assert isinstance(outcome, Failed)
        return Failed(outcome.kind, outcome.text, outcome.error_data)

    @app.command
    def who(ctx: Context) -> str:
        return ctx.ask("Who?")

    assert "lost" in data(converse(Line(app), "who", says()))["message"]


def test_a_question_passes_what_a_tool_catches_and_a_failure_beside_it() -> None:
    app = App("catching")

    @app.command
    def catching(ctx: Context) -> str:
        try:
            return ctx.ask("Who?")
        except Exception:
            return "caught"

    @app.command
    async def failing(ctx: Context) -> str:
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(ctx.aask("Who?"))
            group.create_task(fails_when_cancelled())
        return asking.result()

    async def fails_when_cancelled() -> None:
        try:
            await asyncio.sleep(1 if failures else 0)
        except asyncio.CancelledError:
            failures.append(1)
            raise ToolError("cancelled") from None

    failures: list[int] = []
    assert text(converse(Line(app), "catching", says(accept(answer="Ada")))) == "Ada"
    assert text(converse(Line(app), "failing", says(accept(answer="Ada")))) == "Ada"


@covers(78)
def test_a_cancelled_call_is_answered_with_no_question() -> None:
    app, line = App("cancelled"), None

    @app.command
    def who(ctx: Context) -> str:
        assert line is not None
        line.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        return ctx.ask("Who?")

    @app.command
    def done() -> str:
        return "done"

    line = Line(app)
    line.call("who")
    line.call("done", id=2)
    assert text(line.hear()) == "done"
    assert line.is_silent()


# -- what cannot go on -----------------------------------------------------------------------------------------------


def test_a_question_that_differs_on_every_run_ends_after_so_many_rounds() -> None:
    app, runs = App("endless"), []

    @app.command
    def endless(ctx: Context) -> str:
        runs.append(1)
        return ctx.ask(f"Is it {len(runs)} o'clock?")

    failed = data(in_rounds(Line(app), "endless", lambda method, params: accept(answer="no")))
    assert failed["reason"] == "tool_error"
    assert "ctx.once" in failed["message"]
    assert len(runs) == ROUNDS + 1


class Odd:
    pass


CANNOT_TRAVEL = [(1, 2), {1: "x"}, Odd(), {"deep": [Odd()]}, {1, 2}, float("nan"), b"x", "\ud800"]


@pytest.mark.parametrize("value", CANNOT_TRAVEL, ids=repr)
def test_what_cannot_travel_fails_where_it_would_have_to_and_nowhere_else(value: Any) -> None:
    app = App("odd")

    @app.command
    def asks(ctx: Context) -> str:
        ctx.once("odd", lambda: value)
        return ctx.ask("Who?")

    @app.command
    def does_not(ctx: Context) -> str:
        return str(ctx.once("odd", lambda: value) is ctx.once("odd", lambda: None))

    failed = data(converse(Line(app), "asks", says()))
    assert failed["reason"] == "tool_error"
    assert "ctx.once('odd', ...)" in failed["message"]
    assert text(converse(Line(app), "does_not", says())) == "True"


def test_a_state_too_large_to_travel_fails_the_call() -> None:
    app = App("large")

    @app.command
    def large(ctx: Context) -> str:
        ctx.once("large", lambda: "x" * 100_000)
        return ctx.ask("Who?")

    failed = data(converse(Line(app), "large", says()))
    assert failed["reason"] == "tool_error"
    assert "65536 may travel" in failed["message"]


def test_the_state_can_be_read_and_does_not_hide_anything() -> None:
    from base64 import urlsafe_b64decode

    line = Line(paying()[0])
    key, _, state = first_question(line)
    _, _, state = first_question(line, requestState=state, inputResponses={key: accept(answer=5)})
    raw = urlsafe_b64decode(state + "=" * (-len(state) % 4))
    remembered, _ = json.loads(raw[raw.index(b"[{") :])
    ((asked, name),) = remembered.pop("asked").items()
    assert asked == name
    assert asked not in remembered["answers"]
    assert remembered == {"answers": {key: accept(answer=5)}, "once": {"pay": {"number": 1}}, "round": 2}


def test_a_state_of_a_release_that_remembered_otherwise_is_as_good_as_none() -> None:
    from accord._caller import Unwind
    from accord.server.replay import Replay

    with pytest.raises(Unwind):
        Replay(Retry({}, {"answers": 7})).answer(Elicit("Who?", {}))
