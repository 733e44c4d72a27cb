"""Tool: a function under its contract.

Compiled at registration, or at first use when an annotation names something that is not defined
yet. Its schemas are handed out as copies, so nobody can change the contract from outside.
"""

import contextlib
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec

from accord._calls import JSON
from accord._compile import Compiled, Options, compile_function
from accord._scope import Unresolved
from accord._signature import name_of
from accord._wire import wire_tool
from accord.errors import RegistrationError
from accord.gate.validator import Gate
from accord.policy import Policy
from accord.schema.infer import undefined

__all__ = ["Options", "Tool"]

Schema = dict[str, JSON]

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,127}", re.ASCII).fullmatch
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE).fullmatch


class Tool:
    """One tool of an App: ``name``, ``description``, schemas, ``annotations`` and the function ``fn``."""

    fn: Callable[..., Any]
    options: Options
    policy: Policy
    name: str

    def __init__(
        self,
        fn: Callable[..., Any],
        options: Options | None = None,
        policy: Policy | None = None,
        *,
        is_provided: Callable[[Any], bool] = lambda _annotation: False,
    ) -> None:
        self.fn = fn
        self.options = options or Options()
        self.policy = policy or Policy()
        name = _checked_name(name_of(fn) if self.options.name is None else self.options.name)
        self.name = name.replace(".", "_") if self.policy.names == "underscore" else name
        self._is_provided = is_provided
        with contextlib.suppress(Unresolved):  # deferred: the first use tries again, and complains then
            self.compiled = compile_function(fn, self.options, self.policy, is_provided)

    def __repr__(self) -> str:
        return f"<Tool {self.name!r}>"

    @cached_property
    def compiled(self) -> Compiled:
        """What a call needs.

        Raises:
            RegistrationError: an annotation still names something that does not exist.
        """
        try:
            return compile_function(self.fn, self.options, self.policy, self._is_provided)
        except Unresolved as unresolved:
            raise undefined(name_of(self.fn), unresolved) from unresolved

    @property
    def description(self) -> str | None:
        """What the tool does: the option, or the docstring's text before its first section."""
        return self.options.description or self.compiled.signature.summary or None

    @property
    def annotations(self) -> dict[str, JSON]:
        """The behavioural hints the author set; the others are absent."""
        hints = {
            "title": self.options.title,
            "readOnlyHint": self.options.read_only,
            "destructiveHint": self.options.destructive,
            "idempotentHint": self.options.idempotent,
            "openWorldHint": self.options.open_world,
        }
        return {name: value for name, value in hints.items() if value is not None}

    @property
    def input_schema(self) -> Schema:
        """The published input schema, a copy."""
        return _copy(self.compiled.published_input)

    @property
    def output_schema(self) -> Schema | None:
        """The published output schema, a copy, or None where the tool promises no result."""
        published = self.compiled.published_output
        return None if published is None else _copy(published)

    @property
    def canonical_input(self) -> Schema:
        """The input schema that is enforced, a copy."""
        return _copy(self.compiled.input)

    @property
    def gate(self) -> Gate:
        """The compiled canonical input schema."""
        return self.compiled.gate

    def wire(self, protocol: str = "2026-07-28") -> dict[str, JSON]:
        """The tool as ``tools/list`` shows it to a client of that protocol version."""
        return wire_tool(self.name, self.description, self.annotations, self.compiled, protocol)


def _copy(schema: Schema) -> Schema:
    copy: Schema = msgspec.json.decode(msgspec.json.encode(schema))
    return copy


def _checked_name(name: str) -> str:
    safe = _NAME(name) and not name.endswith((".", ".output")) and ".." not in name and not _DEVICES(name)
    if not safe:
        raise RegistrationError(
            name,
            None,
            "this cannot be a tool name",
            "Use up to 128 letters, digits, _, - and single dots; a name also names schema files, so not "
            "a reserved file name, and not one that ends in .output.",
        )
    return name
