"""JSON-ready value -> the lines of a table.

A table is for eyes: every cell is one line, and on a terminal columns are cut until a row fits.
Anywhere else nothing is cut. Where not even cut columns fit, each row becomes a block of its own.
"""

from collections.abc import Iterable

import msgspec

from accord._calls import JSON
from accord._values import replace
from accord.cli.jsontext import json_line, number_text
from accord.cli.terminal import Look, cells, cut, ellipsis_of, one_line, paint, shown

__all__ = ["table_lines", "table_that_fits"]

Row = dict[str, JSON]

_GAP = "  "
#: a column is never cut to less
_NARROWEST = 4
#: A larger table with hardly a cell filled is shown as blocks: rows that share no keys would make a table that
#: grows with the square of the result.
_MANY_CELLS = 10_000
_HARDLY = 8


class _Grid(msgspec.Struct, frozen=True):
    """Columns of cells that are ready to be shown; ``right`` says which of them hold numbers."""

    columns: list[list[str]]
    right: list[bool]
    headed: bool
    look: Look


def table_lines(value: JSON, look: Look) -> list[str]:
    """The lines of a list or an object; on a terminal none is wider than it."""
    if isinstance(value, dict):
        return _pairs(value, look)
    if not _has_columns(value):
        return [_cell(item, look) for item in value]
    keys = _keys(value)
    if _is_hollow(keys, value):
        return _blocks(value, look)
    grid = _grid(keys, value, look)
    widths = _fitted(grid)
    return _blocks(value, look) if widths is None else _drawn(grid, widths)


def table_that_fits(rows: list[Row], look: Look) -> list[str] | None:
    """The table with nothing cut, or None where it is too wide."""
    uncut = replace(look, tty=False)
    grid = _grid(_keys(rows), rows, uncut)
    widths = _natural(grid)
    return _drawn(grid, widths) if _total(widths) <= look.width else None


def _has_columns(value: list[JSON]) -> bool:
    return all(isinstance(item, dict) for item in value) and any(value)


def _keys(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _is_hollow(keys: list[str], rows: list[Row]) -> bool:
    size = len(keys) * len(rows)
    return size > _MANY_CELLS and size > _HARDLY * sum(map(len, rows))


def _grid(keys: list[str], rows: list[Row], look: Look) -> _Grid:
    columns = [[_cell(key, look), *(_cell(row[key], look) if key in row else "" for row in rows)] for key in keys]
    right = [_holds_numbers(row[key] for row in rows if key in row) for key in keys]
    return _Grid(columns, right, True, look)


def _cell(value: JSON, look: Look) -> str:
    """The value on one line, on a terminal at most as wide as it."""
    if isinstance(value, str):
        text = shown(one_line(value), look)
    elif isinstance(value, dict | list):
        text = json_line(value, look)
    else:
        text = "null" if value is None else number_text(value)
    return cut(text, look.width, ellipsis_of(look)) if look.tty else text


def _holds_numbers(values: Iterable[JSON]) -> bool:
    kinds = {type(value) for value in values} - {type(None)}
    return bool(kinds) and kinds <= {int, float}


def _natural(grid: _Grid) -> list[int]:
    return [max(map(cells, column)) for column in grid.columns]


def _total(widths: list[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _fitted(grid: _Grid) -> list[int] | None:
    """How wide each column is: on a terminal text gives way first, then numbers; None where a row cannot fit."""
    natural = _natural(grid)
    if not grid.look.tty or _total(natural) <= grid.look.width:
        return natural
    room = grid.look.width - _total([0] * len(natural))
    numbers = sum(width for width, right in zip(natural, grid.right, strict=True) if right)
    texts = [width for width, right in zip(natural, grid.right, strict=True) if not right]
    if sum(min(width, _NARROWEST) for width in texts) <= room - numbers:
        narrowed = iter(_narrowed(texts, room - numbers))
        return [width if right else next(narrowed) for width, right in zip(natural, grid.right, strict=True)]
    fits = sum(min(width, _NARROWEST) for width in natural) <= room
    return _narrowed(natural, room) if fits else None


def _narrowed(widths: list[int], room: int) -> list[int]:
    """The widths cut at one limit, the highest at which they fit; what is left over goes to the first that were cut."""
    limit, left = 0, room
    for place, width in enumerate(sorted(widths)):
        limit, spare = divmod(left, len(widths) - place)
        if width > limit:
            break
        left -= width
    else:
        return widths
    narrowed = []
    for width in widths:
        extra = 1 if width > limit and spare > 0 else 0
        spare -= extra
        narrowed.append(min(width, limit + extra))
    return narrowed


def _drawn(grid: _Grid, widths: list[int]) -> list[str]:
    columns = [
        [_padded(cell, width, right, grid.look) for cell in column]
        for column, width, right in zip(grid.columns, widths, grid.right, strict=True)
    ]
    lines = [_GAP.join(row).rstrip(" ") for row in zip(*columns, strict=True)]
    return [paint(lines[0], "bold", grid.look), *lines[1:]] if grid.headed else lines


def _padded(text: str, width: int, right: bool, look: Look) -> str:
    text = cut(text, width, ellipsis_of(look))
    space = " " * (width - cells(text))
    return space + text if right else text + space


def _pairs(value: Row, look: Look) -> list[str]:
    """An object as two columns, its keys and its values."""
    if not value:
        return []
    names = [_cell(key, look) for key in value]
    contents = [_cell(item, look) for item in value.values()]
    grid = _Grid([names, contents], [False, False], False, look)
    widths = _fitted(grid)
    if widths is None:
        pairs = zip(names, contents, strict=True)
        return [cut(f"{name}{_GAP}{content}", look.width, ellipsis_of(look)) for name, content in pairs]
    return _drawn(grid, widths)


def _blocks(rows: list[Row], look: Look) -> list[str]:
    lines: list[str] = []
    for row in rows:
        lines += ["", *(_pairs(row, look) or [_cell({}, look)])]
    return lines[1:]
