"""The completion script for zsh: to be evaluated, or saved as a file of ``$fpath``."""

import re
from collections.abc import Iterable, Iterator

from accord.cli.completions.bash import array, quoted
from accord.cli.completions.offers import BUILT_IN, Choice, Place, Value
from accord.cli.completions.scripts import filled, function_name

__all__ = ["script"]

#: what may stand in a ``#compdef`` line, which has no quoting
_PLAIN = re.compile(r"[\w.+-]+", re.ASCII).fullmatch


def script(program: str, places: list[Place]) -> str:
    """The script."""
    return filled(
        "engine.zsh",
        tag=f"#compdef {program}\n" if _PLAIN(program) else "",
        title=program,
        name=quoted(program),
        function=function_name(program),
        common=array(_described(BUILT_IN)),
        places="\n".join(_place(place) for place in places),
        values="\n".join(line for place in places for line in _taken(place.options, f"{place.names[0]}|")),
        shared="\n".join(f"  {line}" for line in _taken(BUILT_IN, "")),
        positions="\n".join(line for place in places for line in _positions(place)),
    )


def _described(choices: Iterable[Choice], without: tuple[str, ...] = ()) -> list[str]:
    offered = [(spelling, choice.says) for choice in choices for spelling in choice.offered if spelling not in without]
    return [_item(spelling, says) for spelling, says in offered]


def _item(word: str, says: str) -> str:
    """A word and its description, as ``_describe`` takes them apart: at the first colon that is not escaped."""
    word, says = (text.replace("\\", "\\\\") for text in (word, says))
    escaped = word.replace(":", "\\:")
    return f"{escaped}:{says}" if says else escaped


def _place(place: Place) -> str:
    sets = [f"place={quoted(place.names[0])}"]
    if place.is_group:
        sets.append(f"group=1 below=({array(_item(word, says) for word, says in place.words)})")
    if place.options:
        sets.append(f"own=({array(_described(place.options))})")
    if place.own:
        sets.append(f"common=({array(_described(BUILT_IN, place.own))})")
    return f"  ({'|'.join(map(quoted, place.names))}) {' '.join(sets)} ;;"


def _taken(choices: Iterable[Choice], before: str) -> Iterator[str]:
    for choice in choices:
        patterns = "|".join(quoted(before + spelling) for spelling in (*choice.offered, *choice.also))
        yield f"  ({patterns}) {_sets(choice.value)} ;;"


def _sets(value: Value) -> str:
    return f"kind=words choices=({array(value.words)})" if value.kind == "words" else f"kind={value.kind}"


def _positions(place: Place) -> Iterator[str]:
    for index, value in enumerate(place.positionals):
        is_last = index == len(place.positionals) - 1
        pattern = f"{quoted(place.names[0] + '|')}{'*' if place.endless and is_last else index}"
        yield f"  ({pattern}) {_sets(value)} ;;"
