"""Function -> Ready, where its contract can be read off at a glance: plain parameters of everyday types.

Such a function cannot fail registration (R21), so nothing is compiled for it until somebody asks for its schemas, and
a program that makes one call never loads what compiles. ``glance`` says None whenever it is not certain; then
everything takes the way through ``_compile``. Knows functions and types, and no tool.
"""

from __future__ import annotations

import sys

from accord._options import MARK
from accord._ready import Injected, Ready, floating, whole_number
from accord._values import Value, lazy
from accord.gate.plainly import plain_check
from accord.gate.validator import Gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from types import FunctionType, GenericAlias
    from typing import Any, TypeAlias

    from accord._calls import JSON
    from accord._ready import Converter
else:  # what ``types`` makes of them, too
    FunctionType, GenericAlias = type(lambda: None), type(list[int])

__all__ = ["glance"]

Schema: TypeAlias = "dict[str, JSON]"


class _Row(Value):
    """A type: its canonical schema, how its JSON becomes Python, and the Python type that is there already."""

    schema: Schema
    convert: Converter | None = None
    ready: type | None = None


_ANYTHING = _Row({})
_NULL = _Row({"type": "null"})
_ROWS: dict[Any, _Row] = {
    str: _Row({"type": "string"}),
    int: _Row({"type": "integer"}, whole_number, int),
    float: _Row({"type": "number"}, floating, float),
    bool: _Row({"type": "boolean"}),
    list: _Row({"type": "array"}),
    dict: _Row({"type": "object"}),
    type(None): _NULL,
}
#: what is inside brackets: equal annotations mean the same, because no metadata is among them
_known: dict[Any, _Row] = {}


class _Typing:
    """The classes of what ``typing`` makes. Nobody can have annotated with it who has not imported it."""

    @lazy
    def union(self) -> type:
        """That of ``Optional[int]``."""
        import typing  # noqa: PLC0415 - see above

        return type(typing.Optional[int])  # noqa: UP045 - the old spelling's own type

    @lazy
    def annotated(self) -> type:
        """That of ``Annotated[int, ...]``."""
        import typing  # noqa: PLC0415 - see above

        return type(typing.Annotated[int, ""])


_UNION = type(int | None)
_typing = _Typing()


def _is_union(annotation: Any) -> bool:
    return type(annotation) is _UNION or ("typing" in sys.modules and type(annotation) is _typing.union)


def _is_annotated(annotation: Any) -> bool:
    return "typing" in sys.modules and type(annotation) is _typing.annotated


_NAMES = ("str", "int", "float", "bool", "list", "dict", "None")
#: postponed annotations, as they are written nearly always
_WRITTEN: dict[str, Any] = {
    text: kind
    for base in (str, int, float, bool)
    for text, kind in (
        (base.__name__, base),
        (f"{base.__name__} | None", base | None),
        (f"list[{base.__name__}]", list[base]),  # type: ignore[valid-type]  # a type at run time
        (f"list[{base.__name__}] | None", list[base] | None),  # type: ignore[valid-type]  # as above
        (f"dict[str, {base.__name__}]", dict[str, base]),  # type: ignore[valid-type]  # as above
    )
} | {"None": None, "list": list, "dict": dict}

_CONTEXT = ("Context", "Context | None")

#: code flags: ``*args``, ``**kwargs``, generators
_UNUSUAL = 0x04 | 0x08 | 0x20 | 0x200


def glance(function: Callable[..., Any], is_provided: Callable[[Any], bool]) -> Ready | None:
    """What calls of a function need, if that is plain to see."""
    if type(function) is not FunctionType or not function.__dict__.keys() <= {MARK}:
        return None
    code = function.__code__
    if code.co_flags & _UNUSUAL or code.co_posonlyargcount:
        return None
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    try:
        injected = _contexts_of(function, names)
        names = tuple(name for name in names if name not in injected) if injected else names
        rows = _annotated(function, names, injected, is_provided)
        return None if rows is None else _ready(function, names, rows, tuple(injected.values()))
    except Exception:  # noqa: BLE001 - boundary: an annotation is the author's code, and whoever compiles it explains
        return None


