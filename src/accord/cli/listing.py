"""Which commands and groups there are below a word, and what each says of itself in a sentence.

Reads names, options and docstrings; compiles no tool, so that a thousand commands are listed as quickly as one.
"""

from __future__ import annotations

from accord._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord._registry import Registry
    from accord._tool import Tool

__all__ = ["Listing", "commands_below", "first_sentence", "groups_of", "list_below", "program_words", "words_of"]

Words = tuple[str, ...]

_ENDS = (". ", ".\n", "\n\n")


class Listing(Value):
    """What may come next: the commands, and the groups with how many commands each holds."""

    commands: list[Tool]
    groups: dict[str, int]


def commands_below(registry: Registry, path: Words = ()) -> list[Tool]:
    """The commands whose words begin with ``path``, in the order of registration, hidden ones left out."""
    depth = len(path)
    return [
        tool
        for tool in registry.tools.values()
        if tool.path[:depth] == path and not tool.options.hidden and "cli" in tool.options.surfaces
    ]


def list_below(registry: Registry, path: Words = ()) -> Listing:
    """The commands and groups directly below ``path``."""
    depth = len(path)
    commands, groups = [], dict[str, int]()
    for tool in commands_below(registry, path):
        if len(tool.path) == depth + 1:
            commands.append(tool)
        elif len(tool.path) > depth:
            word = tool.path[depth]
            groups[word] = groups.get(word, 0) + 1
    return Listing(commands, groups)


def groups_of(registry: Registry, path: Words = ()) -> list[Words]:
    """The groups below ``path`` that hold a command people may see, outer ones before inner ones."""
    found: dict[Words, None] = {}
    for tool in commands_below(registry, path):
        found.update((tool.path[:length], None) for length in range(len(path) + 1, len(tool.path)))
    return list(found)


def words_of(tool: Tool) -> list[Words]:
    """The words that call a tool: its own, those of its aliases, and its name written with underscores."""
    names = (".".join(tool.path), *tool.options.aliases)
    spelled = [*names, *(name.replace(".", "_") for name in names)]
    return [tuple(name.split(".")) for name in dict.fromkeys(spelled)]


def program_words(program: str) -> str:
    """The program as one types it: quoted where the shell needs it, but ``python -m name`` is three words."""
    if program.startswith("python -m ") or program.replace(".", "").replace("-", "").replace("_", "").isalnum():
        return program
    from shlex import quote  # noqa: PLC0415 - most programs have plain names

    return quote(program)


def first_sentence(text: str | None) -> str:
    """The beginning of a description, as one line."""
    if not text:
        return ""
    end = min((at for at in (text.find(end) for end in _ENDS) if at >= 0), default=len(text))
    return " ".join(text[: end + 1].split()).removesuffix(".")
