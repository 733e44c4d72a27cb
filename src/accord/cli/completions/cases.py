"""The data of a script for a shell of the Bourne family: branches of ``case``, arrays of literals.

bash and zsh differ in what they show of a word, and in nothing else that is written here.
"""

from collections.abc import Callable, Iterable, Iterator

from accord.cli.completions.offers import BUILT_IN, Choice, Place, Value
from accord.cli.completions.scripts import filled, function_name

__all__ = ["quoted", "script_of_cases"]

#: a word and what it is for -> how the shell takes them
Described = Callable[[str, str], str]


def quoted(text: str) -> str:
    """The text as a literal: between single quotes nothing means anything to the shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def script_of_cases(engine: str, program: str, places: list[Place], described: Described, **parts: str) -> str:
    """An engine with its data."""
    return filled(
        engine,
        title=program,
        name=quoted(program),
        function=function_name(program),
        common=_array(_offered(BUILT_IN, described)),
        places="\n".join(_place(place, described) for place in places),
        values="\n".join(line for place in places for line in _taken(place.options, f"{place.names[0]}|")),
        shared="\n".join(f"  {line}" for line in _taken(BUILT_IN, "")),
        positions="\n".join(line for place in places for line in _positions(place)),
        **parts,
    )


def _array(texts: Iterable[str]) -> str:
    return " ".join(quoted(text) for text in texts)


def _offered(choices: Iterable[Choice], described: Described, without: tuple[str, ...] = ()) -> list[str]:
    offered = [(spelling, choice.says) for choice in choices for spelling in choice.offered]
    return [described(spelling, says) for spelling, says in offered if spelling not in without]


def _place(place: Place, described: Described) -> str:
    sets = [f"place={quoted(place.names[0])}"]
    if place.is_group:
        sets.append(f"group=1 below=({_array(described(word, says) for word, says in place.words)})")
    if place.options:
        sets.append(f"own=({_array(_offered(place.options, described))})")
    if place.own:
        sets.append(f"common=({_array(_offered(BUILT_IN, described, place.own))})")
    return f"  {'|'.join(map(quoted, place.names))}) {' '.join(sets)} ;;"


def _taken(choices: Iterable[Choice], before: str) -> Iterator[str]:
    for choice in choices:
        patterns = "|".join(quoted(before + spelling) for spelling in (*choice.offered, *choice.also))
        yield f"  {patterns}) {_sets(choice.value)} ;;"


def _sets(value: Value) -> str:
    return f"kind=words choices=({_array(value.words)})" if value.kind == "words" else f"kind={value.kind}"


def _positions(place: Place) -> Iterator[str]:
    for index, value in enumerate(place.positionals):
        is_last = index == len(place.positionals) - 1
        pattern = f"{quoted(place.names[0] + '|')}{'*' if place.endless and is_last else index}"
        yield f"  {pattern}) {_sets(value)} ;;"