def _contexts_of(function: FunctionType, names: Sequence[str]) -> dict[str, Injected]:
    """The parameters that are the call's context, by their name or their type."""
    found: dict[str, Injected] = {}
    for name, annotation in function.__annotations__.items():
        if type(annotation) is str and annotation in _CONTEXT and _is_global(function):
            annotation = function.__globals__.get("Context")
        if _is_union(annotation) and type(None) in annotation.__args__ and len(annotation.__args__) == 2:
            annotation = _without_none(annotation)
        if name in names and isinstance(annotation, type) and getattr(annotation, "__accord_injected__", False) is True:
            found[name] = Injected(name, annotation, True)
    if "ctx" in names and "ctx" not in function.__annotations__:
        found["ctx"] = Injected("ctx", None, True)
    return found


def _annotated(
    function: FunctionType, names: Sequence[str], injected: Container[str], is_provided: Callable[[Any], bool]
) -> dict[str, _Row] | None:
    """The rows of the parameters, and of ``return`` where something is promised."""
    rows: dict[str, _Row] = {}
    if "ctx" in names or "return" in names:
        return None
    for name, annotation in function.__annotations__.items():
        if name in injected:
            continue
        if type(annotation) is str:
            annotation = _meaning(function, annotation)
        if annotation is None:
            if name != "return":
                return None
            continue
        row = _limited(annotation) if _is_annotated(annotation) else _row(annotation)
        if row is None or is_provided(_without_none(annotation)):
            return None
        rows[name] = row
    if rows.get("return") is _NULL:
        del rows["return"]
    return rows


def _without_none(annotation: Any) -> Any:
    if _is_annotated(annotation):
        return annotation.__origin__
    if not _is_union(annotation):
        return annotation
    return next(each for each in annotation.__args__ if each is not type(None))


def _ready(
    function: FunctionType, names: Sequence[str], rows: dict[str, _Row], injected: tuple[Injected, ...]
) -> Ready | None:
    given = _defaults_of(function)
    defaults = {name: given[name] for name in names if name in given}
    properties: Schema = {}
    for name in names:
        row = rows.get(name, _ANYTHING)
        if name in defaults and not _fits(row, defaults[name]):
            return None
        properties[name] = row.schema
    schema: Schema = {"type": "object", "properties": properties}
    required = [name for name in names if name not in defaults]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    converters = tuple((name, row.ready, row.convert) for name, row in rows.items() if name != "return" and row.convert)
    output = rows.get("return")
    return Ready(
        defaults=defaults,
        converters=converters,
        gate=Gate(schema),
        output_gate=None if output is None else Gate(output.schema),
        injected=injected,
    )


def _defaults_of(function: FunctionType) -> dict[str, Any]:
    given, code = function.__defaults__ or (), function.__code__
    last = code.co_varnames[: code.co_argcount][code.co_argcount - len(given) :]
    return {**dict(zip(last, given, strict=True)), **(function.__kwdefaults__ or {})}


def _fits(row: _Row, default: Any) -> bool:
    """Whether a default is certain to pass its own gate, or is the None that only means "left out"."""
    if default is None:
        return True
    check = plain_check(row.schema)
    return check is not None and check(default)


def _meaning(function: FunctionType, text: str) -> Any:
    """What a postponed annotation means: a built-in type, where nothing around the function has such a name."""
    hidden = any(name in function.__globals__ for name in _NAMES)
    return _WRITTEN.get(text, text) if _is_global(function) and not hidden else text


def _is_global(function: FunctionType) -> bool:
    """Whether names in postponed annotations can only be those of the module, or built in."""
    inside = function.__closure__ or "<locals>" in function.__qualname__ or getattr(function, "__type_params__", ())
    return not inside


