"""What ``--help`` after a command's name shows: how to call it, and every argument it takes.

Knows the command's contract and what is set in the environment; the listing of commands is ``help``.
"""

from collections.abc import Iterator, Mapping

from accord._tool import Tool
from accord.cli.arguments import Argument, Arguments, described_arguments_of
from accord.cli.gather import is_flag_at
from accord.cli.help_layout import Row, heading, paragraphs, rows_of, safe, wrapped
from accord.cli.help_words import default_text, fields_of, is_secret, limits, type_word
from accord.cli.listing import program_words
from accord.cli.terminal import Look, cut
from accord.cli.usage import (
    builtins_left,
    example_line,
    is_repeatable,
    long_spelling,
    place_words,
    shadowed,
    spellings_of,
    usage_words,
    value_word,
)
from accord.texts.kinds import Schema, branches

__all__ = ["command_help", "sections"]

_LONGEST_VALUE = 40


def command_help(program: str, tool: Tool, environ: Mapping[str, str], look: Look) -> str:
    """The help of one command.

    Raises:
        RegistrationError: an annotation of the tool still names something that does not exist.
    """
    table = described_arguments_of(tool)
    called = f"{program_words(program)} {' '.join(tool.path)}"
    lines = paragraphs(tool.description or "", look)
    lines += ["", *wrapped(" ".join(usage_words(table)), look, indent=7, first=f"Usage: {called} ")]
    for title, rows in sections(table, environ):
        lines += ["", heading(title, look), *rows_of(rows, look)]
    lines += _examples(program, tool, table, look)
    for note in _notes(program, tool, table):
        lines += ["", *wrapped(note, look)]
    return "\n".join(lines).lstrip("\n") + "\n"


def sections(table: Arguments, environ: Mapping[str, str]) -> Iterator[tuple[str, list[Row]]]:
    """The titles, and the rows below each; titles without rows are left out."""
    shown = [argument for argument in table.all if argument.required or not argument.hidden]
    titles = {"Arguments": list[Row](), "Required": list[Row](), "Options": list[Row]()}
    for argument in shown:
        title = "Arguments" if argument.positional else "Required" if argument.required else "Options"
        titles[title] += _rows(argument, table, environ)
    return ((title, rows) for title, rows in titles.items() if rows)


def _rows(argument: Argument, table: Arguments, environ: Mapping[str, str]) -> Iterator[Row]:
    schema, definitions = argument.schema, table.definitions
    facts = (
        *_facts(schema, definitions),
        *_environment(argument, definitions, environ),
        *(["repeatable"] if is_repeatable(argument) else []),
    )
    yield Row(_term(argument, table), _description(schema, definitions), facts)
    if argument.shape == "object":
        for path, inner, needed in fields_of(schema, definitions):
            # Fields are spelled with dashes, as arguments are.
            term = ".".join([long_spelling(argument, table), *(step.replace("_", "-") for step in path)])
            facts = (*_facts(inner, definitions), *(["needed"] if needed else []))
            word = "" if is_flag_at(inner, (), definitions) else type_word(inner, definitions)
            yield Row(f"  {term} {word}".rstrip(), _description(inner, definitions), facts)


def _term(argument: Argument, table: Arguments) -> str:
    word = value_word(argument, table)
    if argument.positional:
        return f"{place_words(argument)} {word}"
    yes, no = spellings_of(argument, table)
    term = ", ".join(yes or argument.spellings[:1])
    return f"{term} / {', '.join(no)}" if no else f"{term} {word}".rstrip()


def _description(schema: Schema, definitions: Schema) -> str:
    """What the author says of a value, or of its type."""
    said = [schema, *branches(schema, definitions)]
    return next((str(each["description"]) for each in said if each.get("description")), "")


def _facts(schema: Schema, definitions: Schema) -> tuple[str, ...]:
    default = default_text(schema, definitions)
    facts = [*limits(schema, definitions)]
    if default:
        facts.append(f"default: {cut(default, _LONGEST_VALUE * 2, '...')}")
    elif isinstance(schema.get("examples"), list) and schema["examples"] and not is_secret(schema, definitions):
        facts.append(f"for example: {default_text({'default': schema['examples'][0]}, {})}")
    return (*facts, *(["deprecated"] if schema.get("deprecated") is True else []))


def _environment(argument: Argument, definitions: Schema, environ: Mapping[str, str]) -> Iterator[str]:
    if argument.env is None:
        return
    value = environ.get(argument.env)
    if value is None:
        yield f"env: {argument.env}"
    elif is_secret(argument.schema, definitions):
        yield f"env: {argument.env}, which is set"
    else:
        yield f"env: {argument.env}={cut(value, _LONGEST_VALUE, '...')}"


def _examples(program: str, tool: Tool, table: Arguments, look: Look) -> list[str]:
    lines = [safe(example_line(program, tool, table, example), look) for example in tool.options.examples]
    return ["", heading("Examples", look), *(f"  {line}" for line in lines)] if lines else []


def _notes(program: str, tool: Tool, table: Arguments) -> Iterator[str]:
    options = tool.options
    if options.deprecated:
        instead = f": {options.deprecated}" if isinstance(options.deprecated, str) else "."
        yield f"This command is deprecated{instead}"
    if options.confirm:
        yield "It asks for consent first; --yes gives it."
    if options.aliases:
        yield f"Also called {', '.join(alias.replace('.', ' ') for alias in options.aliases)}."
    if table.opens:
        yield "Options with other names are handed to the command too."
    own = shadowed(table)
    if own:
        are = "is an option" if len(own) == 1 else "are options"
        yield (
            f"{_listed(own)} {are} of this command; the built-in one goes before its name: "
            f"{program_words(program)} {own[0]} ... {' '.join(tool.path)}"
        )
    spelled = [" ".join([spellings[0], builtin.metavar]).strip() for builtin, spellings in builtins_left(table)]
    yield f"Built in: {', '.join(spelled)}. {program_words(program)} --help says what they do."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
