"""A client's file as text -> the same text with one server's entry put in, brought up to date or taken out.

The rules for what is somebody else's stand here: an entry that starts no Accord server is left alone unless told
otherwise, and of an own one only what we write is changed. Every edit is read back and held against what was meant.
Touches no disk.
"""

from collections.abc import Iterator
from typing import Any, Literal

from accord._values import Value
from accord.cli.clients.catalog import Client, Entry, is_ours
from accord.cli.clients.jsonedit import json_text_of, with_member, without_member
from accord.cli.clients.jsontree import Broken, read_tree
from accord.cli.clients.tomledit import NotToml, read_toml, with_value, without_table

__all__ = ["Action", "Change", "Unusable", "pasted", "put_in", "taken_out"]

Action = Literal["added", "updated", "unchanged", "replaced", "removed", "absent"]
_Data = dict[str, Any]


class Change(Value):
    """What became of a file's text, and the entry that was there before."""

    action: Action
    text: str
    before: object = None


class Unusable(Exception):
    """A file that cannot be edited as it is; the message says where and why."""


def put_in(client: Client, text: str, name: str, entry: Entry, *, replace: bool = False) -> Change:
    """Put in an entry.

    Raises:
        Unusable: the text is broken, or the name belongs to something else.
    """
    data = _read(client, text)
    before = data.get(client.key, {}).get(name)
    if before is None:
        return _changed(client, "added", text, name, _with(client, data, name, entry))
    if not is_ours(before):
        if not replace:
            raise Unusable(
                f"it has a server {name!r} already, which is not one of ours: choose another --name, or --replace it"
            )
        cleared = taken_out(client, text, name, replace=True).text
        return _changed(client, "replaced", cleared, name, _with(client, data, name, entry), before)
    # What the user has added to it (a timeout, a variable) stays.
    kept = {**before, **entry}
    if _environment(before) or _environment(entry):
        kept["env"] = {**_environment(before), **_environment(entry)}
    if kept == before:
        return Change("unchanged", text, before)
    return _changed(client, "updated", text, name, _with(client, data, name, kept), before)


def taken_out(client: Client, text: str, name: str, *, replace: bool = False) -> Change:
    """Take out an entry.

    Raises:
        Unusable: the text is broken, or the entry is something else's.
    """
    data = _read(client, text)
    servers = data.get(client.key, {})
    before = servers.get(name)
    if before is None:
        return Change("absent", text)
    if not is_ours(before) and not replace:
        raise Unusable(f"its server {name!r} is not one of ours")
    others = {each: entry for each, entry in servers.items() if each != name}
    return _changed(client, "removed", text, name, {**data, client.key: others}, before)


def pasted(client: Client, name: str, entry: Entry) -> str:
    """What people put into the file by hand."""
    if client.toml:
        return next(_toml_texts(client, "", name, entry, None))
    return json_text_of({client.key: {name: entry}}) + "\n"


# -- reading ---------------------------------------------------------------------------------------------------------


def _read(client: Client, text: str) -> _Data:
    try:
        data = (
            read_toml(text) if client.toml else read_tree(text if text.strip() else "{}", lenient=client.lenient).value
        )
    except Broken as error:
        raise Unusable(f"line {error.line}, column {error.column}: {error.problem}") from None
    except NotToml as error:
        raise Unusable(f"this is not TOML: {error}") from None
    if not isinstance(data, dict):
        raise Unusable("line 1: what this file holds is no object")
    if not isinstance(data.get(client.key, {}), dict):
        raise Unusable(f"{client.key!r} is no {'table' if client.toml else 'object'}")
    return data


def _environment(entry: object) -> _Data:
    environment = entry.get("env") if isinstance(entry, dict) else None
    return environment if isinstance(environment, dict) else {}


def _with(client: Client, data: _Data, name: str, entry: Entry) -> _Data:
    return {**data, client.key: {**data.get(client.key, {}), name: entry}}


# -- writing ---------------------------------------------------------------------------------------------------------


def _changed(client: Client, action: Action, text: str, name: str, wanted: _Data, before: object = None) -> Change:
    """The first text that says what is wanted, and nothing else."""
    texts = _toml_texts if client.toml else _json_texts
    there = None if action in ("added", "replaced") else before
    entry = wanted[client.key].get(name)
    try:
        for candidate in texts(client, text, name, entry, there):
            if _says(client, candidate, wanted):
                return Change(action, candidate, before)
    except Broken as error:
        raise Unusable(f"line {error.line}, column {error.column}: {error.problem}") from None
    raise Unusable(f"its server {name!r}, or what is around it, is written in a way that this cannot edit")


def _says(client: Client, text: str, wanted: _Data) -> bool:
    try:
        data = _read(client, text)
    except Unusable:
        return False
    # An empty table may be left behind, or go with its last entry.
    return {client.key: {}, **data} == {client.key: {}, **wanted}


def _json_texts(client: Client, text: str, name: str, entry: Entry | None, before: object) -> Iterator[str]:
    if entry is None:
        yield without_member(text, (client.key, name), lenient=client.lenient)
    elif not isinstance(before, dict):
        yield with_member(text if text.strip() else "{}\n", (client.key, name), entry, lenient=client.lenient)
    else:  # key by key, so that what the user has written between them stays
        for path, value in _leaves(entry, before):
            text = with_member(text, (client.key, name, *path), value, lenient=client.lenient)
        yield text


def _leaves(entry: Entry, before: _Data) -> Iterator[tuple[tuple[str, ...], object]]:
    """What an entry says, and where in it: each variable by itself where there are variables already."""
    for key, value in entry.items():
        if key == "env" and isinstance(before.get("env"), dict):
            yield from (((key, variable), text) for variable, text in _environment(entry).items())
        else:
            yield (key,), value


def _toml_texts(client: Client, text: str, name: str, entry: Entry | None, before: object) -> Iterator[str]:
    """The text with the variables in a table of their own, as Codex writes them; then with a table on one line."""
    table = (client.key, name)
    if entry is None:
        yield without_table(text, table)
        return
    was = before if isinstance(before, dict) else {}
    for key, value in entry.items():
        if key != "env" and was.get(key) != value:
            text = with_value(text, table, key, value)
    inner = text
    for variable, value in _environment(entry).items():
        if _environment(was).get(variable) != value:
            inner = with_value(inner, (*table, "env"), variable, value)
    yield inner
    yield with_value(text, table, "env", _environment(entry))
