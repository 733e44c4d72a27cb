"""The conventions of governed tools as annotations: places in files, and listings page by page.

``FileUri`` and ``Position`` say where in a file; ``Cursor`` and ``Page`` say where a listing goes on. Importing this
module teaches the schema engine its types. It knows seals, and knows no tool and no transport: dispatch
says what the cursors of a call belong to, with ``bound_to``.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar
from urllib.parse import unquote_to_bytes

import msgspec

from accord._calls import JSON
from accord._canonical import canonical
from accord._encode import Unencodable, encode
from accord._scope import Scope, Unfit, Unresolved
from accord._seal import BELONGS_ELSEWHERE, Seal, Unsealed
from accord._signature import Signature
from accord.markers import Description, Ge
from accord.schema import tree
from accord.schema.emit import emit
from accord.schema.formats import FORMATS
from accord.schema.read import Reader
from accord.schema.returns import NO_RESULT, result_annotation
from accord.schema.scalars import SCALARS
from accord.typesupport import Direction, register

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Binding", "Cursor", "FileUri", "Page", "Position", "bound_to", "cursor_paths", "holds_cursors", "nowhere"]

_Item = TypeVar("_Item")


# -- places in files ----------------------------------------------------------------------------------------------

#: this machine only, one slash to begin with (two name another machine), and neither %00 nor %2F
_FILE_URI = "^file:(//(localhost)?)?/(([^/?#%]|%[13-9A-Fa-f]|%0[1-9A-Fa-f]|%2[0-9A-Ea-e])/*)*$"
_is_file_uri = re.compile(_FILE_URI).fullmatch
_start = re.compile("file:(//(localhost)?)?(?=/)").match
_drive = re.compile("/([A-Za-z]:)(/.*)?", re.DOTALL).fullmatch


class FileUri(str):
    """A ``file:`` URI of this machine, such as ``file:///home/me/notes.txt``. A raw path is refused.

    It is the text the caller sent; ``path`` is the file it names.

    Raises:
        ValueError: the text is no ``file:`` URI, or one of another machine.
    """

    __slots__ = ()

    def __new__(cls, uri: str) -> "Self":
        if not (FORMATS["uri"](uri) and _is_file_uri(uri)):
            raise ValueError("must be a file: URI of this machine; FileUri.of(path) makes one from a path")
        return super().__new__(cls, uri)

    @classmethod
    def of(cls, path: "str | os.PathLike[str]") -> "Self":
        """The URI of a path; a relative one starts from the current directory.

        Raises:
            ValueError: the path is on another machine.
        """
        absolute = Path(path).absolute()
        if os.name == "posix" and absolute.root == "//":
            absolute = Path("/", *absolute.parts[1:])  # to a URI, two slashes would be another machine
        return cls(absolute.as_uri())

    @property
    def path(self) -> Path:
        """The file this names, percent-decoded.

        Raises:
            ValueError: this system has no such path (on Windows: without a drive, or with a backslash).
        """
        return Path(_path_text(self, windows=os.name == "nt"))

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, handler: Any) -> dict[str, Any]:
        """How a pydantic model checks a field of this type; pydantic itself is not needed here."""
        return {
            "type": "function-after",
            "function": {"type": "no-info", "function": cls},
            "schema": handler(str),
        }


def _path_text(uri: str, *, windows: bool) -> str:
    start = _start(uri)
    assert start is not None  # every FileUri has one
    encoded = unquote_to_bytes(uri[start.end() :])
    if not windows:
        return os.fsdecode(encoded)
    try:
        text = encoded.decode()
    except UnicodeDecodeError:
        raise ValueError("must name a file in UTF-8") from None
    drive = _drive(text)
    if drive is None or "\\" in text:
        raise ValueError("must name a drive, as in file:///C:/notes.txt, and hold no backslash")
    return drive[1] + (drive[2] or "/")


def _received(uri: str) -> FileUri:
    """What a tool is given: a URI of this machine that names a path of this system, too."""
    received = FileUri(uri)
    _ = received.path
    return received


# Text with a format, as the engine's own types are: so length markers apply, and unions know it from plain text.
SCALARS[FileUri] = tree.Text(codec="uri", limits={"pattern": _FILE_URI}, build=_received)


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text file: line and character, both counted from 0."""

    line: Annotated[int, Ge(0), Description("Line, counted from 0")]
    character: Annotated[int, Ge(0), Description("Character in the line, counted from 0")]


# -- listings page by page ----------------------------------------------------------------------------------------


