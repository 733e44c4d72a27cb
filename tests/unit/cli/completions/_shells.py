"""Real shells, driven as a person drives them: type, press TAB, look at the line.

A shell that is missing fails the test where nobody would look at a skip (CI is set, or ACCORD_ALL_SHELLS); elsewhere
the test says what it needs. `make shells` installs them.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accord.cli.completions import completion_script
from tests.unit.cli._workshop import app

PROGRAM = "workshop.py"
FILES = ("data.json", "data file.txt", "odd@name.txt", "subdir/inner.txt")


def need(shell: str) -> str:
    """The shell's program."""
    if sys.platform == "win32":
        pytest.skip("the shells of POSIX systems, driven through a terminal of theirs")
    found = shutil.which(shell)
    if found is not None:
        return found
    sentence = f"{shell} is not installed, and its completions are tested in the real shell: run `make shells`"
    if os.environ.get("CI") or os.environ.get("ACCORD_ALL_SHELLS"):
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


def furnish(directory: Path) -> None:
    """Files to complete."""
    for name in FILES:
        (directory / name).parent.mkdir(exist_ok=True)
        (directory / name).write_text("{}")


def script(directory: Path, shell: str, program: str = PROGRAM) -> Path:
    """The script of the example app, saved."""
    path = directory / f"completions.{shell}"
    path.write_text(completion_script(app, program, shell), encoding="utf-8")
    return path


class Terminal:
    """An interactive shell. Its rc file binds Ctrl-T to a command that shows the line between << and >>."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._seen = ""
        self.until(r"READY> ")

    def press(self, keys: str) -> tuple[str, str]:
        """The line after these keys, and what was on the screen before that."""
        self._write(f"\x05\x15{keys}\x14")  # Ctrl-E and Ctrl-U clear the line
        screen = self.until(r"<<(?s:(.*?))>>")
        found = re.search(r"<<(?s:(.*?))>>", screen)
        assert found is not None
        return found[1], screen[: found.start()]

    def until(self, pattern: str) -> str:
        """What is shown up to a text."""
        while (found := re.search(pattern, self._seen)) is None:
            try:
                data = os.read(self._fd, 65536)
            except OSError:  # how Linux says that the other end is closed
                data = b""
            assert data, f"the shell has ended:\n{self._seen}"
            self._seen += data.decode("utf-8", "replace")
        shown, self._seen = self._seen[: found.end()], self._seen[found.end() :]
        return shown

    def _write(self, text: str) -> None:
        os.write(self._fd, text.encode())


@contextmanager
def terminal(directory: Path, argv: list[str], **environment: str) -> Iterator[Terminal]:
    """A shell in a terminal of its own, 200 columns wide."""
    import fcntl
    import pty
    import struct
    import termios

    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    clean = {"PATH": os.environ["PATH"], "HOME": str(directory), "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
    shell = subprocess.Popen(
        argv, cwd=directory, env=clean, stdin=other, stdout=other, stderr=other, start_new_session=True
    )
    os.close(other)
    try:
        yield Terminal(main)
    finally:
        shell.kill()
        shell.wait()
        os.close(main)


@contextmanager
def bash(directory: Path, program: str = PROGRAM, setup: str = "") -> Iterator[Terminal]:
    executable = need("bash")
    (directory / "bashrc").write_text(
        f"source {shlex.quote(str(script(directory, 'bash', program)))}\n"
        "shown() { printf '<<%s>>' \"$READLINE_LINE\"; }\n"
        "bind -x '\"\\C-t\": shown'\n"
        "bind 'set bell-style none' 'set show-all-if-ambiguous on' 'set enable-bracketed-paste off'\n"
        "bind 'set page-completions off' 'set completion-query-items 0'\n"
        f"{setup}\nPS1='READY> '\n"
    )
    with terminal(directory, [executable, "--rcfile", "bashrc", "-i"]) as shell:
        yield shell


@contextmanager
def zsh(directory: Path, program: str = PROGRAM) -> Iterator[Terminal]:
    executable = need("zsh")
    saved = script(directory, "zsh", program)
    (directory / ".zshrc").write_text(
        "setopt no_beep no_prompt_sp no_list_beep\nunset zle_bracketed_paste\nLISTMAX=1000\n"
        f'autoload -Uz compinit && compinit -D -u\neval "$(cat {shlex.quote(str(saved))})"\n'
        "shown() { print -rn -- \"<<$BUFFER>>\" }\nzle -N shown\nbindkey -e\nbindkey '^T' shown\n"
        "PS1='READY> '\n"
    )
    with terminal(directory, [executable, "-i"], ZDOTDIR=str(directory)) as shell:
        yield shell


def fish_offers(directory: Path, line: str, program: str = PROGRAM) -> list[tuple[str, str]]:
    """What fish offers for a line: each word and its description."""
    saved = script(directory, "fish", program)
    command = f"source {shlex.quote(str(saved))}; complete -C {_fish_quoted(line)}"
    done = subprocess.run(
        [need("fish"), "--no-config", "-c", command],
        cwd=directory,
        env={"PATH": os.environ["PATH"], "HOME": str(directory), "LC_ALL": "C.UTF-8", "TERM": "dumb"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert not done.stderr, done.stderr
    pairs = [offer.partition("\t") for offer in done.stdout.splitlines()]
    return [(word, says) for word, _, says in pairs]


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def bash_offers(directory: Path, words: list[str]) -> list[str]:
    """What the bash function puts into COMPREPLY for words that end at the cursor."""
    saved = script(directory, "bash")
    listed = " ".join(map(shlex.quote, words))
    program = (
        "set -u\n"  # some people do, and nothing may be unset then
        f'eval "$(cat {shlex.quote(str(saved))})"\n'
        f"COMP_WORDS=({listed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        f'completed=$(complete -p {PROGRAM}); set -- $completed; "$3"\n'
        'for item in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf \'%s\\n\' "$item"; done\n'
    )
    done = subprocess.run(
        [need("bash"), "--norc", "--noprofile", "-c", program],
        cwd=directory,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()
