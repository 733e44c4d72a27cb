"""pydantic's own types, for users who bring pydantic along; never imported unless they do.

Models are read field by field in ``records``. Here are the types that have no fields: secrets,
addresses, and everything else that can describe itself through pydantic's ``TypeAdapter``.
"""

import sys
import typing
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import msgspec

from accord._calls import JSON
from accord.schema import tree
from accord.schema.refs import inlined
from accord.schema.walk import map_subschemas

__all__ = ["of_annotated", "of_annotation", "recursion_target", "refinement", "written_schema"]

Schema = dict[str, JSON]

_VALIDATORS = {"AfterValidator", "BeforeValidator", "PlainValidator", "WrapValidator", "UuidVersion", "PathType"}
#: metadata by which the JSON is another type's: the text of some JSON, the base64 of some text
_ENCODINGS = {"Json", "EncodedStr"}


def of_annotation(annotation: Any) -> tree.Node | None:
    """The node of a type pydantic knows and nobody else does, or None."""
    kind = typing.get_origin(annotation) or annotation  # Secret[int] is no class
    if "pydantic" not in sys.modules or not hasattr(kind, "__get_pydantic_core_schema__"):
        return None
    name = getattr(kind, "__name__", "")
    if kind.__module__.startswith("pydantic."):
        if name == "EmailStr":
            return tree.Text(codec="email", build=_validator(annotation))
        if name == "SecretStr":
            return tree.Text(codec="secret", build=annotation)
        if name == "SecretBytes":
            return tree.Text(codec="secret", build=lambda text: annotation(text.encode()))
        if name == "Secret":
            node = _foreign(annotation)
            return msgspec.structs.replace(
                node,
                input_schema={**node.input_schema, "writeOnly": True},
                output_schema={"type": "string", "writeOnly": True},
            )
        if annotation.__module__ == "pydantic.networks" and hasattr(annotation, "unicode_string"):
            return tree.Text(codec="uri", build=_validator(annotation))
    return _foreign(annotation)


def of_annotated(annotation: Any) -> tree.Node | None:
    """The node of ``Annotated`` metadata that changes what is read, such as ``Json[int]``'s; else None."""
    encoded = any(type(metadata).__name__ in _ENCODINGS for metadata in annotation.__metadata__)
    return _foreign(annotation) if encoded and "pydantic" in sys.modules else None


def _foreign(annotation: Any) -> tree.Foreign:
    return tree.Foreign(
        input_schema=_described(annotation, "validation"),
        output_schema=_described(annotation, "serialization"),
        build=_validator(annotation),
        cls=annotation if isinstance(annotation, type) else None,
        hashable=getattr(annotation, "__hash__", None) is not None,
    )


def recursion_target(annotation: Any, being_read: Iterable[Hashable]) -> Any:
    """The generic model that pydantic's stand-in for "this very model" means, out of those being read.

    The stand-in names the module, the class and its address, and then the arguments.
    """
    if type(annotation).__name__ != "PydanticRecursiveRef":
        return None
    place = str(annotation.type_ref).partition("[")[0]
    for key in reversed(list(being_read)):
        cls = key[0] if isinstance(key, tuple) else None
        origin = getattr(cls, "__pydantic_generic_metadata__", {}).get("origin")
        if origin is not None and place.endswith(f":{id(origin)}"):
            return cls
    return None


def written_schema(cls: Any) -> Schema:
    """What a model with serialisers of its own writes, as pydantic describes it."""
    return _described(cls, "serialization")


def refinement(annotation: Any) -> Callable[[Any], Any] | None:
    """What runs an ``Annotated`` type's pydantic validators on a converted value, if it has any."""
    return _validator(annotation) if any(map(_validates, annotation.__metadata__)) else None


def _validates(metadata: Any) -> bool:
    """Whether pydantic does more with a value than its schema says."""
    name = type(metadata).__name__
    if name == "FieldInfo":
        return any(map(_validates, metadata.metadata))
    if name == "StringConstraints":
        return bool(metadata.strip_whitespace or metadata.to_upper or metadata.to_lower)
    if name == "_PydanticGeneralMetadata":
        return not {"max_digits", "decimal_places"}.isdisjoint(vars(metadata))
    return name in _VALIDATORS


def _validator(annotation: Any) -> Callable[[Any], Any]:
    adapter: Any = None

    def validate(value: Any) -> Any:
        nonlocal adapter
        if adapter is None:
            adapter = sys.modules["pydantic"].TypeAdapter(annotation)
        return adapter.validate_python(value)

    return validate


def _described(annotation: Any, mode: str) -> Schema:
    adapter = sys.modules["pydantic"].TypeAdapter(annotation)
    return _tidied(inlined(adapter.json_schema(mode=mode)), mode)


def _tidied(schema: Schema, mode: str) -> Schema:
    """pydantic's schema in our style: no titles, and inputs closed at every level."""
    tidy = map_subschemas(schema, lambda inner: _tidied(inner, mode))
    if isinstance(tidy.get("title"), str):
        del tidy["title"]
    if mode == "validation" and "properties" in tidy:
        tidy.setdefault("additionalProperties", False)
    return tidy
