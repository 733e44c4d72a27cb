"""``accord call APP TOOL ...``: one call, its arguments written as a client would send them.

The tool's own command line is ``accord run``; here every argument is ``key=value`` or stands in a JSON object, whatever
the tool says of positions and options.
"""

import sys
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from accord._calls import JSON, Failed
from accord._tool import Tool
from accord.app import App
from accord.cli.arguments import Arguments, Given, arguments_of
from accord.cli.builtin import Wishes, wishes_in
from accord.cli.console import Console, Ending
from accord.cli.gather import gather
from accord.cli.main import conduct
from accord.cli.mishap import fail
from accord.cli.parse import Parsed
from accord.cli.route import misplaced, nothing_called, take_builtin, unknown_option
from accord.cli.running import run_parsed
from accord.cli.target import load_app
from accord.errors import RegistrationError, ToolError

__all__ = ["run"]

_USAGE = """usage: accord call APP TOOL [JSON | key=value ...] [--format plain|json|table] [--yes] [-v]

Call one tool of an app.

  APP        path/to/app.py, path/to/app.py:attr or module:attr
  TOOL       the tool's name, as `accord list APP` shows it
  JSON       an object with the arguments; @file and - (stdin) hold one, too
  key=value  one argument: text, or JSON where the tool's contract has no text; again and again for a list"""


class _Misused(Exception):
    """The line cannot be read."""


class _Line(NamedTuple):
    """What was typed: the app, the tool, what stands for arguments, and the built-in options."""

    app: str
    tool: str
    words: list[str]
    wishes: Wishes


def run(arguments: list[str]) -> int:
    """Call it; the exit code is that of the tool's own command."""
    try:
        line = _read(arguments)
        if isinstance(line, Failed):
            return _refused(line, arguments)
        if line.wishes.action is not None:
            print(_USAGE)
            return 0
        app = load_app(line.app).app
    except _Misused as error:
        print(f"Error: {error}\n\n{_USAGE}", file=sys.stderr)
        return 2
    except ToolError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return conduct(app, lambda console: _call(app, line, console))


def _refused(failed: Failed, arguments: list[str]) -> int:
    return conduct(App("accord"), lambda console: fail(failed, wishes_in(arguments), console))


def _read(arguments: list[str]) -> _Line | Failed:
    """The line, with built-in options taken from wherever they stand."""
    wishes, words, args = Wishes(), list[str](), list(arguments)
    while args:
        arg = args.pop(0)
        if not arg.startswith("-") or arg == "-":
            words.append(arg)
            continue
        taken = take_builtin(wishes, arg, args)
        if not isinstance(taken, Wishes):
            return unknown_option(arg) if taken is None else taken
        wishes = taken
    if len(words) < 2 and wishes.action is None:
        raise _Misused("APP and TOOL are needed.")
    problem = misplaced(wishes)
    if problem is not None:
        return problem
    app, tool = (*words, "", "")[:2]
    return _Line(app, tool, words[2:], wishes)


def _call(app: App, line: _Line, console: Console) -> Ending:
    tool = app.find(line.tool)
    if tool is None or "cli" not in tool.options.surfaces:
        return fail(nothing_called(app._registry, tuple(line.tool.split("."))), line.wishes, console)
    try:
        parsed = _parsed(tool, line, console)
    except (_Misused, RegistrationError) as error:
        console.write(console.stderr, f"Error: {error}\n")
        return Ending(2)
    return run_parsed(app._registry, tool, parsed, console)


def _parsed(tool: Tool, line: _Line, console: Console) -> Parsed:
    table = arguments_of(tool)
    given: Given = {}
    unknown: dict[str, str | bool] = {}
    whole: dict[str, JSON] = {}
    for word in line.words:
        if word[:1] in ("{", "@", "-"):
            whole |= _object(word, console)
            continue
        key, equals, text = word.partition("=")
        if not equals:
            raise _Misused(f"{word!r} is no argument: write key=value, or one JSON object.")
        if key in table.named:
            given.setdefault(key, []).append(((), text))
        else:
            unknown[key] = text
    arguments, problems = gather(table, given, unknown, console.read)
    if problems:
        raise _Misused("; ".join(f"{problem['argument']}: {problem['message']}" for problem in problems))
    return Parsed(_unadorned(table), line.wishes, {**whole, **arguments}, typed={key: key for key in unknown})


def _unadorned(table: Arguments) -> Arguments:
    """The arguments, each spelled as it is named: nobody typed an option here."""
    plain = [replace(each, spellings=(each.name,), metavar=each.name, positional=True) for each in table.all]
    return replace(table, all=tuple(plain))


def _object(word: str, console: Console) -> dict[str, JSON]:
    """The object a word is, or names."""
    try:
        document = msgspec.json.decode(word if word[0] == "{" else console.read(word))
    except OSError as error:
        raise _Misused(f"{word} cannot be read: {error.strerror or 'it is not there'}.") from error
    except (ValueError, RecursionError) as error:
        raise _Misused(f"{word[:100]} is not JSON: {str(error)[:200]}.") from error
    if not isinstance(document, dict):
        raise _Misused(f"{word[:100]} holds no JSON object.")
    return document
