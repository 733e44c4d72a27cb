"""``Annotated`` metadata -> limits and notes on nodes.

Understands our markers, and those of ``annotated_types``, ``pydantic.Field``, ``msgspec.Meta`` and
``typing_extensions.Doc`` by their shape, without importing any of them. A marker that cannot apply
to its type raises ``Unfit``; ``infer`` adds the function and the parameter.
"""

import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import msgspec

from accord import markers
from accord._calls import JSON
from accord._encode import Unencodable, holds_secret, json_scalar
from accord._scope import Unfit
from accord.schema import tree
from accord.schema.instances import Writer, without_choices
from accord.schema.mirroring import MIRRORED
from accord.schema.patterns import is_ecma

__all__ = ["apply", "facts_of"]


#: attribute of a foreign metadata object -> our fact
_ATTRIBUTES = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "description": "description",
    "examples": "examples",
    "documentation": "description",
    "discriminator": "tag",
    "deprecated": "deprecated",
}
_OURS: dict[type, str] = {
    markers.MinLen: "minLength",
    markers.MaxLen: "maxLength",
    markers.Gt: "exclusiveMinimum",
    markers.Ge: "minimum",
    markers.Lt: "exclusiveMaximum",
    markers.Le: "maximum",
    markers.MultipleOf: "multipleOf",
    markers.Pattern: "pattern",
    markers.Description: "description",
}
_LENGTHS = {"minLength": "min", "maxLength": "max"}
_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
#: keywords of which the larger (smaller) value is the stricter one
_LARGER_WINS = {"minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"}
_SMALLER_WINS = {"maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"}

Fact = tuple[str, Any]


def facts_of(metadata: object) -> Iterator[Fact]:
    """The facts one metadata object states, as (keyword, value) pairs; nothing for one we do not know."""
    keyword = _OURS.get(type(metadata))
    if keyword is not None:
        yield keyword, metadata.value  # type: ignore[attr-defined]  # every class in _OURS has it
    elif isinstance(metadata, markers.Examples):
        yield "examples", list(metadata.values)
    elif isinstance(metadata, markers.Header):
        yield MIRRORED, metadata.name
    elif metadata is markers.Header:  # without parentheses, as Positional can be
        yield MIRRORED, None
    elif isinstance(metadata, str):
        yield "description", metadata
    elif type(metadata).__module__.partition(".")[0] in _KNOWN_MODULES:
        yield from _foreign_facts(metadata)


_KNOWN_MODULES = {"annotated_types", "pydantic", "pydantic_core", "msgspec", "typing_extensions", "annotated_doc"}


def _foreign_facts(metadata: Any) -> Iterator[Fact]:
    if type(metadata).__name__ == "FieldInfo":
        for inner in metadata.metadata:
            yield from facts_of(inner)
    if type(metadata).__name__ == "Timezone":
        yield "timezone", metadata.tz
        return
    if type(metadata).__name__ == "Predicate":
        yield "refinement", _asserting(metadata.func)
        return
    for attribute, fact in _ATTRIBUTES.items():
        value = getattr(metadata, attribute, None)
        if value is not None and not (fact == "deprecated" and value is False):
            yield fact, value
    extra = getattr(metadata, "json_schema_extra", None) or getattr(metadata, "extra_json_schema", None)
    if isinstance(extra, dict):
        yield from ((key, value) for key, value in extra.items() if key in ("description", "examples", "deprecated"))


def _asserting(predicate: Callable[[Any], object]) -> Callable[[Any], Any]:
    name = getattr(predicate, "__name__", "predicate")

    def refine(value: Any) -> Any:
        if not predicate(value):
            raise ValueError(f"{name} does not hold")
        return value

    return refine


def apply(node: tree.Node, facts: list[Fact]) -> tree.Node:
    """The node with the facts written on it."""
    for keyword, value in facts:
        if keyword == "description":
            node = _noted(node, "description", str(value))
        elif keyword == "examples":
            node = _noted(node, "examples", _examples(node, list(value)))
        elif keyword == "deprecated":
            node = _noted(node, "deprecated", True)
        elif keyword == MIRRORED:
            node = _noted(node, MIRRORED, value)
        elif keyword == "refinement":
            node = msgspec.structs.replace(node, refinements=(*node.refinements, value))
        elif keyword == "timezone":
            node = _in_timezone(node, value)
        elif keyword == "tag":
            node = _tagged(node, value)
        else:
            node = _limited(node, keyword, value)
    return node


