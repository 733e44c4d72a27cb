"""A server that is killed in the middle of its tasks, and the one that is started after it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.unit.server._tasks import Client
from tests.unit.server._user import accept

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
import threading
from pathlib import Path

from accord import App, Context
from accord.tasks import SqliteTasks

directory = Path(sys.argv[1])
app = App("survivor", tasks=SqliteTasks(directory / "tasks.db", patience=2.0))


def count(what):
    with (directory / what).open("a") as file:
        file.write("x")


@app.command(task=True)
def pays(amount: int, ctx: Context) -> str:
    count("paid")
    threading.Event().wait()
    return "never"


@app.command(task=True)
async def asks(ctx: Context) -> str:
    count("asked")
    return f"Hello, {await ctx.aask('Who?')}"


@app.command(task=True)
def quick() -> str:
    count("quick")
    return "done"


app.serve("stdio")
"""


class Process(Client):
    """A server on stdin and stdout."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [sys.executable, str(directory / "program.py"), str(directory)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        )

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert answer["id"] == message["id"]
        return answer

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)


@contextmanager
def serving(directory: Path) -> Iterator[Process]:
    program = directory / "program.py"
    if not program.exists():  # another one may be reading it
        program.write_text(PROGRAM, encoding="utf-8")
    server = Process(directory)
    try:
        yield server
    finally:
        server.kill()
        for stream in (server.process.stdin, server.process.stdout):
            assert stream is not None
            stream.close()


def test_after_a_kill_no_task_is_lost_and_none_runs_twice(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        finished, paying, asking = first.begin("quick"), first.begin("pays", amount=5), first.begin("asks")
        first.until(finished)
        (key,) = first.until(asking, "input_required")["inputRequests"]
        assert first.get(paying)["status"] == "working"
        first.kill()
    with serving(tmp_path) as second:
        assert second.get(finished)["result"]["content"][0]["text"] == "done"
        assert second.get(paying)["status"] in ("working", "failed"), "it can be asked for at any time"
        for id in (paying, asking):
            failed = second.until(id)
            assert failed["status"] == "failed"
            assert failed["error"]["code"] == -32603
            assert "stopped before" in failed["error"]["message"]
        second.update(asking, **{key: accept(answer="Ada")})
        second.cancel(paying)
        assert second.get(asking)["status"] == second.get(paying)["status"] == "failed"
    assert [(tmp_path / name).read_text() for name in ("quick", "paid", "asked")] == ["x", "x", "x"]


def test_a_task_outlives_the_death_of_another_process_that_shares_its_file(tmp_path: Path) -> None:
    with serving(tmp_path) as living, serving(tmp_path) as dying:
        asking, lost = living.begin("asks"), dying.begin("asks")
        (key,) = living.until(asking, "input_required")["inputRequests"]
        dying.kill()
        assert living.until(lost)["status"] == "failed"
        living.update(asking, **{key: accept(answer="Ada")})
        assert living.until(asking)["result"]["content"][0]["text"] == "Hello, Ada"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM there")
def test_a_server_that_is_told_to_stop_says_that_its_tasks_have_failed(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        paying = first.begin("pays", amount=5)
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(20) == 0
    with serving(tmp_path) as second:
        assert second.get(paying)["status"] == "failed", "at once, without waiting for a silence"
