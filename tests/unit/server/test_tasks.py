"""Calls that go on after they were answered: the same on every transport."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

import pytest

from accord import App, Bearer, Context, Policy, Principal, Progress, testing
from accord.auth import Tokens
from accord.errors import ProtocolError, RegistrationError, ToolCancelled, ToolError
from accord.tasks import SqliteTasks
from tests.conformance.tasks_tools import register
from tests.protocol._checklist import covers
from tests.protocol._wire import HANDSHAKES, STATELESS, initialize, line, request, stateless
from tests.unit.server._tasks import CAPABLE, DEADLINE, TRANSPORTS, Client, InMemory, OverHTTP, in_memory, over_http
from tests.unit.server._user import accept
from tests.unit.server.test_asking_over_http import Post


class Connect(Protocol):
    def __call__(self, app: App) -> AbstractContextManager[Client]: ...


each_transport = pytest.mark.parametrize("connect", TRANSPORTS)

PLAIN = {"elicitation": {"form": {}}}


class Waits:
    """Something to wait for, with a deadline."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def __call__(self) -> None:
        assert self.event.wait(DEADLINE)


def working() -> App:
    app = App("working", tasks=":memory:", policy=Policy(concurrency=4))
    register(app)
    gate = app._made["gate"] = Waits()
    ran = app._made["ran"] = []

    @app.command(task=True)
    def waits(ctx: Context) -> str:
        ctx.progress("waiting", 1, 3)
        ctx.log("nobody hears this")
        gate()
        return "done"

    @app.command(task=True)
    async def forever(ctx: Context) -> str:
        ctx.progress("begun")
        try:
            await asyncio.Event().wait()
        finally:
            ran.append("cleaned up")
        return "never"

    @app.command(task=True)
    def stubborn() -> str:
        gate()
        return "finished all the same"

    @app.command(task=True)
    def gives_up() -> str:
        raise ToolCancelled("no more of this")

    @app.command(task=True)
    def asks_twice(ctx: Context) -> str:
        return f"{ctx.ask('Who?')} {ctx.ask('Who?')}"

    @app.command(task=True, confirm="Really?")
    def consented(ctx: Context) -> str:
        ran.append("consented")
        return f"consented, {ctx.ask('Who?')}"

    @app.command(task=True, retry_on=OSError, max_attempts=3)
    def flaky(ctx: Context) -> str:
        ran.append("flaky")
        if len(ran) < 3:
            raise OSError("not yet")
        return f"done {len(ran)} {ctx.once('x', lambda: 1)}"

    @app.command(task=True, cache_ttl=60.0)
    def cached() -> str:
        ran.append("cached")
        return "kept"

    @app.command(task=True, timeout=0.05)
    def slow(ctx: Context) -> str:
        gate()
        return "never"

    @app.command(task=True)
    def steps() -> Iterator[Progress | str]:
        yield Progress("one of two", 1, 2)
        gate()
        yield "stepped"

    @app.command(task=True)
    async def asteps() -> AsyncIterator[Progress | str]:
        yield Progress("", 1, 2)
        await asyncio.to_thread(gate)
        yield "stepped"

    @app.command(task=True)
    def number(n: int) -> int:
        return n + 1

    return app


@pytest.fixture
def app() -> Iterator[App]:
    app = working()
    yield app
    app._made["gate"].event.set()
    app.close()


def text(task: Any) -> str:
    assert task["status"] == "completed", task
    said: str = task["result"]["content"][0]["text"]
    return said


# -- becoming a task -------------------------------------------------------------------------------------------------


@covers(102)
@each_transport
def test_a_call_is_answered_with_a_task_and_the_task_with_a_result(app: App, connect: Connect) -> None:
    with connect(app) as client:
        id = client.begin("waits")
        task = client.get(id)
        assert task["status"] == "working"
        assert (task["ttlMs"], task["pollIntervalMs"]) == (24 * 3600 * 1000, 1000)
        app._made["gate"].event.set()
        assert text(client.until(id)) == "done"
        again = client.get(id)
        assert again["result"]["structuredContent"] == "done"
        assert again["lastUpdatedAt"] >= again["createdAt"]


