"""The fields of pydantic models and pydantic dataclasses; pydantic itself is never imported.

Also decides whether building one needs pydantic's validation: it does when the author added checks or
settings of their own, and not when the schema already said everything.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from accord._shapes import RawField, Shape, owner_of, raw_annotations

__all__ = ["dataclass_shape", "model_shape"]


def _fields(cls: Any) -> Iterator[RawField]:
    undefined = "PydanticUndefinedType"
    for name, info in cls.__pydantic_fields__.items():
        alias = _read_name(info)
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
            default=msgspec.UNSET if missing or factory else info.default,
            read=getattr(info, "init", None) is not False and not _is_path(info.validation_alias),
            elsewhere=info.is_required() and _is_path(info.validation_alias),
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


def _read_name(info: Any) -> str | None:
    """The one name among a field's aliases that callers are told: pydantic's own schemas say the same."""
    choices = getattr(info.validation_alias, "choices", [info.validation_alias])
    return next((choice for choice in choices if isinstance(choice, str)), info.alias)


def _is_path(alias: Any) -> bool:
    """Whether a field is read from somewhere inside another one, so that no property of its own is."""
    choices = getattr(alias, "choices", [alias])
    return alias is not None and not any(isinstance(choice, str) for choice in choices)


#: settings of a model that do not touch its values
_HARMLESS_CONFIG = {
    "alias_generator",
    "arbitrary_types_allowed",
    "extra",
    "from_attributes",
    "frozen",
    "json_schema_extra",
    "populate_by_name",
    "protected_namespaces",
    "title",
    "use_attribute_docstrings",
    "validate_by_alias",
    "validate_by_name",
}
#: field metadata that the schema states in full
_STATED = {"Ge", "Gt", "Le", "Lt", "MinLen", "MaxLen", "MultipleOf"}


def _validates(cls: Any) -> bool:
    """Whether pydantic knows more about a class than its schema says: validators, conversions, settings.

    Where it does not, the gate has said all there is to say, and asking pydantic again could only
    contradict it (its patterns are Rust's, its unions have rules of their own).
    """
    decorators = cls.__pydantic_decorators__
    own = decorators.validators or decorators.field_validators or decorators.root_validators
    if own or decorators.model_validators or getattr(cls, "__pydantic_custom_init__", False):
        return True
    config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", None) or {}
    if not config.keys() <= _HARMLESS_CONFIG:
        return True
    infos = cls.__pydantic_fields__.values()
    return any(getattr(info, "init_var", None) or not all(map(_is_stated, info.metadata)) for info in infos)


#: ``model_construct`` takes these itself, so it cannot take fields of these names
_ARGUMENTS_OF_CONSTRUCT = frozenset({"cls", "_fields_set"})


def _is_stated(item: Any) -> bool:
    kind = type(item)
    if kind.__module__.partition(".")[0] not in ("pydantic", "pydantic_core", "annotated_types"):
        return not hasattr(item, "__get_pydantic_core_schema__")  # else pydantic passes over it
    if kind.__name__ == "_PydanticGeneralMetadata":
        return set(vars(item)) <= {"pattern"}
    return kind.__name__ in _STATED


def _own_serializers(cls: Any) -> bool:
    decorators = cls.__pydantic_decorators__
    return bool(decorators.field_serializers or decorators.model_serializers)


def model_shape(cls: Any) -> Shape | None:
    """The shape of a pydantic model; None for a RootModel, which has no named fields."""
    if getattr(cls, "__pydantic_root_model__", False):
        return None
    if not cls.__pydantic_complete__:
        # A name that was not defined when the class was made may be by now; if not, the reader says so.
        cls.model_rebuild(raise_errors=False)
    checked = _validates(cls)
    owner = owner_of(cls, "__pydantic_extra__")
    return Shape(
        library="pydantic",
        fields=tuple(_fields(cls)),
        extra=Any
        if owner.__module__.startswith("pydantic.")
        else raw_annotations(owner).get("__pydantic_extra__", Any),
        extra_owner=owner,
        checks=checked,
        build=cls.model_validate if checked else _construction(cls),
        open=cls.model_config.get("extra") == "allow",
        lenient=not cls.model_config.get("strict") and cls.model_config.get("extra") != "allow",
        dump=(lambda value: value.model_dump(mode="json", by_alias=True)) if _own_serializers(cls) else None,
        extra_of=lambda value: getattr(value, "__pydantic_extra__", None),
    )


def _construction(cls: Any) -> Callable[[dict[str, Any]], Any]:
    """``model_construct``, where a field may be called like one of its own arguments."""
    hidden = {field.argument: field.attribute for field in _fields(cls) if field.argument in _ARGUMENTS_OF_CONSTRUCT}
    if not hidden:
        return lambda values: cls.model_construct(**values)

    def construct(values: dict[str, Any]) -> Any:
        made = cls.model_construct(**{name: value for name, value in values.items() if name not in hidden})
        given = {hidden[name]: value for name, value in values.items() if name in hidden}
        held = {**made.__dict__, **given}
        object.__setattr__(made, "__dict__", {name: held[name] for name in cls.__pydantic_fields__ if name in held})
        made.__pydantic_fields_set__.update(given)
        return made

    return construct


def dataclass_shape(cls: Any) -> Shape:
    """The shape of a pydantic dataclass."""
    checked = _validates(cls)
    return Shape(
        library="pydantic",
        fields=tuple(_fields(cls)),
        build=(lambda values: cls(**values)) if checked else _constructor(cls),
        checks=checked,
    )


def _constructor(cls: Any) -> Callable[[dict[str, Any]], Any]:
    """What ``model_construct`` is to a model: an instance of the values as they are, and the defaults."""
    fields = [(field.attribute, field.argument, cls.__pydantic_fields__[field.attribute]) for field in _fields(cls)]

    def construct(values: dict[str, Any]) -> Any:
        made = object.__new__(cls)
        for attribute, argument, info in fields:
            value = values[argument] if argument in values else info.get_default(call_default_factory=True)
            object.__setattr__(made, attribute, value)
        if hasattr(made, "__post_init__"):
            made.__post_init__()
        return made

    return construct
