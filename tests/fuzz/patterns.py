"""ECMA-262 patterns, with strings that match and strings that nearly do, and their translation to Python.

JSON Schema patterns are ECMA-262 and unanchored. Where Python's `re` differs, Rust's `regex` differs too,
mostly in other ways, so every pattern here sits on a difference: `$` and the last newline, Unicode digits,
`.` and line separators, `\\s` and the byte order mark, lookaround.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class EcmaPattern(NamedTuple):
    source: str
    matching: tuple[str, ...]
    missing: tuple[str, ...]


PATTERNS = (
    EcmaPattern("^[a-z]+$", ("a", "abc", "zz"), ("", "A", "abc\n", "\nabc", "é")),
    EcmaPattern(r"^\d{3}$", ("000", "123"), ("12", "1234", "123\n", "١٢٣", "12a")),
    EcmaPattern(r"^\w+$", ("a_1", "Z"), ("é", "a b", "", "a\n")),
    EcmaPattern("a.c", ("abc", "xa-cx", "a😀c", "a\tc"), ("a\nc", "a\rc", "a\u2028c", "ac")),
    EcmaPattern(r"^\S+@\S+$", ("a@b", "é@x.y"), ("a@", "a b@c", "a@b\u00a0", "a@b\ufeff")),
    EcmaPattern(r"^\s$", (" ", "\t", "\u00a0", "\ufeff", "\u2029"), ("", "  ", "\u200b", "\x1c", "\x85")),
    EcmaPattern("^(foo|bar)?$", ("", "foo", "bar"), ("foobar", "foo\n", "Foo")),
    EcmaPattern("x", ("x", "axb"), ("", "X", "a")),
    EcmaPattern(r"^(?=.*\d)(?!.*\s).{2,4}$", ("a1", "1234", "😀😀1"), ("ab", "1 a", "12345", "1")),
    EcmaPattern(r"^[^\d\s]+$", ("ab", "é", "٣"), ("1", "a b", "", "a\ufeff")),
    EcmaPattern(r"\bcat\b", ("cat", "a cat.", "écat"), ("cats", "_cat", "")),
    EcmaPattern(r"^[A-Z]{2}-\u00e9?\x41\/$", ("AB-A/", "ZZ-éA/"), ("AB-A", "AB-a/", "AB-A/\n")),
    EcmaPattern(r"^[\D]+$", ("ab", "٣", "é\n"), ("", "1", "a1")),
    EcmaPattern(r"^[\W_]+$", ("_", "é-_", "\n ", "😀"), ("", "a", "_1")),
    EcmaPattern(r"^[^\S\n]+$", (" ", "\t\ufeff", "\u2028"), ("", "\n", "a ", "\u200b", "\x85")),
    EcmaPattern(r"^[^\W\d]{2}$", ("ab", "_Z"), ("a1", "é_", "a", "ab\n")),
    EcmaPattern(r"^[\S \]]+$", ("a b]", "é", "\x1c"), ("", "\t", "a\u00a0")),
    EcmaPattern(r"^[^\D5-7]$", ("1", "9"), ("6", "a", "٣", "")),
    EcmaPattern(r"^-?(0|[1-9]\d*)$", ("0", "-0", "42"), ("01", "-", "4.2", "٣")),
)

# What `\s` means in ECMA-262: WhiteSpace and LineTerminator, that is tab to carriage return, the byte order
# mark and Unicode's space separators. Python's also takes \x1c to \x1f and \x85, and leaves the byte order
# mark out.
ECMA_SPACE = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

OUTSIDE_CLASS = {
    r"\d": "[0-9]", r"\D": "[^0-9]", r"\w": "[A-Za-z0-9_]", r"\W": "[^A-Za-z0-9_]",
    r"\s": f"[{ECMA_SPACE}]", r"\S": f"[^{ECMA_SPACE}]", r"\/": "/", r"\-": "-",
    "$": r"\Z", ".": r"[^\n\r\u2028\u2029]", "(?<": "(?P<",
}  # fmt: skip

WORD_CLASS = "[A-Za-z0-9_]"


def all_but(of_class: str) -> str:
    """The ranges of every code point that a class does not hold."""
    held = re.compile(of_class)
    edges = [at for at in range(0x10FFFF + 1) if at == 0 or bool(held.match(chr(at))) != bool(held.match(chr(at - 1)))]
    ends = [*(edge - 1 for edge in edges[1:]), 0x10FFFF]
    ranges = zip(edges, ends, strict=True)
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges if not held.match(chr(low)))


INSIDE_CLASS = {r"\d": "0-9", r"\w": "A-Za-z0-9_", r"\s": ECMA_SPACE, r"\/": "/", "[": r"\["}
NEGATED = {r"\D": "[0-9]", r"\W": WORD_CLASS, r"\S": f"[{ECMA_SPACE}]"}
ranges_of = cache(all_but)
TOKEN = re.compile(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\(\?<(?![=!])|.", re.DOTALL)


@cache
def python_pattern(source: str) -> re.Pattern[str]:
    """The Python pattern that searches as the ECMA-262 one does, code point by code point."""
    out: list[str] = []
    inside = False
    for token in TOKEN.findall(source):
        if inside and token in NEGATED:
            out.append(ranges_of(NEGATED[token]))
        else:
            out.append((INSIDE_CLASS if inside else OUTSIDE_CLASS).get(token, token))
        inside = token == "[" if not inside else token != "]"
    # ASCII is for \b, the one escape left as it is: its word characters are those of \w.
    return re.compile("".join(out), re.ASCII)


def matches(source: str, text: str) -> bool:
    return python_pattern(source).search(text) is not None
