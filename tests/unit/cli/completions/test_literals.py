"""A text of the app, written into a script, is that text to the shell: whatever it holds, and nothing is run."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.completions import cases, fish
from tests.unit.cli.completions._shells import need

PIECES = [
    "'",
    '"',
    "\\",
    "`",
    "$",
    "$(touch pwned)",
    "`touch pwned`",
    "${HOME}",
    "!",
    "!!",
    "*",
    "?",
    "[a]",
    "~",
    "{a,b}",
    "\n",
]
PIECES += [
    "\t",
    " ",
    ";",
    "&",
    "|",
    "<",
    ">",
    "(",
    ")",
    "#",
    "%s",
    "=",
    ":",
    "-",
    "--",
    "é",
    "中",
    "🙂",
    "\x1b",
    "a",
    "''",
    "\\'",
]
WRITERS: dict[str, tuple[Callable[[str], str], list[str]]] = {
    "bash": (cases.quoted, ["--norc", "--noprofile", "-c"]),
    "zsh": (cases.quoted, ["-f", "-c"]),
    "fish": (fish.quoted, ["--no-config", "-c"]),
}


def texts() -> list[str]:
    chance = random.Random(7)
    return [*PIECES, *("".join(chance.choices(PIECES, k=chance.randint(2, 9))) for _ in range(500))]


@pytest.mark.parametrize("shell", WRITERS)
def test_a_literal_is_the_text_itself(shell: str, tmp_path: Path) -> None:
    quoted, options = WRITERS[shell]
    program = f"printf '%s\\0' {' '.join(map(quoted, texts()))}"
    done = subprocess.run([need(shell), *options, program], cwd=tmp_path, capture_output=True, timeout=60, check=True)
    assert done.stdout.decode().split("\0")[:-1] == texts()
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []
