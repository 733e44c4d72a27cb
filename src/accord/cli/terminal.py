"""What a stream can show, and text made safe and fitting for it.

Knows streams, their environment and the width of characters; knows no results, no tools and no
options. Nothing here writes.
"""

from __future__ import annotations

import os
import sys

from accord._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Mapping
    from typing import Literal, TextIO, TypeAlias

__all__ = ["Look", "Style", "cells", "cut", "ellipsis_of", "look_at", "neutral", "one_line", "paint", "shown"]

Style: TypeAlias = "Literal['bold', 'dim', 'red', 'yellow', 'green', 'cyan']"

_CODES: dict[Style, int] = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "cyan": 36}
_USUAL_WIDTH = 80
#: an encoding that can write all of these can write anything
_SAMPLE = "é…─█中🙂"


class Look(Value):
    """What a stream can show.

    ``tty`` says that a person is looking, ``escapes`` that this terminal understands escape
    sequences (``TERM=dumb`` does not), ``unicode`` that every character can be written.
    """

    tty: bool
    colour: bool
    width: int
    unicode: bool
    escapes: bool = True


def look_at(stream: TextIO | None, environ: Mapping[str, str], *, no_color: bool = False) -> Look:
    """What ``stream`` can show. A stream that is missing or closed is no terminal."""
    tty = _is_terminal(stream)
    escapes = environ.get("TERM") != "dumb" and (not tty or _understands_escapes(stream))
    colour = not no_color and not environ.get("NO_COLOR") and _wants_colour(environ, tty and escapes)
    return Look(tty, colour, _width(stream, environ, tty), _writes_anything(stream), escapes)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, OSError, ValueError):
        return False


def _wants_colour(environ: Mapping[str, str], otherwise: bool) -> bool:
    forced = environ.get("FORCE_COLOR")
    return forced.lower() not in ("0", "false") if forced else otherwise


def _width(stream: TextIO | None, environ: Mapping[str, str], tty: bool) -> int:
    given = environ.get("COLUMNS", "")
    if given.isascii() and given.isdecimal() and 0 < len(given) < 6 and int(given):
        return int(given)
    if tty and stream is not None:
        try:
            return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
        except (AttributeError, OSError, ValueError):
            return _USUAL_WIDTH
    return _USUAL_WIDTH


def _writes_anything(stream: TextIO | None) -> bool:
    encoding = getattr(stream, "encoding", None)
    if not isinstance(encoding, str):
        return True  # text kept as text, like StringIO's
    try:
        _SAMPLE.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _understands_escapes(stream: TextIO | None) -> bool:
    """Old Windows consoles understand escape sequences only once they are asked to."""
    if sys.platform != "win32" or stream is None:
        return True
    import ctypes  # noqa: PLC0415 - only Windows needs it
    import msvcrt  # noqa: PLC0415 - only Windows has it

    try:
        console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
    except (AttributeError, OSError, ValueError):
        return False
    mode, kernel = ctypes.c_uint32(), ctypes.windll.kernel32
    processes_escapes = 0x0004
    return bool(
        kernel.GetConsoleMode(console, ctypes.byref(mode))
        and kernel.SetConsoleMode(console, mode.value | processes_escapes)
    )


# C0 but tab and newline, a carriage return that does not end a line, DEL and C1, line and paragraph
# separators, bidirectional embeddings, overrides and isolates, and halves of characters.
_UNSAFE = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
# Compiled when first used: nothing of this is printable, and most text is.
_HOSTILE = rf"[{_UNSAFE}]|\r(?!\n)"
_NOT_ONE_LINE = rf"[{_UNSAFE}\t\n\r]"
_HALF = r"[\ud800-\udfff]"
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def neutral(text: str) -> str:
    """The text with everything that could steer a terminal, or reorder what it shows, spelled out.

    Newlines (CRLF too) and tabs are kept.
    """
    return text if text.isprintable() else _without(_HOSTILE, text, _spelled)


def one_line(text: str) -> str:
    """The text on one line: what ``neutral`` spells out, and newlines and tabs as well."""
    if text.isprintable():
        return text
    return _without(_NOT_ONE_LINE, text, lambda found: _SHORT.get(found[0]) or _spelled(found))


def shown(text: str, look: Look) -> str:
    """The text as this stream can show it: neutral on a terminal, and writable everywhere."""
    if look.tty:
        text = neutral(text)
    if text.isascii():
        return text
    if not look.unicode:
        return text.encode("ascii", "backslashreplace").decode()
    return text if text.isprintable() else _without(_HALF, text, _spelled)


def _without(pattern: str, text: str, spell: Callable[[re.Match[str]], str]) -> str:
    import re  # noqa: PLC0415 - three milliseconds, and most text has nothing to spell out

    return re.sub(pattern, spell, text)


def _spelled(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def paint(text: str, style: Style, look: Look) -> str:
    """The text in a style, where the stream shows colours. The text must be neutral already."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if look.colour and text else text


def cells(text: str) -> int:
    """How many cells of a terminal's line the text takes. It must be one line, and neutral."""
    return len(text) if text.isascii() else sum(width for _, width in _clusters(text))


def ellipsis_of(look: Look) -> str:
    """What a cut text ends in."""
    return "…" if look.unicode else ".."


def cut(text: str, width: int, ellipsis: str = "…") -> str:
    """The text when it fits in ``width`` cells, else its beginning and an ellipsis."""
    if text.isascii() and len(text) <= width:
        return text
    ellipsis = ellipsis[: max(width, 0)]
    room = max(width, 0) - len(ellipsis)
    if text.isascii():
        return text[:room] + ellipsis
    taken = kept = 0
    for end, cluster in _clusters(text):
        taken += cluster
        if taken <= room:
            kept = end
        elif taken > width:
            return text[:kept] + ellipsis
    return text


_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Where each unit that is drawn as one ends, and how many cells it takes.

    A base and its marks are one; so is an emoji with its style, its skin tone and those joined to it.
    """
    width, joined = -1, False
    for index, character in enumerate(text):
        own, is_symbol = _measured(character)
        if width >= 0 and (own == 0 or (width == 2 and (character in _SKIN_TONES or (joined and is_symbol)))):
            if character == _EMOJI_STYLE and width == 1:
                width = 2
        else:
            if width >= 0:
                yield index, width
            width = own
        joined = character == _JOINER
    if width >= 0:
        yield len(text), width


#: characters measured so far, and how many are remembered
_sizes: dict[str, tuple[int, bool]] = {}
_REMEMBERED = 4096


def _measured(character: str) -> tuple[int, bool]:
    """The cells a character takes by itself, and whether it is a symbol, as emoji are."""
    size = _sizes.get(character)
    if size is None:
        if len(_sizes) >= _REMEMBERED:
            _sizes.clear()
        size = _sizes[character] = _measure(character)
    return size


def _measure(character: str) -> tuple[int, bool]:
    if character.isascii() or character == "…":
        return 1, False
    import unicodedata  # noqa: PLC0415 - a megabyte of tables, and most output is ASCII

    category = unicodedata.category(character)
    if character != "\xad" and (category in ("Mn", "Me", "Cf", "Zl", "Zp") or "\u1160" <= character <= "\u11ff"):
        return 0, False
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1, category == "So"
