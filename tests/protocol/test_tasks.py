"""The tasks extension on the wire: who may speak of tasks, what they look like, who is told."""

from __future__ import annotations

from typing import Any

import pytest

from accord.protocol.errors import NotAllowed
from accord.protocol.events import CallTool, CancelTask, GetTask, Listen, UpdateTask
from accord.protocol.headers import Headers
from accord.protocol.listening import SUBSCRIPTION_ID
from accord.protocol.tasks import EXTENSION, TERMINAL, Task
from tests.protocol._checklist import covers
from tests.protocol._server import CAPABILITIES, Pipe, profile
from tests.protocol._wire import EVERY, HANDSHAKES, STATELESS, initialize, line, messages, request, stateless

ID = "a-task-of-somebodys-choosing"
KNOWS = {"capabilities": {"extensions": {EXTENSION: {}}}}
METHODS = ["tasks/get", "tasks/update", "tasks/cancel"]
MADE = Task(id=ID, status="working", created=1_800_000_000.0, updated=1_800_000_001.5, ttl=60.0, poll=0.5)


def with_tasks() -> Pipe:
    return Pipe(profile({**CAPABILITIES, "extensions": {EXTENSION: {}}}))


def about(method: str, **more: Any) -> dict[str, Any]:
    answers = {"inputResponses": {}} if method == "tasks/update" else {}
    return stateless(1, method, **{"taskId": ID, "meta": KNOWS, **answers, **more})


@covers(102)
@pytest.mark.parametrize("method", METHODS)
def test_a_client_that_did_not_declare_tasks_is_told_what_it_lacks(method: str) -> None:
    (refused,) = with_tasks().say(about(method, meta={}))
    assert refused["error"]["code"] == -32021
    assert refused["error"]["data"] == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}


@covers(102)
@pytest.mark.parametrize("said", [True, 1, [], "yes", {"x": 1}])
def test_whatever_a_client_declares_tasks_with_counts(said: Any) -> None:
    (event,) = with_tasks().session.receive(
        line(about("tasks/get", meta={"capabilities": {"extensions": {EXTENSION: said}}}))
    )
    assert isinstance(event, GetTask)


@pytest.mark.parametrize("method", METHODS)
def test_without_tasks_to_speak_of_the_methods_do_not_exist(method: str) -> None:
    (refused,) = Pipe().say(about(method))
    assert refused["error"]["code"] == -32601


@pytest.mark.parametrize("version", HANDSHAKES)
@pytest.mark.parametrize("method", [*METHODS, "tasks/result", "tasks/list"])
def test_the_handshake_era_knows_no_tasks(version: str, method: str) -> None:
    pipe = with_tasks()
    pipe.say(initialize(version, extensions={EXTENSION: {}}, tasks={}))
    (refused,) = pipe.say(request(1, method, taskId=ID, inputResponses={}))
    assert refused["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["tasks/result", "tasks/list"])
def test_the_methods_of_the_former_design_do_not_exist(method: str) -> None:
    (refused,) = with_tasks().say(about(method))
    assert refused["error"]["code"] == -32601


def test_a_request_about_a_task_is_an_event() -> None:
    pipe = with_tasks()
    answers = {"who": {"action": "decline"}}
    kinds = []
    for number, method in enumerate(METHODS):
        more = {"inputResponses": answers} if method == "tasks/update" else {}
        (event,) = pipe.session.receive(line({**about(method, **more), "id": number}))
        assert isinstance(event, GetTask | UpdateTask | CancelTask)
        assert event.task == ID
        kinds.append(type(event))
        if isinstance(event, UpdateTask):
            assert event.answers == answers
    assert kinds == [GetTask, UpdateTask, CancelTask]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tasks/get", {"taskId": 1}),
        ("tasks/get", {"taskId": None}),
        ("tasks/update", {"inputResponses": None}),
        ("tasks/update", {"inputResponses": []}),
        ("tasks/update", {"inputResponses": {"who": 12345}}),
    ],
)
def test_malformed_params_are_refused(method: str, params: dict[str, Any]) -> None:
    (refused,) = with_tasks().say(about(method, **params))
    assert refused["error"]["code"] == -32602


@covers(34)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("name", "code"), [(ID, None), ("another", -32020), (None, -32020)])
def test_mcp_name_is_the_id_of_the_task(method: str, name: str | None, code: int | None) -> None:
    _, refused = with_tasks().post(about(method), Headers(version=STATELESS, method=method, name=name))
    assert refused == code


