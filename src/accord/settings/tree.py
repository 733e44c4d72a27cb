"""What settings are made of: tables of tables, with a leaf for every value that remembers where it came from.

Pure: knows no file, no environment and no platform.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from accord.errors import SettingsError

__all__ = ["DEEPEST", "Leaf", "Node", "Table", "copied", "find", "leaves", "merge", "names", "plant"]


#: levels of tables; everything here follows them by recursion
DEEPEST = 100


class Leaf(msgspec.Struct, frozen=True, eq=False):
    """A value and its source.

    ``text`` is what an environment variable says where no file says which type that is; the value is the text then.
    """

    value: Any
    source: str
    text: str | None = None

    def __repr__(self) -> str:
        """Without the value, which may be a secret and must not turn up in a log."""
        return f"<Leaf from {self.source}>"


Table: TypeAlias = "dict[str, Node]"
Node: TypeAlias = "Leaf | Table"
Path: TypeAlias = tuple[str, ...]


def plant(values: Mapping[str, Any], source: str, room: int = DEEPEST) -> Table:
    """The table of plain values that all come from one source.

    Raises:
        SettingsError: tables are nested too deeply.
    """
    if not room:
        raise SettingsError(source, f"tables are nested more than {DEEPEST} levels deep", "Flatten them.")
    return {
        key: plant(value, source, room - 1) if isinstance(value, Mapping) else Leaf(value, source)
        for key, value in values.items()
    }


def merge(lower: Table, upper: Table) -> Table:
    """Both, key by key at every level: where both have a table, so has the result; else the upper one counts."""
    merged: Table = dict(lower)
    for key, node in upper.items():
        below = lower.get(key)
        merged[key] = merge(below, node) if isinstance(below, dict) and isinstance(node, dict) else node
    return merged


def find(table: Table, key: str) -> tuple[Path, Node] | None:
    """What stands at a key or a dotted path, and its path; None where nothing does. A key may hold dots itself."""
    if key in table:
        return (key,), table[key]
    head, dot, rest = key.partition(".")
    below = table.get(head)
    found = find(below, rest) if dot and isinstance(below, dict) else None
    return found and ((head, *found[0]), found[1])


def leaves(node: Node) -> Iterator[Leaf]:
    """Every value in it."""
    if isinstance(node, Leaf):
        yield node
    else:
        for below in node.values():
            yield from leaves(below)


def names(table: Table, prefix: str = "") -> Iterator[str]:
    """The dotted name of every value, and of every table that holds none."""
    for key, node in table.items():
        if isinstance(node, dict) and node:
            yield from names(node, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def copied(value: Any) -> Any:
    """A value that may be changed without changing the settings."""
    if isinstance(value, list):
        return [copied(item) for item in value]
    return {key: copied(item) for key, item in value.items()} if isinstance(value, dict) else value
