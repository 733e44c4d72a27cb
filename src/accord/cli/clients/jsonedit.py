"""JSON text -> the same text with one member set or taken out. All else stays as it was: comments, order, layout.

Knows JSON and nothing of clients.
"""

import json
import re
from typing import Any

from accord.cli.clients.jsontree import Broken, Member, Node, read_tree

__all__ = ["json_text_of", "with_member", "without_member"]


def with_member(text: str, path: tuple[str, ...], value: Any, *, lenient: bool) -> str:
    """The text with ``value`` at ``path``; objects on the way are made where they are missing.

    Raises:
        Broken: the text is not JSON, or something on the way is no object.
    """
    root = read_tree(text, lenient=lenient)
    node, margin = root, ""
    for depth, key in enumerate(path):
        member = _member(text, node, path[:depth], key)
        if member is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _added(text, root, node, key, value)
        node, margin = member.node, _margin(text, member.start)
    if node.value == value and type(node.value) is type(value):
        return text
    inline = _is_inline(text, root)
    return text[: node.start] + _written(value, text, margin, inline=inline) + text[node.end :]


def without_member(text: str, path: tuple[str, ...], *, lenient: bool) -> str:
    """The text without what is at ``path``; as it was where nothing is.

    Raises:
        Broken: the text is not JSON, or something on the way is no object.
    """
    node = read_tree(text, lenient=lenient)
    for depth, key in enumerate(path):
        member = _member(text, node, path[:depth], key)
        if member is None:
            return text
        if depth < len(path) - 1:
            node = member.node
    return _removed(text, node, path[-1])


def json_text_of(value: Any, indent: str = "  ", margin: str = "", newline: str = "\n") -> str:
    """JSON as people write it: an object's members on lines of their own, a list on one."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = margin + indent
    members = [
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {json_text_of(member, indent, inner, newline)}"
        for key, member in value.items()
    ]
    return "{" + newline + f",{newline}".join(members) + newline + margin + "}"


def _member(text: str, node: Node, path: tuple[str, ...], key: str) -> Member | None:
    if node.members is None:
        where = f"{'.'.join(path)!r}" if path else "what this file holds"
        raise _broken(text, node.start, f"{where} is no object")
    found = [member for member in node.members if member.key == key]
    if len(found) > 1:
        raise _broken(text, found[-1].start, f"{key!r} is here twice")
    return found[0] if found else None


def _broken(text: str, at: int, problem: str) -> Broken:
    return Broken(problem, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


# -- adding ----------------------------------------------------------------------------------------------------------


def _added(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    """The text with one more member at the end of an object."""
    name = json.dumps(key, ensure_ascii=False)
    tail = len(text[: node.end - 1].rstrip())
    before, after = text[:tail], text[tail:]
    last = node.members[-1] if node.members else None
    if last is not None and last.comma is None:
        before = f"{text[: last.node.end]},{text[last.node.end : tail]}"
    if _is_inline(text, root) or (last is not None and _is_inline(text, node)):
        space = " " if last is not None else ""
        return f"{before}{space}{name}: {_written(value, text, '', inline=True)}{after}"
    newline = _newline(text)
    margin = _margin(text, node.start)
    inner = _margin(text, last.start) if last is not None else margin + _indent(text)
    closing = "" if "\n" in text[tail : node.end] else newline + margin
    return f"{before}{newline}{inner}{name}: {_written(value, text, inner)}{closing}{after}"


def _written(value: Any, text: str, margin: str, *, inline: bool = False) -> str:
    if inline:
        return json.dumps(value, ensure_ascii=False)
    return json_text_of(value, _indent(text), margin, _newline(text))


def _is_inline(text: str, node: Node) -> bool:
    """Whether an object that holds something stands on one line."""
    return bool(node.members) and "\n" not in text[node.start : node.end]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _margin(text: str, at: int) -> str:
    """The blanks that begin the line of a place."""
    start = text.rfind("\n", 0, at) + 1
    return text[start : start + len(text[start:at]) - len(text[start:at].lstrip())]


def _indent(text: str) -> str:
    """One step of indentation, as the first indented line has it."""
    found = re.search(r'\n([ \t]+)["}\]]', text)
    return found[1] if found else "  "


# -- taking out ------------------------------------------------------------------------------------------------------


def _removed(text: str, node: Node, key: str) -> str:
    members = node.members or []
    at = next(index for index, member in enumerate(members) if member.key == key)
    member, before = members[at], members[at - 1] if at else None
    start = member.start
    end = member.node.end if member.comma is None else member.comma + 1
    rest = re.compile(r"[ \t]*(?://[^\r\n]*)?\r?\n").match(text, end)
    line = text.rfind("\n", 0, start) + 1
    if rest is not None and not text[line:start].strip():
        start, end = line, rest.end()
    else:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    kept = text[:start]
    if member.comma is None and before is not None and before.comma is not None:
        # What was the last but one is the last now.
        kept = kept[: before.comma] + kept[before.comma + 1 :].rstrip(" \t" if start == member.start else "")
    text_after = kept + text[end:]
    return text_after if len(members) > 1 else _closed_up(text_after, node.start)


def _closed_up(text: str, start: int) -> str:
    """An object with nothing left in it, not even a comment, as ``{}``."""
    empty = re.compile(r"\{\s*\}").match(text, start)
    return text if empty is None else f"{text[:start]}{{}}{text[empty.end() :]}"
