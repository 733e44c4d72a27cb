"""A tool's contract -> the arguments its command takes: how each is spelled, and what kind of text it takes.

Knows the schema that is enforced and the author's markers; reads no command line.
"""

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from accord._calls import JSON
from accord._tool import Tool

if TYPE_CHECKING:
    from accord._ready import Ready
    from accord.markers import Option

__all__ = ["Argument", "Arguments", "Given", "Reader", "arguments_of", "described_arguments_of"]

#: by argument: where inside it, and the text (or what a flag said)
Given = dict[str, list[tuple[tuple[str, ...], str | bool]]]
#: ``@file`` or ``-`` -> what it holds; raises OSError
Reader = Callable[[str], bytes]

Schema = dict[str, JSON]
#: a flag takes no text, a list may be given again and again, an object field by field
Shape = Literal["value", "flag", "list", "object"]


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a command.

    ``spellings`` are the options that give it, the one to show first; ``negations`` those that say no to a flag.
    ``raw`` is set where the author wrote no annotation: text stays text. ``is_path`` says that the text names a file;
    it is told to people and shells only (``described_arguments_of``).
    """

    name: str
    schema: Schema
    shape: Shape
    spellings: tuple[str, ...]
    negations: tuple[str, ...] = ()
    positional: bool = False
    env: str | None = None
    metavar: str | None = None
    hidden: bool = False
    required: bool = False
    raw: bool = False
    is_path: bool = False

    @property
    def is_text(self) -> bool:
        """Whether the text that is given is the value."""
        return self.raw or (self.shape == "value" and self.schema.get("type") == "string")

    @property
    def shown(self) -> str:
        """What people are told to type for it."""
        return self.metavar or self.name.upper() if self.positional else self.spellings[0]


class Arguments(msgspec.Struct, frozen=True):
    """All arguments of a command. ``spelled`` leads from an option to its argument, and whether it says no."""

    all: tuple[Argument, ...]
    spelled: dict[str, tuple[Argument, bool]]
    definitions: Schema
    opens: bool

    @property
    def named(self) -> dict[str, Argument]:
        """By name."""
        return {argument.name: argument for argument in self.all}

    @property
    def positionals(self) -> list[Argument]:
        """Those given by their place, in order."""
        return [argument for argument in self.all if argument.positional]


def arguments_of(tool: Tool) -> Arguments:
    """The arguments of a tool's command: enough to read a command line, and perhaps without a word for people.

    Raises:
        RegistrationError: an annotation still names something that does not exist.
    """
    ready = tool.ready
    return _table(tool, ready, tool.compiled.input if tool.is_compiled else ready.gate.schema)


def described_arguments_of(tool: Tool) -> Arguments:
    """The same with descriptions, defaults and examples. Raises what ``arguments_of`` raises."""
    from accord.cli.help_words import names_files  # noqa: PLC0415 - a command that runs describes nothing

    fields = getattr(tool.compiled.whole.root, "fields", ())
    paths = {field.name for field in fields if names_files(field.node)}
    return _table(tool, tool.ready, tool.compiled.input, paths)


def _table(tool: Tool, ready: "Ready", schema: Schema, paths: Container[str] = ()) -> Arguments:
    definitions: Schema = schema.get("$defs", {})
    required = schema.get("required", ())
    markers: dict[str, tuple[Any, ...]] = {}
    unannotated = {name for name, inner in schema.get("properties", {}).items() if inner == {}}
    if tool.is_compiled:
        written = {} if ready.flattened else _annotations(tool)
        markers = {name: getattr(annotation, "__metadata__", ()) for name, annotation in written.items()}
        unannotated = {name for name, annotation in written.items() if annotation is _NONE}
    arguments = tuple(
        _argument(name, inner, definitions, name in required, markers.get(name, ()), name in unannotated, name in paths)
        for name, inner in schema.get("properties", {}).items()
    )
    return Arguments(arguments, _spelled(arguments), definitions, schema.get("additionalProperties") is not False)


def _argument(
    name: str, schema: JSON, definitions: Schema, required: bool, markers: tuple[Any, ...], raw: bool, is_path: bool
) -> Argument:
    option, positional = (None, False) if not markers else _marked(markers)
    schema = schema if isinstance(schema, dict) else {}
    shape = "value" if raw else _shape(schema, definitions)
    spellings = _spellings(name, () if option is None else option.names)
    return Argument(
        name=name,
        schema=schema,
        shape="value" if positional and shape == "flag" else shape,
        spellings=spellings,
        negations=tuple(f"--no-{one[2:]}" for one in spellings if one.startswith("--")) if shape == "flag" else (),
        positional=positional,
        env=None if option is None else option.env,
        metavar=None if option is None else option.metavar,
        hidden=option is not None and option.hidden,
        required=required,
        raw=raw,
        is_path=is_path,
    )


def _marked(markers: tuple[Any, ...]) -> "tuple[Option | None, bool]":
    from accord.markers import Option, Positional  # noqa: PLC0415 - loaded, where there is one

    option = next((marker for marker in markers if isinstance(marker, Option)), None)
    return option, any(marker is Positional or isinstance(marker, Positional) for marker in markers)


_SHAPES: dict[str, Shape] = {
    "string": "value",
    "integer": "value",
    "number": "value",
    "boolean": "flag",
    "array": "list",
    "object": "object",
}


def _shape(schema: Schema, definitions: Schema) -> Shape:
    named = schema.get("type")
    if isinstance(named, str) and named in _SHAPES:
        return _SHAPES[named]
    from accord.texts.kinds import kinds_of  # noqa: PLC0415 - most arguments are plain

    kinds = kinds_of(schema, definitions) - {"null"}
    if kinds == {"boolean"}:
        return "flag"
    if kinds == {"array"}:
        return "list"
    return "object" if kinds == {"object"} else "value"


def _spellings(name: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """``--file-pattern`` and ``--file_pattern``; names the author chose come before them."""
    return tuple(dict.fromkeys((*chosen, f"--{name.replace('_', '-')}", f"--{name}")))


def _spelled(arguments: tuple[Argument, ...]) -> dict[str, tuple[Argument, bool]]:
    spelled: dict[str, tuple[Argument, bool]] = {}
    for argument in arguments:  # a parameter that is really called no_clean comes before the negation of clean
        for spelling in argument.spellings:
            spelled.setdefault(spelling, (argument, True))
    for argument in arguments:
        for spelling in argument.negations:
            spelled.setdefault(spelling, (argument, False))
    return spelled


_NONE = object()


def _annotations(tool: Tool) -> dict[str, Any]:
    """What the author wrote, by parameter; ``_NONE`` for nothing."""
    from accord._parameters import EMPTY  # noqa: PLC0415 - loaded, where this is asked

    parameters = tool.compiled.signature.parameters
    return {each.name: _NONE if each.annotation is EMPTY else each.annotation for each in parameters}
