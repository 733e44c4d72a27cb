"""No bytes break the protocol: at least none that this test can find."""

from __future__ import annotations

from tests.fuzz.inputs import rounds
from tests.fuzz.wire import check

INPUTS = 4000


def test_any_bytes_give_events_however_they_are_cut() -> None:
    seen = rounds(check, INPUTS, seed=0)
    # What was tried reaches every part: each kind of event, and each error that bytes alone can cause.
    assert {"CallTool", "ListTools", "ReadResource", "GetPrompt", "Complete", "Listen", "Cancelled"} <= seen.keys()
    assert {"Initialized", "RootsChanged", "sent"} <= seen.keys()
    assert {"-32700", "-32600", "-32601", "-32602", "-32022"} <= seen.keys()
