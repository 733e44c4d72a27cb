"""The types with a one-line schema: each row says what a Python type is in the tree."""

import collections
import collections.abc
import datetime
import ipaddress
import pathlib
import re
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from accord.schema import tree

__all__ = ["ARRAYS", "MAPS", "SCALARS", "SETS"]

#: the class Path makes on this system; asking it directly saves a look-up on every call
_OWN_PATH = type(pathlib.Path())

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
    ipaddress.IPv4Address: tree.Text(codec="ipv4"),
    ipaddress.IPv6Address: tree.Text(codec="ipv6"),
    re.Pattern: tree.Text(codec="regex"),
    **{
        path: tree.Text(codec="path", build=_OWN_PATH if path is pathlib.Path else path)
        for path in (
            pathlib.Path,
            pathlib.PurePath,
            pathlib.PurePosixPath,
            pathlib.PureWindowsPath,
            _OWN_PATH,
        )
    },
}

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
