"""A directory with an app in it, and the program to run there."""

from pathlib import Path

import pytest

from tests.unit.cli.commands._programs import Program


@pytest.fixture
def accord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Program:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    program = Program(tmp_path, capfd)
    program.write("fleet.py")
    return program
