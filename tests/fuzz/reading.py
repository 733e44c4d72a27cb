"""Annotations to Meanings: the second reading of DESIGN 3.2, by introspection of the finished classes."""

from __future__ import annotations

import collections.abc as abc
import dataclasses
import datetime
import enum
import inspect
import ipaddress
import re
import sys
import types
import typing
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import attrs
import msgspec
import pydantic
import typing_extensions as te
from pydantic.fields import FieldInfo

from tests.fuzz import meaning as m
from tests.fuzz import structures as s
from tests.fuzz.writer import MARKERS

Variables = dict[Any, Any]

LEAVES: dict[Any, Callable[[], m.Meaning]] = {
    str: lambda: m.Scalar((str,)),
    bool: lambda: m.Scalar((bool,)),
    type(None): lambda: m.Scalar((type(None),)),
    int: m.Whole,
    float: m.Real,
    Any: m.Anything,
    object: m.Anything,
    datetime.datetime: lambda: m.Text(parse_moment(datetime.datetime), "date-time"),
    datetime.date: lambda: m.Text(datetime.date.fromisoformat, "date"),
    datetime.time: lambda: m.Text(parse_moment(datetime.time), "time"),
    datetime.timedelta: lambda: m.Text(m.parse_duration, "duration"),
    uuid.UUID: lambda: m.Text(uuid.UUID, "uuid"),
    ipaddress.IPv4Address: lambda: m.Text(ipaddress.IPv4Address, "ipv4"),
    ipaddress.IPv6Address: lambda: m.Text(ipaddress.IPv6Address, "ipv6"),
    re.Pattern: lambda: m.Text(re.compile, "regex"),
    Path: lambda: m.Text(m.parse_path),
    pydantic.SecretStr: lambda: m.Text(pydantic.SecretStr),
}

ARRAYS: dict[Any, tuple[type, ...]] = {
    list: (list,),
    tuple: (tuple,),
    abc.Sequence: (list, tuple),
    abc.Collection: (list, tuple),
    abc.Iterable: (list, tuple),
}
SETS: dict[Any, tuple[type, ...]] = {set: (set,), frozenset: (frozenset,), abc.Set: (set, frozenset)}
JSON_SCALAR = m.Scalar((str, int, float, bool, type(None)))


def parse_moment(cls: Any) -> Callable[[str], Any]:
    return lambda text: cls.fromisoformat(text.upper())


