"""A user's class with named fields, as one kind of value whatever library made it.

``_records`` and ``_models`` fill these in; the schema side (which resolves the annotations) and the encoder
(which only needs the names) read them.
"""

import sys
from collections.abc import Callable
from typing import Any

import msgspec

__all__ = ["RawField", "Shape", "owner_of", "raw_annotations"]


class RawField(msgspec.Struct, frozen=True, kw_only=True):
    """One field as its library declares it.

    ``attribute`` is where the value lives, ``argument`` what the constructor calls it, ``name`` and
    ``output_name`` the JSON names read and written. ``annotation`` may still be a string, to be
    resolved where ``owner`` was defined. ``default`` is UNSET for none and for a factory. ``elsewhere``: it is needed,
    and only read from inside another property.
    """

    attribute: str
    argument: str
    name: str
    output_name: str
    annotation: Any
    owner: type
    required: bool = True
    default: Any = msgspec.UNSET
    read: bool = True
    written: bool = True
    elsewhere: bool = False
    metadata: tuple[Any, ...] = ()


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """A class with named fields; ``tag`` is the constant field a tagged Struct adds.

    ``extra`` is the annotation of the undeclared fields, ``extra_owner`` the class that has it. ``checks`` says that
    ``build`` runs the author's validators, those of its fields included.

    ``dump`` replaces field-by-field encoding for classes with serialisers of their own; ``extra_of``
    returns the undeclared fields an open model holds. ``native`` says that msgspec builds the class as
    its own constructor would, ``lenient`` that a pydantic model converts plain JSON itself.
    """

    library: str
    fields: tuple[RawField, ...]
    build: Callable[..., Any]
    tag: tuple[str, Any] | None = None
    open: bool = False
    extra: Any = Any
    extra_owner: type = object
    checks: bool = False
    dump: Callable[[Any], Any] | None = None
    extra_of: Callable[[Any], dict[str, Any] | None] | None = None
    native: bool = False
    lenient: bool = False


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
