"""pydantic's own types, for users who bring pydantic along; never imported unless they do.

Models are read field by field in ``records``. Here are the types that have no fields: secrets,
addresses, and everything else that can describe itself through pydantic's ``TypeAdapter``.
"""

import sys
from collections.abc import Callable
from typing import Any

from accord._calls import JSON
from accord.schema import tree
from accord.schema.refs import inlined
from accord.schema.walk import map_subschemas

__all__ = ["of_annotation", "refinement", "written_schema"]

Schema = dict[str, JSON]

_VALIDATORS = {"AfterValidator", "BeforeValidator", "PlainValidator", "WrapValidator"}


def of_annotation(annotation: Any) -> tree.Node | None:
    """The node of a type pydantic knows and nobody else does, or None."""
    if "pydantic" not in sys.modules or not hasattr(annotation, "__get_pydantic_core_schema__"):
        return None
    name = getattr(annotation, "__name__", "")
    if annotation.__module__.startswith("pydantic."):
        if name == "EmailStr":
            return tree.Text(codec="email", build=_validator(annotation))
        if name == "SecretStr":
            return tree.Text(codec="secret", build=annotation)
        if name == "SecretBytes":
            return tree.Text(codec="secret", build=lambda text: annotation(text.encode()))
        if annotation.__module__ == "pydantic.networks" and hasattr(annotation, "unicode_string"):
            return tree.Text(codec="uri", build=_validator(annotation))
    return tree.Foreign(
        input_schema=_described(annotation, "validation"),
        output_schema=_described(annotation, "serialization"),
        build=_validator(annotation),
        hashable=getattr(annotation, "__hash__", None) is not None,
    )


def written_schema(cls: Any) -> Schema:
    """What a model with serialisers of its own writes, as pydantic describes it."""
    return _described(cls, "serialization")


def refinement(annotation: Any) -> Callable[[Any], Any] | None:
    """What runs an ``Annotated`` type's pydantic validators on a converted value, if it has any."""
    if any(type(metadata).__name__ in _VALIDATORS for metadata in annotation.__metadata__):
        return _validator(annotation)
    return None


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
