"""The completion script for bash, from 3.2 on."""

from collections.abc import Iterable, Iterator

from accord.cli.completions.offers import BUILT_IN, Choice, Place, Value
from accord.cli.completions.scripts import filled, function_name

__all__ = ["array", "quoted", "script", "values_of"]


def script(program: str, places: list[Place]) -> str:
    """The script."""
    return filled(
        "engine.bash",
        title=program,
        name=quoted(program),
        function=function_name(program),
        common=array(_offered(BUILT_IN)),
        places="\n".join(_place(place) for place in places),
        values="\n".join(line for place in places for line in values_of(place)),
        shared="\n".join(f"  {line}" for line in _taken(BUILT_IN, "")),
        positions="\n".join(line for place in places for line in _positions(place)),
    )


def quoted(text: str) -> str:
    """The text as a literal: between single quotes nothing means anything to the shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def array(texts: Iterable[str]) -> str:
    """The texts as the elements of an array."""
    return " ".join(quoted(text) for text in texts)


def _offered(choices: Iterable[Choice]) -> list[str]:
    return [spelling for choice in choices for spelling in choice.offered]


def _place(place: Place) -> str:
    sets = [f"place={quoted(place.names[0])}"]
    if place.is_group:
        sets.append(f"group=1 below=({array(word for word, _ in place.words)})")
    if place.options:
        sets.append(f"own=({array(_offered(place.options))})")
    if place.own:
        sets.append(f"common=({array(one for one in _offered(BUILT_IN) if one not in place.own)})")
    return f"  {'|'.join(map(quoted, place.names))}) {' '.join(sets)} ;;"


def values_of(place: Place) -> Iterator[str]:
    """The branches that say what each option of a place takes."""
    return _taken(place.options, f"{place.names[0]}|")


def _taken(choices: Iterable[Choice], before: str) -> Iterator[str]:
    for choice in choices:
        patterns = "|".join(quoted(before + spelling) for spelling in (*choice.offered, *choice.also))
        yield f"  {patterns}) {_sets(choice.value)} ;;"


def _sets(value: Value) -> str:
    return f"kind=words values=({array(value.words)})" if value.kind == "words" else f"kind={value.kind}"


def _positions(place: Place) -> Iterator[str]:
    for index, value in enumerate(place.positionals):
        is_last = index == len(place.positionals) - 1
        pattern = f"{quoted(place.names[0] + '|')}{'*' if place.endless and is_last else index}"
        yield f"  {pattern}) {_sets(value)} ;;"
