"""The fields of a user's class, whatever library made it.

Dataclasses, attrs classes, msgspec Structs and pydantic models differ in where they keep names,
defaults and metadata. Here they become one list of raw fields, read by the schema side (which
resolves the annotations) and by the encoder (which only needs the names). No library is imported:
a class says itself what it is.
"""

import dataclasses
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

__all__ = ["RawField", "Shape", "owner_of", "raw_annotations", "shape_of"]

_UNSET = msgspec.UNSET


class RawField(msgspec.Struct, frozen=True, kw_only=True):
    """One field as its library declares it.

    ``attribute`` is where the value lives, ``argument`` what the constructor calls it, ``name`` and
    ``output_name`` the JSON names read and written. ``annotation`` may still be a string, to be
    resolved where ``owner`` was defined. ``default`` is UNSET for none and for a factory.
    """

    attribute: str
    argument: str
    name: str
    output_name: str
    annotation: Any
    owner: type
    required: bool = True
    default: Any = _UNSET
    read: bool = True
    written: bool = True
    metadata: tuple[Any, ...] = ()


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """A class with named fields; ``tag`` is the constant field a tagged Struct adds.

    ``dump`` replaces field-by-field encoding for classes with serialisers of their own; ``extra_of``
    returns the undeclared fields an open model holds. ``native`` says that msgspec builds the class as
    its own constructor would, ``lenient`` that a pydantic model converts plain JSON itself.
    """

    library: str
    fields: tuple[RawField, ...]
    build: Callable[..., Any]
    tag: tuple[str, Any] | None = None
    open: bool = False
    dump: Callable[[Any], Any] | None = None
    extra_of: Callable[[Any], dict[str, Any] | None] | None = None
    native: bool = False
    lenient: bool = False


def shape_of(cls: type) -> Shape | None:
    """The shape of a class with named fields, or None for any other class."""
    if hasattr(cls, "__pydantic_fields__") and hasattr(cls, "model_validate"):
        return _pydantic_model(cls)
    if hasattr(cls, "__pydantic_fields__") and dataclasses.is_dataclass(cls):
        return _pydantic_dataclass(cls)
    if dataclasses.is_dataclass(cls):
        return _dataclass(cls)
    if "__attrs_attrs__" in vars(cls):
        return Shape(library="attrs", fields=tuple(_attrs_fields(cls)), build=cls)
    if issubclass(cls, msgspec.Struct):
        return _struct(cls)
    return None


def raw_annotations(cls: type) -> dict[str, Any]:
    """The annotations written in the body of this very class, unresolved."""
    if sys.version_info >= (3, 14):
        # Annotations are evaluated lazily there: a name that is not defined yet stays a ForwardRef.
        import annotationlib  # noqa: PLC0415 - exists from 3.14 on

        return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return dict(vars(cls).get("__annotations__", {}))


def owner_of(cls: type, field: str) -> type:
    """The class in the MRO whose body declares the field: its module resolves the annotation."""
    for base in cls.__mro__:
        if field in raw_annotations(base):
            return base
    return cls


def _dataclass(cls: Any) -> Shape:
    fields = tuple(_dataclass_fields(cls))
    # A constructor the author wrote has the last word; msgspec would go around it, and around InitVars.
    generated = getattr(cls.__init__, "__code__", None) is not None and cls.__init__.__code__.co_filename == "<string>"
    return Shape(
        library="dataclasses",
        fields=fields,
        build=cls,
        native=generated and all(field.written for field in fields),
    )


def _dataclass_fields(cls: Any) -> Iterator[RawField]:
    for field in cls.__dataclass_fields__.values():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR":
            continue
        default = _UNSET if field.default is dataclasses.MISSING else field.default
        yield RawField(
            attribute=field.name,
            argument=field.name,
            name=field.name,
            output_name=field.name,
            annotation=field.type,
            owner=owner_of(cls, field.name),
            required=default is _UNSET and field.default_factory is dataclasses.MISSING,
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
    return Shape(library="msgspec", fields=tuple(fields), build=cls, tag=tag, native=True)


def _pydantic_fields(cls: Any) -> Iterator[RawField]:
    undefined = "PydanticUndefinedType"
    for name, info in cls.__pydantic_fields__.items():
        alias = info.validation_alias if isinstance(info.validation_alias, str) else info.alias
        missing = type(info.default).__name__ == undefined
        factory = getattr(info, "default_factory", None) is not None
        yield RawField(
            attribute=name,
            argument=alias or name,
            name=alias or name,
            output_name=info.serialization_alias or info.alias or name,
            annotation=info.annotation,
            owner=owner_of(cls, name),
            required=info.is_required(),
            default=_UNSET if missing or factory else info.default,
            read=getattr(info, "init", None) is not False,
            written=not info.exclude,
            metadata=(info,),
        )
    decorators = cls.__pydantic_decorators__
    for name, computed in decorators.computed_fields.items():
        yield RawField(
            attribute=name,
            argument=name,
            name=name,
            output_name=computed.info.alias or name,
            annotation=computed.info.return_type,
            owner=cls,
            read=False,
            metadata=(computed.info.description,) if computed.info.description else (),
        )


def _own_serializers(cls: Any) -> bool:
    decorators = cls.__pydantic_decorators__
    return bool(decorators.field_serializers or decorators.model_serializers)


def _pydantic_model(cls: Any) -> Shape | None:
    if getattr(cls, "__pydantic_root_model__", False):
        return None
    if not cls.__pydantic_complete__:
        # Raises NameError-like errors of pydantic's own; the reader turns them into a deferral.
        cls.model_rebuild(raise_errors=False)
    return Shape(
        library="pydantic",
        fields=tuple(_pydantic_fields(cls)),
        build=cls.model_validate,
        open=cls.model_config.get("extra") == "allow",
        lenient=not cls.model_config.get("strict") and cls.model_config.get("extra") != "allow",
        dump=(lambda value: value.model_dump(mode="json", by_alias=True)) if _own_serializers(cls) else None,
        extra_of=lambda value: getattr(value, "__pydantic_extra__", None),
    )


def _pydantic_dataclass(cls: Any) -> Shape:
    return Shape(
        library="pydantic",
        fields=tuple(_pydantic_fields(cls)),
        build=lambda values: cls(**values),
    )
