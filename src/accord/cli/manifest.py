"""``--manifest``: everything a program needs to use a command line, as one JSON document.

Knows the registry and what each command promises; runs nothing. A tool that cannot work is listed with its problem.
The same app gives the same document, to the byte.
"""

import msgspec

from accord._calls import JSON, KINDS
from accord._jsonpatch import pointer_of
from accord._tool import Tool
from accord.app import App
from accord.cli.arguments import Argument, Arguments, described_arguments_of
from accord.cli.builtin import BUILTINS, Builtin
from accord.cli.help_words import fields_of
from accord.cli.listing import commands_below, groups_of, program_words
from accord.cli.usage import example_line, is_repeatable, shadowed, spellings_of, usage_words, value_word
from accord.errors import RegistrationError

__all__ = ["EXIT_CODES", "manifest_of"]

Object = dict[str, JSON]

#: the shape of this document; a new number when something in it changes its meaning
VERSION = 1

EXIT_CODES = {0: ["SUCCESS"]}
for _kind in KINDS.values():
    EXIT_CODES[_kind.exit_code] = list(dict.fromkeys([*EXIT_CODES.get(_kind.exit_code, []), _kind.code]))

_ARGUMENTS = {
    "list": "Repeat the option, or give a JSON list.",
    "object": "KEY=VALUE (again and again), JSON, or one option for each field: --name.field VALUE.",
    "file": "@FILE or - (stdin) stands for the JSON it holds, where a list or an object is wanted.",
    "flag": "The option alone, or one of its negations.",
    "dashes": "A value that begins with -- is written --name=VALUE.",
    "environment": "env names a variable that is read where the option is absent.",
    "built_in": "options may stand before the command's words, and after them unless the command shadows them.",
}

_RESULTS = {
    "stdout": "The result. Under --format json it is one JSON value and nothing else.",
    "stderr": "Progress, questions and failures.",
    "json": "--format json",
    "failure": "Under --format json the last line on stderr is errorData, one JSON object.",
    "error_data": {
        "tool": "the command's name",
        "argument": "the argument that is wrong, or null",
        "reason": "one of errors[].reason",
        "code": "one of errors[].code, or the tool's own",
        "retryable": "whether the same call may succeed later",
        "violations": "all that is wrong with the arguments, each with path, reason, message and suggestion",
        "patch": "a JSON Patch that repairs the arguments, where one can be told",
        "schema": "the command's input schema",
    },
}


def manifest_of(app: App, program: str, path: tuple[str, ...] = ()) -> Object:
    """The manifest of an app, or of the commands below ``path``."""
    registry = app._registry
    groups = [(words, registry.groups.get(words)) for words in groups_of(registry, path)]
    return {
        "manifest": VERSION,
        "app": _said(
            name=app.name,
            version=app.version,
            description=app.description,
            instructions=app.instructions,
            program=program,
        ),
        "usage": f"{program_words(program)} COMMAND [OPTIONS]",
        "options": [_builtin(each) for each in BUILTINS],
        "groups": [_said(name=".".join(words), words=list(words), description=about) for words, about in groups],
        "commands": [_command(program, tool) for tool in commands_below(registry, path)],
        "arguments": _ARGUMENTS,
        "exit_codes": {str(code): codes for code, codes in sorted(EXIT_CODES.items())},
        "errors": [{"reason": kind.reason, "code": kind.code, "exit_code": kind.exit_code} for kind in KINDS.values()],
        "results": _RESULTS,
    }


def _command(program: str, tool: Tool) -> Object:
    """What the manifest says of one command."""
    options = tool.options
    entry = {
        "name": tool.name,
        "words": list(tool.path),
        "aliases": [alias.split(".") for alias in options.aliases],
        **_said(
            title=options.title,
            description=tool.description,
            category=options.category,
            version=options.version,
            deprecated=options.deprecated or None,
            confirm=options.confirm or None,
        ),
        "tags": list(options.tags),
        "hints": {name: hint for name, hint in tool.annotations.items() if name != "title"},
    }
    try:
        return {**entry, **_contract(program, tool)}
    except RegistrationError as error:  # an annotation names what does not exist (yet): the others are not to blame
        return {**entry, "problem": str(error)}


def _contract(program: str, tool: Tool) -> Object:
    table = described_arguments_of(tool)
    return {
        "usage": " ".join([program_words(program), *tool.path, *usage_words(table)]),
        "options": [_argument(argument, table) for argument in table.all],
        "shadows": shadowed(table),
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "examples": [
            {"command": example_line(program, tool, table, example), "arguments": _plain(example)}
            for example in tool.options.examples
        ],
    }


def _argument(argument: Argument, table: Arguments) -> Object:
    yes, no = spellings_of(argument, table)
    fields = fields_of(argument.schema, table.definitions) if argument.shape == "object" else ()
    return {
        "name": argument.name,
        "spellings": yes,
        "negations": no,
        "positional": argument.positional,
        "required": argument.required,
        "repeatable": is_repeatable(argument),
        "value": value_word(argument, table) or None,
        "schema": f"#{pointer_of(('properties', argument.name))}",
        "fields": [".".join((argument.name, *inner)) for inner, _, _ in fields],
        **_said(env=argument.env),
    }


def _builtin(builtin: Builtin) -> Object:
    return {
        "spellings": list(builtin.spellings),
        "description": builtin.says,
        "value": builtin.metavar or None,
        "values": list(builtin.values),
    }


def _said(**entries: JSON) -> Object:
    """The entries that say something."""
    return {name: value for name, value in entries.items() if value is not None}


def _plain(example: Object) -> JSON:
    """An author's example as JSON; what has no JSON form is shown as text."""
    return msgspec.to_builtins(example, enc_hook=str, str_keys=True)
