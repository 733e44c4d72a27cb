"""Signature -> input and output trees: the one place where a whole function is read.

Adds to every refusal the function and the parameter it is about, and warns of annotations that
were read as plain text because nothing better is known.
"""

import sys
import warnings
from collections.abc import Callable
from typing import Any

import msgspec

from accord._calls import JSON
from accord._scope import Scope, Unfit, Unresolved
from accord._signature import Parameter, Signature, name_of, signature_of
from accord.errors import AccordWarning, RegistrationError
from accord.schema import tree
from accord.schema.boxing import boxed_schema, is_object
from accord.schema.defaults import published_default
from accord.schema.dialects import Dialect, dialect_named, lower
from accord.schema.emit import emit
from accord.schema.metadata import apply, facts_of
from accord.schema.mirroring import check_mirrored
from accord.schema.read import Reader
from accord.schema.returns import NO_RESULT, result_annotation
from accord.typesupport import Direction

__all__ = [
    "Input",
    "canonical_input",
    "function_to_schema",
    "infer_input",
    "infer_output",
    "published_input",
    "published_output",
    "return_to_schema",
    "type_to_schema",
    "undefined",
]

Schema = dict[str, JSON]

_PROBLEM = "has no JSON Schema and is published as text"
_REMEDY = "Use a supported type, or register a TypeSupport for it."


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of a function: ``whole`` is a record of them, or the one model they all belong to.

    ``flattened`` names the parameter whose fields stand at the top, ``unannotated`` those without
    a type. ``nodes`` are the parameters' own nodes, in order.
    """

    signature: Signature
    whole: tree.Tree
    nodes: dict[str, tree.Node]
    flattened: str | None = None
    unannotated: tuple[str, ...] = ()


def infer_input(signature: Signature, *, strict: bool = False, flatten: bool | None = False) -> Input:
    """Read every parameter of a signature.

    ``flatten=True`` insists on lifting the single model's fields to the top, None does it where
    there is a single model, False never.

    Raises:
        RegistrationError: a parameter cannot work; the message names it and the remedy.
        Unresolved: an annotation names something not defined yet.
    """
    reader = Reader(strict=strict)
    fields = tuple(_field(reader, signature, parameter) for parameter in signature.parameters)
    nodes = {field.name: field.node for field in fields}
    root = tree.Record(type_name=signature.function, fields=fields, build=None)
    _check_readable(signature, fields, reader.finish(root))
    unannotated = tuple(
        parameter.name for parameter in signature.parameters if nodes[parameter.name] == tree.Anything(annotated=False)
    )
    model = None if flatten is False else _single_model(reader, fields)
    if model is not None:
        return Input(
            signature=signature, whole=reader.finish(model), nodes=nodes, flattened=signature.parameters[0].name
        )
    if flatten:
        names = ", ".join(field.name for field in fields) or "none"
        raise RegistrationError(
            signature.function,
            fields[0].name if fields else None,
            f"flatten=True needs exactly one parameter, a model with named fields; the parameters are: {names}",
            "Remove flatten, or gather the parameters in one dataclass or model.",
        )
    return Input(signature=signature, whole=reader.finish(root), nodes=nodes, unannotated=unannotated)


def infer_output(function: Callable[..., Any], signature: Signature, *, strict: bool = False) -> tree.Tree | None:
    """The tree of the result, or None where the function promises none.

    Raises:
        RegistrationError: the return annotation can never be JSON.
        Unresolved: it names something not defined yet.
    """
    reader = Reader(strict=strict)
    try:
        annotation = result_annotation(function, signature.returns, signature.scope)
        if annotation is NO_RESULT:
            return None
        root = reader.read(annotation, signature.scope)
    except Unresolved as unresolved:
        unresolved.parameter = "return"
        raise
    except Unfit as error:
        raise RegistrationError(signature.function, "return", error.problem, error.remedy) from error
    _warn(reader.unknown, signature.function, "return")
    return reader.finish(root)


def _field(reader: Reader, signature: Signature, parameter: Parameter) -> tree.Field:
    try:
        node = reader.read(parameter.annotation, signature.scope)
        node = apply(node, [fact for metadata in parameter.metadata for fact in facts_of(metadata)])
    except Unfit as error:
        raise RegistrationError(signature.function, parameter.name, error.problem, error.remedy) from error
    except Unresolved as unresolved:
        unresolved.parameter = parameter.name
        raise
    _warn(reader.unknown, signature.function, parameter.name)
    reader.unknown.clear()
    if parameter.description and "description" not in node.notes:
        node = apply(node, [("description", parameter.description)])
    return tree.Field(
        name=parameter.name,
        output_name=parameter.name,
        argument=parameter.name,
        node=node,
        required=parameter.required,
        default=msgspec.UNSET if parameter.required else published_default(node, parameter.default, reader.definition),
    )


def _check_readable(signature: Signature, fields: tuple[tree.Field, ...], whole: tree.Tree) -> None:
    """Everything that is needed must be something a schema can say."""
    named = [(field.name, field.node) for field in fields] + list(whole.definitions.values())
    for name, node in named:
        for inner in tree.fields_of(node):
            if inner.elsewhere:
                raise RegistrationError(
                    signature.function,
                    name,
                    f"its field {inner.output_name!r} is required, and read from inside another one (AliasPath) only",
                    "Give it a default, or a name of its own beside the path: AliasChoices('name', AliasPath(...)).",
                )


def _single_model(reader: Reader, fields: tuple[tree.Field, ...]) -> tree.Record | None:
    if len(fields) != 1:
        return None
    node: tree.Node | None = fields[0].node
    if isinstance(node, tree.Reference):
        node = reader.definition(node)
    return node if isinstance(node, tree.Record) else None


def _warn(unknown: list[str], function: str, parameter: str) -> None:
    for shown in unknown:
        warnings.warn(
            str(RegistrationError(function, parameter, f"{shown} {_PROBLEM}", _REMEDY)),
            AccordWarning,
            stacklevel=_level_of_author(),
        )


def _level_of_author() -> int:
    """The ``stacklevel``, for our caller, of the line outside of this package that led here."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "accord":
        frame, level = frame.f_back, level + 1
    return level


