"""The typed examples say the same to both type checkers, and do at run time what they say."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from accord._options import Options
from accord._tool_options import ToolOptions
from accord._values import field_names
from tests.typing import decorated

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_registered_function_keeps_its_type(checker: str) -> None:
    command = [sys.executable, "-m", checker, str(HERE / "decorated.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_functions_are_what_they_were() -> None:
    assert decorated.bare(2, text="x") == ["x", "x"]
    assert decorated.named(1) == "1"
    assert asyncio.run(decorated.awaited(3)) == 3
    assert decorated.free(True) is True
    assert decorated.Tools().method(4) == 4
    assert {"bare", "renamed", "awaited", "group.steps"} == set(decorated.app.tools)


def test_options_are_declared_once() -> None:
    """Type checkers need the names as keywords; nobody may forget one on either side."""
    assert set(ToolOptions.__annotations__) == set(field_names(Options))
    assert ToolOptions.__total__ is False