@covers(102)
@pytest.mark.parametrize("version", EVERY)
def test_only_a_client_that_declared_tasks_is_answered_with_one(version: str) -> None:
    pipe = with_tasks()
    if version in HANDSHAKES:
        pipe.say(initialize(version, extensions={EXTENSION: {}}))
        call = request(1, "tools/call", name="add")
    else:
        call = stateless(1, "tools/call", name="add")
    (event,) = pipe.session.receive(line(call))
    assert isinstance(event, CallTool)
    with pytest.raises(NotAllowed):
        pipe.session.deferred(event, MADE)
    assert pipe.session.result(event, {"content": []}), "it can still be answered in another way"


def test_only_calls_are_answered_with_tasks() -> None:
    pipe = with_tasks()
    (event,) = pipe.session.receive(line(stateless(1, "prompts/get", meta=KNOWS, name="greet")))
    with pytest.raises(NotAllowed):
        pipe.session.deferred(event, MADE)  # type: ignore[arg-type]  # a request that is no call


def test_the_answer_is_the_task_itself_and_the_last_word() -> None:
    pipe = with_tasks()
    call = stateless(1, "tools/call", meta={**KNOWS, "progressToken": 1, "level": "debug"}, name="add")
    pipe.expect(call)
    (event,) = pipe.session.receive(line(call))
    assert isinstance(event, CallTool)
    (answer,) = pipe.judged(pipe.session.deferred(event, MADE))
    assert answer["result"] == {
        "resultType": "task",
        "_meta": answer["result"]["_meta"],
        "taskId": ID,
        "status": "working",
        "createdAt": "2027-01-15T08:00:00.000Z",
        "lastUpdatedAt": "2027-01-15T08:00:01.500Z",
        "ttlMs": 60_000,
        "pollIntervalMs": 500,
    }
    assert pipe.session.progress(event, 1) == b""
    assert pipe.session.log(event, "error", "too late") == b""
    assert pipe.session.deferred(event, MADE) == b""
    assert pipe.session.abandon(event) is None


@pytest.mark.parametrize(
    ("status", "member"),
    [
        ("working", None),
        ("input_required", "inputRequests"),
        ("completed", "result"),
        ("failed", "error"),
        ("cancelled", None),
    ],
)
def test_a_task_is_told_of_with_what_belongs_to_its_status(status: Any, member: str | None) -> None:
    task = Task(
        id=ID,
        status=status,
        created=0.0,
        updated=0.0,
        message="so far",
        asked={"k": {"method": "roots/list"}},
        result={"content": []},
        error={"code": -1, "message": "no"},
    )
    more = task.whole().keys() - task.brief().keys()
    assert more == ({member} if member else set())
    assert task.brief()["ttlMs"] is None
    assert "pollIntervalMs" not in task.brief()
    assert task.brief()["statusMessage"] == "so far"
    assert (status in TERMINAL) == (status in ("completed", "failed", "cancelled"))


def listening(pipe: Pipe, id: Any, *tasks: str, **meta: Any) -> Any:
    (answer,) = pipe.say(
        stateless(id, "subscriptions/listen", meta={**KNOWS, **meta}, notifications={"taskIds": tasks})
    )
    return answer


def test_who_listens_for_a_task_hears_of_that_one() -> None:
    pipe = with_tasks()
    assert listening(pipe, 1, ID)["params"]["notifications"] == {"taskIds": [ID]}
    listening(pipe, 2, "another")
    (told,) = pipe.judged(pipe.session.listening.task(MADE))
    assert told["method"] == "notifications/tasks"
    assert told["params"] == {**MADE.whole(), "_meta": {SUBSCRIPTION_ID: 1}}


@covers(102)
def test_who_listens_for_tasks_has_to_have_declared_them() -> None:
    pipe = with_tasks()
    assert listening(pipe, 1, ID, capabilities={})["error"]["code"] == -32021
    assert pipe.session.open == []


def test_where_there_are_no_tasks_nobody_listens_for_them() -> None:
    pipe = Pipe()
    assert listening(pipe, 1, ID, capabilities={})["params"]["notifications"] == {}
    assert pipe.session.listening.task(MADE) == b""


def test_tasks_count_among_what_is_watched() -> None:
    pipe = with_tasks()
    many = [f"task-{number}" for number in range(1025)]
    assert listening(pipe, 1, *many)["error"]["code"] == -32603
    assert not [event for event in pipe.session.open if isinstance(event, Listen)]


def test_declaring_at_one_request_says_nothing_of_the_next() -> None:
    pipe = with_tasks()
    pipe.session.receive(line(about("tasks/get")))
    refused = messages(pipe.react(pipe.session.receive(line({**about("tasks/get", meta={}), "id": 2}))))
    assert refused[0]["error"]["code"] == -32021
