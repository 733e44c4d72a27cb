"""The fields of dataclasses, attrs classes and msgspec Structs, and the way to those of pydantic models.

The libraries differ in where they keep names, defaults and metadata. None of them is imported: a class
says itself what it is.
"""

import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from accord._models import dataclass_shape, model_shape
from accord._shapes import RawField, Shape, owner_of, raw_annotations

__all__ = ["shape_of"]

_UNSET = msgspec.UNSET


def shape_of(cls: type) -> Shape | None:
    """The shape of a class with named fields, or None for any other class."""
    if hasattr(cls, "__pydantic_fields__") and hasattr(cls, "model_validate"):
        return model_shape(cls)
    if hasattr(cls, "__pydantic_fields__") and hasattr(cls, "__dataclass_fields__"):
        return dataclass_shape(cls)
    if hasattr(cls, "__dataclass_fields__"):
        return _dataclass(cls)
    if "__attrs_attrs__" in vars(cls):
        return Shape(library="attrs", fields=tuple(_attrs_fields(cls)), build=cls)
    if issubclass(cls, msgspec.Struct):
        return _struct(cls)
    return None


def _dataclass(cls: Any) -> Shape:
    fields = tuple(_dataclass_fields(cls))
    # Whatever the author wrote to make an instance has the last word; msgspec would go around it, and around InitVars.
    generated = cls.__new__ is object.__new__ and _is_generated(cls.__init__)
    # Where msgspec declines, the value is read again: what the author runs on a value must not run on it twice.
    generated = generated and not hasattr(cls, "__post_init__")
    generated = generated and (cls.__setattr__ is object.__setattr__ or _is_generated(cls.__setattr__))
    return Shape(
        library="dataclasses",
        fields=fields,
        build=cls,
        native=generated and all(field.written for field in fields),
    )


def _is_generated(method: Any) -> bool:
    """Whether ``dataclasses`` wrote the method."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _dataclass_fields(cls: Any) -> Iterator[RawField]:
    missing = sys.modules["dataclasses"].MISSING  # whoever made the class has loaded it
    for field in cls.__dataclass_fields__.values():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR":
            continue
        default = _UNSET if field.default is missing else field.default
        yield RawField(
            attribute=field.name,
            argument=field.name,
            name=field.name,
            output_name=field.name,
            annotation=field.type,
            owner=owner_of(cls, field.name),
            required=default is _UNSET and field.default_factory is missing,
            default=default,
            read=field.init,
            written=kind != "_FIELD_INITVAR",
            metadata=_described(field.metadata),
        )


def _described(metadata: Any) -> tuple[Any, ...]:
    """Dataclass and attrs metadata is a free mapping; ``description`` is the one key in common use."""
    text = metadata.get("description") if metadata else None
    return (text,) if isinstance(text, str) else ()


def _attrs_fields(cls: Any) -> Iterator[RawField]:
    for field in cls.__attrs_attrs__:
        owner = owner_of(cls, field.name)
        factory = type(field.default).__name__ == "Factory"
        missing = type(field.default).__name__ == "_Nothing"
        yield RawField(
            attribute=field.name,
            argument=field.alias or field.name.lstrip("_"),
            name=field.name,
            output_name=field.name,
            # ``type`` is None both for "None" and for no annotation at all
            annotation=raw_annotations(owner).get(field.name, Any) if field.type is None else field.type,
            owner=owner,
            required=missing,
            default=_UNSET if missing or factory else field.default,
            read=field.init,
            metadata=_described(field.metadata),
        )


def _struct(cls: type[msgspec.Struct]) -> Shape:
    names = cls.__struct_fields__
    defaults = [msgspec.NODEFAULT] * (len(names) - len(cls.__struct_defaults__)) + list(cls.__struct_defaults__)
    fields = []
    for name, encoded, default in zip(names, cls.__struct_encode_fields__, defaults, strict=True):
        factory = type(default).__name__ == "Factory"
        required = default is msgspec.NODEFAULT
        owner = owner_of(cls, name)
        fields.append(
            RawField(
                attribute=name,
                argument=name,
                name=encoded,
                output_name=encoded,
                annotation=raw_annotations(owner).get(name, Any),
                owner=owner,
                required=required,
                default=_UNSET if required or factory else default,
            )
        )
    config = cls.__struct_config__
    tag = (config.tag_field, config.tag) if config.tag_field else None
    checks = hasattr(cls, "__post_init__")  # as for dataclasses
    return Shape(library="msgspec", fields=tuple(fields), build=cls, tag=tag, native=not checks)
