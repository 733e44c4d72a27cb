"""Annotation -> tree.

Knows Python's typing constructs; knows no JSON Schema. What it cannot read becomes text with a
note in ``unknown`` (or an ``Unfit`` when strict), and what can never work raises ``Unfit``.
"""

import collections
import collections.abc
import enum
import functools
import re
import types
import typing
from collections.abc import Callable, Hashable
from typing import Any, ForwardRef

import msgspec

from accord._parameters import EMPTY
from accord._scope import Scope, Unfit
from accord.schema import choices, pydantic_types, records, tree
from accord.schema.metadata import apply, facts_of
from accord.schema.mirroring import MIRRORED
from accord.schema.scalars import ARRAYS, MAPS, SCALARS, SETS, scalar
from accord.typesupport import support_for

__all__ = ["Reader"]

_MAX_DEPTH = 60
_NOT_IN_A_FRAGMENT = re.compile(r"[^A-Za-z0-9_.\-]+")


class Reader:
    """Reads annotations into one tree; recursive types met on the way end up in ``definitions``."""

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.unknown: list[str] = []
        self._open: dict[Hashable, str] = {}
        self._recursive: dict[Hashable, tree.Node] = {}
        self._names: dict[Hashable, str] = {}
        #: annotations in quotes that are being read, one inside another
        self._texts = 0

    def finish(self, root: tree.Node) -> tree.Tree:
        """The tree around ``root``, with every definition it may refer to."""
        return tree.Tree(root, {key: (self._names[key], node) for key, node in self._recursive.items()})

    def read(self, annotation: Any, scope: Scope) -> tree.Node:
        """The node an annotation stands for.

        Raises:
            Unfit: it can never become JSON Schema.
            Unresolved: it names something that does not exist yet.
        """
        if isinstance(annotation, str | ForwardRef):
            return self._read_text(annotation, scope)
        try:
            known = scalar(annotation)
        except TypeError:  # unhashable: Annotated with a list inside, for instance
            known = None
        if known is not None:
            return known
        origin = typing.get_origin(annotation)
        if origin is not None:
            return self._read_generic(annotation, origin, typing.get_args(annotation), scope)
        return self._read_plain(annotation, scope)

    def _read_text(self, annotation: str | ForwardRef, scope: Scope) -> tree.Node:
        if self._texts > _MAX_DEPTH:
            raise Unfit(
                f"its annotation {_text_of(annotation)!r} contains itself",
                "Give the recursive type a name: `type X = ...`, or TypeAliasType('X', ...).",
            )
        self._texts += 1
        try:
            return self.read(scope.resolve(annotation), scope)
        finally:
            self._texts -= 1

    def _read_plain(self, annotation: Any, scope: Scope) -> tree.Node:
        if annotation in _BARE:
            return _BARE[annotation]
        if isinstance(annotation, typing.TypeVar):
            return self._read_variable(annotation, scope)
        if hasattr(annotation, "__supertype__"):
            return self.read(annotation.__supertype__, scope)
        if hasattr(annotation, "__value__"):
            return self.named(annotation, annotation.__name__, lambda: self.read(annotation.__value__, scope))
        support = support_for(annotation)
        if support is not None:
            return records.foreign(annotation, support)
        model = pydantic_types.recursion_target(annotation, self._open)
        if model is not None:
            return self.read(model, scope)
        if isinstance(annotation, type):
            node = self._read_class(annotation, scope)
            if node is not None:
                return node
        return self._read_unknown(annotation)

    def _read_class(self, cls: type, scope: Scope) -> tree.Node | None:
        if issubclass(cls, enum.Enum):
            return choices.of_enum(cls)
        node = records.of_class(self, cls, (), scope) or pydantic_types.of_annotation(cls)
        if node is not None:
            return node
        for base in (bool, int, float, str):
            if issubclass(cls, base):
                return msgspec.structs.replace(SCALARS[base], build=cls)
        return None

    def _read_unknown(self, annotation: Any) -> tree.Node:
        shown = annotation.__qualname__ if isinstance(annotation, type) else repr(annotation)
        remedy = "Use a type from the documentation's table, or register a TypeSupport for it."
        if self.strict:
            raise Unfit(f"{shown} has no JSON Schema", remedy)
        self.unknown.append(shown)
        return tree.Text()

    def _read_variable(self, variable: Any, scope: Scope) -> tree.Node:
        if variable in scope.variables:
            # What it stands for may hold it again, unbound: a generic class used without its arguments.
            others = {known: bound for known, bound in scope.variables.items() if known is not variable}
            return self.read(scope.variables[variable], scope.inside(others))
        default = getattr(variable, "__default__", None)
        if default is not None and not repr(default).endswith("NoDefault"):
            return self.read(default, scope)
        if variable.__bound__ is not None:
            return self.read(variable.__bound__, scope)
        if variable.__constraints__:
            return self.union(variable.__constraints__, scope)
        return tree.Anything()

    def _read_generic(self, annotation: Any, origin: Any, args: tuple[Any, ...], scope: Scope) -> tree.Node:
        if origin is typing.Annotated:
            facts = [fact for metadata in annotation.__metadata__ for fact in facts_of(metadata)]
            supported = support_for(annotation)
            if supported is not None:
                return apply(records.foreign(annotation, supported), _notes_only(facts))
            encoded = pydantic_types.of_annotated(annotation)
            if encoded is not None:
                return apply(encoded, _notes_only(facts))
            refine = pydantic_types.refinement(annotation)
            facts += [("refinement", refine)] if refine else []
            return apply(self.read(annotation.__origin__, scope), facts)
        if not args and origin in _BARE and (origin is not tuple or annotation == typing.Tuple):  # noqa: UP006 - tuple[()] is another type
            return _BARE[origin]  # typing.List and its kin, without arguments
        if origin in _UNIONS:
            return self.union(args, scope)
        if origin is typing.Literal:
            return choices.of_literal(args)
        if origin in _TRANSPARENT:
            return self.read(args[0], scope)
        if origin is tuple:
            return self._read_tuple(args, scope)
        if origin in ARRAYS:
            return tree.Array(items=self.read(args[0], scope), build=ARRAYS[origin])
        if origin in SETS:
            return _set_of(self.read(args[0], scope), SETS[origin])
        if origin is collections.Counter:
            args = (args[0], int)
        if origin in MAPS:
            build = _default_dict(args[1]) if origin is collections.defaultdict else MAPS[origin]
            key = _key_of(self.read(args[0], scope))
            return tree.Map(key=key, value=self.read(args[1], scope), build=build)
        if origin in SCALARS:
            return SCALARS[origin]
        if hasattr(origin, "__value__"):
            return self._read_alias(origin, args, scope)
        node = records.of_class(self, origin, args, scope) if isinstance(origin, type) else None
        node = node or pydantic_types.of_annotation(annotation)
        return node if node is not None else self._read_unknown(annotation)

    def _read_alias(self, alias: Any, args: tuple[Any, ...], scope: Scope) -> tree.Node:
        args = tuple(self.substitute(argument, scope) for argument in args)
        inner = scope.inside({**scope.variables, **dict(zip(alias.__type_params__, args, strict=False))})
        return self.named((alias, args), alias.__name__, lambda: self.read(alias.__value__, inner))

    def _read_tuple(self, args: tuple[Any, ...], scope: Scope) -> tree.Node:
        if len(args) == 2 and args[1] is Ellipsis:
            return tree.Array(items=self.read(args[0], scope), build=tuple)
        if any(map(_is_unpacked, args)):
            raise Unfit(
                "a tuple with an unpacked part has no fixed length and more than one type",
                "Write its items out, or use list[...] or tuple[T, ...].",
            )
        return tree.Tuple(items=tuple(self.read(argument, scope) for argument in args))

    def union(self, annotations: tuple[Any, ...], scope: Scope) -> tree.Node:
        """One of several annotations: flattened, without duplicates, null last."""
        branches: list[tree.Node] = []
        for annotation in annotations:
            node = self.read(annotation, scope)
            flat = node.branches if isinstance(node, tree.Union) and not node.notes else (node,)
            branches.extend(branch for branch in flat if branch not in branches)
        branches.sort(key=lambda branch: isinstance(branch, tree.Null))
        return branches[0] if len(branches) == 1 else tree.Union(branches=tuple(branches))

    def named(self, key: Hashable, name: str, build: Callable[[], tree.Node]) -> tree.Node:
        """Read a type that may contain itself: inside itself it is a Reference."""
        if key in self._open or key in self._recursive:
            self._names.setdefault(key, self._unique(name))
            self._open[key] = "recursive"
            return tree.Reference(key=key)
        if len(self._open) > _MAX_DEPTH:
            raise Unfit(f"{name} grows without end", "Make the recursion repeat the same type arguments.")
        self._open[key] = "open"
        try:
            node = build()
        finally:
            state = self._open.pop(key)
        if state == "recursive":
            if any(isinstance(part, tree.Reference) and part.key == key for part in _alternatives(node)):
                raise Unfit(f"{name} is defined as itself", "Say what its values are: `type X = list[X] | int`.")
            self._recursive[key] = node
            return tree.Reference(key=key)
        return node

    def definition(self, reference: tree.Reference) -> tree.Node | None:
        """What a reference leads to, or None while that is still being read."""
        return self._recursive.get(reference.key)

    def _unique(self, name: str) -> str:
        name = _NOT_IN_A_FRAGMENT.sub("_", name).strip("_") or "Type"  # pydantic's generics are called GM[int]
        taken, candidate, number = set(self._names.values()), name, 2
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        return candidate

    def substitute(self, annotation: Any, scope: Scope) -> Any:
        """The annotation with this scope's type variables replaced."""
        if isinstance(annotation, str | ForwardRef):
            annotation = scope.resolve(annotation)
        if isinstance(annotation, typing.TypeVar):
            return scope.variables.get(annotation, annotation)
        parameters = getattr(annotation, "__parameters__", ())
        if parameters and not isinstance(annotation, type):
            return annotation[tuple(scope.variables.get(variable, variable) for variable in parameters)]
        return annotation


