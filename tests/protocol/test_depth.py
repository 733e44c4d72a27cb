"""However deep a message is nested, it is served or refused: nothing lies between what two steps can take."""

from __future__ import annotations

import json

from accord.protocol.events import CallTool, Send
from tests.protocol._server import Pipe
from tests.protocol._wire import messages, stateless


def test_every_depth_is_served_or_refused() -> None:
    session = Pipe().session
    said = json.dumps(stateless(1, "tools/call", name="x", arguments={"a": "@"}, requestState="x" * 70))
    plain = json.dumps(stateless(2, "tools/call", name="x", arguments={"a": "@"}))
    outcomes = set()
    # The interpreter decides how deep is too deep: about a thousand up to Python 3.11, ten thousand since.
    for levels in (*range(1, 1100, 3), *range(9_900, 10_100, 7), 100_000):
        nested = "[" * levels + "]" * levels
        for text in (said, plain):
            (event,) = session.message(text.replace('"@"', nested).encode())
            if isinstance(event, Send):
                outcomes.add(messages(event.data)[0]["error"]["code"])
            else:
                assert isinstance(event, CallTool)
                outcomes.add("served")
                session.abandon(event)
    assert outcomes == {"served", -32602, -32700}