def canonical_input(inferred: Input) -> Schema:
    """The input schema that is enforced.

    Raises:
        RegistrationError: it wants an argument in a header that cannot be there.
    """
    schema = emit(inferred.whole, "input")
    check_mirrored(schema, inferred.signature.function)
    return schema


def published_input(inferred: Input, canonical: Schema, dialect: Dialect) -> Schema:
    """The canonical input schema as the dialect writes it."""
    if dialect.variadics is not None and inferred.signature.variadic:
        return dict(dialect.variadics)
    return lower(canonical, dialect, "input", unannotated=inferred.unannotated)


def published_output(canonical: Schema, dialect: Dialect) -> Schema:
    """The output schema as the dialect writes it."""
    schema = lower(canonical, dialect, "output")
    return boxed_schema(schema, dialect.box) if dialect.box and not is_object(canonical) else schema


def undefined(function: str, unresolved: Unresolved) -> RegistrationError:
    """The error of a name that is still not there when the schema is needed."""
    return RegistrationError(
        function,
        unresolved.parameter,
        f"its annotation names {unresolved.missing!r}, which is not defined",
        "Define it before the first use, or import it outside of TYPE_CHECKING.",
    )


def function_to_schema(function: Callable[..., Any], *, strict: bool = False, dialect: str = "accord") -> Schema:
    """The input schema of a function: the single source of truth for its arguments.

    Equal to ``app.tools[...].input_schema`` when no option or provider changes it. Every call
    returns a fresh copy.

    Raises:
        TypeError: a parameter can never work, or (``strict``) its annotation is unknown.
    """
    chosen = dialect_named(dialect)
    try:
        inferred = infer_input(signature_of(function), strict=strict, flatten=None if chosen.flatten else False)
    except Unresolved as unresolved:
        raise undefined(name_of(function), unresolved) from unresolved
    return published_input(inferred, canonical_input(inferred), chosen)


def return_to_schema(function: Callable[..., Any], *, dialect: str = "accord") -> Schema | None:
    """The output schema of a function, or None where it promises no result.

    Raises:
        TypeError: the return annotation can never be JSON.
    """
    try:
        tree_of_result = infer_output(function, signature_of(function))
    except Unresolved as unresolved:
        raise undefined(name_of(function), unresolved) from unresolved
    return None if tree_of_result is None else published_output(emit(tree_of_result, "output"), dialect_named(dialect))


def type_to_schema(annotation: Any, *, direction: Direction = "input", dialect: str = "accord") -> Schema:
    """The schema of a single annotation, read (``input``) or written (``output``).

    Raises:
        TypeError: the annotation can never be JSON.
    """
    reader = Reader()
    try:
        root = reader.read(annotation, Scope(()))
    except Unfit as error:
        raise RegistrationError(repr(annotation), None, error.problem, error.remedy) from error
    _warn(reader.unknown, "type_to_schema", "annotation")
    return lower(emit(reader.finish(root), direction), dialect_named(dialect), direction)
