"""Classes with named fields -> Record, Tuple and Foreign nodes."""

import functools
import typing
from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from accord._docstring import parameter_descriptions
from accord._records import shape_of
from accord._scope import Scope, Unfit, scope_of_class
from accord._shapes import RawField, Shape, raw_annotations
from accord.schema import pydantic_types, tree
from accord.schema.defaults import published_default
from accord.schema.metadata import apply, facts_of
from accord.typesupport import TypeSupport

if TYPE_CHECKING:
    from accord.schema.read import Reader

__all__ = ["foreign", "of_class"]

_QUALIFIERS = ("Required", "NotRequired", "ReadOnly")


def of_class(reader: "Reader", cls: Any, args: tuple[Any, ...], scope: Scope) -> tree.Node | None:
    """The node of a class with named fields, or None when it has none we know of."""
    if hasattr(cls, "__required_keys__"):
        read = _typed_dict
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        read = _named_tuple
    elif shape_of(cls) is not None:
        read = _shaped
    else:
        return None
    args = tuple(reader.substitute(argument, scope) for argument in args)
    parameters = getattr(cls, "__parameters__", ())
    key: Hashable = (cls, () if args == parameters else args)
    inner = scope_of_class(cls, scope).inside(dict(zip(parameters, args, strict=False)))
    return reader.named(key, cls.__name__, lambda: read(reader, cls, inner))


def foreign(annotation: Any, support: TypeSupport) -> tree.Node:
    """The node of a type that a TypeSupport speaks for."""
    return tree.Foreign(
        input_schema=support.schema(annotation, "input"),
        output_schema=support.schema(annotation, "output"),
        build=lambda value: support.decode(annotation, value),
        cls=annotation if isinstance(annotation, type) else None,
        hashable=getattr(annotation, "__hash__", None) is not None,
    )


def _inherited(reader: "Reader", cls: Any, leads_there: Callable[[Any], bool], scope: Scope) -> Scope:
    """The scope with the type variables as the body of a base class means them.

    ``class Child(Base[list[T]], Generic[T])`` and its base may both say ``T``, and mean different types.
    """
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin = typing.get_origin(base) or base
        if leads_there(origin):
            args = (reader.substitute(argument, scope) for argument in typing.get_args(base))
            bound = dict(zip(getattr(origin, "__parameters__", ()), args, strict=False))
            return _inherited(reader, origin, leads_there, scope.inside(bound))
    return scope


def _shaped(reader: "Reader", cls: Any, scope: Scope) -> tree.Node:
    shape = shape_of(cls)
    assert shape is not None
    documented = parameter_descriptions(cls.__doc__ or "")
    fields = [_field(reader, cls, raw, scope, documented.get(raw.attribute)) for raw in shape.fields]
    if shape.checks:
        fields = [msgspec.structs.replace(field, node=_unrefined(field.node)) for field in fields]
    return tree.Record(
        type_name=cls.__name__,
        fields=(*_tag_field(shape), *fields),
        build=_builder(shape),
        extra=_extra(reader, shape, scope) if shape.open else None,
        hashable=cls.__hash__ is not None,
        cls=cls,
        native=cls if shape.native and not scope.variables and not hasattr(cls, "__orig_bases__") else None,
        model=cls if shape.lenient else None,
        written_as=pydantic_types.written_schema(cls) if shape.dump is not None else None,
    )


def _unrefined(node: tree.Node) -> tree.Node:
    """A field without the author's functions, which its class runs by itself when it is built."""
    node = msgspec.structs.replace(node, refinements=())
    if isinstance(node, tree.Union):
        return msgspec.structs.replace(node, branches=tuple(map(_unrefined, node.branches)))
    if isinstance(node, tree.Tuple):
        return msgspec.structs.replace(node, items=tuple(map(_unrefined, node.items)))
    if isinstance(node, tree.Array):
        return msgspec.structs.replace(node, items=_unrefined(node.items))
    if isinstance(node, tree.Map):
        return msgspec.structs.replace(node, key=_unrefined(node.key), value=_unrefined(node.value))
    return node


def _extra(reader: "Reader", shape: Shape, scope: Scope) -> tree.Node:
    """What an open model's other names may hold: ``__pydantic_extra__: dict[str, int]`` says so."""
    if shape.extra is Any:
        return tree.Anything()
    node = reader.read(shape.extra, scope_of_class(shape.extra_owner, scope).inside(scope.variables))
    return node.value if isinstance(node, tree.Map) else tree.Anything()


def _builder(shape: Shape) -> Any:
    if shape.library == "pydantic":
        return shape.build
    build = shape.build
    return lambda values: build(**values)


def _tag_field(shape: Shape) -> Iterator[tree.Field]:
    if shape.tag:
        name, value = shape.tag
        node = tree.Choice(values=(value,), members=(value,))
        # The class writes the tag itself and its constructor takes no such argument.
        yield tree.Field(name=name, node=node, argument=None, output_name=name)


