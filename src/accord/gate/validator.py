"""A canonical schema, compiled: the one thing that decides what a tool accepts and returns.

The engine is loaded by the first gate that needs it. A gate that has seen few values does not where its schema is
small and flat: ``plainly`` then knows what is certain to pass, and everything else is the engine's to decide.
"""

from __future__ import annotations

import sys

from accord.gate.plainly import plain_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from accord._calls import JSON

__all__ = ["DEEPEST", "Gate", "expect_many_calls"]

Schema: TypeAlias = "dict[str, JSON]"
Check: TypeAlias = "Callable[[JSON], bool]"

#: values a gate looks at itself before it compiles, which pays off for those who call again and again
_UNCOMPILED = 20
_ENGINE = "accord.gate.engine"
#: levels of nesting a recursive schema follows; the engine itself gives up on values deeper than this
DEEPEST = 250


class Gate:
    """One schema, compiled when first used; its subschemas, when a failure has to be explained."""

    #: ``_UNCOMPILED`` while no other gate has loaded the engine, which takes as long as many thousand values
    patience = 1000

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        #: ``is_valid`` without a net, for the one caller in a hurry: raises ValueError for what is not JSON.
        #: Once compiled, it is the engine's own function.
        self.admits: Check = self._ask_at_first
        self._plainly: Check | None = None
        self._seen = 0
        self._refers: bool | None = None
        self._whole: Any = None
        self._parts: dict[str, Any] = {}

    def is_valid(self, value: JSON) -> bool:
        """Whether the value satisfies the schema. What is not JSON, lone surrogates included, does not."""
        try:
            return self.admits(value)
        except ValueError:  # the engine's word for a value that is not JSON
            return False

    def compile(self) -> None:
        """Be ready for many values; a gate that is in use does it by itself."""
        check: Check = self._engine().compile_schema(self.schema).is_valid
        if self._may_recurse():
            self.admits = lambda value: not self.is_too_deep(value) and check(value)
        else:
            self.admits = check

    def _ask_at_first(self, value: JSON) -> bool:
        """Look for what the schema is, then at the value."""
        self._plainly = plain_check(self.schema)
        if self._plainly is None:
            return self._compile_and_ask(value)
        self.admits = self._ask_plainly
        return self._ask_plainly(value)

    def _ask_plainly(self, value: JSON) -> bool:
        self._seen += 1
        most = _UNCOMPILED if _ENGINE in sys.modules else self.patience
        if self._seen < most and self._plainly is not None and self._plainly(value):
            return True
        return self._compile_and_ask(value)

    def _compile_and_ask(self, value: JSON) -> bool:
        self.compile()
        return self.admits(value)

    def is_too_deep(self, value: JSON) -> bool:
        """Whether a recursive schema would have to follow the value deeper than is safe.

        The engine recurses on the machine's stack, which a value of a few thousand levels overflows.
        """
        return self._may_recurse() and not _within(value, DEEPEST)

    def _may_recurse(self) -> bool:
        if self._refers is None:
            from accord.schema.walk import subschemas  # noqa: PLC0415 - a plain value needs none of it

            self._refers = any("$ref" in inner or "$dynamicRef" in inner for _, inner in subschemas(self.schema))
        return self._refers

    def is_valid_at(self, pointer: str, value: JSON) -> bool:
        """Whether the value satisfies the subschema at a JSON Pointer."""
        part = self._parts.get(pointer)
        if part is None:
            part = self._parts[pointer] = self._compile_part(pointer)
        return _admits(part, value)

    def are_valid_at(self, pointer: str, values: list[JSON]) -> bool:
        """Whether every one of the values satisfies the subschema at a JSON Pointer."""
        place = f"{pointer} of each"
        part = self._parts.get(place)
        if part is None:
            part = self._parts[place] = self._compile_part(pointer, each=True)
        return _admits(part, values)

    def matches(self, pattern: str, name: str) -> bool:
        """Whether a pattern of ``patternProperties`` speaks of this name."""
        return not self.holds(pattern, "patternProperties", {pattern: False}, {name: None})

    def holds(self, pointer: str, keyword: str, operand: JSON, value: JSON) -> bool:
        """Whether one keyword of the subschema at a JSON Pointer holds, its siblings aside."""
        place = f"{pointer} {keyword}"
        part = self._parts.get(place)
        if part is None:
            alone = {keyword: operand, "$defs": self.schema.get("$defs", {})}
            part = self._parts[place] = self._engine().compile_schema(alone)
        return _admits(part, value)

    def _compile_part(self, pointer: str, *, each: bool = False) -> Any:
        engine = self._engine()
        if self._whole is None:
            self._whole = engine.whole_of(self.schema)
        return engine.part_of(self.schema, self._whole, pointer, each=each)

    @staticmethod
    def _engine() -> Any:
        from accord.gate import engine  # noqa: PLC0415 - 15 ms that start-up must not pay

        return engine


def expect_many_calls() -> None:
    """This process is a server, called again and again: what pays off later pays off."""
    Gate.patience = _UNCOMPILED


def _within(value: JSON, levels: int) -> bool:
    """Whether a value nests at most so many levels deep, without recursing into it."""
    level = [value]
    for _ in range(levels + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        level = [inner for item in containers for inner in (item.values() if isinstance(item, dict) else item)]
        if not level:
            return True
    return False


def _admits(validator: Any, value: JSON) -> bool:
    try:
        return validator.is_valid(value) is True
    except ValueError:  # the engine's word for a value that is not JSON
        return False
