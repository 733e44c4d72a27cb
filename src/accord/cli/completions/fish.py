"""The completion script for fish."""

from collections.abc import Iterable, Iterator

from accord.cli.completions.offers import BUILT_IN, Choice, Place, Value
from accord.cli.completions.scripts import filled, function_name

__all__ = ["quoted", "script"]

_ANY = "'*'"


def script(program: str, places: list[Place]) -> str:
    """The script."""
    return filled(
        "engine.fish",
        title=program,
        name=quoted(program),
        function=function_name(program),
        common=_listed(_described(BUILT_IN)),
        places="\n".join(line for place in places for line in _place(place)),
        values="\n".join(line for place in places for line in _taken(place.options, f"{place.names[0]}|", 8)),
        shared="\n".join(_taken(BUILT_IN, "", 16)),
        positions="\n".join(line for place in places for line in _positions(place)),
    )


def quoted(text: str) -> str:
    """The text as a literal: between single quotes only quotes and backslashes mean anything to fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _listed(texts: Iterable[str]) -> str:
    return " ".join(quoted(text) for text in texts)


def _described(choices: Iterable[Choice], without: tuple[str, ...] = ()) -> list[str]:
    offered = [(spelling, choice.says) for choice in choices for spelling in choice.offered if spelling not in without]
    return [_item(spelling, says) for spelling, says in offered]


def _item(word: str, says: str) -> str:
    """A word and its description, as ``complete -a`` takes them apart."""
    return f"{word}\t{says}" if says else word


def _place(place: Place) -> Iterator[str]:
    yield f"        case {_listed(place.names)}"
    yield f"            set place {quoted(place.names[0])}"
    if place.is_group:
        yield "            set group 1"
        yield f"            set below {_listed(_item(word, says) for word, says in place.words)}"
    if place.options:
        yield f"            set own {_listed(_described(place.options))}"
    if place.own:
        yield f"            set common {_listed(_described(BUILT_IN, place.own))}"


def _taken(choices: Iterable[Choice], before: str, indent: int) -> Iterator[str]:
    for choice in choices:
        yield f"{' ' * indent}case {_listed(before + spelling for spelling in (*choice.offered, *choice.also))}"
        yield from _sets(choice.value, indent + 4)


def _sets(value: Value, indent: int) -> Iterator[str]:
    yield f"{' ' * indent}set kind {value.kind}"
    if value.kind == "words":
        yield f"{' ' * indent}set choices {_listed(value.words)}"


def _positions(place: Place) -> Iterator[str]:
    for index, value in enumerate(place.positionals):
        is_last = index == len(place.positionals) - 1
        yield f"        case {quoted(place.names[0] + '|')}{_ANY if place.endless and is_last else index}"
        yield from _sets(value, 12)
