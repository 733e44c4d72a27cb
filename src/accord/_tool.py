"""Tool: a function under its contract.

Compiled at registration, or at first use when an annotation names something that is not defined
yet, or when the function is so plain that compiling it cannot fail. Its schemas are handed out as copies, so nobody
can change the contract from outside.
"""

from __future__ import annotations

import sys

from accord._glance import glance
from accord._options import MARK, Options, checked_name, name_of
from accord._ready import BY_VALUE
from accord._values import lazy
from accord.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from accord._calls import JSON, Surface
    from accord._compile import Compiled
    from accord._ready import Boxing, Ready
    from accord.gate.validator import Gate
    from accord.protocol.headers import Mirrored

__all__ = ["Options", "Tool"]

Schema: TypeAlias = "dict[str, JSON]"

#: what ``types`` calls FunctionType
_FUNCTION = type(glance)
_DEFAULT_OPTIONS = Options()
_DEFAULT_POLICY = Policy()
#: code flags: coroutine functions and async generators
_ASYNC = 0x80 | 0x200


class Tool:
    """One tool of an App: ``name``, ``description``, schemas, ``annotations`` and the function ``fn``."""

    fn: Callable[..., Any]
    options: Options
    policy: Policy
    name: str
    path: tuple[str, ...]
    #: whether what the function returns is a result under a contract; else it is left as it is
    has_result = True

    def __init__(
        self,
        fn: Callable[..., Any],
        options: Options | None = None,
        policy: Policy | None = None,
        *,
        is_provided: Callable[[Any], bool] = lambda _annotation: False,
    ) -> None:
        self.fn = fn
        self.options = options or _DEFAULT_OPTIONS
        self.policy = policy or _DEFAULT_POLICY
        name = checked_name(name_of(fn) if self.options.name is None else self.options.name)
        #: the words that call it on a command line
        self.path = tuple(name.split("."))
        self.name = name.replace(".", "_") if self.policy.names == "underscore" else name
        if self.options.ui is not None:
            from accord._pages import check_shown  # noqa: PLC0415 - few tools have a page

            check_shown(fn, self.options.ui, name_of(fn))
        self.surfaces: tuple[Surface, ...] = self.options.surfaces
        self._is_provided = is_provided
        ready = self._at_a_glance()
        if ready is not None:
            self.ready = ready
        else:
            self._compile()

    def __repr__(self) -> str:
        return f"<Tool {self.name!r}>"

    def _at_a_glance(self) -> Ready | None:
        options, policy = self.options, self.policy
        explicit = options.input_schema is not None or options.output_schema is not None or options.flatten
        if explicit or policy.dialect != "accord" or policy.outputs != "open":
            return None
        return glance(self.fn, self._is_provided)

    def _compile(self) -> None:
        """Compile now, unless an annotation names something that is not defined yet: then the first use tries again."""
        from accord._compile import compile_function  # noqa: PLC0415 - what a plain tool can do without
        from accord._scope import Unresolved  # noqa: PLC0415 - as above

        try:
            self.compiled = compile_function(
                self.fn, self.options, self.policy, self._is_provided, has_result=self.has_result
            )
        except Unresolved:
            return

    @lazy
    def compiled(self) -> Compiled:
        """The whole contract.

        Raises:
            RegistrationError: an annotation still names something that does not exist.
        """
        from accord._compile import compile_function  # noqa: PLC0415 - what a plain tool can do without
        from accord._scope import Unresolved  # noqa: PLC0415 - as above
        from accord.schema.infer import undefined  # noqa: PLC0415 - as above

        try:
            return compile_function(self.fn, self.options, self.policy, self._is_provided, has_result=self.has_result)
        except Unresolved as unresolved:
            raise undefined(name_of(self.fn), unresolved) from unresolved

    @lazy
    def ready(self) -> Ready:
        """What a call needs.

        Raises:
            RegistrationError: an annotation still names something that does not exist.
        """
        found = None if "compiled" in self.__dict__ else self._at_a_glance()
        return self.compiled.ready if found is None else found

    @property
    def is_compiled(self) -> bool:
        """Whether there is more to know than what was plain to see: asked of a tool that is ready."""
        return bool(self.ready) and "compiled" in self.__dict__

    @lazy
    def is_async(self) -> bool:
        """Whether calling the function only begins the work, which then needs an event loop."""
        if _is_bare(self.fn):
            return bool(self.fn.__code__.co_flags & _ASYNC)
        import inspect  # noqa: PLC0415 - whatever is no plain function

        called = self.fn if inspect.isroutine(self.fn) else getattr(self.fn, "func", None) or type(self.fn).__call__
        return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)

    @lazy
    def is_plain(self) -> bool:
        """Whether a call is its function alone: nothing injected, asked, repeated, kept, capped or sealed."""
        capped = self.policy.timeout is not None or self.policy.max_response_bytes is not None
        special = self.ready.injected or self.options.asks_more or self.cursors is not None
        return not (capped or special)

    @lazy
    def cursors(self) -> tuple[tuple[str, ...], ...] | None:
        """Where in the arguments cursors stand; None for a tool that has nothing to do with any."""
        types = sys.modules.get("accord.types")  # whoever names a Cursor has imported it
        if types is None or not self.is_compiled or not types.holds_cursors(self.fn, self.compiled.signature):
            return None
        paths: tuple[tuple[str, ...], ...] = types.cursor_paths(
            self.compiled.signature, flattened=self.ready.flattened is not None
        )
        return paths

    @lazy
    def boxing(self) -> Boxing:
        """Whether its structured results travel in a box."""
        from accord._wire import boxing_of  # noqa: PLC0415 - only servers box
        from accord.errors import RegistrationError  # noqa: PLC0415 - as above

        try:
            return boxing_of(self.compiled)
        except RegistrationError:  # middleware answered for a tool that cannot be compiled
            return BY_VALUE

    @property
    def mirrored(self) -> tuple[Mirrored, ...]:
        """The arguments that HTTP clients repeat in headers, found once; whoever serves HTTP compares the two."""
        from accord.errors import RegistrationError  # noqa: PLC0415 - only servers ask

        try:
            return self._mirrored
        except RegistrationError:  # it cannot be called either, and whoever tries is told why
            return ()

    @lazy
    def _mirrored(self) -> tuple[Mirrored, ...]:
        if not self.is_compiled:
            return ()
        from accord.protocol.headers import Mirrored  # noqa: PLC0415 - few tools have any
        from accord.schema.mirroring import mirrored_in  # noqa: PLC0415 - as above

        return tuple(Mirrored(header, path) for header, path in mirrored_in(self.compiled.published_input))

    def forget(self) -> None:
        """Compile again at next use: what fills in a parameter has changed."""
        for name in ("_mirrored", "boxing", "compiled", "ready", "is_plain", "cursors", "digest"):
            self.__dict__.pop(name, None)

    @lazy
    def digest(self) -> str:
        """A fingerprint of the contract that is enforced."""
        import hashlib  # noqa: PLC0415 - only what is kept or locked needs it

        import msgspec  # noqa: PLC0415 - as above

        contract = [self.name, self.compiled.input, self.compiled.output]
        return hashlib.sha256(msgspec.json.encode(contract, order="sorted")).hexdigest()

    @property
    def description(self) -> str | None:
        """What the tool does: the option, or the docstring's text before its first section."""
        return self.options.description or self.summary or None

    @lazy
    def summary(self) -> str:
        """The docstring's text before its first section."""
        if _is_bare(self.fn):
            from accord._docstring import summary_of, unindented  # noqa: PLC0415 - for listings

            return summary_of(unindented(str(self.fn.__doc__ or "")))
        from accord._signature import summary_of_function  # noqa: PLC0415 - as above

        return summary_of_function(self.fn)

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
        from accord._wire import wire_tool  # noqa: PLC0415 - only servers show it

        return wire_tool(self.name, self.description, self.annotations, self.options, self.compiled, protocol)


def _is_bare(function: Any) -> bool:
    """Whether this is a Python function with nothing written on it that inspect would heed."""
    return type(function) is _FUNCTION and function.__dict__.keys() <= {MARK}


def _copy(schema: Schema) -> Schema:
    import msgspec  # noqa: PLC0415 - a listing of commands shows no schema

    copy: Schema = msgspec.json.decode(msgspec.json.encode(schema))
    return copy
