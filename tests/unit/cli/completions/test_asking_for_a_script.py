"""``--completions`` as a process is asked for it."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from accord.cli.builtin import SHELLS
from accord.cli.completions import completion_script
from tests.unit.cli._showing import shown
from tests.unit.cli._workshop import app
from tests.unit.cli.completions._shells import need

PROGRAM = dedent(
    """
    from typing import Literal
    from accord import App

    app = App("tea", description="Thé")

    @app.command(description="Thé «vert» — 茶")
    def brew(kind: Literal["vert", "noir", "thé"] = "vert") -> str:
        return kind

    if __name__ == "__main__":
        app.run()
    """
)


def ask(directory: Path, *argv: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    write(directory)
    environment = {**os.environ, **environ}
    return subprocess.run(
        [sys.executable, *argv], cwd=directory, env=environment, capture_output=True, timeout=60, check=False
    )


def write(directory: Path) -> None:
    (directory / "tea.py").write_text(PROGRAM, encoding="utf-8")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_stream_that_writes_ascii_only_gets_ascii(shell: str, tmp_path: Path) -> None:
    asked = ask(tmp_path, "tea.py", "--completions", shell, PYTHONIOENCODING="ascii")
    assert (asked.returncode, asked.stderr) == (0, b"")
    assert asked.stdout.isascii()
    assert b"brew" in asked.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_it_is_the_same_every_time(shell: str, tmp_path: Path) -> None:
    runs = {ask(tmp_path, "tea.py", "--completions", shell, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")}
    assert len(runs) == 1


def test_it_is_for_the_name_the_program_was_started_by(tmp_path: Path) -> None:
    assert ask(tmp_path, "./tea.py", "--completions", "bash").stdout.count(b"'tea.py'") == 2
    # python -m tea is no command a shell could look up; tea may be one.
    assert shown(app, "--completions bash", program="python -m tea").out == completion_script(app, "workshop", "bash")


def test_bash_evaluates_what_the_program_writes(tmp_path: Path) -> None:
    write(tmp_path)
    asked = subprocess.run(
        [need("bash"), "--norc", "-c", f'eval "$({sys.executable} tea.py --completions bash)" && complete -p tea.py'],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert asked.stdout == "complete -F _accord_tea_2e_py tea.py\n"
    assert asked.stderr == ""


@pytest.mark.parametrize("line", ["--completions", "--completions tcsh"])
def test_a_shell_that_is_not_known_is_refused_with_those_that_are(line: str) -> None:
    refused = shown(app, line)
    assert refused.code == 2
    assert "bash, zsh, fish or powershell" in refused.err
