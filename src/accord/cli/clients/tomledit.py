"""TOML text -> the same text with a value set in a table, or with a table taken out. Everything else stays as it was.

Finds what is written under ``[table]`` headers. What is written otherwise (inline tables, dotted keys) is not found,
and whoever edits holds the outcome against what was meant (``entries``). Knows TOML and nothing of clients.
"""

import json
import re
import tomllib
from typing import Any, NamedTuple

__all__ = ["NotToml", "read_toml", "toml_text_of", "with_value", "without_table"]

Path = tuple[str, ...]


class NotToml(Exception):
    """The text is not TOML; the message has the place."""


class _Statement(NamedTuple):
    """Some lines of the text: a header, a key with its value, or (``key`` and ``header`` unset) blanks and comments."""

    lines: str
    table: Path | None
    key: str | None = None
    header: bool = False


def read_toml(text: str) -> dict[str, Any]:
    """The values.

    Raises:
        NotToml: it is none.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotToml(str(error) or "this is nested too deeply") from None


def with_value(text: str, table: Path, key: str, value: Any) -> str:
    """The text, which is TOML, with ``key`` of ``table`` set; a new table comes last."""
    statements = _statements(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{_key(key)} = {toml_text_of(value)}{newline}"
    own = [at for at, each in enumerate(statements) if each.table == table and (each.header or each.key is not None)]
    if not own:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        return f"{text}{gap}[{'.'.join(map(_key, table))}]{newline}{line}"
    there = next((at for at in own if statements[at].key == key), None)
    if there is not None:
        statements[there] = statements[there]._replace(lines=line)
    else:
        last = statements[own[-1]].lines
        statements[own[-1]] = statements[own[-1]]._replace(lines=last if last.endswith("\n") else last + newline)
        statements.insert(own[-1] + 1, _Statement(line, table, key))
    return "".join(each.lines for each in statements)


def without_table(text: str, table: Path) -> str:
    """The text, which is TOML, without a table and those inside it."""
    kept: list[_Statement] = []
    for each in _statements(text):
        inside = each.table is not None and each.table[: len(table)] == table
        if inside and (each.header or each.key is not None):
            while each.header and kept and not kept[-1].lines.strip():
                kept.pop()  # the blank lines that set it off
        else:
            kept.append(each)
    return "".join(each.lines for each in kept)


def toml_text_of(value: Any) -> str:
    """A text, a list of texts, or a table of them, on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {toml_text_of(each)}" for key, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_text_of, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_text_of(name)


def _statements(text: str) -> list[_Statement]:
    """The text in pieces that together are the text."""
    found: list[_Statement] = []
    table: Path | None = ()
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # splitlines would also cut at what TOML takes for text
    while lines:
        piece = lines.pop(0)
        if not piece.strip() or piece.lstrip().startswith("#"):
            found.append(_Statement(piece, table))
        elif piece.lstrip().startswith("["):
            table = _path_of(tomllib.loads(piece))
            found.append(_Statement(piece, table, header=True))
        else:
            # A value may go on over many lines: it is whole when it can be read.
            while (read := _read(piece)) is None and lines:
                piece += lines.pop(0)
            found.append(_Statement(piece, table, next(iter(read or {}), None)))
    return found


def _read(piece: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(piece)
    except tomllib.TOMLDecodeError:
        return None


def _path_of(header: dict[str, Any]) -> Path | None:
    """The keys a header names; None for an array of tables."""
    path: list[str] = []
    level: Any = header
    while isinstance(level, dict) and level:
        (key,) = level
        path.append(key)
        level = level[key]
    return None if isinstance(level, list) else tuple(path)
