"""Value -> JSON-ready value: str, int, float, bool, None, list, dict with text keys, and nothing else.

Driven by the value, not by the annotation: whether the result is what the contract promised is the
gate's question. Sets come out in a stable order, NaN and unknown objects are refused with the path
that leads to them.
"""

import datetime
import enum
import math
import re
import sys
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import msgspec

from accord._calls import JSON

if TYPE_CHECKING:
    from accord._shapes import Shape

__all__ = ["Unencodable", "encode", "encode_key", "holds_secret", "in_stable_order", "json_scalar"]

Encoder = Callable[[Any], JSON]

#: the first whole number that no reader takes: Python itself reads no more digits
_LARGEST = 10**4300
#: what a secret is written as
MASK = "**********"


class Unencodable(Exception):
    """A value has no JSON form. ``path`` leads to it, innermost step first while it travels up."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str | int] = []

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer."""
        from accord._jsonpatch import short_pointer  # noqa: PLC0415 - only failures pay for it

        return short_pointer(self.path[::-1])


def encode(value: Any) -> JSON:
    """The JSON-ready form of ``value``.

    Raises:
        Unencodable: something inside has none; the exception carries the path.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    return _encoder_for(kind)(value)


def json_scalar(value: Any) -> JSON:
    """A str, int, float, bool or None as it is.

    Raises:
        Unencodable: JSON, as it is read here, has no such value.
    """
    kind = type(value)
    if kind is str:
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise Unencodable("must be Unicode text, and holds a lone surrogate") from None
    elif kind is int:
        if not -_LARGEST < value < _LARGEST:
            raise Unencodable("is a number of more than 4300 digits, which JSON is not read with")
    elif kind is float:
        return _encode_float(value)
    return value


def holds_secret(value: Any) -> bool:
    """Whether a secret is somewhere inside a value."""
    if hasattr(value, "get_secret_value"):
        return True
    if isinstance(value, Mapping):
        return any(map(holds_secret, value.values()))
    if isinstance(value, list | tuple | AbstractSet):
        return any(map(holds_secret, value))
    from accord._records import shape_of  # noqa: PLC0415 - JSON needs none of it

    shape = shape_of(type(value))
    return shape is not None and any(holds_secret(getattr(value, field.attribute, None)) for field in shape.fields)


def _encode_float(value: float) -> float:
    if not math.isfinite(value):
        raise Unencodable(f"{value} is not a JSON number")
    return float(value)


def _encode_sequence(value: Any) -> list[JSON]:
    encoded: list[JSON] = []
    try:
        for item in value:
            encoded.append(encode(item))  # noqa: PERF401 - the length so far is the path of a failure
    except Unencodable as error:
        error.path.append(len(encoded))
        raise
    return encoded


def _encode_set(value: Any) -> list[JSON]:
    return in_stable_order(_encode_sequence(value))


def in_stable_order(encoded: list[Any]) -> list[Any]:
    """The members of a set, in an order that does not change from call to call."""
    kinds = set(map(type, encoded))
    if kinds <= {int, float} or (kinds == {str} and MASK not in encoded):
        return sorted(encoded)
    by_text = sorted((msgspec.json.encode(item), index) for index, item in enumerate(encoded))
    # Values that differ in their secrets only look alike once masked, and a set shows nothing twice.
    shown = {text: index for text, index in by_text if MASK.encode() in text}
    return [encoded[index] for text, index in by_text if shown.get(text, index) == index]


def _encode_mapping(value: Any) -> dict[str, JSON]:
    encoded: dict[str, JSON] = {}
    for key, item in value.items():
        name = key if type(key) is str else encode_key(key)
        if name in encoded:
            raise Unencodable(f"two keys are both written as {name!r}")
        try:
            encoded[name] = encode(item)
        except Unencodable as error:
            error.path.append(name)
            raise
    return encoded


def encode_key(key: Any) -> str:
    """What a key is called in JSON.

    Raises:
        Unencodable: it cannot be one.
    """
    encoded = encode(key)
    if isinstance(encoded, str):
        return encoded
    if type(encoded) is int:
        return _digits(encoded)
    raise Unencodable(f"a {type(key).__name__} cannot be an object key")


def _digits(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # more digits than str() writes; Decimal has no such limit
        return str(Decimal(value))


def _encode_enum(value: enum.Enum) -> JSON:
    return encode(value.value)


def _encode_decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise Unencodable(f"{value} is not a JSON number")
    return str(value)


def _encode_bytes(value: Any) -> str:
    from binascii import b2a_base64  # noqa: PLC0415 - few results hold bytes

    return b2a_base64(value, newline=False).decode("ascii")


def _encode_duration(value: datetime.timedelta) -> str:
    """``P1DT2H3M4.5S``: the form the ``duration`` format reads back."""
    # abs() of the smallest timedelta overflows, so the sign is taken off the number instead.
    total = (value.days * 86400 + value.seconds) * 1_000_000 + value.microseconds
    sign = "-" if total < 0 else ""
    whole, micros = divmod(abs(total), 1_000_000)
    days, rest = divmod(whole, 86400)
    date = f"{days}D" if days else ""
    if not rest and not micros:
        return f"{sign}P{date}" if date else "PT0S"
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    clock = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if micros:
        clock += f"{seconds}.{micros:06d}".rstrip("0") + "S"
    elif seconds:
        clock += f"{seconds}S"
    return f"{sign}P{date}T{clock}"


def _encode_pattern(value: re.Pattern[Any]) -> str:
    """The expression, with the flags it was given beside it written at its head: the ``regex`` format reads both."""
    text: Any = value.pattern
    if not isinstance(text, str):
        raise Unencodable("a pattern of bytes has no JSON form")
    if value.flags == re.UNICODE:  # nearly always
        return text
    letters = "".join(letter for letter, flag in _PATTERN_FLAGS if value.flags & flag)
    for spelling in (text, f"(?{letters}){text}"):
        with suppress(re.error), catch_warnings():
            simplefilter("ignore")
            if re.compile(spelling).flags == value.flags:
                return spelling
    raise Unencodable("its flags cannot be written into the expression")


_PATTERN_FLAGS = (("a", re.ASCII), ("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL), ("x", re.VERBOSE))


def _encode_shape(shape: "Shape") -> Encoder:
    if shape.dump is not None:
        return lambda value: encode(_dumped(shape, value))
    names = [(field.attribute, field.output_name) for field in shape.fields if field.written]
    tag, extra_of = shape.tag, shape.extra_of

    def encode_fields(value: Any) -> dict[str, JSON]:
        encoded: dict[str, JSON] = {tag[0]: tag[1]} if tag else {}
        for attribute, name in names:
            item = getattr(value, attribute)
            if item is msgspec.UNSET:
                continue
            try:
                encoded[name] = encode(item)
            except Unencodable as error:
                error.path.append(name)
                raise
        extra = extra_of(value) if extra_of else None
        return {**encoded, **_encode_mapping(extra)} if extra else encoded

    return encode_fields


def _dumped(shape: "Shape", value: Any) -> Any:
    assert shape.dump is not None
    try:
        return shape.dump(value)
    except (Exception, SystemExit) as error:  # boundary: serialisers are the author's code and may raise anything
        raise Unencodable(f"its serialiser failed: {type(error).__name__}: {error}") from error


_ENCODERS: dict[type, Encoder] = {
    float: _encode_float,
    list: _encode_sequence,
    tuple: _encode_sequence,
    deque: _encode_sequence,
    set: _encode_set,
    frozenset: _encode_set,
    dict: _encode_mapping,
    datetime.datetime: datetime.datetime.isoformat,
    datetime.date: datetime.date.isoformat,
    datetime.time: datetime.time.isoformat,
    datetime.timedelta: _encode_duration,
    Decimal: _encode_decimal,
    uuid.UUID: str,
    bytes: _encode_bytes,
    bytearray: _encode_bytes,
    memoryview: _encode_bytes,
    re.Pattern: _encode_pattern,
}
#: by base class, most specific first: what a class is encoded as when it is not in the table itself
_BASES: tuple[tuple[Any, Encoder], ...] = (
    (enum.Flag, lambda value: int(value.value)),
    (enum.Enum, _encode_enum),
    (bool, bool),
    (str, str.__str__),
    (int, int),
    (float, _encode_float),
    (Mapping, _encode_mapping),
    (AbstractSet, _encode_set),
    (list | tuple | deque, _encode_sequence),
    (datetime.datetime, datetime.datetime.isoformat),
    (datetime.date, datetime.date.isoformat),
    (datetime.time, datetime.time.isoformat),
    (datetime.timedelta, _encode_duration),
    (Decimal, _encode_decimal),
    (bytes | bytearray, _encode_bytes),
    (uuid.UUID, str),
)
#: classes written as their text, by module and name: whoever has a value of one has loaded its module
_ADDRESSES = (("ipaddress", "IPv4Address"), ("ipaddress", "IPv6Address"))
_PATHS = (("pathlib", "PurePath"),)


def _loaded(classes: tuple[tuple[str, str], ...]) -> Iterator[type]:
    """Those of the classes whose modules are loaded."""
    found = (getattr(sys.modules.get(module), name, None) for module, name in classes)
    return (kind for kind in found if kind is not None)  # None: not loaded, or being loaded by another thread


@cache
def _found() -> MutableMapping[type, Encoder]:
    """What was found for other classes; it keeps none of them alive."""
    from weakref import WeakKeyDictionary  # noqa: PLC0415 - JSON needs none of it

    return WeakKeyDictionary()


def _encoder_for(kind: type) -> Encoder:
    encoder = _ENCODERS.get(kind)
    if encoder is None:
        found = _found()
        encoder = found.get(kind)
        if encoder is None:
            encoder = found[kind] = _find_encoder(kind)
    return encoder


def _find_encoder(kind: type) -> Encoder:
    from accord._records import shape_of  # noqa: PLC0415 - JSON needs none of it
    from accord.typesupport import support_for  # noqa: PLC0415 - as above

    if kind in _loaded(_ADDRESSES):
        return str
    support = support_for(kind)
    if support is not None:
        return lambda value: encode(support.encode(value))
    if hasattr(kind, "get_secret_value"):
        return lambda _value: MASK
    shape = shape_of(kind)
    if shape is not None:
        return _encode_shape(shape)
    if issubclass(kind, tuple(_loaded(_PATHS))) and not issubclass(kind, enum.Enum):
        return str
    for base, encoder in _BASES:
        if issubclass(kind, base):
            return encoder
    if hasattr(kind, "unicode_string"):
        return str  # pydantic's addresses, which are no str
    if hasattr(kind, "model_dump"):
        return lambda value: encode(value.model_dump(mode="json", by_alias=True))
    return _refuse if not hasattr(kind, "__get_pydantic_core_schema__") else _described_by_pydantic(kind)


def _described_by_pydantic(kind: type) -> Encoder:
    """The types of pydantic that are no models, such as HttpUrl, write themselves through an adapter."""
    adapter = sys.modules["pydantic"].TypeAdapter(kind) if "pydantic" in sys.modules else None

    def dump(value: Any) -> JSON:
        if adapter is None:
            return _refuse(value)
        try:
            return encode(adapter.dump_python(value, mode="json"))
        except ValueError as error:  # pydantic's word for what it cannot write
            raise Unencodable(f"its serialiser failed: {error}") from error

    return dump


def _refuse(value: Any) -> JSON:
    raise Unencodable(f"a {type(value).__name__} has no JSON form")
