"""The code blocks of README.md and docs/ do what the text around them says.

- `python` blocks of one file run in order and share their names; `<!-- fresh -->` before a block starts anew.
- A `text` or `output` block right after a `python` block is what it prints, to the letter.
- A block whose first line is `# file: name.py` is also written to the directory the file's blocks run in.
- In a `console` block, `$ python ...` and `$ accord ...` are run there. What follows is what they print, with
  `...` for "anything"; when nothing follows, they must succeed.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if path.is_file()]

CONSOLE_FLAGS = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1 | doctest.DONT_ACCEPT_BLANKLINE
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[\w+-]*)")


class Block(NamedTuple):
    language: str
    code: str
    line: int  # of its first line of code
    fresh: bool
    follows: bool  # nothing but blank lines since the block before


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    lines, number, between = text.splitlines(), 0, ["start of the page"]
    while number < len(lines):
        opening = FENCE.match(lines[number])
        if not opening:
            between.append(lines[number].strip())
            number += 1
            continue
        start = number = number + 1
        closing = opening["indent"] + opening["ticks"]
        while number < len(lines) and lines[number].rstrip() != closing:
            number += 1
        code = "\n".join(line.removeprefix(opening["indent"]) for line in lines[start:number]) + "\n"
        said = [line for line in between if line]
        yield Block(opening["language"], code, start + 1, said[-1:] == ["<!-- fresh -->"], not said)
        number, between = number + 1, []


def run_python(block: Block, module: types.ModuleType, page: str) -> str:
    """Runs the block as a part of `module`; returns what it printed."""
    printed = io.StringIO()
    # Blank lines in front, so that a traceback names the line of the page.
    program = compile("\n" * (block.line - 1) + block.code, page, "exec", dont_inherit=True)
    with contextlib.redirect_stdout(printed):
        exec(program, module.__dict__)
    return printed.getvalue()


def run_console(block: Block, directory: Path, page: str) -> None:
    """Runs the commands of the block that are ours, and compares what they print."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment.get("PATH", "")])
    for offset, command, expected in commands(block.code):
        if command.split()[0] not in ("python", "python3", "accord"):
            continue
        done = subprocess.run(
            command,
            shell=True,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        where = f"{page}:{block.line + offset}: $ {command}"
        if expected:
            if not doctest.OutputChecker().check_output(trim(expected), trim(done.stdout), CONSOLE_FLAGS):
                differ(expected, done.stdout, where)
        elif done.returncode:
            pytest.fail(f"{where}\nends with exit code {done.returncode}:\n{done.stdout}", pytrace=False)


def commands(code: str) -> Iterator[tuple[int, str, str]]:
    """(line in the block, command, what is shown below it); a trailing backslash continues a command."""
    lines, number = code.splitlines(), 0
    while number < len(lines):
        start, command = number, lines[number].removeprefix("$ ")
        is_command = lines[number].startswith("$ ")
        number += 1
        while is_command and command.endswith("\\") and number < len(lines):
            command, number = command[:-1] + lines[number].strip(), number + 1
        shown = number
        while number < len(lines) and not lines[number].startswith("$ "):
            number += 1
        if is_command:
            yield start, command, "\n".join(lines[shown:number])


def trim(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n")) + "\n"


def differ(shown: str, printed: str, where: str) -> None:
    pytest.fail(f"{where}\nthe page shows:\n{trim(shown)}\nit prints:\n{trim(printed)}", pytrace=False)


def run_page(text: str, page: str, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs every block of a page, in order, in `directory`."""
    monkeypatch.chdir(directory)
    printed: str | None = None
    module: types.ModuleType | None = None
    for block in blocks(text):
        where = f"{page}:{block.line}"
        if named := re.match(r"# file: (\S+)\n", block.code):
            (directory / named[1]).parent.mkdir(parents=True, exist_ok=True)
            (directory / named[1]).write_text(block.code, encoding="utf-8")
        if block.language == "python":
            if module is None or block.fresh:
                # A real module: dataclasses and type hints look theirs up by name.
                module = types.ModuleType("snippet")
                monkeypatch.setitem(sys.modules, "snippet", module)
            try:
                printed = run_python(block, module, page)
            except Exception as error:
                error.add_note(f"in the block at {where}")
                raise
        elif block.language == "output" or (block.language == "text" and block.follows):
            if printed is not None and trim(block.code) != trim(printed):
                differ(block.code, printed, where)
            printed = None
        else:
            printed = None
            if block.language == "console" and sys.platform != "win32":  # they are written for a POSIX shell
                run_console(block, directory, page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_do_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix(), tmp_path, monkeypatch)


def fenced(language: str, code: str) -> str:
    return f"{'`' * 3}{language}\n{code}\n{'`' * 3}\n"


WRONG = {
    "raises": ("page.md:2", fenced("python", "raise SystemError")),
    "prints something else": ("page.md:6", fenced("python", "print(1)") + "\n" + fenced("text", "2")),
    "starts anew": ("page.md:6", fenced("python", "x = 1") + "<!-- fresh -->\n" + fenced("python", "x")),
    "exits": ("page.md:3", fenced("console", "$ ls\n$ python -c 'raise SystemExit(3)'")),
    "shows less": ("page.md:2", fenced("console", "$ python -c 'print(1, 2)'\n1")),
}
RIGHT = (
    fenced("python", "# file: one.py\nprint(1)\nx = 2")
    + fenced("text", "1")
    + "Prose.\n"
    + fenced("text", "a drawing")
    + fenced("python", "print(x)")
    + fenced("output", "2")
    + fenced("console", "$ python one.py\n1\n$ python \\\n    -c 'print(\"a\\nb\\nc\")'\na\n...\nc\n$ false")
)


@pytest.mark.parametrize(("where", "text"), WRONG.values(), ids=WRONG)
def test_a_page_that_is_wrong_fails_at_its_line(
    where: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises((Exception, pytest.fail.Exception)) as caught:
        run_page(text, "page.md", tmp_path, monkeypatch)
    assert where in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


def test_a_page_that_is_right_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(RIGHT, "page.md", tmp_path, monkeypatch)
