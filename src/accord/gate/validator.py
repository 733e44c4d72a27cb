"""A canonical schema, compiled: the one thing that decides what a tool accepts and returns.

Wraps jsonschema-rs with our formats and our ``multipleOf``, offline. The library is imported when
the first gate is used, not when a tool is registered.
"""

from collections.abc import Callable
from typing import Any

from accord._calls import JSON
from accord.gate.bounds import exact_bounds
from accord.gate.equality import exact_equality
from accord.schema.formats import FORMATS, SAME_IN_ENGINE
from accord.schema.patterns import engine_pointer, with_engine_patterns
from accord.schema.walk import subschemas

__all__ = ["DEEPEST", "Gate", "schema_problem"]

Schema = dict[str, JSON]
Check = Callable[[JSON], bool]

_ROOT = "urn:accord:schema"
#: levels of nesting a recursive schema follows; the engine itself gives up on values deeper than this
DEEPEST = 250


class Gate:
    """One schema, compiled when first used; its subschemas, when a failure has to be explained."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        #: ``is_valid`` without a net, for the one caller in a hurry: raises ValueError for what is not JSON.
        #: Once compiled, it is the engine's own function.
        self.admits: Check = self._compile_and_ask
        self._refers: bool | None = None
        self._registry: Any = None
        self._parts: dict[str, Any] = {}

    def is_valid(self, value: JSON) -> bool:
        """Whether the value satisfies the schema. What is not JSON, lone surrogates included, does not."""
        try:
            return self.admits(value)
        except ValueError:  # the engine's word for a value that is not JSON
            return False

    def _compile_and_ask(self, value: JSON) -> bool:
        check: Check = _compile(self.schema).is_valid
        if self._may_recurse():
            self.admits = lambda value: not self.is_too_deep(value) and check(value)
        else:
            self.admits = check
        return self.admits(value)

    def is_too_deep(self, value: JSON) -> bool:
        """Whether a recursive schema would have to follow the value deeper than is safe.

        The engine recurses on the machine's stack, which a value of a few thousand levels overflows.
        """
        return self._may_recurse() and not _within(value, DEEPEST)

    def _may_recurse(self) -> bool:
        if self._refers is None:
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
            part = self._parts[place] = _compile(alone)
        return _admits(part, value)

    def _compile_part(self, pointer: str, *, each: bool = False) -> Any:
        if self._registry is None:
            self._registry = _engine().Registry(
                [(_ROOT, with_engine_patterns(self.schema))], draft=_engine().Draft202012
            )
        # A reference into the whole, so that the part's own references keep their meaning.
        part: Schema = {"$ref": f"{_ROOT}#{_fragment(engine_pointer(pointer))}"}
        return _compile({"items": part} if each else part, root=self.schema, registry=self._registry)


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


def schema_problem(schema: Schema) -> str | None:
    """What is wrong with a schema somebody wrote by hand, or None."""
    try:
        _engine().Draft202012Validator({"$ref": _METASCHEMA}, offline=True).validate(schema)
        _compile(schema)
    except ValueError as error:
        place = "".join(f"/{step}" for step in getattr(error, "instance_path", []))
        reason = getattr(error, "message", None) or str(error)
        return f"{reason[:300]} (at {place or 'its root'})"
    return None


#: known to the engine: naming it fetches nothing
_METASCHEMA = "https://json-schema.org/draft/2020-12/schema"


def _compile(schema: Schema, *, root: Schema | None = None, **options: Any) -> Any:
    from accord.gate.multiples import MultipleOf  # noqa: PLC0415 - fractions are only needed by gates in use

    parts = [part for _, part in subschemas(root or schema)]
    return _engine().Draft202012Validator(
        with_engine_patterns(schema),
        formats={name: check for name, check in FORMATS.items() if name not in SAME_IN_ENGINE},
        validate_formats=True,
        offline=True,
        keywords={"multipleOf": MultipleOf, **exact_bounds(parts), **exact_equality(parts)},
        **options,
    )


def _engine() -> Any:
    import jsonschema_rs  # noqa: PLC0415 - 20 ms that start-up must not pay

    return jsonschema_rs


def _fragment(pointer: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - only failures are explained

    return quote(pointer, safe="/~")