def _row(annotation: Any) -> _Row | None:
    kind = type(annotation)
    if kind is type:
        return _ROWS.get(annotation)
    if kind is not GenericAlias and not _is_union(annotation):
        return None
    row = _known.get(annotation)
    if row is None:
        row = _container(annotation) if kind is GenericAlias else _nullable(annotation)
        if row is not None:
            _known[annotation] = row
    return row


def _nullable(annotation: Any) -> _Row | None:
    rest = [each for each in annotation.__args__ if each is not type(None)]
    row = _row(rest[0]) if len(rest) == 1 else None
    if row is None:
        return None
    schema = {"anyOf": [row.schema, _NULL.schema]}
    convert = row.convert
    if convert is None:
        return _Row(schema)
    return _Row(schema, lambda value: None if value is None else convert(value), row.ready)


def _container(annotation: Any) -> _Row | None:
    origin, arguments = annotation.__origin__, annotation.__args__
    inner = _row(arguments[-1])
    if inner is None:
        return None
    convert, kind = inner.convert, inner.ready
    if origin is list and len(arguments) == 1:
        schema: Schema = {"type": "array", "items": inner.schema}
        if convert is not None and kind is not None:  # nearly all of them are as they should be
            return _Row(schema, lambda value: [item if type(item) is kind else convert(item) for item in value])
        return _Row(schema, None if convert is None else lambda value: [convert(item) for item in value])
    if origin is dict and len(arguments) == 2 and arguments[0] is str:
        schema = {"type": "object", "additionalProperties": inner.schema}
        if convert is not None and kind is not None:  # as above
            return _Row(
                schema,
                lambda value: {name: item if type(item) is kind else convert(item) for name, item in value.items()},
            )
        named = None if convert is None else lambda value: {name: convert(item) for name, item in value.items()}
        return _Row(schema, named)
    return None


def _limited(annotation: Any) -> _Row | None:
    """A scalar with our markers on it, where they leave it room."""
    row = _ROWS.get(annotation.__origin__) if type(annotation.__origin__) is type else None
    supports = sys.modules.get("accord.typesupport")
    if row is None or "type" not in row.schema or (supports is not None and supports.support_for(annotation)):
        return None  # an author's own TypeSupport comes before ours
    schema = dict(row.schema)
    for metadata in annotation.__metadata__:
        marker, value = type(metadata), getattr(metadata, "value", metadata)
        if marker is not str and marker.__module__ != "accord.markers":
            return None
        if marker is str or marker.__name__ == "Description":
            if type(value) is not str or not _fits(_ROWS[str], value):
                return None
            continue
        keyword = _MARKERS.get((schema["type"], marker.__name__))
        if keyword is None or keyword in schema or not _is_limit(keyword, value):
            return None
        schema[keyword] = value
    return _Row(schema, row.convert, row.ready) if _has_room(schema) else None


_MARKERS = {
    ("string", "MinLen"): "minLength",
    ("string", "MaxLen"): "maxLength",
    **{
        (kind, marker): keyword
        for kind in ("integer", "number")
        for marker, keyword in (
            ("Ge", "minimum"),
            ("Gt", "exclusiveMinimum"),
            ("Le", "maximum"),
            ("Lt", "exclusiveMaximum"),
        )
    },
}


def _is_limit(keyword: str, value: Any) -> bool:
    if keyword in ("minLength", "maxLength"):
        return type(value) is int and value >= 0
    return type(value) in (int, float) and -_EXACT_BELOW < value < _EXACT_BELOW


#: limits from here on are compared by those who do it exactly
_EXACT_BELOW = 2**53
#: limits further apart than this have a whole number between them
_WHOLE = 1


def _has_room(schema: Schema) -> bool:
    if schema.get("minLength", 0) > schema.get("maxLength", schema.get("minLength", 0)):
        return False
    lowest = [schema[keyword] for keyword in ("minimum", "exclusiveMinimum") if keyword in schema]
    highest = [schema[keyword] for keyword in ("maximum", "exclusiveMaximum") if keyword in schema]
    apart = _WHOLE if schema["type"] == "integer" else 0
    return all(low + apart < high for low in lowest for high in highest)
