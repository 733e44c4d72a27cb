"""The words and built-in options in front of a command -> the tool they name, and what is left for it.

Knows tools and groups by name; reads none of a command's own options.
"""

from __future__ import annotations

from accord._values import Value
from accord.cli.address import ADDRESS, address_of
from accord.cli.builtin import BUILTINS, Wishes, builtin_named, wish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord._calls import Failed
    from accord._registry import Registry
    from accord._tool import Tool
    from accord.cli.builtin import Builtin

__all__ = ["Route", "beside", "misplaced", "nothing_called", "route", "take_builtin", "unknown_option"]

Words = tuple[str, ...]

#: so many commands are named where an unknown one was typed
_FEW = 8


class Route(Value):
    """Where a command line leads: to a ``tool``, or with None to the group at ``path``, which () is for the app."""

    wishes: Wishes
    path: Words
    tool: Tool | None
    rest: list[str]


def route(registry: Registry, argv: list[str]) -> Route | Failed:
    """Where the command line leads, or what in it leads nowhere."""
    wishes, args = Wishes(), list(argv)
    path: Words = ()
    while args:
        arg = args.pop(0)
        if arg.startswith("-") and arg != "-":
            taken = take_builtin(wishes, arg, args)
            if taken is None:
                return unknown_option(arg)
            if not isinstance(taken, Wishes):
                return taken
            wishes = taken
            continue
        path = (*path, *arg.split("."))
        tool = _tool_at(registry, path)
        if tool is not None:
            return Route(wishes, path, tool, args)
        if path not in registry.groups:
            return nothing_called(registry, path)
    return misplaced(wishes) or Route(wishes, path, None, args)


def _tool_at(registry: Registry, path: Words) -> Tool | None:
    tool = registry.find(".".join(path))
    return tool if tool is not None and "cli" in tool.options.surfaces else None


def take_builtin(wishes: Wishes, arg: str, following: list[str]) -> Wishes | Failed | None:
    """The wishes after a built-in option, its value taken from those following; None when it is not built in."""
    spelling, equals, value = arg.partition("=")
    builtin = builtin_named(spelling)
    if builtin is None:
        return None
    if not builtin.metavar:
        if equals:
            return _misused(builtin, f"{spelling} takes no value")
        return wish(wishes, builtin, spelling, "")
    if not equals:
        if not following:
            return _misused(builtin, f"{spelling} needs a value: {_taken_by(builtin)}")
        value = following.pop(0)
    if not (value in builtin.values if builtin.values else address_of(value)):
        return _misused(builtin, f"{spelling} cannot be {value[:100]!r}: it takes {_taken_by(builtin)}")
    return wish(wishes, builtin, spelling, value)


def _taken_by(builtin: Builtin) -> str:
    return ", ".join(builtin.values[:-1]) + f" or {builtin.values[-1]}" if builtin.values else ADDRESS


def misplaced(wishes: Wishes) -> Failed | None:
    """The failure of a built-in option that means nothing without another one."""
    if not wishes.insecure or wishes.action not in (None, "mcp"):
        return None
    return _failure("--insecure", "constraint_violation", "Error: --insecure says nothing without --mcp-http.")


def _misused(builtin: Builtin, problem: str) -> Failed:
    return _failure(builtin.spellings[0], "constraint_violation", f"Error: {problem}")


def unknown_option(arg: str) -> Failed:
    """The failure of an option in front of the command, where only built-in ones may stand."""
    from accord.gate.resemblance import nearest  # noqa: PLC0415 - only the failure needs it

    spelling = arg.partition("=")[0][:100]
    known = [one for builtin in BUILTINS for one in builtin.spellings if len(one) > 2]
    meant = nearest(spelling, known)
    hint = f" Did you mean {meant}?" if meant else " A command's own options come after its name."
    return _failure(spelling, "unexpected_argument", f"Error: there is no option {spelling} here.{hint}", meant)


def nothing_called(registry: Registry, path: Words) -> Failed:
    """The failure of words that name neither a command nor a group."""
    from accord.gate.resemblance import nearest  # noqa: PLC0415 - only the failure needs it

    known = path[:-1]
    while known and known not in registry.groups:
        known = known[:-1]
    word = ".".join(path[len(known) :])[:100]
    there = beside(registry, known)
    near = nearest(word, there)
    meant = near or _elsewhere(registry, word)
    hint = f"Did you mean {meant!r}?" if meant else _what_there_is(there, known)
    where = f" in {' '.join(known)}" if known else ""
    text = f"Error: there is no command {word!r}{where}. {hint}"
    more = {"suggestion": ".".join((*known, near))} if near else {}
    return _failed(".".join(path)[:100], "unknown_tool", text, **more)


def _elsewhere(registry: Registry, word: str) -> str:
    """The one command of that name in some group: a group is easily forgotten."""
    found = [tool.path for tool in registry.tools.values() if tool.path[-1] == word and _is_shown(tool)]
    return " ".join(found[0]) if len(found) == 1 else ""


def _what_there_is(words: list[str], path: Words) -> str:
    if len(words) > _FEW or not words:
        return f"{' '.join((*path, '--help'))} lists what there is."
    return f"There {'is' if len(words) == 1 else 'are'}: {', '.join(words)}."


def beside(registry: Registry, path: Words) -> list[str]:
    """The words that may come next after these, of commands and groups that are not hidden."""
    depth = len(path)
    tools = [tool.path[depth] for tool in registry.tools.values() if tool.path[:depth] == path and _is_shown(tool)]
    return list(dict.fromkeys(tools))


def _is_shown(tool: Tool) -> bool:
    return not tool.options.hidden and "cli" in tool.options.surfaces


def _failure(argument: str, reason: str, text: str, suggestion: str | None = None) -> Failed:
    more = {"suggestion": suggestion} if suggestion else {}
    return _failed("", reason, text, **more, option=argument)


def _failed(tool: str, reason: str, text: str, **more: str) -> Failed:
    from accord.gate.refusal import failure  # noqa: PLC0415 - only the failure needs it

    return failure(tool, reason, text, **more)