def _in_timezone(node: tree.Node, zone: Any) -> tree.Node:
    """A moment with an offset (``...``), or without one (None); JSON has no zones, so that no other can be kept."""
    if zone is not None and zone is not ...:
        raise Unfit(
            f"Timezone({zone!r}) cannot be kept: JSON has offsets and no zones",
            "Take Timezone(...), which wants any offset, and convert the value in the function.",
        )
    if isinstance(node, tree.Union):
        return msgspec.structs.replace(node, branches=tuple(_zoned(branch, zone) or branch for branch in node.branches))
    zoned = _zoned(node, zone)
    if zoned is None:
        raise Unfit(f"Timezone cannot apply to {_describe(node)}", "Put it on a datetime or a time.")
    return zoned


def _zoned(node: tree.Node, zone: Any) -> tree.Node | None:
    if not isinstance(node, tree.Text) or node.codec not in ("date-time", "time"):
        return None

    def refine(value: Any) -> Any:
        if (value.tzinfo is None) is (zone is ...):
            raise ValueError("must have an offset from UTC" if zone is ... else "must have no offset from UTC")
        return value

    return msgspec.structs.replace(node, refinements=(*node.refinements, refine))


def _noted(node: tree.Node, key: str, value: Any) -> tree.Node:
    try:
        json_scalar(value)
    except Unencodable as error:
        raise Unfit(f"its {key} cannot be published: it {error.problem}", "Change it.") from error
    return msgspec.structs.replace(node, notes={**node.notes, key: value})


def _examples(node: tree.Node, values: list[Any]) -> list[JSON]:
    """Values worth showing, as callers would give them; never a secret."""
    writer = Writer(lambda _reference: None, sparse=False)
    try:
        return [without_choices(writer.write(value, node)) for value in values if not holds_secret(value)]
    except (Unencodable, RecursionError) as error:
        raise Unfit(f"one of its examples has no JSON form: {error}", "Give it as JSON.") from error


def _tagged(node: tree.Node, tag: object) -> tree.Node:
    # pydantic also takes a callable discriminator; our own branch choice does without it.
    if isinstance(tag, str) and isinstance(node, tree.Union):
        return msgspec.structs.replace(node, tag=tag)
    return node


def _limited(node: tree.Node, keyword: str, value: Any) -> tree.Node:
    value = _checked_value(keyword, value)
    if isinstance(node, tree.Union):
        fitting = [_name_for(branch, keyword) is not None for branch in node.branches]
        if any(fitting):
            branches = tuple(
                _limited(branch, keyword, value) if fits else branch
                for branch, fits in zip(node.branches, fitting, strict=True)
            )
            return msgspec.structs.replace(node, branches=branches)
    name = _name_for(node, keyword)
    if name is None:
        raise Unfit(
            f"{_marker_name(keyword)} cannot apply to {_describe(node)}",
            f"Remove {_marker_name(keyword)}, or put it on a type it can limit.",
        )
    limits = {**node.limits, name: _stricter(name, node.limits.get(name), value)}
    _check_room(limits, whole=isinstance(node, tree.Integer))
    return msgspec.structs.replace(node, limits=limits)


def _checked_value(keyword: str, value: Any) -> JSON:
    if keyword in _LENGTHS:
        if type(value) is not int or value < 0:
            raise Unfit(f"{_marker_name(keyword)}({value!r}) is not a length", "Give a whole number from 0 up.")
    elif keyword == "pattern":
        value = _checked_pattern(value)
    else:
        if isinstance(value, Decimal):
            value = int(value) if value == value.to_integral_value() else float(value)
        if type(value) not in (int, float) or (type(value) is float and not math.isfinite(value)):
            raise Unfit(f"{_marker_name(keyword)}({value!r}) is not a JSON number", "Give a finite int or float.")
        if keyword == "multipleOf" and value <= 0:
            raise Unfit(f"MultipleOf({value!r}) is not above zero", "Give a step above zero.")
    return value


def _checked_pattern(value: Any) -> str:
    text = value if isinstance(value, str) else getattr(value, "pattern", None)
    if not isinstance(text, str):
        raise Unfit(f"Pattern({value!r}) is not text", "Give the regular expression as a string.")
    if getattr(value, "flags", 32) & ~32:
        raise Unfit("Pattern has flags, which ECMA-262 text cannot carry", "Write them into the expression.")
    if not is_ecma(text):
        raise Unfit(
            f"Pattern({text!r}) is not an ECMA-262 regular expression",
            r"Use ECMA-262 syntax (for example $ instead of \Z, and (?<name>...) instead of (?P<name>...)).",
        )
    return text


