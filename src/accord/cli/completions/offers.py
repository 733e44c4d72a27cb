"""What may stand where on a command line, as data: what every shell's completion script is made of.

Knows commands and their arguments; knows no shell. Texts that no script should carry are dropped or shortened here.
"""

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from accord._calls import JSON
from accord._registry import Registry
from accord._tool import Tool
from accord.cli.arguments import Argument, Arguments, described_arguments_of
from accord.cli.builtin import BUILTINS, Builtin
from accord.cli.gather import is_flag_at
from accord.cli.help_words import fields_of, item_schemas, listed_values
from accord.cli.listing import first_sentence, groups_of, list_below, words_of
from accord.cli.terminal import cut, one_line
from accord.cli.usage import shadowed, spellings_of
from accord.errors import RegistrationError
from accord.schema.emit import BASE64_PATTERN, NUMERIC_PATTERN
from accord.texts.kinds import Schema, branches, kinds_of

__all__ = ["BUILT_IN", "Choice", "Place", "Value", "places_of"]

#: a flag takes no text, ``data`` is JSON or an ``@file``, ``none`` is text nobody can complete
Kind = Literal["flag", "none", "words", "files", "data"]

_LONGEST = 72
_MOST = 200
_SPELLING = re.compile(r"--?[\w.-]+").fullmatch


class Value(msgspec.Struct, frozen=True):
    """What completes a text: nothing, one of some words, the name of a file."""

    kind: Kind
    words: tuple[str, ...] = ()


class Choice(msgspec.Struct, frozen=True):
    """One option: what is offered, what is understood besides, what it is for, and what it takes."""

    offered: tuple[str, ...]
    also: tuple[str, ...]
    says: str
    value: Value


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a command line can be: after the app, a group or a command.

    ``names`` are the words that lead here (joined by blanks, the first is its own). A group has ``words`` that may
    follow, with what they are for; a command ``options`` and ``positionals``, the last of them ``endless`` or not.
    ``own`` are the built-in options it has taken for itself.
    """

    names: tuple[str, ...]
    words: tuple[tuple[str, str], ...] = ()
    is_group: bool = False
    options: tuple[Choice, ...] = ()
    positionals: tuple[Value, ...] = ()
    endless: bool = False
    own: tuple[str, ...] = ()


def _built_in(builtin: Builtin) -> Choice:
    value = Value("words", builtin.values) if builtin.values else Value("none" if builtin.metavar else "flag")
    return Choice(builtin.spellings, (), _said(builtin.says), value)


def _said(text: str | None) -> str:
    return cut(one_line(first_sentence(text)), _LONGEST, "...")


#: the options that may stand anywhere
BUILT_IN = tuple(_built_in(builtin) for builtin in BUILTINS)


def places_of(registry: Registry) -> list[Place]:
    """Every place of an app, the app itself first. A tool that cannot work has no options."""
    groups = [_group(registry, path) for path in ((), *groups_of(registry))]
    tools = [tool for tool in registry.tools.values() if "cli" in tool.options.surfaces]
    return [*groups, *(_command(tool) for tool in tools)]


def _group(registry: Registry, path: tuple[str, ...]) -> Place:
    listing = list_below(registry, path)
    commands = [(tool.path[-1], _said(tool.description)) for tool in listing.commands]
    groups = [(word, _said(registry.groups.get((*path, word)))) for word in listing.groups]
    return Place(names=(" ".join(path),), words=(*commands, *groups), is_group=True)


def _command(tool: Tool) -> Place:
    names = tuple(dict.fromkeys(" ".join(words) for words in words_of(tool)))
    try:
        table = described_arguments_of(tool)
    except RegistrationError:  # it fails when it is run, and says why; the others complete
        return Place(names=names)
    options = [_option(argument, table) for argument in table.all]
    fields = [each for argument in table.all if argument.shape == "object" for each in _fields(argument, table)]
    return Place(
        names=names,
        options=tuple(choice for choice in (*options, *fields) if choice.offered or choice.also),
        positionals=tuple(_value(one, table) for one in table.positionals),
        endless=any(argument.shape == "list" for argument in table.positionals[-1:]),
        own=tuple(shadowed(table)),
    )


def _option(argument: Argument, table: Arguments) -> Choice:
    yes, no = spellings_of(argument, table)
    known = [one for one in (*argument.spellings, *argument.negations) if table.spelled[one][0] is argument]
    offered = [] if argument.hidden or argument.positional else [*yes, *no]
    return _choice(offered, known, argument.schema.get("description"), _value(argument, table))


def _fields(argument: Argument, table: Arguments) -> Iterator[Choice]:
    """``--address.city``, for each way to write the option."""
    yes, _ = spellings_of(argument, table)
    longs = [one for one in yes if one.startswith("--")]
    for path, schema, _ in fields_of(argument.schema, table.definitions):
        value = Value("flag") if is_flag_at(schema, (), table.definitions) else _schema_value(schema, table.definitions)
        offered = [".".join((one, *(step.replace("_", "-") for step in path))) for one in longs]
        known = [".".join((one, *path)) for one in longs]
        yield _choice([] if argument.hidden else offered, [*offered, *known], schema.get("description"), value)


def _choice(offered: list[str], known: list[str], says: str | None, value: Value) -> Choice:
    left = tuple(one for one in offered if _SPELLING(one))
    also = tuple(one for one in dict.fromkeys(known) if one not in left and _SPELLING(one))
    return Choice(left, also, _said(says), value)


def _value(argument: Argument, table: Arguments) -> Value:
    if argument.shape == "flag":
        return Value("flag")
    if argument.raw or argument.is_path:
        return Value("files")
    return _schema_value(argument.schema, table.definitions)


def _schema_value(schema: JSON, definitions: Schema) -> Value:
    words = tuple(dict.fromkeys(_words_in(schema, definitions)))
    if words:
        return Value("words", words[:_MOST])
    if any(_is_text(branch, definitions) for branch in branches(schema, definitions)):
        return Value("files")
    return Value("data" if kinds_of(schema, definitions) & {"array", "object"} else "none")


def _is_text(branch: Schema, definitions: Schema) -> bool:
    """Whether a text may be anything, so also the name of a file; in a list, whether an item may."""
    kind = branch.get("type")
    if kind == "array":
        items = [each for item in item_schemas(branch) for each in branches(item, definitions)]
        return any(_is_text(item, definitions) for item in items)
    if kind == "string":
        return "format" not in branch and branch.get("pattern") not in (NUMERIC_PATTERN, BASE64_PATTERN)
    return kind is None and not listed_values(branch)


def _words_in(schema: JSON, definitions: Schema) -> Iterator[str]:
    """The words a schema lists, those of a list's items among them."""
    for branch in branches(schema, definitions):
        for value in listed_values(branch):
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            if value is not None and text and text == one_line(text):
                yield text
        if branch.get("type") == "boolean" and not listed_values(branch):
            yield from ("true", "false")
        if branch.get("type") == "array":
            for item in item_schemas(branch):
                yield from _words_in(item, definitions)
