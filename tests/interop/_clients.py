"""The official clients: how each is started, and what it saw of the conversation."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from tests.interop._conversation import NOT_THERE, STEPS
from tests.interop._environments import CLIENTS, ROOT, needed, node, python_with
from tests.interop._steps import HANDSHAKE, STATELESS, Step

# How a client reaches the server. The client programs have a word for each way.
STDIO = {"stdio": {"command": sys.executable, "args": ["-m", "tests.interop.example"], "cwd": str(ROOT)}}

DEADLINE = 240.0


@dataclass(frozen=True)
class Client:
    """A client program, the eras it speaks, and how to come by what runs it."""

    program: str
    eras: tuple[str, ...]
    runner: Callable[[], Path]
    # (era, step) -> what this client makes of it, where it shows its user something else than what was sent
    makes: dict[tuple[str, str], Any] = field(default_factory=dict)

    def sees(self, era: str, step: Step) -> Any:
        return self.makes.get((era, step.says), step.seen_in(era))


# The newest of each generation. Those in TypeScript are pinned in `clients/package.json`.
OFFICIAL = {
    "python-1": Client("mcp1.py", (HANDSHAKE,), lambda: python_with("mcp==1.30.0")),
    "python-2": Client("mcp2.py", (HANDSHAKE, STATELESS), lambda: python_with("mcp==2.3.0")),
    "typescript-1": Client("sdk1.mjs", (HANDSHAKE,), node),
    # Shows the code of the stateless era for a resource that is not there, whatever the server sent.
    "typescript-2": Client(
        "sdk2.mjs", (HANDSHAKE, STATELESS), node, {(HANDSHAKE, NOT_THERE.says): NOT_THERE.seen_in(STATELESS)}
    ),
}


@dataclass(frozen=True)
class Heard:
    """What a client program said: what it saw at each step of each era, and how it ended."""

    saw: dict[tuple[str, str], Any]
    code: int | None
    stderr: str

    def at(self, era: str, says: str) -> Any:
        assert (era, says) in self.saw, f"the client never came so far (exit code {self.code}):\n{self.stderr}"
        return self.saw[era, says]


def conversation(
    client: Client, server: dict[str, Any], steps: Callable[[str], list[Step]] = lambda _era: STEPS
) -> Heard:
    """Hold the whole conversation: in every era the client speaks, with a user and without."""
    plan = {
        "server": server,
        "conversations": [
            {"era": era, "user": user, "steps": [_given(step) for step in steps(era) if step.user is user]}
            for era, user in product(client.eras, (True, False))
        ],
    }
    command = [str(needed(client.runner)), str(CLIENTS / client.program)]
    options: dict[str, Any] = {"input": json.dumps(plan), "capture_output": True, "encoding": "utf-8"}
    try:
        done = subprocess.run(command, cwd=ROOT, timeout=DEADLINE, check=False, **options)
    except subprocess.TimeoutExpired as late:  # what it did say is worth hearing
        said, complained = (data.decode() if isinstance(data, bytes) else data for data in (late.stdout, late.stderr))
        return Heard(_read(said or ""), None, complained or "")
    return Heard(_read(done.stdout), done.returncode, done.stderr)


def _given(step: Step) -> dict[str, Any]:
    return {"says": step.says, "verb": step.verb, "given": step.given}


def _read(stdout: str) -> dict[tuple[str, str], Any]:
    lines = [json.loads(line) for line in stdout.splitlines()]
    return {(line["era"], line["says"]): line["saw"] for line in lines}