def _alternatives(node: tree.Node) -> tuple[tree.Node, ...]:
    return node.branches if isinstance(node, tree.Union) else (node,)


def _text_of(annotation: str | ForwardRef) -> str:
    return annotation if isinstance(annotation, str) else annotation.__forward_arg__


def _is_unpacked(annotation: Any) -> bool:
    """``*tuple[int, ...]``, ``Unpack[...]`` of either library, or a bare TypeVarTuple."""
    starred = getattr(annotation, "__unpacked__", False) or getattr(
        annotation, "__typing_is_unpacked_typevartuple__", 0
    )
    return bool(starred) or getattr(typing.get_origin(annotation), "_name", None) == "Unpack"


def _default_dict(values: Any) -> Callable[[Any], Any]:
    """A defaultdict whose factory is the value type, where that is a built-in one."""
    factory = typing.get_origin(values) or values
    known = factory if factory in (int, float, str, bool, list, dict, set, tuple, frozenset) else None
    return functools.partial(collections.defaultdict, known)


def _notes_only(facts: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [fact for fact in facts if fact[0] in ("description", "examples", "deprecated", MIRRORED)]


_TRANSPARENT = {typing.Final, typing.ClassVar, typing.Required, typing.NotRequired, collections.abc.Awaitable}
_UNIONS = {typing.Union, types.UnionType}
#: what a set of anything may hold: whatever JSON has that is hashable, received as it is
_SCALAR_SCHEMA: dict[str, Any] = {"anyOf": [{"type": kind} for kind in ("string", "number", "boolean", "null")]}
_ANY_SCALAR = tree.Foreign(input_schema=_SCALAR_SCHEMA, output_schema=_SCALAR_SCHEMA, build=None, hashable=True)
_BARE: dict[Any, tree.Node] = {
    EMPTY: tree.Anything(annotated=False),
    tuple: tree.Array(items=tree.Anything(), build=tuple),
    **{kind: tree.Array(items=tree.Anything(), build=build) for kind, build in ARRAYS.items()},
    **{kind: tree.Array(items=_ANY_SCALAR, unique=True, build=build) for kind, build in SETS.items()},
    **{kind: tree.Map(key=tree.Text(), value=tree.Anything(), build=build) for kind, build in MAPS.items()},
}


def _set_of(items: tree.Node, build: Callable[[Any], Any]) -> tree.Node:
    if isinstance(items, tree.Anything):
        items = _ANY_SCALAR
    if not _hashable(items):
        raise Unfit(
            "the members of a set must be hashable, and these are not",
            "Use list[...], or members such as str, int, Enum or a frozen dataclass.",
        )
    return tree.Array(items=items, unique=True, build=build)


def _hashable(node: tree.Node) -> bool:
    if isinstance(node, tree.Anything | tree.Map | tree.Reference):
        return False
    if isinstance(node, tree.Array):
        return node.build in (tuple, frozenset) and _hashable(node.items)
    if isinstance(node, tree.Tuple):
        return node.frozen and all(map(_hashable, node.items))
    if isinstance(node, tree.Union):
        return all(map(_hashable, node.branches))
    if isinstance(node, tree.Record):
        return node.hashable and all(_hashable(field.node) for field in node.fields if field.read)
    return not isinstance(node, tree.Foreign) or node.hashable


def _key_of(node: tree.Node) -> tree.Node:
    if isinstance(node, tree.Anything):
        return tree.Text()
    fits = isinstance(node, tree.Integer | tree.Text) or (
        isinstance(node, tree.Choice) and all(type(value) in (str, int) for value in node.values)
    )
    if not fits or node.limits.keys() & {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}:
        raise Unfit(
            "JSON object keys are text, and these cannot be written as text",
            "Use str, int, Enum or Literal keys without numeric limits, or a list of pairs.",
        )
    return node
