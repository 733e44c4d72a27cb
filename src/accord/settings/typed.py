"""Settings as the author's own types, through the engine that reads and converts arguments.

Knows annotations and gates; reads no file. Messages name keys and sources, and quote no value.
"""

from collections.abc import Hashable, Iterator
from typing import Any

from accord._decode import Decoder, Rejection
from accord._encode import Unencodable, encode
from accord._redact import secrets_in
from accord._scope import Scope, Unfit, Unresolved
from accord._signature import name_of
from accord.errors import RegistrationError, SettingsError
from accord.gate.explain import Violation, explain
from accord.gate.repair import suggestion_for
from accord.gate.validator import Gate
from accord.schema import tree
from accord.schema.emit import emit
from accord.schema.infer import undefined
from accord.schema.read import Reader
from accord.settings.tree import Leaf, Node, leaves
from accord.settings.variables import converted, variable_of

__all__ = ["read_typed"]

Path = tuple[str | int, ...]

#: how many problems one message lists
_MOST = 20


class _Place:
    """What is read: a node of the settings, and how its keys are called."""

    def __init__(self, app: str, path: tuple[str, ...], node: Node) -> None:
        self.app = app
        self.path = path
        self.node = node

    def name(self, path: Path) -> str:
        return ".".join(map(str, (*self.path, *path))) or "the settings"

    def source(self, path: Path) -> str | None:
        """Where the value at a path came from; a value inside a list came with the list."""
        node: Node | None = self.node
        for step in path:
            if not isinstance(node, dict):
                break
            node = node.get(str(step))
        return node.source if isinstance(node, Leaf) else None


def read_typed(kind: Any, app: str, path: tuple[str, ...], node: "Node | None") -> Any:
    """The setting, or the table, as a value of ``kind``.

    Raises:
        SettingsError: it does not fit; every problem is listed.
        RegistrationError: ``kind`` can never be read from settings.
    """
    whole = _tree_of(kind)
    if node is None:
        if not isinstance(_plain_type(whole.root, whole), tree.Record | tree.Map):
            remedy = f"Set {variable_of(app, path)}, or the key in {app}.toml."
            raise SettingsError(".".join(path), "it is not set", remedy)
        node = {}  # a table that is not there has no keys; the type may have a default for each
    place = _Place(app, path, node)
    gate = Gate(emit(whole, "input"))
    try:
        value = encode(_value(node, whole.root, whole, is_root=not path))
    except (Unencodable, RecursionError):
        raise _misfit(kind, place, [f"{place.name(())}: holds what JSON cannot, like inf or nan"]) from None
    if not gate.is_valid(value):
        raise _misfit(kind, place, _explained(gate, value, place))
    convert = Decoder(whole).converter(whole.root)
    try:
        return convert(value) if convert else value
    except Rejection as rejection:
        problems = list(_rejected(rejection, value, place))
    # Outside of the handler: what the author's own code raised may quote a value.
    raise _misfit(kind, place, problems)


def _tree_of(kind: Any) -> tree.Tree:
    reader = Reader(strict=True)
    try:
        return reader.finish(reader.read(kind, Scope(())))
    except Unfit as error:
        raise RegistrationError("settings.read", None, error.problem, error.remedy) from error
    except Unresolved as error:
        raise undefined("settings.read", error) from error


def _value(node: Node, wanted: tree.Node | None, whole: tree.Tree, *, is_root: bool = False) -> Any:
    """The plain value; texts of the environment as the type that is wanted there, where they can be read as one."""
    if wanted is not None:
        wanted = _plain_type(wanted, whole)
    if isinstance(node, dict):
        kept = _without_strangers(node, wanted) if is_root else node
        return {key: _value(below, _below(wanted, key), whole) for key, below in kept.items()}
    if node.text is None:
        return node.value
    try:
        return converted(node.text, _like(wanted), node.source)
    except SettingsError:
        return node.text  # the gate says what is wrong with it, along with everything else


def _without_strangers(table: dict[str, Node], wanted: tree.Node | None) -> dict[str, Node]:
    """At the top, a variable that the type does not know is some other program's: DOCKER_HOST, for an app "docker"."""
    if not isinstance(wanted, tree.Record):
        return table
    known = {field.name for field in wanted.fields}
    return {
        key: node
        for key, node in table.items()
        if key in known or not all(leaf.text is not None for leaf in leaves(node))
    }


def _plain_type(node: tree.Node, whole: tree.Tree) -> tree.Node:
    """The node behind a reference, and ``T`` of ``T | None``."""
    if isinstance(node, tree.Reference):
        return whole.definitions[node.key][1]
    if isinstance(node, tree.Union):
        branches = [branch for branch in node.branches if not isinstance(branch, tree.Null)]
        if len(branches) == 1:
            return _plain_type(branches[0], whole)
    return node


def _below(wanted: tree.Node | None, key: Hashable) -> tree.Node | None:
    if isinstance(wanted, tree.Record):
        return next((field.node for field in wanted.fields if field.name == key), wanted.extra)
    return wanted.value if isinstance(wanted, tree.Map) else None


def _like(wanted: tree.Node | None) -> Any:
    """A value of the type a text is to be read as; None where it is to stay text."""
    if isinstance(wanted, tree.Choice):
        kinds = {type(value) for value in wanted.values}
        return wanted.values[0] if len(kinds) == 1 else None
    return _LIKE.get(type(wanted))


_LIKE: dict[type, Any] = {
    tree.Boolean: False,
    tree.Integer: 0,
    tree.FlagBits: 0,
    tree.Number: 0.0,
    tree.Array: [],
    tree.Tuple: [],
    tree.Map: {},
    tree.Record: {},
}


def _explained(gate: Gate, value: Any, place: _Place) -> list[str]:
    return [_sentence(violation, suggestion_for(gate, value, violation), place) for violation in explain(gate, value)]


def _sentence(violation: Violation, suggestion: str | None, place: _Place) -> str:
    message = violation.message
    if violation.reason == "unexpected_argument":
        message = "is no setting here"
    elif violation.reason == "missing_required_argument":
        message = f"is required; set {variable_of(place.app, tuple(place.name(violation.path).split('.')))}"
    hint = f" (did you mean {suggestion!r}?)" if suggestion is not None else ""
    return f"{_where(violation.path, place)}: {message}{hint}"


def _rejected(rejection: Rejection, value: Any, place: _Place) -> Iterator[str]:
    quoted = sorted(secrets_in(value, write_only=True), key=len, reverse=True)
    for path, message in rejection.reasons:
        for text in quoted:
            message = message.replace(text, "<value>")
        yield f"{_where((*reversed(rejection.path), *path), place)}: {message[:500]}"


def _where(path: Path, place: _Place) -> str:
    source = place.source(path)
    return place.name(path) if source is None else f"{place.name(path)} ({source})"


def _misfit(kind: Any, place: _Place, problems: list[str]) -> SettingsError:
    listed = "; ".join(problems[:_MOST])
    more = f"; ... {len(problems)} problems in all" if len(problems) > _MOST else ""
    wanted = name_of(kind) if isinstance(kind, type) else str(kind)
    return SettingsError(place.name(()), f"this does not fit {wanted}: {listed}{more}", "Correct it where it stands.")