class Reader:
    """Reads annotations of one module.

    `base64` and `decimal` are the patterns that the engine publishes for bytes and Decimal: DESIGN leaves
    them to it, and `complaint` still holds it to decode whatever they let through.
    """

    def __init__(self, base64: str, decimal: str) -> None:
        self.leaves = {
            **LEAVES,
            bytes: lambda: m.Text(m.parse_base64, pattern=base64),
            Decimal: lambda: m.DecimalNumber(decimal),
        }
        self.known: dict[Any, m.Meaning | None] = {}
        self.models: list[Any] = []

    def function(self, fn: Callable[..., Any]) -> s.Arguments:
        hints = te.get_type_hints(fn, include_extras=True)
        return s.Arguments(
            tuple(
                s.Field(
                    name,
                    name,
                    self.read(hints.get(name, Any), {}),
                    parameter.default is parameter.empty,
                    lambda default=parameter.default: default,
                )
                for name, parameter in inspect.signature(fn).parameters.items()
            )
        )

    def read(self, annotation: Any, variables: Variables) -> m.Meaning:
        # Annotations with an origin are not looked up anywhere: their metadata need not be hashable.
        origin = te.get_origin(annotation)
        if origin is not None:
            return self.read_special(annotation, origin, te.get_args(annotation), variables)
        if isinstance(annotation, typing.TypeVar):
            return self.read(variables.get(annotation, annotation.__bound__ or Any), {})
        if isinstance(annotation, typing.NewType):
            return self.read(annotation.__supertype__, variables)
        if isinstance(annotation, te.TypeAliasType | getattr(typing, "TypeAliasType", te.TypeAliasType)):
            return self.read(annotation.__value__, variables)
        if type(annotation).__name__ == "PydanticRecursiveRef":  # pydantic's word for the class that it stands in
            return self.record(self.models[-1], ())
        annotation = type(None) if annotation is None else annotation
        if annotation in self.leaves:
            return self.leaves[annotation]()
        return self.read_class(annotation, (), variables)

    def read_special(self, annotation: Any, origin: Any, arguments: Any, variables: Variables) -> m.Meaning:
        if origin is Annotated:
            return self.bounded(self.read(arguments[0], variables), annotation.__metadata__)
        if origin in (typing.Union, types.UnionType):
            branches = [self.read(branch, variables) for branch in arguments]
            flat = [part for one in branches for part in (one.branches if isinstance(one, m.Union) else [one])]
            return m.Union(flat)
        if origin is typing.Literal:
            values = ((v.value if isinstance(v, enum.Enum) else v, v) for v in arguments)
            return m.OneOf(tuple(values))
        if origin in (
            typing.Final,
            te.Required,
            te.NotRequired,
            te.ReadOnly,
            typing.Required,
            typing.NotRequired,
        ):
            return self.read(arguments[0], variables)
        return self.read_class(origin, arguments, variables)

    def read_class(self, cls: Any, arguments: tuple[Any, ...], variables: Variables) -> m.Meaning:
        if cls is tuple and arguments and arguments[-1] is not Ellipsis:
            return s.Row([self.read(item, variables) for item in arguments])
        if cls in ARRAYS:
            return s.Array(self.read((arguments or (Any,))[0], variables), ARRAYS[cls])
        if cls in SETS:
            any_scalar = not arguments or arguments[0] is Any
            return s.Distinct(JSON_SCALAR if any_scalar else self.read(arguments[0], variables), SETS[cls])
        if cls in (dict, abc.Mapping):
            key, value = arguments or (str, Any)
            return s.Entries(self.key(key, variables), self.read(value, variables))
        if cls is re.Pattern:
            return self.leaves[cls]()
        if issubclass(cls, enum.Flag):
            return m.Bits(cls, issubclass(cls, enum.IntFlag))
        if issubclass(cls, enum.Enum):
            return m.OneOf(tuple((member.value, member) for member in cls))
        if issubclass(cls, tuple):
            hints = te.get_type_hints(cls, include_extras=True)
            return s.Row([self.read(hints[name], variables) for name in cls._fields], cls)
        return self.record(cls, tuple(closed(one, variables) for one in arguments))

    def key(self, annotation: Any, variables: Variables) -> m.Meaning:
        if annotation is int:
            return s.WholeKey()
        meaning = self.read(annotation, variables)
        if isinstance(meaning, m.OneOf):  # keys are strings on the wire: an int member is written in decimal
            return m.OneOf(tuple((str(constant), member) for constant, member in meaning.pairs))
        return meaning

    def bounded(self, meaning: m.Meaning, metadata: Any) -> m.Meaning:
        bounds = tuple(pair for one in metadata for pair in bounds_of(one))
        if isinstance(meaning, m.DecimalNumber) and bounds:
            meaning.bounded = True
        return m.Bounded(meaning, bounds) if bounds else meaning

    # Records. A class is read once; while it is being read, its name stands for what it will become.

    def record(self, cls: Any, arguments: tuple[Any, ...]) -> m.Meaning:
        place = (cls, repr(arguments))
        if place in self.known:
            return self.known[place] or m.Later(lambda: typing.cast(m.Meaning, self.known[place]))
        self.known[place] = None
        variables = dict(zip(getattr(cls, "__parameters__", ()), arguments, strict=False))
        if hasattr(cls, "model_fields") or hasattr(cls, "__pydantic_fields__"):
            self.models.append(cls)
            found: m.Meaning = self.pydantic_record(cls)
            self.models.pop()
        elif te.is_typeddict(cls):
            found = self.typed_dict(cls, variables)
        else:
            found = self.plain_record(cls, variables)
        self.known[place] = found
        return found

    def typed_dict(self, cls: Any, variables: Variables) -> m.Meaning:
        required = vars(sys.modules[cls.__module__])["REQUIRED"][cls]
        hints = te.get_type_hints(cls, include_extras=True)
        fields = (
            s.Field(key, key, self.read(hint, of_owner(cls, key, variables)), key in required)
            for key, hint in hints.items()
        )
        return s.Record(dict, tuple(fields))

    def pydantic_record(self, cls: Any) -> m.Meaning:
        fields = tuple(
            s.Field(
                info.alias or name,
                name,
                self.bounded(self.read(info.annotation, {}), info.metadata),
                info.is_required(),
                lambda info=info: info.get_default(call_default_factory=True),
            )
            for name, info in cls.__pydantic_fields__.items()
        )
        config = getattr(cls, "model_config", {})
        return s.Record(cls, fields, open=config.get("extra") == "allow")

    def plain_record(self, cls: Any, variables: Variables) -> m.Meaning:
        hints = te.get_type_hints(cls, include_extras=True)
        fields, computed = [], []
        for key, name, given, default in declared_fields(cls):
            if given:
                read = self.read(hints[name], of_owner(cls, name, variables))
                fields.append(s.Field(key, name, read, default is None, default or (lambda: s.ABSENT)))
            elif default:
                computed.append((name, default()))
        config = getattr(cls, "__struct_config__", None)
        tag = (config.tag_field, config.tag) if config and config.tag is not None else None
        return s.Record(cls, tuple(fields), tag=tag, computed=tuple(computed))


