"""The server as a process: who waits for whom, what may end it, and what may never reach its pipe."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.interop._pipe import NEW, ROOT, Pipe
from tests.protocol._checklist import covers

HOSTILE = "tests.interop.hostile"


# (tool, seconds within which a ping is answered while it runs)
HOSTILE_TOOLS = [
    ("sleeps", 0.05),
    ("spins", 0.25),
    ("floods", 0.05),
    ("exits", 0.05),
    ("pipes", 0.05),
    ("writes", 0.05),
    ("dies_of_interrupt", 0.05),
]


# A machine with other things to do may hold up a ping for reasons of its own, but not in every one of these.
ATTEMPTS = 4


@covers(7, 10, 59)
@pytest.mark.parametrize(("tool", "limit"), HOSTILE_TOOLS, ids=[row[0] for row in HOSTILE_TOOLS])
def test_a_tool_that_behaves_badly_holds_up_nobody(tool: str, limit: float) -> None:
    """Every ping is in time, the first one after the call included."""
    slowest = []
    while len(slowest) < ATTEMPTS and min(slowest, default=limit) >= limit:
        slowest.append(slowest_ping_beside(tool))
    assert min(slowest) < limit


def slowest_ping_beside(tool: str) -> float:
    """How long a server let a ping wait that was called so. Reading it proves that its stdout is pure JSON."""
    with Pipe(module=HOSTILE) as pipe:
        pipe.drain()
        pipe.shake_hands()
        pipe.answer(pipe.call("add", {"a": 0, "b": 0}))
        bad = pipe.call(tool)
        times = []
        for number in range(15):
            start = time.monotonic()
            assert pipe.ask("ping") == {"jsonrpc": "2.0", "id": number + 4, "result": {}}
            times.append(time.monotonic() - start)
        added = pipe.answer(pipe.call("add", {"a": 1, "b": 2}))
        assert added["result"]["structuredContent"] == {"result": 3}
        if tool in ("sleeps", "spins"):
            assert bad not in pipe._heard, "it still runs"
        if tool != "sleeps":
            answer = pipe.answer(bad)["result"]
            assert answer["isError"] == (tool in ("exits", "dies_of_interrupt"))
        return max(times)


def test_both_eras_are_served_on_one_pipe_in_any_order() -> None:
    with Pipe() as pipe:
        new = pipe.ask("tools/call", {"name": "count", "arguments": {"items": ["a"]}, "_meta": NEW})
        assert new["result"]["structuredContent"] == 1
        assert new["result"]["resultType"] == "complete"
        pipe.shake_hands()
        old = pipe.ask("tools/call", {"name": "count", "arguments": {"items": ["a"]}})
        assert old["result"]["structuredContent"] == {"result": 1}
        assert "resultType" not in old["result"]
        again = pipe.ask("server/discover", {"_meta": NEW})
        assert "2026-07-28" in again["result"]["supportedVersions"]


def test_the_end_of_stdin_ends_the_server() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        last = pipe.call("add", {"a": 1, "b": 1})
        assert pipe.answer(last)["result"]["structuredContent"] == {"sum": 2}
        assert pipe.ends() == 0


@covers(8)
def test_the_end_of_stdin_withdraws_what_runs_and_ends_the_process() -> None:
    with Pipe(module=HOSTILE) as pipe:
        pipe.shake_hands()
        for tool in ("lasts", "alasts"):
            pipe.call(tool)
        pipe.ask("ping")
        start = time.monotonic()
        assert pipe.ends() == 0
        assert time.monotonic() - start < 10
        assert pipe.process.stderr is not None
        said = pipe.process.stderr.read()
        assert b"the sync tool was told" in said
        assert b"the async tool was told" in said


def test_what_came_before_the_end_is_still_answered() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        calls = [pipe.call("add", {"a": number, "b": 0}) for number in range(20)]
        assert pipe.process.stdin is not None
        pipe.process.stdin.close()
        assert [pipe.answer(call)["result"]["structuredContent"]["sum"] for call in calls] == list(range(20))
        assert pipe.process.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking them")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_the_server_cleanly_though_a_tool_runs(number: signal.Signals) -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        pipe.call("waits", {"seconds": 60})
        pipe.ask("ping")
        pipe.process.send_signal(number)
        assert pipe.process.wait(30) == 0
        assert pipe.process.stderr is not None
        assert b"Traceback" not in pipe.process.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking them")
@pytest.mark.parametrize("end", ["SIGTERM", "SIGTERM twice", "the end of stdin"])
def test_a_client_that_does_not_read_keeps_no_server_alive(end: str) -> None:
    with Pipe(module=HOSTILE) as pipe:
        pipe.shake_hands()
        for _ in range(20):
            pipe.call("large", {"size": 100_000})
        assert pipe.process.stdin is not None
        select.select([pipe.process.stdout], [], [], 30)
        if end == "the end of stdin":
            pipe.process.stdin.close()
        else:
            pipe.process.send_signal(signal.SIGTERM)
        if end == "SIGTERM twice":
            pipe.process.send_signal(signal.SIGTERM)
        assert pipe.process.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking them")
def test_an_idle_server_ends_at_once_when_it_is_told() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        start = time.monotonic()
        pipe.process.send_signal(signal.SIGTERM)
        assert pipe.process.wait(30) == 0
        assert time.monotonic() - start < 1.5


def test_a_client_that_is_gone_ends_the_server() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        assert pipe.process.stdout is not None
        pipe.process.stdout.close()
        pipe.send("ping")
        assert pipe.process.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows always block")
def test_a_pipe_that_does_not_block_is_waited_for_all_the_same() -> None:
    theirs, to = os.pipe()
    from_, outgoing = os.pipe()
    os.set_blocking(theirs, False)
    os.set_blocking(outgoing, False)
    with Pipe("--mcp", module=HOSTILE, stdin=theirs, stdout=outgoing) as pipe:
        os.close(theirs)
        os.close(outgoing)
        pipe.process.stdin, pipe.process.stdout = os.fdopen(to, "wb", 0), os.fdopen(from_, "rb", 0)
        pipe.shake_hands()
        calls = [pipe.call("large", {"size": 100_000}) for _ in range(20)]
        assert all(pipe.answer(call)["result"]["isError"] is False for call in calls)
        assert pipe.ends() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_process_that_lacks_a_stream_ends_well(closed: str) -> None:
    program = f'"{sys.executable}" -m tests.interop.example --mcp {closed}'
    said = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    ended = subprocess.run(["sh", "-c", program], input=said, capture_output=True, cwd=ROOT, timeout=30, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout == (b'{"jsonrpc":"2.0","id":1,"result":{}}\n' if closed == "2>&-" else b"")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_process_that_a_tool_forks_neither_answers_nor_reads() -> None:
    with Pipe(module=HOSTILE) as pipe:
        pipe.shake_hands()
        children = [pipe.answer(pipe.call("forks"))["result"]["structuredContent"]["result"] for _ in range(5)]
        try:
            assert all(children)
            for number in range(200):
                assert (
                    pipe.answer(pipe.call("add", {"a": number, "b": 0}))["result"]["structuredContent"]["result"]
                    == number
                )
            assert pipe.ends() == 0
            assert pipe.process.stdout is not None
            assert pipe.process.stdout.read() == b""  # its end: no child holds the pipe
        finally:
            for child in filter(None, children):  # 0 would be all of us
                os.kill(child, signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="the tool uses C's own library")
def test_what_is_left_in_buffers_at_the_end_is_not_for_the_client() -> None:
    with Pipe(module=HOSTILE) as pipe:
        pipe.shake_hands()
        assert pipe.answer(pipe.call("keeps_to_itself"))["result"]["isError"] is False
        assert pipe.ends() == 0
        assert pipe.process.stdout is not None
        assert pipe.process.stdout.read() == b""
        assert pipe.process.stderr is not None
        said = pipe.process.stderr.read()
    assert b"from a buffer\n" in said
    assert b"from a buffer of C's" in said


def test_more_calls_than_threads_are_all_answered_and_pings_between_them() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        calls = [pipe.call("waits", {"seconds": 0.2}) for _ in range(200)]
        assert pipe.ask("ping")["result"] == {}
        assert all(pipe.answer(call)["result"]["structuredContent"] == {"result": "waited"} for call in calls)


def test_a_cancelled_call_is_never_answered_and_its_tool_hears_of_it() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        call = pipe.call("waits", {"seconds": 60})
        pipe.ask("ping")
        pipe.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
        assert pipe.ask("ping")["result"] == {}
        assert call not in pipe._heard
        assert pipe.ends() == 0  # at once: nothing runs any more


def test_text_survives_whatever_it_holds() -> None:
    text = "line\nfeed \u2028 \u0085 \x00 \x1b[31m 🙂 \ufeff"
    with Pipe() as pipe:
        pipe.shake_hands()
        result = pipe.answer(pipe.call("echo", {"text": text}))["result"]
        assert result["content"][0]["text"] == text


def test_rubbish_is_answered_and_does_no_harm() -> None:
    with Pipe("--mcp") as pipe:
        pipe.say(b"\x00\xff not json\n[]\n{}\n\n" + b"[" * 100_000 + b"\n")
        codes = [pipe.hear()["error"]["code"] for _ in range(3)]
        assert set(codes) <= {-32700, -32600}
        pipe.shake_hands()
        assert pipe.ask("tools/list")["result"]["tools"][0]["name"] == "echo"


def test_the_option_serves_as_well() -> None:
    with Pipe("--mcp") as pipe:
        assert pipe.shake_hands()["result"]["serverInfo"]["name"] == "example"
        assert pipe.ends() == 0


def test_without_a_client_a_program_without_arguments_shows_its_help() -> None:
    with Pipe() as pipe:
        assert pipe.ends() == 0
        assert pipe.process.stdout is not None
        assert b"Usage:" in pipe.process.stdout.read()


def test_what_no_client_wants_to_hear_and_why_a_tool_failed_stands_on_stderr() -> None:
    with Pipe() as pipe:
        pipe.shake_hands()
        assert pipe.answer(pipe.call("fails", {"how": "for a reason"}))["result"]["isError"]
        assert pipe.answer(pipe.call("waits", {"seconds": 0}))["result"]["isError"] is False
        assert pipe.ends() == 0
        assert pipe.process.stderr is not None
        said = pipe.process.stderr.read().decode()
    assert "RuntimeError: for a reason" in said
    assert "Traceback" in said
    assert "INFO accord.tools: waits: waiting" in said