@covers(102)
@each_transport
@pytest.mark.parametrize(
    "capabilities", [{}, PLAIN, {"extensions": {}}, {"extensions": {"other/tasks": {}}}, {"tasks": {}}]
)
def test_a_client_that_did_not_declare_tasks_gets_the_result(
    app: App, connect: Connect, capabilities: dict[str, Any]
) -> None:
    with connect(app) as client:
        client.capabilities = capabilities
        result = client.call("slow_compute", {"seconds": 0, "label": "x"}, task={"ttl": 60_000})
        assert result["resultType"] == "complete"
        assert result["content"][0]["text"] == "x computed in 0 s"
        required = client.ask("tools/call", name="failing_job", arguments={})
        assert required["error"]["code"] == -32021


@covers(104)
@pytest.mark.parametrize("version", HANDSHAKES)
def test_the_handshake_era_is_never_answered_with_a_task(app: App, version: str) -> None:
    client = InMemory(app)
    for event in client.session.receive(line(initialize(version, **CAPABLE))):
        client.desk.accept(event)
    assert "tasks" not in client.written.pop()["result"]["capabilities"]
    called = client.send(request(1, "tools/call", name="number", arguments={"n": 1}, task={"ttl": 1000}))
    assert called["result"]["content"][0]["text"] == "2"
    refused = client.send(request(2, "tools/call", name="failing_job", arguments={}))
    assert refused["error"]["code"] == -32601


@each_transport
def test_tools_without_the_option_are_never_tasks(app: App, connect: Connect) -> None:
    with connect(app) as client:
        result = client.call("greet", {"name": "Ada"}, task={"ttl": 60_000})
        assert result["content"][0]["text"] == "Hello, Ada!"


def test_a_server_without_such_tools_has_no_word_of_tasks() -> None:
    app = App("none")
    client = InMemory(app)
    assert "extensions" not in client.ask("server/discover")["result"]["capabilities"]
    assert client.ask("tasks/get", taskId="x")["error"]["code"] == -32601


@each_transport
def test_arguments_that_are_refused_make_no_task(app: App, connect: Connect) -> None:
    with connect(app) as client:
        result = client.call("number", {"n": "one"})
        assert result["resultType"] == "complete"
        assert result["errorData"]["reason"] == "type_mismatch"
        assert client.ask("tools/call", name="nobody", arguments={})["error"]["code"] == -32602


@each_transport
def test_what_is_asked_before_the_function_runs_is_asked_before_there_is_a_task(app: App, connect: Connect) -> None:
    with connect(app) as client:
        asked = client.call("consented")
        assert asked["resultType"] == "input_required"
        (key,) = asked["inputRequests"]
        assert app._made["ran"] == []
        more = {"inputResponses": {key: accept(confirm=True)}, "requestState": asked["requestState"]}
        made = client.call("consented", **more)
        assert made["resultType"] == "task"
        task = client.until(made["taskId"], "input_required", questions=1)
        (other,) = task["inputRequests"]
        client.update(made["taskId"], **{other: accept(answer="Ada")})
        assert text(client.until(made["taskId"])) == "consented, Ada"
        assert app._made["ran"] == ["consented"], "it waited in place"
        refused = client.call("consented", **{**more, "inputResponses": {key: accept(confirm=False)}})
        assert refused["errorData"]["reason"] == "confirmation_required"


@each_transport
def test_what_a_factory_asks_is_asked_before_there_is_a_task(app: App, connect: Connect) -> None:
    with connect(app) as client:
        asked = client.call("test_tool_with_task")
        assert "taskId" not in asked
        (key,) = asked["inputRequests"]
        more = {"inputResponses": {key: accept(name="Alice")}, "requestState": asked["requestState"]}
        made = client.call("test_tool_with_task", **more)
        assert text(client.until(made["taskId"])) == "Hello, Alice!"


# -- how it ends -----------------------------------------------------------------------------------------------------


