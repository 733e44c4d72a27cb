"""One thread receives while others answer: each request gets exactly one end, and nothing is left of it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from accord.protocol.errors import NotAllowed
from accord.protocol.events import Cancelled, Listen, Request
from accord.protocol.questions import ListRoots
from accord.protocol.session import ServerSession
from tests.protocol._server import profile, small
from tests.protocol._wire import initialize, line, messages, notification, request, stateless

CALLS = 3000


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """The interpreter changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_a_request_is_answered_or_cancelled_and_never_both() -> None:
    session = ServerSession(profile())
    session.receive(line(initialize(roots={})))
    to_do: SimpleQueue[Request | None] = SimpleQueue()
    written: list[bytes] = []

    def work() -> None:
        while (call := to_do.get()) is not None:
            session.progress(call, 1)
            if call.id % 3 == 0:
                try:
                    session.ask(ListRoots(), call)
                except NotAllowed:
                    continue
            written.append(session.result(call, b'{"content":[]}'))

    worker = threading.Thread(target=work)
    worker.start()
    cancelled = set()
    for number in range(1, CALLS + 1):
        (call,) = session.receive(line(request(number, "tools/call", name="x", _meta={"progressToken": 1})))
        assert isinstance(call, Request)
        to_do.put(call)
        for event in session.receive(line(notification("notifications/cancelled", requestId=number))):
            assert isinstance(event, Cancelled)
            cancelled.add(event.request.id)
    to_do.put(None)
    worker.join()
    # What was asked on behalf of an answered call is withdrawn by a notification, which has no id.
    answered = [message["id"] for data in written if data for message in messages(data) if "id" in message]
    assert len(answered) == len(set(answered))
    assert cancelled.isdisjoint(answered)
    assert cancelled | set(answered) == set(range(1, CALLS + 1))
    assert session.open == []
    assert session._asking._open == {}


def test_a_stream_that_is_cancelled_while_it_opens_leaves_nothing() -> None:
    session = ServerSession(small(streams=10_000))
    to_do: SimpleQueue[Listen | None] = SimpleQueue()

    def work() -> None:
        while (listen := to_do.get()) is not None:
            session.acknowledge(listen)

    worker = threading.Thread(target=work)
    worker.start()
    for number in range(CALLS):
        said = stateless(number, "subscriptions/listen", notifications={"toolsListChanged": True})
        (listen,) = session.receive(line(said))
        assert isinstance(listen, Listen)
        to_do.put(listen)
        session.receive(line(notification("notifications/cancelled", requestId=number)))
    to_do.put(None)
    worker.join()
    assert session.open == []
    assert session.listening.changed("tools") == b""
