"""One warm `tools/call` takes few steps: how many the protocol may take, and all layers together."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import accord
from accord import App
from accord.protocol.events import CallTool
from accord.protocol.session import ServerSession
from accord.server.desk import Desk
from accord.server.profile import profile_of
from tests.protocol._server import Pipe
from tests.protocol._wire import EVERY, STATELESS, initialize, line, messages, request, stateless

#: functions entered, and the modules they are in
OF_THE_PROTOCOL, OF_ALL = (8, 4), (25, 8)
#: calls until a tool is compiled and its gates have their engine
WARM = 50

OURS = str(Path(accord.__file__).parent)


def entered(work: Callable[[], Any]) -> list[tuple[str, str]]:
    """Our functions that run while somebody works, by file and name."""
    seen: list[tuple[str, str]] = []

    def watch(frame: FrameType, what: str, _: Any) -> None:
        if what == "call" and frame.f_code.co_filename.startswith(OURS):
            seen.append((frame.f_code.co_filename.removeprefix(OURS), frame.f_code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(before)
    return seen


def said(version: str, id: int, name: str) -> bytes:
    call = stateless if version == STATELESS else request
    return line(call(id, "tools/call", name=name, arguments={"a": 1}))


@pytest.mark.parametrize("version", EVERY)
def test_the_protocol_takes_few_steps(version: str) -> None:
    session = Pipe().session
    session.receive(line(initialize(version)))
    data = said(version, 1, "add")

    def work() -> None:
        (event,) = session.receive(data)
        assert isinstance(event, CallTool)
        session.result(event, b'{"content":[]}')

    steps = entered(work)
    most, modules = OF_THE_PROTOCOL
    assert len(steps) <= most, steps
    assert len({file for file, _ in steps}) <= modules, steps


def adding() -> App:
    app = App("adding")

    @app.command
    def one(a: int) -> int:
        return a + 1

    @app.command
    def named(a: int) -> dict[str, int]:
        return {"sum": a + 1}

    return app


@pytest.mark.parametrize("name", ["one", "named"])
@pytest.mark.parametrize("version", EVERY)
def test_from_bytes_to_bytes_a_call_takes_few_steps(version: str, name: str) -> None:
    app, written = adding(), list[bytes]()
    session = ServerSession(profile_of(app))
    desk = Desk(app._registry, session, written.append)
    over = threading.Event()

    def answered(data: bytes) -> None:
        for event in session.receive(data):
            call = desk.accept(event)
            if call is not None:
                desk.answer(call, over.set)

    answered(line(initialize(version)))
    for number in range(WARM):
        answered(said(version, number, name))
    written.clear()
    steps = entered(lambda: answered(said(version, -1, name)))
    assert messages(b"".join(written))[0]["id"] == -1
    assert over.is_set()
    most, modules = OF_ALL
    assert len(steps) <= most, steps
    assert len({file for file, _ in steps}) <= modules, steps