@each_transport
def test_a_tool_that_fails_completes_with_an_error_and_a_protocol_error_fails(app: App, connect: Connect) -> None:
    with connect(app) as client:
        tool, protocol = client.begin("failing_job"), client.begin("protocol_error_job")
        failed = client.until(protocol)
        assert failed["status"] == "failed"
        assert failed["error"] == {"code": -32603, "message": "the job came upon something internal"}
        completed = client.until(tool)
        assert completed["status"] == "completed"
        assert completed["result"]["isError"] is True
        given_up = client.until(client.begin("gives_up"))
        assert given_up["result"]["errorData"]["reason"] == "cancelled"


def test_a_policy_that_tells_failures_as_errors_has_tasks_fail() -> None:
    app = App("strict", tasks=":memory:", policy=Policy(errors="protocol"))

    @app.command(task=True)
    def breaks() -> str:
        raise ToolError("no", code="BROKEN")

    client = InMemory(app)
    failed = client.until(client.begin("breaks"))
    assert failed["status"] == "failed"
    assert failed["error"]["data"]["code"] == "BROKEN"


@each_transport
def test_time_limits_and_retries_hold_in_a_task(app: App, connect: Connect) -> None:
    with connect(app) as client:
        assert client.until(client.begin("slow"))["result"]["errorData"]["reason"] == "timeout"
        id = client.begin("flaky")
        assert text(client.until(id)) == "done 3 1"
        assert app._made["ran"] == ["flaky"] * 3


@each_transport
def test_a_result_that_was_kept_needs_no_task(app: App, connect: Connect) -> None:
    with connect(app) as client:
        assert text(client.until(client.begin("cached"))) == "kept"
        assert client.call("cached")["content"][0]["text"] == "kept"
        assert app._made["ran"] == ["cached"]


@each_transport
def test_middleware_sees_a_task_to_its_end(connect: Connect) -> None:
    app, seen = working(), list[Any]()

    @app.use
    def watch(call: Any, following: Any) -> Any:
        outcome = following(call)
        seen.append((call.name, getattr(outcome, "value", None)))
        return outcome

    with connect(app) as client:
        assert client.until(client.begin("number", n=1))["result"]["structuredContent"] == 2
        id = client.begin("multi_input")
        task = client.until(id, "input_required", questions=2)
        client.update(id, **{key: accept(name=key, confirm=True) for key in task["inputRequests"]})
        client.until(id)
    assert [name for name, _ in seen] == ["number", "multi_input"]
    assert seen[0] == ("number", 2)


# -- on its way ------------------------------------------------------------------------------------------------------


@each_transport
@pytest.mark.parametrize(("name", "message"), [("waits", "waiting"), ("steps", "one of two"), ("asteps", "1 of 2")])
def test_how_far_a_task_is_stands_in_its_message(app: App, connect: Connect, name: str, message: str) -> None:
    with connect(app) as client:
        id = client.begin(name)
        while client.get(id).get("statusMessage") != message:
            assert client.get(id)["status"] == "working"
        app._made["gate"].event.set()
        client.until(id)


def test_a_task_tells_nothing_beside_its_status(app: App) -> None:
    client = InMemory(app)
    meta = {"progressToken": 1, "level": "debug"}
    id = client.ask("tools/call", meta, name="waits", arguments={})["result"]["taskId"]
    app._made["gate"].event.set()
    client.until(id)
    assert client.written == []


@each_transport
def test_part_of_the_answers_leaves_the_rest_asked(app: App, connect: Connect) -> None:
    with connect(app) as client:
        id = client.begin("multi_input")
        task = client.until(id, "input_required", questions=2)
        first, second = sorted(task["inputRequests"])
        client.update(id, **{first: accept(name="Ada", confirm=True), "nobody": accept(name="Eve", confirm=True)})
        task = client.get(id)
        assert task["status"] == "input_required"
        assert [*task["inputRequests"]] == [second]
        client.update(id, **{first: accept(name="Eve", confirm=True)})
        client.update(id, **{second: accept(name="Bob", confirm=True)})
        assert sorted(text(client.until(id)).split(" and ")) == ["Ada", "Bob"]


