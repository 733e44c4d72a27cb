"""JSON-ready value -> JSON text that the stream can show.

The fast way is msgspec's. It has limits that a result may pass (integers of thousands of digits, a
thousand levels of nesting, halves of characters), and there a plain loop writes the same text.
"""

import re
from collections.abc import Iterator

import msgspec

from accord._calls import JSON
from accord.cli.terminal import Look

__all__ = ["json_line", "json_text", "number_text", "quoted"]

_INDENT = 2
_HALVES = r"[\ud800-\udfff]"
_HOSTILE = r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_NOT_ASCII = r"[^\x00-\x7e]"


def json_text(value: JSON, look: Look) -> str:
    """The value as indented JSON, without a newline at its end. What a terminal must not get is escaped."""
    return _escaped(_written(value, _INDENT), look, hostile=look.tty)


def json_line(value: JSON, look: Look) -> str:
    """The value as JSON on one line, safe anywhere."""
    return _escaped(_written(value, None), look, hostile=True)


def quoted(text: str, look: Look) -> str:
    """The text as a JSON string, safe anywhere."""
    return json_line(text, look)


def number_text(value: float) -> str:
    """The number as JSON writes it."""
    return _written(value, None)


def _written(value: JSON, indent: int | None) -> str:
    try:
        encoded = msgspec.json.encode(value)
        return (encoded if indent is None else msgspec.json.format(encoded, indent=indent)).decode()
    except (RecursionError, ValueError):
        return "".join(_pieces(value, indent))


def _escaped(text: str, look: Look, *, hostile: bool) -> str:
    # Outside its strings JSON is ASCII, so whatever is found here stands in a string.
    if not look.unicode:
        return re.sub(_NOT_ASCII, _escape, text)
    return text if text.isascii() and not hostile else re.sub(_HOSTILE if hostile else _HALVES, _escape, text)


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def _pieces(value: JSON, indent: int | None) -> Iterator[str]:
    """The text of the value piece by piece, with the containers on a stack of our own."""
    colon, comma = (":", ",") if indent is None else (": ", ",")
    open_ones: list[tuple[Iterator[JSON], JSON, str]] = []
    while True:
        if isinstance(value, dict | list) and value:
            first, last = "{}" if isinstance(value, dict) else "[]"
            open_ones.append((iter(value), value, last))
            yield first
            separator = ""
        else:
            yield _scalar(value)
            separator = comma
        while open_ones:
            members, container, last = open_ones[-1]
            member = next(members, _END)
            if member is not _END:
                break
            open_ones.pop()
            yield _line_start(indent, len(open_ones)) + last
            separator = comma
        else:
            return
        yield separator + _line_start(indent, len(open_ones))
        value = member
        if isinstance(container, dict):
            yield _scalar(member) + colon
            value = container[member]


_END = object()


def _line_start(indent: int | None, depth: int) -> str:
    return "" if indent is None else "\n" + " " * (indent * depth)


def _scalar(value: JSON) -> str:
    """A scalar or an empty container as JSON."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        import json  # noqa: PLC0415 - only for text with halves of characters

        return json.dumps(value)
    except ValueError:
        from decimal import Decimal  # noqa: PLC0415 - only for integers of thousands of digits

        return str(Decimal(value))
