"""The types with a one-line schema: each row says what a Python type is in the tree."""

import collections
import collections.abc
import datetime
import re
import sys
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from accord.schema import tree

__all__ = ["ARRAYS", "MAPS", "SCALARS", "SETS", "scalar"]

SCALARS: dict[Any, tree.Node] = {
    Any: tree.Anything(),
    object: tree.Anything(),
    None: tree.Null(),
    type(None): tree.Null(),
    bool: tree.Boolean(),
    int: tree.Integer(),
    float: tree.Number(),
    str: tree.Text(),
    Decimal: tree.DecimalNumber(),
    bytes: tree.Text(codec="bytes"),
    bytearray: tree.Text(codec="bytes", build=bytearray),
    datetime.datetime: tree.Text(codec="date-time"),
    datetime.date: tree.Text(codec="date"),
    datetime.time: tree.Text(codec="time"),
    datetime.timedelta: tree.Text(codec="duration"),
    uuid.UUID: tree.Text(codec="uuid"),
    re.Pattern: tree.Text(codec="regex"),
}


def _addresses(module: Any) -> dict[Any, tree.Node]:
    return {module.IPv4Address: tree.Text(codec="ipv4"), module.IPv6Address: tree.Text(codec="ipv6")}


def _paths(module: Any) -> dict[Any, tree.Node]:
    own = type(module.Path())  # what Path makes on this system; asking it directly saves a look-up on every call
    kinds = (module.Path, module.PurePath, module.PurePosixPath, module.PureWindowsPath, own)
    return {kind: tree.Text(codec="path", build=own if kind is module.Path else kind) for kind in kinds}


#: rows of modules that are slow to import: whoever annotates with one of their classes has done it
_ELSEWHERE: dict[str, Callable[[Any], dict[Any, tree.Node]]] = {"ipaddress": _addresses, "pathlib": _paths}


def scalar(annotation: Any) -> tree.Node | None:
    """The row of a type, or None; TypeError for what cannot be hashed."""
    known = SCALARS.get(annotation)
    if known is not None or not isinstance(annotation, type):
        return known
    module = annotation.__module__.partition(".")[0]
    if module not in _ELSEWHERE:
        return None
    SCALARS.update(_ELSEWHERE[module](sys.modules[module]))
    return SCALARS.get(annotation)


Build = Callable[[Any], Any] | None

#: array-like types and how the handler's value is built from a list (None: it is the list)
ARRAYS: dict[Any, Build] = {
    list: None,
    collections.abc.Sequence: None,
    collections.abc.MutableSequence: None,
    collections.abc.Iterable: None,
    collections.abc.Collection: None,
    collections.abc.Container: None,
    collections.abc.Reversible: None,
    collections.deque: collections.deque,
}
SETS: dict[Any, Callable[[Any], Any]] = {
    set: set,
    frozenset: frozenset,
    collections.abc.Set: set,
    collections.abc.MutableSet: set,
}
MAPS: dict[Any, Build] = {
    dict: None,
    collections.abc.Mapping: None,
    collections.abc.MutableMapping: None,
    collections.OrderedDict: collections.OrderedDict,
    collections.defaultdict: lambda entries: collections.defaultdict(None, entries),
    collections.Counter: collections.Counter,
}
