"""JSON-ready value -> the lines of ``--format plain``: made for reading, and losing nothing.

Only the spelling of scalars is loose (``true`` may be a text); where text could be taken for
structure it is quoted as JSON. Objects are ``key: value`` lines, lists inside them have bullets,
text of several lines stands indented below a mark (``|`` when it ends in a newline, else ``|-``).
"""

import re

import msgspec

from accord._calls import JSON
from accord.cli.jsontext import json_line, number_text, quoted
from accord.cli.table import table_that_fits
from accord.cli.terminal import Look, cells, one_line, shown

__all__ = ["plain_lines"]

#: containers below this level are written as JSON on one line: indentation helps nobody there
_DEEPEST = 16
#: keys wider than this do not push the values of the others to the right
_WIDEST_KEY = 32
_STEP = "  "
_MARKS = ("|", "|-", "[]", "{}")
_BREAK = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LONE_BREAK = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]|\r(?!\n)")


def plain_lines(value: JSON, look: Look) -> list[str]:
    """The lines of a list or an object; an empty one has none."""
    page = _Page(look, [])
    if isinstance(value, dict):
        page.write_object(value, "", 0)
    elif not any(isinstance(item, dict | list) for item in value):
        page.lines.extend(_item_line(item, look) for item in value)
    elif all(isinstance(item, dict) and item for item in value):
        _write_records(page, value)
    else:
        page.write_list(value, "", 0)
    return page.lines


def _item_line(item: JSON, look: Look) -> str:
    """One of many scalars, each on its line: text is quoted only when it would not be one line, or looks quoted."""
    if isinstance(item, str):
        return quoted(item, look) if _BREAK.search(item) or _looks_quoted(item) else shown(item, look)
    return _scalar(item)


def _write_records(page: "_Page", records: list[dict[str, JSON]]) -> None:
    lines = table_that_fits(records, page.look) if _is_regular(records) else None
    if lines is not None:
        page.lines.extend(lines)
        return
    for index, record in enumerate(records):
        if index:
            page.lines.append("")
        page.write_object(record, "", 0)


def _is_regular(records: list[dict[str, JSON]]) -> bool:
    """Whether a table tells all there is: the same keys everywhere, and scalars that fill one line as they are."""
    keys = records[0].keys()
    return all(record.keys() == keys and all(map(_fits_cell, record.values())) for record in records) and all(
        map(_fits_cell, keys)
    )


def _fits_cell(value: JSON) -> bool:
    if isinstance(value, str):
        return value == value.strip() == one_line(value)
    return not isinstance(value, dict | list)


class _Page(msgspec.Struct, frozen=True):
    """The lines so far. ``margin`` is what each line begins with, ``level`` how deep it stands."""

    look: Look
    lines: list[str]

    def write_object(self, value: dict[str, JSON], margin: str, level: int) -> None:
        names = [_key(key, self.look) for key in value]
        widths = [cells(name) for name in names]
        blocks = [self._is_block(item, level) for item in value.values()]
        aligned = [width for width, block in zip(widths, blocks, strict=True) if width <= _WIDEST_KEY and not block]
        column = max(aligned, default=0)
        for name, width, block, item in zip(names, widths, blocks, value.values(), strict=True):
            if block:
                self.lines.append(f"{margin}{name}:{_mark(item)}")
                self._write_block(item, margin + _STEP, level + 1)
            else:
                self.lines.append(f"{margin}{name}: {' ' * (column - width)}{self._inline(item)}")

    def write_list(self, value: list[JSON], margin: str, level: int) -> None:
        for item in value:
            if not self._is_block(item, level):
                self.lines.append(f"{margin}- {self._bullet(item)}")
            elif isinstance(item, str):
                self.lines.append(f"{margin}-{_mark(item)}")
                self._write_block(item, margin + _STEP, level + 1)
            else:
                first = len(self.lines)
                self._write_block(item, margin + _STEP, level + 1)
                self.lines[first] = f"{margin}- {self.lines[first][len(margin) + len(_STEP) :]}"

    def _is_block(self, value: JSON, level: int) -> bool:
        if isinstance(value, str):
            return "\n" in value and not _LONE_BREAK.search(value)
        return bool(value) and isinstance(value, dict | list) and level < _DEEPEST

    def _write_block(self, value: JSON, margin: str, level: int) -> None:
        if isinstance(value, str):
            for line in shown(value, self.look).removesuffix("\n").split("\n"):
                self.lines.append(margin + line if line else "")
        elif isinstance(value, dict):
            self.write_object(value, margin, level)
        else:
            self.write_list(value, margin, level)

    def _inline(self, value: JSON) -> str:
        if isinstance(value, str):
            plain = value and value == value.strip() and value not in _MARKS
            return shown(value, self.look) if plain and not _needs_quotes(value) else quoted(value, self.look)
        return json_line(value, self.look) if isinstance(value, dict | list) else _scalar(value)

    def _bullet(self, value: JSON) -> str:
        """After a bullet, text may look like a key or like another bullet, too."""
        if isinstance(value, str) and (value.startswith("- ") or value == "-" or _looks_like_key(value)):
            return quoted(value, self.look)
        return self._inline(value)


def _mark(value: JSON) -> str:
    """What stands beside a key or a bullet whose text begins on the next line."""
    if not isinstance(value, str):
        return ""
    return " |" if value.endswith("\n") else " |-"


def _key(key: str, look: Look) -> str:
    bare = key and key == key.strip() and not key.startswith(("- ", '"')) and key != "-"
    return shown(key, look) if bare and not _looks_like_key(key) and not _BREAK.search(key) else quoted(key, look)


def _looks_like_key(text: str) -> bool:
    return ": " in text or text.endswith(":")


def _looks_quoted(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] == '"'


def _needs_quotes(text: str) -> bool:
    return _looks_quoted(text) or _BREAK.search(text) is not None


def _scalar(value: JSON) -> str:
    return "null" if value is None else number_text(value)
