"""No bytes break the server of an app: at least none that this test can find."""

from __future__ import annotations

from tests.fuzz.inputs import rounds
from tests.fuzz.served import check

INPUTS = 3000


def test_any_bytes_are_answered_with_messages_and_leave_nothing_open() -> None:
    seen = rounds(check, INPUTS, seed=0)
    # What was tried reaches every part: each kind of request and of message.
    assert {"CallTool", "ListTools", "ReadResource", "GetPrompt", "Complete", "Listen", "Cancelled"} <= seen.keys()
    assert {"result", "error", "elicitation/create", "notifications/progress", "notifications/message"} <= seen.keys()
    assert "notifications/subscriptions/acknowledged" in seen
