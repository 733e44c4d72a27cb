"""The completion script for PowerShell, from 5.0 on."""

from collections.abc import Iterable

from accord.cli.completions.offers import BUILT_IN, Choice, Place, Value
from accord.cli.completions.scripts import filled

__all__ = ["script"]


def script(program: str, places: list[Place]) -> str:
    """The script."""
    return filled(
        "engine.ps1",
        title=program.encode("ascii", "backslashreplace").decode(),
        names=_array(dict.fromkeys((program, program.removesuffix(".exe"), f"{program.removesuffix('.exe')}.exe"))),
        shared="\n".join(f"        {_choice(choice)}" for choice in BUILT_IN),
        places="\n".join(f"        {_place(place)}" for place in places),
    )


def _quoted(text: str) -> str:
    """The text as a literal: between single quotes only a quote means anything, and is doubled.

    Old versions read a saved script in the system's encoding, in which half a letter may be a quote; so the script is
    ASCII, and other characters are given by their numbers.
    """
    if text.isascii():
        return "'" + text.replace("'", "''") + "'"
    units = text.encode("utf-16-be", "surrogatepass")
    numbers = ", ".join(f"0x{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))
    return f"(-join [char[]]({numbers}))"


def _array(texts: Iterable[str]) -> str:
    return f"@({', '.join(map(_quoted, texts))})"


def _table(**entries: str) -> str:
    return "@{ " + "; ".join(f"{name} = {entry}" for name, entry in entries.items()) + " }"


def _place(place: Place) -> str:
    return _table(
        Names=_array(place.names),
        IsGroup="$true" if place.is_group else "$false",
        Below=_rows(_table(Word=_quoted(word), Says=_quoted(says)) for word, says in place.words),
        Own=_rows(map(_choice, place.options)),
        Taken=_array(place.own),
        Positions=_rows(_table(**_value(value)) for value in place.positionals),
        Endless="$true" if place.endless else "$false",
    )


def _choice(choice: Choice) -> str:
    return _table(
        Spellings=_array(choice.offered), Also=_array(choice.also), Says=_quoted(choice.says), **_value(choice.value)
    )


def _value(value: Value) -> dict[str, str]:
    return {"Kind": _quoted(value.kind), "Words": _array(value.words)}


def _rows(rows: Iterable[str]) -> str:
    return f"@({', '.join(rows)})"