class Cursor(msgspec.Struct, frozen=True):
    """Where a listing goes on: any JSON ``state`` to the tool, an opaque string to the caller.

    Written as a sealed token and read back only in a call of the same tool, with the same other arguments (the
    page size aside), by the same principal; anything else is refused as a ``constraint_violation``. A seal
    keeps the state from being changed, not from being read: put no secret in it.
    """

    state: JSON


class Page(msgspec.Struct, Generic[_Item], frozen=True, rename={"next_cursor": "nextCursor"}):
    """One page of a listing: ``Page[Hit]`` as a return annotation.

    ``next_cursor`` is None on the last page, ``total`` is the number of items on all pages where that is known.
    In JSON they are ``nextCursor`` and ``total``, and left out where they are None.
    """

    items: list[_Item]
    if TYPE_CHECKING:
        next_cursor: Cursor | None = None
        total: int | None = None
    else:  # what the engine reads: in JSON they may be absent, and are never null
        next_cursor: Cursor | msgspec.UnsetType = None
        total: Annotated[int, Ge(0)] | msgspec.UnsetType = None


class Binding:
    """What the cursors written and read in a call belong to. As a context manager, it holds inside the block.

    It may be entered again: around binding the arguments, say, and once more around the result.
    """

    __slots__ = ("_entered", "key", "seal")

    def __init__(self, seal: Seal, key: bytes) -> None:
        self.seal: Seal = seal
        self.key: bytes = key
        self._entered: list[Token[Binding | None]] = []

    def __enter__(self) -> "Self":
        self._entered.append(_binding.set(self))
        return self

    def __exit__(self, *exc: object) -> None:
        _binding.reset(self._entered.pop())


_binding: ContextVar[Binding | None] = ContextVar("accord.types.binding", default=None)


def bound_to(
    seal: Seal,
    tool: str,
    arguments: JSON,
    principal: str | None = None,
    cursor_names: Collection[str | tuple[str, ...]] = (),
) -> Binding:
    """The binding of one call's cursors: ``with bound_to(...):`` around reading its arguments and writing its result.

    ``arguments`` are the JSON arguments or the Python values of them; those in ``cursor_names`` (names, or paths of
    names into objects, as ``cursor_paths`` returns them) do not count, and neither does the page size beside them.
    """
    paths = [(name,) if isinstance(name, str) else name for name in cursor_names]
    return Binding(seal, _key(tool, arguments, principal, paths))


def holds_cursors(function: Callable[..., Any], signature: Signature) -> bool:
    """Whether a function takes cursors, or says that its result holds some."""
    reader = Reader()
    wanted = [parameter.annotation for parameter in signature.parameters]
    with suppress(Unresolved, Unfit):  # behind an explicit output schema, nobody has read it yet
        wanted.append(result_annotation(function, signature.returns, signature.scope))
    for annotation in wanted:
        with suppress(Unresolved, Unfit):
            if annotation is not NO_RESULT and _holds(reader, reader.read(annotation, signature.scope), ()):
                return True
    return False


def _holds(reader: Reader, node: tree.Node, within: tuple[Any, ...]) -> bool:
    if isinstance(node, tree.Foreign):
        return node.input_schema is _CURSOR or node.input_schema is _page_schema("input")
    if isinstance(node, tree.Reference):
        inner = None if node.key in within else reader.definition(node)
        return inner is not None and _holds(reader, inner, (*within, node.key))
    return any(_holds(reader, part, within) for part in _parts(node))


def _parts(node: tree.Node) -> Iterator[tree.Node]:
    if isinstance(node, tree.Union):
        yield from node.branches
    elif isinstance(node, tree.Record):
        yield from (field.node for field in node.fields)
    elif isinstance(node, tree.Array):
        yield node.items
    elif isinstance(node, tree.Tuple):
        yield from node.items
    elif isinstance(node, tree.Map):
        yield node.value


def cursor_paths(signature: Signature, *, flattened: bool = False) -> tuple[tuple[str, ...], ...]:
    """Where in the arguments of a function its cursors stand, those in the fields of models included.

    ``flattened`` says that the fields of the only parameter are the arguments.
    """
    reader = Reader()
    found: dict[tuple[str, ...], None] = {}
    for parameter in signature.parameters:
        for path in _paths(reader, reader.read(parameter.annotation, signature.scope), ()):
            found[path if flattened else (parameter.name, *path)] = None
    return tuple(found)


#: an object of its own, by which a tree's nodes tell that they are cursors
_CURSOR: dict[str, JSON] = {"type": "string"}