@each_transport
def test_equal_questions_have_keys_of_their_own(app: App, connect: Connect) -> None:
    with connect(app) as client:
        id, keys = client.begin("asks_twice"), list[str]()
        for name in ("Ada", "Bob"):
            task = client.until(id, "input_required", questions=1)
            keys += task["inputRequests"]
            client.update(id, **{keys[-1]: accept(answer=name)})
        assert text(client.until(id)) == "Ada Bob"
        assert len(set(keys)) == 2


def test_a_question_with_a_name_goes_by_it_once(app: App) -> None:
    @app.command(task=True)
    def names(ctx: Context) -> str:
        return f"{ctx.ask('Who?', key='who')} {ctx.ask('Really?', key='really')}"

    client = InMemory(app)
    id = client.begin("names")
    assert [*client.until(id, "input_required")["inputRequests"]] == ["who"]
    client.update(id, who={"nonsense": True})
    assert [*client.until(id, "input_required", questions=1)["inputRequests"]] == ["who-1"]
    client.update(id, **{"who-1": accept(answer="Ada")})
    assert [*client.until(id, "input_required", questions=1)["inputRequests"]] == ["really"]
    client.update(id, really=accept(answer="yes"))
    assert text(client.until(id)) == "Ada yes"


def test_an_answer_that_cannot_be_read_is_asked_for_again_under_another_key(app: App) -> None:
    client = InMemory(app)
    id = client.begin("confirm_delete", filename="f")
    (first,) = client.until(id, "input_required")["inputRequests"]
    client.update(id, **{first: {"nonsense": True}})
    (second,) = client.until(id, "input_required", questions=1)["inputRequests"]
    assert second != first
    client.update(id, **{second: {"action": "decline"}})
    assert text(client.until(id)) == "kept f"


def test_what_the_client_cannot_be_asked_a_task_does_not_ask(app: App) -> None:
    client = InMemory(app)
    client.capabilities = {"extensions": CAPABLE["extensions"]}
    ended = client.until(client.begin("confirm_delete", filename="f"))
    assert ended["result"]["errorData"]["reason"] == "confirmation_required"


def test_tasks_that_wait_keep_nobody_from_working(app: App) -> None:
    with over_http(app) as client:
        parked = [client.begin("confirm_delete", filename=str(number)) for number in range(20)]
        for id in parked:
            client.until(id, "input_required")
        client.capabilities = PLAIN
        assert client.call("number", {"n": 1})["structuredContent"] == 2
        client.capabilities = CAPABLE
        for id in parked:
            client.cancel(id)
        assert {client.until(id)["status"] for id in parked} == {"cancelled"}


# -- cancelling ------------------------------------------------------------------------------------------------------


@each_transport
@pytest.mark.parametrize("name", ["slow_compute", "forever", "confirm_delete", "multi_input"])
def test_a_task_that_nobody_wants_stops(app: App, connect: Connect, name: str) -> None:
    with connect(app) as client:
        arguments = {"slow_compute": {"seconds": 60}, "confirm_delete": {"filename": "f"}}.get(name, {})
        id = client.begin(name, **arguments)
        if name in ("confirm_delete", "multi_input"):
            client.until(id, "input_required")
        while name == "forever" and "statusMessage" not in client.get(id):
            pass  # it has not begun
        client.cancel(id)
        assert client.until(id)["status"] == "cancelled"
        client.cancel(id)
        client.update(id, who=accept(answer="late"))
        assert client.get(id)["status"] == "cancelled"
        assert name != "forever" or app._made["ran"] == ["cleaned up"]


@each_transport
def test_what_finishes_although_nobody_wants_it_has_finished(app: App, connect: Connect) -> None:
    with connect(app) as client:
        id = client.begin("stubborn")
        client.cancel(id)
        assert client.get(id)["status"] == "working"
        app._made["gate"].event.set()
        assert text(client.until(id)) == "finished all the same"
        client.cancel(id)
        assert client.get(id)["status"] == "completed"


