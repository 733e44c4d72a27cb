"""How a command is typed: the spellings worth showing, its usage line, and its examples as command lines.

Knows a command's arguments; knows no terminal. What it writes for an example, ``gather`` reads back as that example.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from accord._calls import JSON
from accord._tool import Tool
from accord.cli.arguments import Argument, Arguments, Given
from accord.cli.builtin import BUILTINS, Builtin
from accord.cli.gather import gather
from accord.cli.help_words import type_word
from accord.cli.listing import program_words

__all__ = [
    "builtins_left",
    "example_line",
    "is_repeatable",
    "long_spelling",
    "place_words",
    "shadowed",
    "spellings_of",
    "usage_words",
    "value_word",
]


# -- spellings -----------------------------------------------------------------------------------------------------


def spellings_of(argument: Argument, table: Arguments) -> tuple[list[str], list[str]]:
    """What gives an argument and what says no to it, without second spellings and those another argument has."""
    yes = [one for one in argument.spellings if _leads(one, argument, table, yes=True)]
    no = [one for one in argument.negations if _leads(one, argument, table, yes=False)]
    return _without_twins(yes), _without_twins(no)


def _leads(spelling: str, argument: Argument, table: Arguments, *, yes: bool) -> bool:
    found, says_yes = table.spelled[spelling]
    return found is argument and says_yes is yes


def _without_twins(spellings: list[str]) -> list[str]:
    """``--file_pattern`` goes without saying where there is ``--file-pattern``; short ones come first."""
    dashed = {one for one in spellings if "_" not in one}
    left = [one for one in spellings if one in dashed or one.replace("_", "-") not in dashed]
    return sorted(left, key=lambda one: one.startswith("--"))


def long_spelling(argument: Argument, table: Arguments) -> str:
    """The spelling to write an argument with."""
    yes, _ = spellings_of(argument, table)
    return next((one for one in yes if one.startswith("--")), yes[0] if yes else argument.spellings[0])


def value_word(argument: Argument, table: Arguments) -> str:
    """The word for an argument's text; nothing for a flag."""
    if argument.shape == "flag":
        return ""
    if argument.metavar and not argument.positional:
        return argument.metavar
    if argument.raw:
        return "TEXT"
    word = type_word(argument.schema, table.definitions)
    return "|".join("PATH" if each == "TEXT" and argument.is_path else each for each in word.split("|"))


def is_repeatable(argument: Argument) -> bool:
    """Whether giving it again adds to it."""
    return argument.shape == "list" or (argument.shape == "object" and "KEY=VALUE" in type_word(argument.schema, {}))


def shadowed(table: Arguments) -> list[str]:
    """The built-in options that a command has for itself."""
    return [one for builtin in BUILTINS for one in builtin.spellings if one in table.spelled]


def builtins_left(table: Arguments) -> list[tuple[Builtin, list[str]]]:
    """The built-in options that may stand after a command's name, with the spellings it leaves them."""
    left = [(builtin, [one for one in builtin.spellings if one not in table.spelled]) for builtin in BUILTINS]
    return [(builtin, spellings) for builtin, spellings in left if spellings]


# -- usage ---------------------------------------------------------------------------------------------------------


def usage_words(table: Arguments) -> list[str]:
    """What follows a command's name; each is one word as far as lines are concerned."""
    places = [place_words(argument) for argument in table.positionals]
    named = [argument for argument in table.all if not argument.positional]
    required = [_required_word(argument, table) for argument in named if argument.required]
    return [*places, *required, *(["[OPTIONS]"] if any(not argument.required for argument in named) else [])]


def place_words(argument: Argument) -> str:
    """How an argument that is given by its place is written: ``SRC``, ``[DST...]``."""
    word = argument.shown + ("..." if argument.shape == "list" else "")
    return word if argument.required else f"[{word}]"


def _required_word(argument: Argument, table: Arguments) -> str:
    long = long_spelling(argument, table)
    if argument.shape == "flag":
        return f"{long}|{argument.negations[0]}" if argument.negations else long
    more = "..." if argument.shape == "list" else ""
    return f"{long} {value_word(argument, table)}{more}"


# -- examples ------------------------------------------------------------------------------------------------------


def example_line(program: str, tool: Tool, table: Arguments, example: dict[str, Any]) -> str:
    """A command line that calls the tool with these arguments."""
    known = {argument.name: argument for argument in table.all}
    plain: JSON = msgspec.to_builtins(example, enc_hook=str, str_keys=True)
    places, options = list[str](), list[str]()
    can_place = True
    for argument in table.positionals:
        can_place = can_place and argument.name in plain
        if can_place:
            places += texts_for(argument, plain.pop(argument.name), table)
    for name, value in plain.items():
        options += _option_words(name, known.get(name), value, table)
    if any(text.startswith("-") for text in places):
        options = [*options, "--"]
        words = [*tool.path, *options, *places]
    else:
        words = [*tool.path, *places, *options]
    return " ".join([program_words(program), *(_quoted(word) for word in words)])


def _option_words(name: str, argument: Argument | None, value: JSON, table: Arguments) -> Iterator[str]:
    if argument is None:
        yield f"--{name.replace('_', '-')}={value if isinstance(value, str) else _json(value)}"
        return
    yes, no = spellings_of(argument, table)
    if argument.shape == "flag" and isinstance(value, bool) and (yes if value else no):
        yield (yes if value else no)[-1]
        return
    long = long_spelling(argument, table)
    for text in texts_for(argument, value, table):
        # A flag takes no next word, and a value that looks like an option would be taken for one.
        if argument.shape == "flag" or text[:1] in ("-", ""):
            yield f"{long}={text}"
        else:
            yield from (long, text)


def texts_for(argument: Argument, value: JSON, table: Arguments) -> list[str]:
    """The texts that stand for a value on a command line: the plainest that are read back as that value."""
    for texts in _candidates(value):
        given: Given = {argument.name: [((), text) for text in texts]}
        read, problems = gather(table, given, {}, _read_nothing)
        if not problems and _json(read.get(argument.name)) == _json(value):
            return texts
    return [_json(value)]


def _candidates(value: JSON) -> Iterator[list[str]]:
    if isinstance(value, str):
        yield [value]
    if isinstance(value, list) and value:
        yield [item if isinstance(item, str) else _json(item) for item in value]
        yield [_json(item) for item in value]
    if isinstance(value, dict) and value:
        yield [f"{name}={item if isinstance(item, str) else _json(item)}" for name, item in value.items()]


def _read_nothing(source: str) -> bytes:
    raise OSError(0, f"{source} is not read for an example")


_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


def _quoted(word: str) -> str:
    """The word as a POSIX shell takes it. ``--name='a b'`` reads better than ``'--name=a b'``."""
    option, equals, value = word.partition("=")
    if equals and _PLAIN.fullmatch(option) and option.startswith("--") and value:
        return f"{option}={shlex.quote(value)}"
    return shlex.quote(word)


def _json(value: JSON) -> str:
    return msgspec.json.encode(value).decode()
