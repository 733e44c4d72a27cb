"""Tool: a function under its contract.

Compiled at registration, or at first use when an annotation names something that is not defined
yet. Its schemas are handed out as copies, so nobody can change the contract from outside.
"""

import contextlib
import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec

from accord._calls import JSON
from accord._compile import Compiled, compile_function
from accord._options import Options, checked_name
from accord._scope import Unresolved
from accord._signature import name_of, summary_of_function
from accord._wire import wire_tool
from accord.gate.validator import Gate
from accord.policy import Policy
from accord.schema.infer import undefined

__all__ = ["Options", "Tool"]

Schema = dict[str, JSON]


class Tool:
    """One tool of an App: ``name``, ``description``, schemas, ``annotations`` and the function ``fn``."""

    fn: Callable[..., Any]
    options: Options
    policy: Policy
    name: str
    path: tuple[str, ...]

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
        name = checked_name(name_of(fn) if self.options.name is None else self.options.name)
        #: the words that call it on a command line
        self.path = tuple(name.split("."))
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

    @cached_property
    def is_async(self) -> bool:
        """Whether calling the function only begins the work, which then needs an event loop."""
        called = self.fn if inspect.isroutine(self.fn) else getattr(self.fn, "func", None) or type(self.fn).__call__
        return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)

    @cached_property
    def is_plain(self) -> bool:
        """Whether a call is its function and nothing else: nothing injected, asked, repeated, kept or capped."""
        capped = self.policy.timeout is not None or self.policy.max_response_bytes is not None
        return not (capped or self.compiled.signature.injected or self.options.asks_more)

    def forget(self) -> None:
        """Compile again at next use: what fills in a parameter has changed."""
        for name in ("compiled", "is_plain", "digest"):
            self.__dict__.pop(name, None)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the contract that is enforced."""
        import hashlib  # noqa: PLC0415 - only what is kept or locked needs it

        contract = [self.name, self.compiled.input, self.compiled.output]
        return hashlib.sha256(msgspec.json.encode(contract, order="sorted")).hexdigest()

    @property
    def description(self) -> str | None:
        """What the tool does: the option, or the docstring's text before its first section."""
        return self.options.description or summary_of_function(self.fn) or None

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