def test_a_call_that_is_withdrawn_before_there_is_a_task_never_becomes_one(app: App) -> None:
    opening, ran = Waits(), list[str]()

    class Slow:
        pass

    @app.provide(Slow)
    def opened() -> Slow:
        entered.set()
        opening()
        return Slow()

    @app.command(task=True)
    def late(slow: Slow) -> str:
        ran.append("late")
        return "late"

    entered, client, over = threading.Event(), InMemory(app), threading.Event()
    call = stateless("x", "tools/call", meta={"capabilities": CAPABLE}, name="late", arguments={})
    (event,) = client.session.receive(line(call))
    work = client.desk.accept(event)
    assert work is not None
    client.desk.answer(work, over.set)
    assert entered.wait(DEADLINE)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "x"}}
    for event in client.session.receive(line(cancel)):
        client.desk.accept(event)
    opening.event.set()
    assert over.wait(DEADLINE)
    assert (client.written, ran, client.desk.is_idle) == ([], [], True)
    assert app._registry.workshop is None or not app._registry.workshop._errands


# -- whose it is -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["bob", None, ""])
def test_somebody_elses_task_is_as_unknown_as_none(app: App, other: str | None) -> None:
    ada, stranger = InMemory(app, "ada"), InMemory(app, other)
    id = ada.begin("confirm_delete", filename="f")
    (key,) = ada.until(id, "input_required")["inputRequests"]
    answers = {"inputResponses": {key: accept(confirm=True)}}
    for method, more in (("tasks/get", {}), ("tasks/update", answers), ("tasks/cancel", {})):
        theirs = stranger.ask(method, taskId=id, **more)["error"]
        none = stranger.ask(method, taskId="x" * len(id), **more)["error"]
        assert theirs == none == {"code": -32602, "message": "There is no such task"}
    assert ada.get(id)["status"] == "input_required"
    ada.update(id, **answers["inputResponses"])
    assert text(ada.until(id)) == "deleted f"


def test_over_http_a_token_is_for_the_tasks_of_its_principal(app: App) -> None:
    here = "https://localhost/mcp"
    tokens = {f"a-secret-token-of-{name}": Principal(name, audience=here) for name in ("ada", "bob")}
    door = Bearer(Tokens(tokens), resource=here, authorization_servers=["https://auth.example.com"])
    with over_http(app, auth=door, path="/mcp") as client:
        ada, bob = (OverHTTP(client.endpoint, client.loop, authorization=f"Bearer {token}") for token in tokens)
        id = ada.begin("confirm_delete", filename="f")
        (key,) = ada.until(id, "input_required")["inputRequests"]
        for method, more in (("get", {}), ("update", {"inputResponses": {key: accept(confirm=True)}}), ("cancel", {})):
            assert bob.ask(f"tasks/{method}", taskId=id, **more)["error"]["code"] == -32602
        ada.update(id, **{key: accept(confirm=True)})
        assert text(ada.until(id)) == "deleted f"


def test_ids_cannot_be_guessed(app: App) -> None:
    client = InMemory(app)
    ids = {client.begin("number", n=number) for number in range(20)}
    assert len(ids) == 20
    assert min(map(len, ids)) >= 32


def test_a_principal_that_has_too_many_is_told_so_and_others_are_served() -> None:
    app = App("few", tasks=SqliteTasks(":memory:", most_unfinished=1))
    register(app)
    ada, bob = InMemory(app, "ada"), InMemory(app, "bob")
    id = ada.begin("confirm_delete", filename="f")
    refused = ada.call("confirm_delete", {"filename": "g"})
    assert refused["isError"]
    assert refused["errorData"]["retryable"] is True
    bob.begin("confirm_delete", filename="f")
    ada.cancel(id)
    ada.until(id)
    ada.begin("confirm_delete", filename="g")
    app.close()


# -- who is told -----------------------------------------------------------------------------------------------------


