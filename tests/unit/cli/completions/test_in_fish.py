"""Completion in fish, by its own ``complete -C``, which answers as TAB does."""

import shlex
from pathlib import Path

import pytest

from tests.unit.cli.completions._lines import LINES, PROGRAM
from tests.unit.cli.completions._shells import fish_offers, furnish


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fish")
    furnish(path)
    return path


@pytest.mark.parametrize(("typed", "completed"), LINES)
def test_what_is_offered_completes_a_line(typed: str, completed: str, directory: Path) -> None:
    last = shlex.split(typed)[-1]
    # Fish offers what holds the letters anywhere, too.
    offered = [word for word, _ in fish_offers(directory, f"{PROGRAM} {typed}") if word.startswith(last)]
    assert offered == ([] if completed == typed else [shlex.split(completed)[-1]])


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("paint --finish ", ["semi gloss", "$(touch pwned)", "o'clock"]),
        ("paint --finish=", ["--finish=semi gloss", "--finish=$(touch pwned)", "--finish=o'clock"]),
        ("copy --out data\\ ", ["data file.txt"]),
        ("copy --out 'data ", ["data file.txt"]),
        ("copy --out=data\\ ", ["--out=data file.txt"]),
        ("wipe --no-", ["--no-color", "--no-input"]),
        ("report --fo", ["--format"]),
        ("deploy --copies ", []),
    ],
)
def test_words_are_offered_in_their_order(typed: str, offered: list[str], directory: Path) -> None:
    assert [word for word, _ in fish_offers(directory, f"{PROGRAM} {typed}")] == offered


def test_commands_and_options_come_with_what_they_are_for(directory: Path) -> None:
    commands = dict(fish_offers(directory, f"{PROGRAM} "))
    assert commands["deploy"] == "Deploy a service"
    assert commands["site"] == "All about the site"
    options = dict(fish_offers(directory, f"{PROGRAM} deploy --"))
    assert options["--environment"] == "Target environment"
    assert options["--manifest"].startswith("Show every command")


def test_a_program_started_by_its_path_completes_too(directory: Path) -> None:
    (directory / PROGRAM).touch(mode=0o755)
    assert fish_offers(directory, f"./{PROGRAM} dep") == [("deploy", "Deploy a service")]


def test_a_description_is_shown_as_it_is_and_never_run(directory: Path) -> None:
    says = dict(fish_offers(directory, f"{PROGRAM} o"))["odd"]
    fish_offers(directory, f"{PROGRAM} odd --")
    fish_offers(directory, f"{PROGRAM} paint --finish $")
    assert says.startswith('it\'s "odd": $(touch pwned) `touch pwned` $HOME \\ %s ! *')
    assert not (directory / "pwned").exists()


@pytest.mark.parametrize("program", ["my app", "$(touch pwned)", "a;b", "ünïcode"])
def test_a_program_with_an_odd_name_completes(program: str, tmp_path: Path) -> None:
    typed = "".join(letter if letter.isalnum() else f"\\{letter}" for letter in program)
    assert fish_offers(tmp_path, f"{typed} dep", program) == [("deploy", "Deploy a service")]
    assert not (tmp_path / "pwned").exists()


def test_a_program_whose_name_fish_cannot_look_up_is_not_completed_and_breaks_nothing(tmp_path: Path) -> None:
    """``complete -c`` drops quotes from a name, however they are escaped (fish 3.6)."""
    assert fish_offers(tmp_path, "it\\'s dep", "it's") == []