def _name_for(node: tree.Node, keyword: str) -> str | None:
    """What the keyword is called on this node, or None when it cannot apply."""
    if keyword in _BOUNDS:
        numeric = isinstance(node, tree.Integer | tree.Number | tree.DecimalNumber)
        return keyword if numeric else None
    if keyword == "pattern":
        return keyword if isinstance(node, tree.Text) and node.codec in _PLAIN_TEXT else None
    size = _LENGTHS[keyword]
    if isinstance(node, tree.Text) and node.codec in _PLAIN_TEXT:
        return f"{size}Length"
    if isinstance(node, tree.Array):
        return f"{size}Items"
    return f"{size}Properties" if isinstance(node, tree.Map) else None


#: codecs whose JSON text the author can count and match: the value is the text itself
_PLAIN_TEXT = (None, "path", "secret", "email", "uri")


def _stricter(name: str, old: JSON, new: JSON) -> JSON:
    if old is None or old == new:
        return new
    if name in _LARGER_WINS:
        return max(old, new)
    if name in _SMALLER_WINS:
        return min(old, new)
    raise Unfit(f"two different values for {_marker_name(name)}: {old!r} and {new!r}", "Keep one.")


def _check_room(limits: dict[str, Any], *, whole: bool) -> None:
    lowest = max(limits.get("minimum", -math.inf), limits.get("exclusiveMinimum", -math.inf))
    highest = min(limits.get("maximum", math.inf), limits.get("exclusiveMaximum", math.inf))
    exclusive = lowest == limits.get("exclusiveMinimum") or highest == limits.get("exclusiveMaximum")
    empty = lowest > highest or (lowest == highest and exclusive)
    for kind in ("Length", "Items", "Properties"):
        empty = empty or limits.get(f"min{kind}", 0) > limits.get(f"max{kind}", math.inf)
    if empty or not _has_multiple(limits, whole):
        raise Unfit(f"the limits {limits!r} leave no value", "Widen one of them.")


def _has_multiple(limits: dict[str, Any], whole: bool) -> bool:
    """Whether a multiple, or a whole number, is left between the limits."""
    lows = [_exact(limits[name]) for name in ("minimum", "exclusiveMinimum") if name in limits]
    highs = [_exact(limits[name]) for name in ("maximum", "exclusiveMaximum") if name in limits]
    step = _exact(limits.get("multipleOf", 1))
    if not lows or not highs or not (whole or "multipleOf" in limits):
        return True
    if whole:
        step = step.numerator  # what is a multiple of 0.75 and whole is a multiple of 3
    low, high = max(lows), min(highs)
    first = -(-low // step) * step
    if "exclusiveMinimum" in limits and first == _exact(limits["exclusiveMinimum"]):
        first += step
    return first < high or (
        first == high and not ("exclusiveMaximum" in limits and high == _exact(limits["exclusiveMaximum"]))
    )


def _exact(number: float) -> Any:
    """A number to count with: a float is the decimal it is written as, and a whole one from 2**53 on."""
    if type(number) is int or (number.is_integer() and abs(number) >= _WHOLE_FROM):
        return int(number)
    from fractions import Fraction  # noqa: PLC0415 - few limits are no whole numbers

    return Fraction(repr(number))


_WHOLE_FROM = 2**53


_MARKER_NAMES = {keyword: marker.__name__ for marker, keyword in _OURS.items()}


def _marker_name(keyword: str) -> str:
    for kind in ("Items", "Properties"):
        keyword = keyword.replace(kind, "Length")
    return _MARKER_NAMES.get(keyword, keyword)


_DESCRIBE: tuple[tuple[type[tree.Node], Callable[[Any], str]], ...] = (
    (tree.Text, lambda node: "text" if node.codec is None else f"a {node.codec}"),
    (tree.Record, lambda node: node.type_name),
    (tree.Choice, lambda _node: "an enumeration"),
)


def _describe(node: tree.Node) -> str:
    for kind, describe in _DESCRIBE:
        if isinstance(node, kind):
            return describe(node)
    return f"this type ({type(node).__name__.lower()})"