def closed(annotation: Any, variables: Variables) -> Any:
    """The annotation with the variables replaced by what they stand for."""
    if isinstance(annotation, typing.TypeVar):
        return variables.get(annotation, annotation)
    parameters = () if isinstance(annotation, type) else getattr(annotation, "__parameters__", ())
    return annotation[tuple(variables.get(one, one) for one in parameters)] if parameters else annotation


def of_owner(cls: Any, field: str, variables: Variables) -> Variables:
    """What the variables stand for in the body that declares the field: a base may say T, and mean another type."""
    if not te.is_typeddict(cls) and field in vars(cls).get("__annotations__", {}):
        return variables
    for base in te.get_original_bases(cls):
        origin = te.get_origin(base) or base
        if any(field in vars(one).get("__annotations__", {}) for one in getattr(origin, "__mro__", ())):
            arguments = [closed(one, variables) for one in te.get_args(base)]
            return of_owner(origin, field, dict(zip(getattr(origin, "__parameters__", ()), arguments, strict=False)))
    return variables


def declared_fields(cls: Any) -> list[tuple[str, str, bool, Callable[[], Any] | None]]:
    """Per field: its key on the wire, its name, whether callers give it, and how its default is made."""
    if issubclass(cls, msgspec.Struct):
        found = msgspec.structs.fields(cls)
        return [(f.encode_name, f.name, True, made(f.default, f.default_factory, msgspec.NODEFAULT)) for f in found]
    if attrs.has(cls):
        factory = {f.name: f.default.factory for f in attrs.fields(cls) if isinstance(f.default, attrs.Factory)}
        return [
            (f.name, f.name, f.init, factory.get(f.name) or made(f.default, attrs.NOTHING, attrs.NOTHING))
            for f in attrs.fields(cls)
        ]
    missing = dataclasses.MISSING
    return [(f.name, f.name, f.init, made(f.default, f.default_factory, missing)) for f in dataclasses.fields(cls)]


def made(default: Any, factory: Any, missing: Any) -> Callable[[], Any] | None:
    if factory is not missing:
        return typing.cast("Callable[[], Any]", factory)
    return None if default is missing else lambda: default


def bounds_of(metadata: Any) -> list[tuple[str, Any]]:
    """The bounds that one piece of metadata declares, in whichever of the four vocabularies."""
    if isinstance(metadata, FieldInfo):
        return [pair for one in metadata.metadata for pair in bounds_of(one)]
    ours = [name for name, marker in MARKERS.items() if type(metadata).__name__ == marker]
    if ours and type(metadata).__module__.partition(".")[0] == "accord":
        return [(ours[0], metadata.value)]
    return [(name, getattr(metadata, name)) for name in MARKERS if getattr(metadata, name, None) is not None]