def test_who_listens_is_told_of_every_change_of_theirs(app: App) -> None:
    ada, bob = InMemory(app, "ada"), InMemory(app, "bob")
    app._registry.watchers += [ada.desk, bob.desk]
    id = ada.begin("confirm_delete", filename="f")
    (key,) = ada.until(id, "input_required")["inputRequests"]
    for client in (ada, bob):
        listen = stateless("l", "subscriptions/listen", meta={"capabilities": CAPABLE}, notifications={"taskIds": [id]})
        for event in client.session.receive(line(listen)):
            client.desk.accept(event)
    ada.update(id, **{key: accept(confirm=True)})
    ada.until(id)
    told = [message["params"]["status"] for message in ada.written if message["method"] == "notifications/tasks"]
    assert told == ["working", "completed"]
    assert [message["method"] for message in bob.written] == ["notifications/subscriptions/acknowledged"]


def test_over_http_who_listens_is_told(app: App) -> None:
    with over_http(app) as client:
        id = client.begin("confirm_delete", filename="f")
        (key,) = client.until(id, "input_required")["inputRequests"]
        listen = stateless("l", "subscriptions/listen", meta={"capabilities": CAPABLE}, notifications={"taskIds": [id]})

        async def begin() -> Post:
            post = Post(
                client.endpoint,
                listen,
                mcp_protocol_version=STATELESS,
                mcp_method="subscriptions/listen",
            )
            assert (await post.hear())["params"]["notifications"] == {"taskIds": [id]}
            return post

        loop = client.loop
        post = asyncio.run_coroutine_threadsafe(begin(), loop).result(DEADLINE)
        client.update(id, **{key: accept(confirm=True)})
        told = [asyncio.run_coroutine_threadsafe(post.hear(), loop).result(DEADLINE) for _ in range(2)]
        assert [each["params"]["status"] for each in told] == ["working", "completed"]


# -- several at once -------------------------------------------------------------------------------------------------


@each_transport
def test_many_tasks_at_once_end_with_their_own_results(app: App, connect: Connect) -> None:
    with connect(app) as client:
        ids = {client.begin("number", n=number): number for number in range(30)}
        for id, number in ids.items():
            assert client.until(id)["result"]["structuredContent"] == number + 1


def test_two_servers_that_share_a_file_tell_of_answer_and_cancel_each_others_tasks(tmp_path: Any) -> None:
    def replica() -> tuple[App, InMemory]:
        app = App("shared", tasks=SqliteTasks(tmp_path / "tasks.db", patience=1.0))
        register(app)
        return app, InMemory(app, "ada")

    (one, here), (two, there) = replica(), replica()
    id = here.begin("multi_input")
    task = there.until(id, "input_required", questions=2)
    for key in task["inputRequests"]:
        there.update(id, **{key: accept(name="Ada", confirm=True)})
    assert text(there.until(id)) == "Ada and Ada"
    for name, arguments in (("confirm_delete", {"filename": "f"}), ("slow_compute", {"seconds": 60})):
        id = here.begin(name, **arguments)
        there.cancel(id)
        assert there.until(id)["status"] == "cancelled"
    id = here.begin("slow_compute", seconds=60, label="cake")
    while there.get(id).get("statusMessage") != "computing cake":
        assert there.get(id)["status"] == "working"
    for app in (one, two):
        app.close()
    assert there.get(id)["status"] == "failed"


def test_a_closed_app_has_failed_its_tasks_and_takes_on_new_ones(app: App) -> None:
    client = InMemory(app)
    id = client.begin("confirm_delete", filename="f")
    client.until(id, "input_required")
    app.close()
    failed = client.get(id)
    assert failed["status"] == "failed"
    assert "stopped" in failed["error"]["message"]
    assert client.until(client.begin("number", n=1))["result"]["structuredContent"] == 2


def test_a_task_that_has_expired_is_unknown_and_its_work_is_called_off() -> None:
    now = [0.0]
    app = App("short", tasks=SqliteTasks(":memory:", ttl=5.0, patience=0.2, clock=lambda: now[0]))
    stopped = threading.Event()

    @app.command(task=True)
    async def lasting() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    client = InMemory(app)
    now[0] = time.time()
    id = client.begin("lasting")
    assert client.get(id)["ttlMs"] == 5000
    now[0] += 6
    assert client.ask("tasks/get", taskId=id)["error"]["code"] == -32602
    assert stopped.wait(DEADLINE)


