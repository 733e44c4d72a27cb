"""Environment variables -> settings: which variable means which key, and which type its text stands for.

Knows names and texts, no file. No message quotes a text: it may be a secret.
"""

import contextlib
import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from accord.errors import SettingsError
from accord.settings.tree import DEEPEST, Leaf, Table, merge, plant

__all__ = ["converted", "prefix_of", "variable_of", "with_variables"]

_BETWEEN_LEVELS = "__"


def prefix_of(app: str) -> str:
    """What the names of an app's variables begin with."""
    return re.sub(r"[^A-Z0-9]", "_", app.upper()) + "_"


def variable_of(app: str, path: tuple[str, ...]) -> str:
    """The variable that sets a key."""
    return prefix_of(app) + _BETWEEN_LEVELS.join(re.sub(r"\W", "_", key.upper()) for key in path)


def with_variables(table: Table, app: str, environment: Mapping[str, str]) -> Table:
    """The settings with everything the environment says laid over them.

    Raises:
        SettingsError: a variable contradicts the files: another type, or a level below a plain value.
    """
    prefix = prefix_of(app)
    found = [
        (name.removeprefix(prefix).lower().split(_BETWEEN_LEVELS), name)
        for name in environment
        if name.startswith(prefix) and name == name.upper()
    ]
    # A table given whole comes before its own keys, given one by one.
    for keys, name in sorted(found, key=lambda each: (len(each[0]), each[1])):
        if len(keys) > DEEPEST:
            raise SettingsError(f"env {name[:60]}...", f"it names more than {DEEPEST} levels", "Unset it.")
        if all(keys):
            table = merge(table, _branch(table, keys, name, environment[name]))
    return table


def _branch(table: Table, keys: list[str], variable: str, text: str) -> Table:
    """The one variable as a table, in the spelling that the settings below it use."""
    key = _as_spelled(table, keys[0])
    known = table.get(key)
    source = f"env {variable}"
    if len(keys) > 1:
        if isinstance(known, Leaf):
            problem = f"it names a key inside {key!r}, which is no table in {known.source}"
            raise SettingsError(source, problem, f"Unset it, or make {key!r} a table there.")
        return {key: _branch(known or {}, keys[1:], variable, text)}
    if known is None:
        return {key: Leaf(text, source, text)}
    if isinstance(known, dict):
        return {key: plant(converted(text, {}, source), source)}
    return {key: Leaf(converted(text, known.value, source), source)}


def _as_spelled(table: Table, key: str) -> str:
    """A variable cannot say ``logLevel`` or ``log-level``; where the files do, they are meant."""
    if key in table:
        return key
    return next((known for known in table if known.lower().replace("-", "_") == key), key)


def converted(text: str, like: Any, source: str) -> Any:
    """The text as a value of the type of ``like``; the text itself where that is no type that TOML knows.

    Raises:
        SettingsError: it cannot be read as one.
    """
    found = next(((words, read) for kind, words, read in _READERS if isinstance(like, kind)), None)
    if found is None:
        return text
    words, read = found
    with contextlib.suppress(ValueError, KeyError, RecursionError):
        return read(text)
    # Raised out here because the original error quotes the text, and would be shown as the context.
    raise SettingsError(source, f"it has to be {words}, like what it stands in for", "Correct it, or unset it.")


def _boolean(text: str) -> bool:
    return _BOOLEANS[text.strip().lower()]


_BOOLEANS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def _number(text: str) -> int | float:
    """A file that says 5 does not mean that 0.5 is wrong."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def _list(text: str) -> Any:
    return msgspec.json.decode(text, type=list)


def _table(text: str) -> Any:
    return msgspec.json.decode(text, type=dict)


#: in this order: True is an int, and a datetime is a date
_READERS: tuple[tuple[type, str, Callable[[str], Any]], ...] = (
    (str, "text", str),
    (bool, "true or false (or yes, no, on, off, 1, 0)", _boolean),
    (int, "a number", _number),
    (float, "a number", float),
    (list, "a JSON array", _list),
    (dict, "a JSON object", _table),
    (datetime.datetime, "a date and time (ISO 8601)", datetime.datetime.fromisoformat),
    (datetime.date, "a date (ISO 8601)", datetime.date.fromisoformat),
    (datetime.time, "a time (ISO 8601)", datetime.time.fromisoformat),
)