def _field(reader: "Reader", cls: type, raw: RawField, scope: Scope, documented: str | None) -> tree.Field:
    inner = scope
    if raw.owner is not cls:
        variables = _inherited(reader, cls, lambda base: issubclass(base, raw.owner), scope).variables
        inner = scope_of_class(raw.owner, scope).inside(variables)
    try:
        annotation, unset = _without_unset(_without_initvar(raw.annotation))
        node = reader.read(annotation, inner)
        node = apply(node, [fact for metadata in raw.metadata for fact in facts_of(metadata)])
    except Unfit as error:
        raise _at_field(raw.attribute, error) from error
    if documented and "description" not in node.notes:
        node = apply(node, [("description", documented)])
    default = raw.default
    if default is not msgspec.UNSET:
        default = published_default(node, default, reader.definition)
    return tree.Field(
        name=raw.name,
        node=node,
        argument=raw.argument,
        output_name=raw.output_name,
        required=raw.required,
        default=default,
        read=raw.read,
        written=raw.written,
        always_written=not unset,
        elsewhere=raw.elsewhere,
    )


_MOST_FIELDS = 3


def _at_field(name: str, error: Unfit) -> Unfit:
    """The error with the way to its place, which endless nesting would make endless too."""
    problem = error.problem
    return Unfit(problem if problem.count("field '") >= _MOST_FIELDS else f"field {name!r}: {problem}", error.remedy)


def _without_initvar(annotation: Any) -> Any:
    return annotation.type if type(annotation).__name__ == "InitVar" else annotation


def _without_unset(annotation: Any) -> tuple[Any, bool]:
    """msgspec's ``T | UnsetType`` means the key may be absent."""
    arguments = typing.get_args(annotation)
    if msgspec.UnsetType not in arguments:
        return annotation, False
    kept = tuple(argument for argument in arguments if argument is not msgspec.UnsetType)
    return typing.Union[kept], True  # noqa: UP007 - built from a tuple


def _typed_dict(reader: "Reader", cls: Any, scope: Scope) -> tree.Node:
    documented = parameter_descriptions(cls.__doc__ or "")
    fields = []
    for name, annotation in _typed_dict_annotations(cls).items():
        inner = _inherited(reader, cls, functools.partial(_declares, name, annotation), scope)
        resolved = scope.resolve(annotation) if _is_text(annotation) else annotation
        resolved, required = _without_qualifiers(resolved, name in cls.__required_keys__, scope)
        try:
            node = reader.read(resolved, inner)
        except Unfit as error:
            raise Unfit(f"key {name!r}: {error.problem}", error.remedy) from error
        if documented.get(name) and "description" not in node.notes:
            node = apply(node, [("description", documented[name])])
        fields.append(
            tree.Field(
                name=name,
                node=node,
                argument=name,
                output_name=name,
                required=required,
                always_written=required,
            )
        )
    extra = _extra_items(reader, cls, scope)
    return tree.Record(type_name=cls.__name__, fields=tuple(fields), build=None, extra=extra)


def _typed_dict_annotations(cls: Any) -> dict[str, Any]:
    """A TypedDict copies its bases' annotations into its own: one look is enough."""
    return raw_annotations(cls) or dict(getattr(cls, "__annotations__", {}))


def _declares(key: str, annotation: Any, base: Any) -> bool:
    """Whether a class is a TypedDict that has this very key already."""
    return hasattr(base, "__required_keys__") and _typed_dict_annotations(base).get(key) == annotation


def _extra_items(reader: "Reader", cls: Any, scope: Scope) -> tree.Node | None:
    """PEP 728: what other keys may hold, when the class says so."""
    extra = getattr(cls, "__extra_items__", None)
    if extra is None or repr(extra).endswith("NoExtraItems") or extra is typing.Never:
        return None
    return reader.read(extra, scope)


def _is_text(annotation: Any) -> bool:
    return isinstance(annotation, str | typing.ForwardRef)


def _without_qualifiers(annotation: Any, required: bool, scope: Scope) -> tuple[Any, bool]:
    """Peel ``Required``, ``NotRequired`` and ``ReadOnly`` off, in any order and through Annotated."""
    while True:
        origin = typing.get_origin(annotation)
        name = getattr(origin, "_name", None) or getattr(origin, "__name__", None)
        if origin is typing.Annotated:
            inner, required = _without_qualifiers(annotation.__origin__, required, scope)
            if inner is annotation.__origin__:
                return annotation, required
            return typing.Annotated[(inner, *annotation.__metadata__)], required
        if name not in _QUALIFIERS:
            return annotation, required
        required = {"Required": True, "NotRequired": False}.get(name, required)
        annotation = typing.get_args(annotation)[0]
        if _is_text(annotation):
            annotation = scope.resolve(annotation)


def _named_tuple(reader: "Reader", cls: Any, scope: Scope) -> tree.Node:
    annotations = raw_annotations(cls) or getattr(cls, "__annotations__", {})
    items = tuple(reader.read(annotations.get(name, Any), scope) for name in cls._fields)
    return tree.Tuple(items=items, build=lambda values: cls(*values), cls=cls)