class Unreliable(SqliteTasks):
    """A store that cannot be written to for a while."""

    failing = 0

    def put(self, record: Any) -> bool:
        if record.is_over and self.failing:
            self.failing -= 1
            raise OSError("the disk is full")
        return super().put(record)


def test_how_a_task_ended_is_kept_as_soon_as_the_store_can_be_written_to() -> None:
    store = Unreliable(":memory:", patience=0.2)
    app = App("full", tasks=store)
    register(app)
    store.failing = 2
    client = InMemory(app)
    assert text(client.until(client.begin("slow_compute", seconds=0, label="x"))) == "x computed in 0 s"
    assert store.failing == 0


def test_a_call_whose_task_cannot_be_kept_fails_and_does_not_run() -> None:
    class Full(SqliteTasks):
        def create(self, record: Any) -> None:
            raise OSError("the disk is full")

    app, ran = App("full", tasks=Full(":memory:")), list[int]()

    @app.command(task=True)
    def work() -> None:
        ran.append(1)

    result = InMemory(app).call("work")
    assert result["isError"]
    assert ran == []


# -- elsewhere -------------------------------------------------------------------------------------------------------


def test_in_python_and_on_the_command_line_a_task_is_a_call(app: App) -> None:
    assert app.call("number", n=1) == 2
    assert app.invoke(["number", "--n", "1"]).output.strip() == "2"


def test_a_test_client_that_knows_tasks_waits_for_their_end(app: App) -> None:
    def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
        fields = params["requestedSchema"]["properties"]
        return accept(**{name: True if field["type"] == "boolean" else "Ada" for name, field in fields.items()})

    client = testing.Client(app, tasks=True, answer=answer)
    assert client.call("number", {"n": 1})["structuredContent"] == 2
    assert client.call("multi_input")["structuredContent"] == "Ada and Ada"
    assert client.call("test_tool_with_task")["structuredContent"] == "Hello, Ada!"
    assert client.call("consented")["structuredContent"] == "consented, Ada"
    with pytest.raises(ProtocolError) as raised:
        client.call("protocol_error_job")
    assert raised.value.code == -32603


def test_parity_holds_for_tools_that_answer_with_tasks_only(app: App) -> None:
    @app.command(task="required")
    def halved(n: int) -> float:
        return n / 2

    testing.assert_parity(app, "halved", [({"n": 3}, 1.5), ({"n": "x"}, "type_mismatch")])


@pytest.mark.parametrize("wrong", ["optional", 1.5, None, []])
def test_an_option_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises(RegistrationError, match="task"):
        App("wrong").command(task=wrong)(lambda: None)


def test_nothing_is_kept_of_the_arguments_but_a_fingerprint(tmp_path: Any) -> None:
    app = App("secret", tasks=tmp_path / "tasks.db")
    register(app)
    with in_memory(app) as client:
        id = client.begin("confirm_delete", filename="a-file-that-nobody-knows")
        client.until(id, "input_required")
        record = app._registry.tasks.get(id)
        assert record is not None
        assert len(record.arguments) == len(record.contract) == 64
        assert record.tool == "confirm_delete"
    app.close()


def test_a_server_over_http_that_ends_has_failed_its_tasks(app: App) -> None:
    with over_http(app) as client:
        endpoint: Any = client.endpoint
        ids = [client.begin("confirm_delete", filename="f"), client.begin("forever")]
        said = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
        told = list[str]()

        async def receive() -> dict[str, Any]:
            return said.pop(0)

        async def send(event: dict[str, Any]) -> None:
            told.append(event["type"])

        loop = client.loop
        asyncio.run_coroutine_threadsafe(endpoint({"type": "lifespan"}, receive, send), loop).result(DEADLINE)
        assert told == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        assert {client.get(id)["status"] for id in ids} == {"failed"}
