"""What follows a command's name -> the arguments of the call, as JSON, and the built-in options among them.

Written for this: every option but a flag takes exactly one text, whatever it looks like, so that negative numbers,
patterns and text with dashes need no quoting beyond the shell's. What no option has is handed on under its name, and
the gate refuses it as on every surface.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from accord._calls import JSON, Failed
from accord._tool import Tool
from accord.cli.arguments import Argument, Arguments, Given, Reader, arguments_of
from accord.cli.builtin import Wishes, builtin_named
from accord.cli.route import misplaced, take_builtin

__all__ = ["Parsed", "parse"]


#: what more can be said of: the command itself, and serving
_READ_ON: Final = (None, "mcp", "http")


class Parsed(msgspec.Struct, frozen=True):
    """A command line that was read: the call's arguments, or what stopped the reading.

    ``sources`` says of an argument that did not stand on the line where it came from, ``typed`` how one that the tool
    does not have was typed.
    """

    table: Arguments
    wishes: Wishes
    arguments: dict[str, JSON]
    refusal: Failed | None = None
    sources: dict[str, str] = {}
    typed: dict[str, str] = {}


def parse(tool: Tool, args: list[str], wishes: Wishes, environ: Mapping[str, str], read: Reader) -> Parsed:
    """Read a command's own part of the line. ``read`` fetches what ``@file`` and ``-`` stand for.

    Raises:
        RegistrationError: an annotation of the tool still names something that does not exist.
    """
    table = arguments_of(tool)
    reading = _Reading(table, wishes)
    refusal = reading.take_all(list(args)) or misplaced(reading.wishes)
    if refusal is not None or reading.wishes.action is not None:
        return Parsed(table, reading.wishes, {}, refusal)
    reading.place_words()
    sources = reading.fill_from(environ)
    arguments, problems = reading.gathered(read)
    if problems:
        refusal = _refusal(tool, arguments, problems)
    return Parsed(table, reading.wishes, arguments, refusal, sources, reading.typed)


def _refusal(tool: Tool, arguments: dict[str, JSON], problems: list[dict[str, JSON]]) -> Failed:
    """What could not be read, and what the gate says of the rest."""
    from accord.gate.refusal import refuse, refuse_arguments  # noqa: PLC0415 - only the failure needs it

    spoken_of = {problem["argument"] for problem in problems}
    if not tool.gate.is_valid(arguments):
        others = refuse_arguments(tool.name, tool.gate, arguments, {}).error_data["violations"]
        problems = [*problems, *(each for each in others if each["argument"] not in spoken_of)]
    return refuse(tool.name, problems, tool.compiled.published_input)


class _Reading:
    """The state of one reading: what was given so far, by argument, and the words that stood by themselves."""

    def __init__(self, table: Arguments, wishes: Wishes) -> None:
        self.table = table
        self.wishes = wishes
        self.given: Given = {}
        self.unknown: dict[str, str | bool] = {}
        self.typed: dict[str, str] = {}
        self.words: list[str] = []
        self.problems: list[dict[str, JSON]] = []

    def take_all(self, args: list[str]) -> Failed | None:
        """Take every arg, up to a request for help; the failure is that of a built-in option."""
        while args and self.wishes.action in _READ_ON:
            arg = args.pop(0)
            if arg == "--":
                self.words += args
                break
            if not _is_option(arg):
                self.words.append(arg)
            elif not self._take_own(arg, args):
                taken = take_builtin(self.wishes, arg, args)
                if isinstance(taken, Failed):
                    return taken
                if taken is not None:
                    self.wishes = taken
                else:
                    self._take_unknown(arg, args)
        return None

    def _take_own(self, arg: str, args: list[str]) -> bool:
        spelling, equals, value = arg.partition("=")
        found = self._find(spelling)
        if found is None and not arg.startswith("--") and arg[:2] in self.table.spelled:
            return self._take_short(arg, args)
        if found is None:
            return False
        argument, says_yes, path = found
        if equals:
            self._keep(argument, path, value if says_yes else _opposite(value))
        elif self._is_flag(argument, path):
            self._keep(argument, path, says_yes)
        elif not args or self._is_known(args[0]):
            self._miss(argument, path, spelling, args)
        else:
            self._keep(argument, path, args.pop(0))
        return True

    def _take_short(self, arg: str, args: list[str]) -> bool:
        """``-n5`` is ``-n 5``, and ``-xy`` is ``-x -y`` where x is a flag."""
        argument, says_yes = self.table.spelled[arg[:2]]
        if argument.shape == "flag" and arg[2] == "-":
            return False
        if argument.shape == "flag":
            self._keep(argument, (), says_yes)
            args.insert(0, f"-{arg[2:]}")
        else:
            self._keep(argument, (), arg[2:].removeprefix("="))
        return True

    def _find(self, spelling: str) -> tuple[Argument, bool, tuple[str, ...]] | None:
        """The argument an option gives, whether it says yes, and the field inside it that ``--a.b`` names."""
        base = spelling
        fields: tuple[str, ...] = ()
        while base not in self.table.spelled:
            base, dot, field = base.rpartition(".")
            if not dot:
                return None
            fields = (field, *fields)
        argument, says_yes = self.table.spelled[base]
        return None if fields and argument.is_text else (argument, says_yes, fields)

    def _is_flag(self, argument: Argument, path: tuple[str, ...]) -> bool:
        if not path:
            return argument.shape == "flag"
        from accord.cli.gather import is_flag_at  # noqa: PLC0415 - few command lines name fields

        return is_flag_at(argument.schema, path, self.table.definitions)

    def _is_known(self, arg: str) -> bool:
        """Whether a arg can only be the next option. A value that looks like one is written ``--name=--value``."""
        if not arg.startswith("--"):
            return False
        spelling = arg.partition("=")[0]
        return arg == "--" or self._find(spelling) is not None or builtin_named(spelling) is not None

    def _keep(self, argument: Argument, path: tuple[str, ...], value: str | bool) -> None:
        self.given.setdefault(argument.name, []).append((path, value))

    def _miss(self, argument: Argument, path: tuple[str, ...], spelling: str, args: list[str]) -> None:
        instead = f"; {spelling}={args[0]} gives it that text" if args else ""
        self.problems.append(_problem((argument.name, *path), "type_mismatch", f"needs a value{instead}"))

    def _take_unknown(self, arg: str, args: list[str]) -> None:
        spelling, equals, value = arg.partition("=")
        name = spelling.lstrip("-").replace("-", "_") or spelling
        given: str | bool = value if equals else args.pop(0) if args and not _is_option(args[0]) else True
        known = next((each for each in self.table.all if each.name == name), None)
        if known is None:
            self.unknown[name] = given
            self.typed[name] = spelling
        else:  # one dash for two, say: under its name it would be taken for the argument itself
            message = f"there is no option {spelling} here, {known.spellings[0]} is meant"
            self.problems.append(_problem((name,), "unexpected_argument", message))

    def place_words(self) -> None:
        """Give the words that stood by themselves to the positional arguments, in order."""
        waiting = [each for each in self.table.positionals if each.name not in self.given]
        words = list(self.words)
        for index, argument in enumerate(waiting):
            later = sum(each.required for each in waiting[index + 1 :])
            size = max(len(words) - later, 0) if argument.shape == "list" else 1
            for word in words[:size]:
                self._keep(argument, (), word)
            words = words[size:]
        if words:
            self.problems.append(self._nowhere(words[0]))

    def _nowhere(self, word: str) -> dict[str, JSON]:
        options = [each.spellings[0] for each in self.table.all if not each.positional and not each.hidden]
        named = f"the options are {', '.join(options[:20])}" if options else "there are no options"
        message = f"there is no place for {word[:100]!r}; {named}"
        return _problem((), "unexpected_argument", message)

    def fill_from(self, environ: Mapping[str, str]) -> dict[str, str]:
        """Take arguments that are absent from their environment variables; which ones came from where."""
        sources = {}
        for argument in self.table.all:
            if argument.env and argument.name not in self.given and argument.env in environ:
                self._keep(argument, (), environ[argument.env])
                sources[argument.name] = argument.env
        return sources

    def gathered(self, read: Reader) -> tuple[dict[str, JSON], list[dict[str, JSON]]]:
        """The arguments as JSON, and what could not be read."""
        if not self.unknown and all(map(self._is_said, self.given)):
            return {name: given[-1][1] for name, given in self.given.items()}, self.problems
        from accord.cli.gather import gather  # noqa: PLC0415 - text that is text needs none of it

        arguments, problems = gather(self.table, self.given, self.unknown, read)
        return arguments, [*self.problems, *problems]

    def _is_said(self, name: str) -> bool:
        """Whether an argument's value was given in so many words: it is the text itself, or what a flag said."""
        argument = self.table.named[name]
        path, value = self.given[name][-1]
        return not path and (argument.is_text or (argument.shape == "flag" and isinstance(value, bool)))


def _problem(path: tuple[str, ...], reason: str, message: str) -> dict[str, JSON]:
    """A violation as the gate would report it."""
    from accord._jsonpatch import short_pointer  # noqa: PLC0415 - only the failure needs it

    keyword = "additionalProperties" if reason == "unexpected_argument" else "type"
    return {
        "path": short_pointer(path),
        "argument": path[0] if path else None,
        "reason": reason,
        "keyword": keyword,
        "message": message,
    }


def _is_option(arg: str) -> bool:
    """Whether a arg is an option where one may stand: ``-`` is not, and a negative number is not."""
    return arg.startswith("-") and len(arg) > 1 and not (arg[1].isdigit() or arg[1:2] == ".")


def _opposite(value: str) -> str:
    """``--no-clean=true`` says what ``--clean=false`` says."""
    words = {"true": "false", "false": "true", "yes": "no", "no": "yes", "1": "0", "0": "1", "on": "off", "off": "on"}
    return words.get(value.lower(), value)
