"""What ``--help`` shows of an app or a group: what it is, and the commands it holds.

Knows names and docstrings only: no tool is compiled for it. The help of one command is ``help_command``.
"""

from __future__ import annotations

from accord.cli.builtin import BUILTINS
from accord.cli.help_layout import Row, heading, paragraphs, rows_of, wrapped
from accord.cli.listing import first_sentence, list_below, program_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord._registry import Registry
    from accord._tool import Tool
    from accord.app import App
    from accord.cli.listing import Listing
    from accord.cli.terminal import Look

__all__ = ["app_help", "group_help"]

_UNSORTED = "Commands"

_Words = tuple[str, ...]


def app_help(app: App, program: str, look: Look) -> str:
    """The help of a whole app."""
    listing, program = list_below(app._registry), program_words(program)
    lines = paragraphs(app.description or "", look)
    lines += ["", *_usage(program, "COMMAND [OPTIONS]" if app.tools else "[OPTIONS]", look)]
    lines += _listed(app._registry, (), listing, look)
    lines += ["", heading("Built-in options", look), *rows_of(list(_builtin_rows()), look)]
    if listing.commands or listing.groups:
        lines += ["", *wrapped(f"{program} COMMAND --help shows the options of a command.", look)]
    return "\n".join(lines).lstrip("\n") + "\n"


def group_help(app: App, program: str, path: _Words, look: Look) -> str:
    """The help of a group."""
    registry, program = app._registry, program_words(program)
    lines = paragraphs(registry.groups.get(path) or "", look)
    lines += ["", *_usage(program, f"{' '.join(path)} COMMAND [OPTIONS]", look)]
    lines += _listed(registry, path, list_below(registry, path), look)
    hint = (
        f"{program} {' '.join(path)} COMMAND --help shows the options of a command, {program} --help the built-in ones."
    )
    lines += ["", *wrapped(hint, look)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _usage(program: str, rest: str, look: Look) -> list[str]:
    return wrapped(rest, look, indent=7, first=f"Usage: {program} ")


def _listed(registry: Registry, path: _Words, listing: Listing, look: Look) -> list[str]:
    """The commands under their categories, then the groups."""
    sections: dict[str, list[Row]] = {}
    for tool in listing.commands:
        sections.setdefault(tool.options.category or _UNSORTED, []).append(_command_row(tool))
    groups = [_group_row(registry, (*path, word), count) for word, count in listing.groups.items()]
    if groups:
        sections.setdefault("Groups", []).extend(groups)
    lines: list[str] = []
    for title, rows in sections.items():
        lines += ["", heading(title, look), *rows_of(rows, look)]
    return lines


def _command_row(tool: Tool) -> Row:
    facts = ("deprecated",) if tool.options.deprecated else ()
    return Row(tool.path[-1], first_sentence(tool.description), facts)


def _group_row(registry: Registry, path: _Words, count: int) -> Row:
    held = f"{count} command{'' if count == 1 else 's'}"
    return Row(path[-1], first_sentence(registry.groups.get(path)), (held,))


def _builtin_rows() -> Iterator[Row]:
    for builtin in BUILTINS:
        spelled = ", ".join(sorted(builtin.spellings, key=len))
        word = "{" + ",".join(builtin.values) + "}" if builtin.values else builtin.metavar
        yield Row(f"{spelled} {word}".rstrip(), builtin.says.removesuffix("."))
