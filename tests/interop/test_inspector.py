"""The official Inspector, on its command line, lists the tools of the example and calls them.

It needs Node 22.19, which is newer than some machines have: `_environments` says where one comes from.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.interop._environments import CLIENTS, ROOT, needed, node
from tests.interop.example import app

PROGRAM = CLIENTS / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
SERVER = [sys.executable, "tests/interop/example.py"]
TOOL_FAILED = 5  # the Inspector's exit code for a result that is an error

each_era = pytest.mark.parametrize("era", ["legacy", "modern"])


def inspected(home: Path, era: str, *words: str) -> tuple[int, Any, str]:
    """The Inspector's exit code, the JSON it printed, and what it said beside it. It keeps its files in `home`."""
    done = subprocess.run(
        [str(needed(node)), str(PROGRAM), "--cli", *SERVER, "--protocol-era", era, "--method", *words],
        cwd=ROOT,
        env={**os.environ, "HOME": str(home), "USERPROFILE": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.returncode, json.loads(done.stdout or "null"), done.stderr


@each_era
def test_it_lists_every_tool_and_finds_no_fault_with_a_schema(tmp_path: Path, era: str) -> None:
    code, listed, said = inspected(tmp_path, era, "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == list(app.tools)
    assert (code, said) == (0, "")


@each_era
def test_it_calls_a_tool(tmp_path: Path, era: str) -> None:
    code, result, _ = inspected(tmp_path, era, "tools/call", "--tool-name", "add", "--tool-arg", "a=1", "b=2")
    assert (code, result["structuredContent"], result["isError"]) == (0, {"sum": 3}, False)


@each_era
def test_it_shows_what_is_known_about_a_failure(tmp_path: Path, era: str) -> None:
    words = ["tools/call", "--tool-name", "fails", "--tool-arg", "how=on purpose"]
    code, result, _ = inspected(tmp_path, era, *words)
    assert (code, result["_meta"]["accord/errorData"]["code"]) == (TOOL_FAILED, "SOLD_OUT")
