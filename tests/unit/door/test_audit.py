"""One line for each call, which nobody can forge and which gives nothing away."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import App, Call, Principal, ToolError
from accord._calls import KINDS, Failed, Ok
from accord.door.audit import is_audited, record_call, record_refusal
from accord.door.refusal import Refusal
from tests.unit.door._visits import visit

app = App("audited")


@app.command
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


ADD = app.tools["add"]
LOG = logging.getLogger("accord.audit")


class Page(logging.Handler):
    """Keeps what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    page = Page()
    before = LOG.level
    LOG.addHandler(page)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    yield page
    LOG.removeHandler(page)
    LOG.setLevel(before)
    LOG.propagate = True


def written(page: Page) -> dict[str, Any]:
    """The one line that was written since."""
    [line] = page.lines
    page.lines.clear()
    assert line.isprintable()
    assert line.isascii()
    read: dict[str, Any] = json.loads(line)
    return read


def test_the_line_of_a_call_says_who_called_what_and_how_it_ended(page: Page) -> None:
    call = Call("add", {"a": 1, "b": 2}, "mcp", principal="alice", request_id=7)
    record_call(call, ADD, Ok(3), 0.0123456, session="s" * 30)
    line = written(page)
    session = line.pop("session")
    assert line == {
        "event": "call",
        "principal": "alice",
        "surface": "mcp",
        "tool": "add",
        "contract": ADD.digest,
        "outcome": "ok",
        "milliseconds": 12.346,
        "request": 7,
    }
    assert len(session) == 16
    assert "sss" not in session


def test_a_session_is_told_from_another_by_its_trace(page: Page) -> None:
    traces = []
    for session in ("one", "two", "one"):
        record_call(Call("add", {}), ADD, Ok(3), 0, session=session)
        traces.append(written(page)["session"])
    assert traces[0] == traces[2] != traces[1]


ENDINGS = {
    "a result": (Ok(1), "ok"),
    "content that is an error": (Ok(1, is_error=True), "tool_error"),
    "a failure": (Failed(KINDS["tool_error"], "x", {}, ToolError("x")), "tool_error"),
    "a refusal": (Failed(KINDS["type_mismatch"], "x", {}), "type_mismatch"),
    "a timeout": (Failed(KINDS["timeout"], "x", {}), "timeout"),
}


@pytest.mark.parametrize(("outcome", "told"), ENDINGS.values(), ids=ENDINGS)
def test_an_ending_is_a_reason_of_the_error_table(page: Page, outcome: Ok | Failed, told: str) -> None:
    record_call(Call("add", {}), ADD, outcome, 0)
    assert written(page)["outcome"] == told


def test_neither_arguments_nor_results_nor_messages_are_written(page: Page) -> None:
    call = Call("add", {"a": "SECRET-1"}, "mcp")
    failed = Failed(KINDS["tool_error"], "SECRET-2", {"x": "SECRET-3"}, ToolError("SECRET-4"))
    record_call(call, ADD, failed, 0)
    record_call(call, ADD, Ok("SECRET-5", encoded="SECRET-5", structured="SECRET-5"), 0)
    assert "SECRET" not in "".join(page.lines)
    page.lines.clear()


def test_a_tool_that_is_not_there_is_written_as_it_was_asked_for_and_has_no_contract(page: Page) -> None:
    record_call(Call("nope", {}), None, Failed(KINDS["unknown_tool"], "", {}), 0)
    line = written(page)
    assert line["tool"] == "nope"
    assert not {"contract", "principal", "session", "request"} & line.keys()


def test_a_tool_that_cannot_be_compiled_has_no_contract(page: Page) -> None:
    def broken(x: NotDefinedYet) -> None: ...  # type: ignore[name-defined]  # noqa: F821 - that is what is tested

    other = App("broken")
    other.command(broken)
    record_call(Call("broken", {}), other.tools["broken"], Failed(KINDS["tool_error"], "", {}), 0)
    assert "contract" not in written(page)


FORGERIES = [
    'x"}\n{"event":"call","principal":"root"',
    "x\r\nINFO accord.audit {}",
    "x\x1b[2K\x1b[1A",
    "x\x85y\u2028z\u2029",
    "\u202egnol\u202c",
    "\x00\x7f\x9b",
    "\ud800",
    '"}',
    "\\",
]


@pytest.mark.parametrize("text", FORGERIES, ids=ascii)
def test_no_name_forges_a_line(page: Page, text: str) -> None:
    record_call(Call(text, {}, principal=text, request_id=text), None, Failed(KINDS["unknown_tool"], "", {}), 0)
    line = written(page)
    assert line["principal"] == line["tool"] == line["request"] == text


@given(st.text(), st.text(), st.text() | st.integers())
def test_whatever_callers_choose_is_one_line_of_printable_ascii(page: Page, name: str, who: str, id: str | int) -> None:
    record_call(Call(name, {}, principal=who, request_id=id), None, Ok(1), 0, session=name)
    line = written(page)
    assert line["tool"] == (name[:197] + "..." if len(name) > 200 else name)


@pytest.mark.parametrize("id", [10**25, -(10**25), 10**400, "x" * 10_000], ids=["large", "small", "enormous", "long"])
def test_no_line_is_long(page: Page, id: str | int) -> None:
    record_call(Call("t" * 10_000, {}, principal="p" * 10_000, request_id=id), None, Ok(1), 0)
    record_refusal(visit("V" * 10_000), Refusal(403, "no"))
    assert all(len(line) < 1000 for line in page.lines)
    page.lines.clear()


def test_the_line_of_a_refused_request_says_where_it_came_from_and_nothing_of_its_headers(page: Page) -> None:
    asking = visit("GET", {"authorization": "Bearer SECRET"}, query="access_token=SECRET")
    record_refusal(asking, Refusal(401, "A token is needed"))
    assert written(page) == {
        "event": "refused",
        "client": "203.0.113.9",
        "verb": "GET",
        "path": "/mcp",
        "status": 401,
        "outcome": "A token is needed",
    }
    record_refusal(asking, Refusal(403, "no"), Principal("alice", claims={"x": "SECRET"}))
    assert written(page)["principal"] == "alice"


def test_nothing_is_made_where_nobody_reads(page: Page) -> None:
    LOG.setLevel(logging.WARNING)
    try:
        assert not is_audited()
        record_call(Call("add", {}), ADD, Ok(1), 0)
        record_refusal(visit(), Refusal(403, "no"))
        assert page.lines == []
    finally:
        LOG.setLevel(logging.INFO)
    assert is_audited()
