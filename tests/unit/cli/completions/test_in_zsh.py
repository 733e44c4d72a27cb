"""Completion in zsh, through a terminal with TAB."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.cli.completions._lines import LINES, PROGRAM
from tests.unit.cli.completions._shells import Terminal, furnish, need, script, terminal, zsh


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("zsh")
    furnish(path)
    return path


@pytest.fixture(scope="module")
def shell(directory: Path) -> Iterator[Terminal]:
    with zsh(directory) as opened:
        yield opened


@pytest.mark.parametrize(("typed", "completed"), LINES)
def test_tab_completes_a_line(typed: str, completed: str, shell: Terminal) -> None:
    line, _ = shell.press(f"{PROGRAM} {typed}\t")
    assert line == f"{PROGRAM} {completed}"


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("paint --finish s", "paint --finish semi\\ gloss "),
        ("paint --finish=s", "paint --finish=semi\\ gloss "),
        ("paint --finish 's", "paint --finish 'semi gloss' "),
        ("paint --finish o", "paint --finish o\\'clock "),
        ("copy --out data\\ ", "copy --out data\\ file.txt "),
        ("send --address @data\\ ", "send --address @data\\ file.txt "),
    ],
)
def test_words_with_blanks_and_quotes_are_quoted(typed: str, completed: str, shell: Terminal) -> None:
    line, _ = shell.press(f"{PROGRAM} {typed}\t")
    assert line == f"{PROGRAM} {completed}"


def test_a_program_started_by_its_path_completes_too(shell: Terminal) -> None:
    line, _ = shell.press(f"./{PROGRAM} dep\t")
    assert line == f"./{PROGRAM} deploy "


def test_commands_and_options_are_listed_with_what_they_are_for(shell: Terminal) -> None:
    _, commands = shell.press(f"{PROGRAM} \t")
    assert "deploy  -- Deploy a service" in commands
    assert "site    -- All about the site" in commands
    _, options = shell.press(f"{PROGRAM} deploy --\t")
    assert "--environment  -- Target environment" in options
    assert "--manifest     -- Show every command" in options


def test_a_description_is_shown_as_it_is_and_never_run(shell: Terminal, directory: Path) -> None:
    _, screen = shell.press(f"{PROGRAM} o\t")
    for typed in ("", "odd ", "odd --", "odd --value ", "paint --finish ", "paint --finish $"):
        screen += shell.press(f"{PROGRAM} {typed}\t\t")[1]
    assert 'it\'s "odd": $(touch pwned) `touch pwned` $HOME \\ %s ! *' in screen
    assert not (directory / "pwned").exists()


def test_the_script_works_as_a_file_that_is_loaded_when_first_needed(tmp_path: Path) -> None:
    script(tmp_path, "zsh").rename(tmp_path / f"_{PROGRAM}")
    (tmp_path / ".zshrc").write_text(
        "setopt no_beep no_prompt_sp\nunset zle_bracketed_paste\nfpath=($PWD $fpath)\n"
        "autoload -Uz compinit && compinit -D -u\n"
        "shown() { print -rn -- \"<<$BUFFER>>\" }\nzle -N shown\nbindkey -e\nbindkey '^T' shown\nPS1='READY> '\n"
    )
    with terminal(tmp_path, [need("zsh"), "-i"], ZDOTDIR=str(tmp_path)) as opened:
        assert opened.press(f"{PROGRAM} dep\t")[0] == f"{PROGRAM} deploy "
        assert opened.press(f"{PROGRAM} paint --color b\t")[0] == f"{PROGRAM} paint --color blue "


@pytest.mark.parametrize("program", ["my app", "it's", "$(touch pwned)", "a;b", "ünïcode"])
def test_a_program_with_an_odd_name_completes(program: str, tmp_path: Path) -> None:
    typed = "".join(letter if letter.isalnum() else f"\\{letter}" for letter in program)
    with zsh(tmp_path, program) as opened:
        line, _ = opened.press(f"{typed} dep\t")
    assert line == f"{typed} deploy "
    assert not (tmp_path / "pwned").exists()