def _paths(reader: Reader, node: tree.Node, within: tuple[Any, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(node, tree.Foreign) and node.input_schema is _CURSOR:
        yield ()
    elif isinstance(node, tree.Union):
        for branch in node.branches:
            yield from _paths(reader, branch, within)
    elif isinstance(node, tree.Record):
        for field in node.fields:
            yield from ((field.name, *path) for path in _paths(reader, field.node, within) if field.read)
    elif isinstance(node, tree.Reference) and node.key not in within:
        inner = reader.definition(node)
        if inner is not None:
            yield from _paths(reader, inner, (*within, node.key))


_PAGE_SIZES = ("pageSize", "page_size", "limit")


def nowhere() -> Binding:
    """Stands in for a call's own binding while that is being made: the cursors written in it are dropped."""
    return Binding(Seal(), b"")


def _key(tool: str, arguments: JSON, principal: str | None, paths: list[tuple[str, ...]]) -> bytes:
    try:
        with nowhere():
            query = encode(arguments)
        for path in ((_PAGE_SIZES[0],), *paths):
            query = _without(query, path)
        return canonical([tool, principal, query])
    except (Unencodable, ValueError, RecursionError):
        # No gate admits these arguments, or they are too deep to compare: what is sealed here opens nowhere.
        return os.urandom(16)


def _without(query: JSON, path: tuple[str, ...]) -> JSON:
    """The arguments without the cursor at a path and the page size beside it."""
    if not isinstance(query, dict):
        return query
    if len(path) == 1:
        return {name: value for name, value in query.items() if name != path[0] and name not in _PAGE_SIZES}
    inner = _without(query.get(path[0]), path[1:])
    rest = {name: value for name, value in query.items() if name != path[0]}
    # An object that held nothing but the cursor is not there on the first page.
    return {**rest, path[0]: inner} if inner else rest


_UNBOUND = "a cursor can only be {} in a call made through an app, because it belongs to that call"
_ELSEWHERE = "belongs to another query, tool or caller; start again without a cursor"
_FOREIGN = "is not a cursor that this server made, or not any more; start again without a cursor"


def _opened(token: str) -> Cursor:
    binding = _binding.get()
    if binding is None:
        raise ValueError(_UNBOUND.format("read"))
    try:
        return Cursor(binding.seal.open(token, binding=binding.key))
    except Unsealed as unsealed:
        raise ValueError(_ELSEWHERE if unsealed.reason == BELONGS_ELSEWHERE else _FOREIGN) from None


def _sealed(cursor: Cursor) -> str:
    binding = _binding.get()
    if binding is None:
        raise Unencodable(_UNBOUND.format("written"))
    try:
        return binding.seal.seal(encode(cursor.state), binding=binding.key)
    except Unencodable as error:
        raise Unencodable(
            f"the state of the cursor is not JSON: {error.problem} (at {error.pointer or 'its root'})"
        ) from error
    except ValueError as error:
        raise Unencodable(f"the cursor cannot be sealed: {error}") from error


class _Cursors:
    """Speaks for Cursor."""

    def matches(self, annotation: Any) -> bool:
        return annotation is Cursor

    def schema(self, annotation: Any, direction: Direction) -> dict[str, JSON]:  # noqa: ARG002 - one for all
        return _CURSOR

    def decode(self, annotation: Any, value: JSON) -> Cursor:  # noqa: ARG002 - there is one class
        return _opened(value)

    def encode(self, value: Cursor) -> JSON:
        return _sealed(value)


@cache
def _page_schema(direction: Direction) -> dict[str, JSON]:
    """The schema of a bare ``Page``, one object per direction."""
    reader = Reader()
    return emit(reader.finish(reader.read(Page[Any], Scope(()))), direction)


class _Pages:
    """Speaks for what the engine does not see in the class Page: a bare ``Page``, and that None is left out."""

    def matches(self, annotation: Any) -> bool:
        return annotation is Page

    def schema(self, annotation: Any, direction: Direction) -> dict[str, JSON]:  # noqa: ARG002 - there is one class
        return _page_schema(direction)

    def decode(self, annotation: Any, value: JSON) -> Any:
        cursor, total = value.get("nextCursor"), value.get("total")
        return annotation(
            value["items"], None if cursor is None else _opened(cursor), None if total is None else int(total)
        )

    def encode(self, value: Page[Any]) -> JSON:
        optional = {"nextCursor": value.next_cursor, "total": value.total}
        return {"items": value.items, **{name: item for name, item in optional.items() if item is not None}}


register(_Cursors())
register(_Pages())
