"""Lines of help: text wrapped to a width, and rows of two columns.

Knows cells and colours; knows no command and no option. All text is made safe for the terminal here.
"""

from __future__ import annotations

from accord._values import Value
from accord.cli.terminal import cells, one_line, paint, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord.cli.terminal import Look, Style

__all__ = ["Row", "heading", "paragraphs", "rows_of", "safe", "width_of", "wrapped"]

_WIDEST = 100
_NARROWEST = 20
_INDENT = 2
_GAP = 2
#: a first column that is wider pushes its text to the line below
_FIRST_COLUMN = 30


class Row(Value):
    """One entry: what to type, in a style, and what it is for; ``facts`` follow in brackets."""

    term: str
    text: str = ""
    facts: tuple[str, ...] = ()


def width_of(look: Look) -> int:
    """How wide help may be."""
    return max(min(look.width, _WIDEST), _NARROWEST)


def safe(text: str, look: Look) -> str:
    """The text on one line, without anything that could steer a terminal."""
    return one_line(shown(text, look))


def heading(text: str, look: Look) -> str:
    """The line above a section."""
    return paint(f"{safe(text, look)}:", "bold", look)


def paragraphs(text: str, look: Look, indent: int = 0) -> list[str]:
    """The paragraphs of a text, wrapped, with an empty line between them."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        if paragraph.strip():
            lines += ["", *wrapped(paragraph, look, indent=indent)]
    return lines[1:]


def wrapped(text: str, look: Look, *, indent: int = 0, first: str = "") -> list[str]:
    """The words of a text in lines; ``first`` stands before them, and later lines are indented."""
    return _filled([safe(word, look) for word in text.split()], width_of(look), indent, safe(first, look))


def _filled(words: list[str], width: int, indent: int, first: str = "") -> list[str]:
    """Words into lines. A word that is longer than a line has one for itself."""
    lines, line = [], first or " " * indent
    used, empty = cells(line), True
    for word in words:
        size = cells(word)
        if not empty and used + 1 + size > width:
            lines.append(line)
            line, used, empty = " " * indent, indent, True
        line += word if empty else f" {word}"
        used += size if empty else size + 1
        empty = False
    return [*lines, line.rstrip(" ")]


def rows_of(rows: list[Row], look: Look, style: Style = "cyan") -> list[str]:
    """The rows, their texts aligned; a term that is too wide has a line for itself."""
    terms = [safe(row.term, look) for row in rows]
    limit = min(_FIRST_COLUMN, width_of(look) // 3)
    widest = max((size for size in map(cells, terms) if size <= limit), default=0)
    column = _INDENT + (widest or _INDENT) + _GAP
    lines: list[str] = []
    for term, row in zip(terms, rows, strict=True):
        lines += _row(term, row, column, look, style)
    return lines


def _row(term: str, row: Row, column: int, look: Look, style: Style) -> list[str]:
    painted = " " * _INDENT + paint(term, style, look)
    # A fact is torn apart only where it is wider than a line.
    words = [safe(word, look) for word in row.text.split()]
    for fact in row.facts:
        said = f"[{safe(fact, look)}]"
        words += [said] if cells(said) <= width_of(look) - column else said.split(" ")
    if not words:
        return [painted]
    body = _filled(words, width_of(look), column)
    room = column - _INDENT - _GAP
    if cells(term) > room:
        return [painted, *body]
    return [painted + " " * (column - _INDENT - cells(term)) + body[0][column:], *body[1:]]
