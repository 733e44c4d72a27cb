"""One warm `tools/call` takes few steps here, of the 25 functions in 8 modules it may take in all layers together."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from accord.protocol.events import CallTool
from tests.protocol._server import Pipe
from tests.protocol._wire import EVERY, STATELESS, initialize, line, request, stateless

FUNCTIONS, MODULES = 8, 4


@pytest.mark.parametrize("version", EVERY)
def test_a_warm_call_takes_few_steps(version: str) -> None:
    session = Pipe().session
    session.receive(line(initialize(version)))
    call = stateless if version == STATELESS else request
    data = line(call(1, "tools/call", name="add", arguments={"a": 1}))
    entered: list[tuple[str, str]] = []

    def watch(frame: FrameType, what: str, _: Any) -> None:
        if what == "call" and "accord" in frame.f_code.co_filename:
            entered.append((frame.f_code.co_filename, frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        (event,) = session.receive(data)
        assert isinstance(event, CallTool)
        session.result(event, b'{"content":[]}')
    finally:
        sys.setprofile(before)
    entered = [(file, name) for file, name in entered if "protocol" in file and "tests" not in file]
    assert len(set(entered)) <= FUNCTIONS, entered
    assert len(entered) <= FUNCTIONS, entered
    assert len({file for file, _ in entered}) <= MODULES, entered
