"""Completion in bash: through a terminal with TAB, and by calling the function as readline does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.cli._workshop import HOSTILE
from tests.unit.cli.completions._lines import LINES, PROGRAM
from tests.unit.cli.completions._shells import Terminal, bash, bash_offers, furnish


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bash")
    furnish(path)
    return path


@pytest.fixture(scope="module")
def shell(directory: Path) -> Iterator[Terminal]:
    with bash(directory) as opened:
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
        ('paint --finish="s', 'paint --finish="semi gloss" '),
        ("paint --finish o", "paint --finish o\\'clock "),
        ("copy --out data\\ ", "copy --out data\\ file.txt "),
        ('copy --out="data f', 'copy --out="data file.txt" '),
        ('send --address="@data.', 'send --address="@data.json" '),
        ("send --address @data\\ ", "send --address @data\\ file.txt "),
        ("copy odd@", "copy odd\\@name.txt "),
    ],
)
def test_words_with_blanks_and_quotes_are_quoted(typed: str, completed: str, shell: Terminal) -> None:
    line, _ = shell.press(f"{PROGRAM} {typed}\t")
    assert line == f"{PROGRAM} {completed}"


def test_the_word_under_the_cursor_is_completed_when_more_follows(shell: Terminal) -> None:
    start, forward = "\x01", "\x06" * len(f"{PROGRAM} dep")
    line, _ = shell.press(f"{PROGRAM} dep --service api{start}{forward}\t")
    assert line == f"{PROGRAM} deploy --service api"


def test_it_does_not_matter_at_which_characters_readline_splits(tmp_path: Path) -> None:
    furnish(tmp_path)
    with bash(tmp_path, setup="COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:@]}") as opened:
        for typed, completed in LINES:
            assert opened.press(f"{PROGRAM} {typed}\t")[0] == f"{PROGRAM} {completed}"


def test_a_program_started_by_its_path_completes_too(shell: Terminal) -> None:
    line, _ = shell.press(f"./{PROGRAM} dep\t")
    assert line == f"./{PROGRAM} deploy "


def test_several_possibilities_are_listed(shell: Terminal) -> None:
    _, screen = shell.press(f"{PROGRAM} \t")
    assert {"copy", "deploy", "odd", "paint", "report", "send", "site", "wipe"} <= set(screen.split())
    assert not {"secret", "elsewhere", "empty", "colour"} & set(screen.split())


OFFERS = {
    "the values of an option, glued by hand": (["--format", "=", "j"], ["json"]),
    "what readline replaces begins after the sign": (["--format=j"], ["json"]),
    "a built-in option a command has for itself is offered once": (["report", "--fo"], ["--format"]),
    "its short spelling is still the built-in one": (["report", "-v"], ["-v"]),
    "without a position left, the options": (["wipe", "--no-"], ["--no-color", "--no-input"]),
    "values are quoted": (["paint", "--finish", ""], ["semi\\ gloss", "\\$\\(touch\\ pwned\\)", "o\\'clock"]),
    "truth": (["send", "--address.kind", "="], ["home", "work"]),
    "nothing after a word that leads nowhere": (["nonsense", "-"], []),
    "nothing for a number": (["deploy", "--copies", ""], []),
}


@pytest.mark.parametrize(("words", "offers"), OFFERS.values(), ids=OFFERS)
def test_the_function_offers(words: list[str], offers: list[str], directory: Path) -> None:
    assert bash_offers(directory, [PROGRAM, *words]) == offers


@pytest.mark.parametrize("program", ["my app", "it's", "$(touch pwned)", "a;b", "ünïcode"])
def test_a_program_with_an_odd_name_completes(program: str, tmp_path: Path) -> None:
    typed = "".join(letter if letter.isalnum() else f"\\{letter}" for letter in program)
    with bash(tmp_path, program) as opened:
        line, _ = opened.press(f"{typed} dep\t")
    assert line == f"{typed} deploy "
    assert not (tmp_path / "pwned").exists()


def test_no_text_of_the_app_is_ever_run(shell: Terminal, directory: Path) -> None:
    for typed in ("", "odd ", "odd --", "odd --value ", "paint --finish ", "paint --finish $", "paint --finish='$"):
        shell.press(f"{PROGRAM} {typed}\t\t")
    assert "touch pwned" in HOSTILE
    assert not (directory / "pwned").exists()
