"""URI templates (RFC 6570): which variables an address has, and what they are in a given URI.

Understood are ``{name}``, ``{+name}`` and, at the end, ``{?name,other}``. A template is read so that a URI means one
thing: a variable ends where the text after it begins. Knows no function and no resource.
"""

import re
from typing import TypeAlias
from urllib.parse import unquote

import msgspec

__all__ = ["LONGEST", "BadTemplate", "UriTemplate", "is_uri", "parse", "problem_of"]

#: characters of a URI that anybody may ask for; matching takes time
LONGEST = 4096

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEVER_IN_A_URI = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SEPARATORS = re.compile(r"[/\\]")
_DRIVE = re.compile(r"[A-Za-z]:")

Values: TypeAlias = dict[str, str]


class BadTemplate(ValueError):
    """A text is no URI and no template of one: ``problem`` and ``remedy`` are the two sentences of the error."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy


class UriTemplate(msgspec.Struct, frozen=True):
    """A template, parsed. ``open`` are its ``{+name}``, which may hold slashes, ``query`` its ``{?name}``."""

    text: str
    pattern: re.Pattern[str]
    path: tuple[str, ...]
    open: frozenset[str] = frozenset()
    query: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """All of them, in the order they stand in."""
        return (*self.path, *self.query)

    def match(self, uri: str) -> Values | None:
        """What the variables are in this URI, as text; None where the URI is not one of these.

        What a query has besides is among the values, for the function's contract to refuse.
        """
        address, _, asked = uri.partition("?") if self.query else (uri, "", "")
        found = self.pattern.fullmatch(address)
        if found is None:
            return None
        pairs = [pair.partition("=") for pair in asked.split("&") if pair]
        try:
            values = {name: _decoded(text) for name, text in zip(self.path, found.groups(), strict=True)}
            return values | {_decoded(name): _decoded(text) for name, _, text in pairs if _decoded(name) not in values}
        except UnicodeDecodeError:
            return None


def _decoded(text: str) -> str:
    return unquote(text, errors="strict")


def is_uri(text: object) -> bool:
    """Whether anything may be at this address: it has a scheme, a moderate length, and nothing left to encode."""
    if not isinstance(text, str) or len(text) > LONGEST or _NEVER_IN_A_URI.search(text):
        return False
    return _SCHEME.match(text) is not None


def problem_of(value: str, *, is_path: bool) -> str | None:
    """Why a variable's value may not reach a function, or None.

    Functions make paths of them. So no value holds control characters or a segment ``..``; and none that is a path
    (``{+name}``, a ``Path``, or anything with a slash or a backslash in it) begins at a root or a drive.
    """
    segments = _SEPARATORS.split(value)
    if _CONTROL.search(value):
        return "it holds a control character"
    if any(segment.strip() == ".." for segment in segments):
        return "it leads upwards (..)"
    if (len(segments) > 1 and not segments[0]) or ((is_path or len(segments) > 1) and _DRIVE.match(value)):
        return "it is an absolute path"
    return None


def parse(text: str) -> UriTemplate:
    """The template; one without variables is a plain URI.

    Raises:
        BadTemplate: it is none, or one that could be read in two ways.
    """
    plain = _EXPRESSION.sub("", text)
    if _SCHEME.match(text) is None:
        raise BadTemplate(f"{text!r} has no scheme", "Begin the URI with one, like notes://.")
    if _NEVER_IN_A_URI.search(plain):
        raise BadTemplate(f"{text!r} holds what no URI may", "Percent-encode it, and write variables as {name}.")
    pieces = _EXPRESSION.split(text)
    literals, expressions = pieces[::2], pieces[1::2]
    query = _query(text, expressions, literals[-1])
    if query:
        expressions.pop()
        literals.pop()
    _check_readable(text, expressions, literals)
    path = tuple(expression.removeprefix("+") for expression in expressions)
    names = (*path, *query)
    for name in names:
        if _NAME.fullmatch(name) is None:
            raise BadTemplate(f"{{{name}}} in {text!r} is not understood", "Write {name}, {+name} or, last, {?name}.")
    if len(set(names)) < len(names):
        raise BadTemplate(f"{text!r} names a variable twice", "Give each a name of its own.")
    open_ones = frozenset(each[1:] for each in expressions if each.startswith("+"))
    return UriTemplate(text, _pattern(expressions, literals), path, open_ones, query)


def _query(text: str, expressions: list[str], rest: str) -> tuple[str, ...]:
    places = [place for place, expression in enumerate(expressions) if expression.startswith("?")]
    if not places:
        return ()
    if places != [len(expressions) - 1] or rest:
        raise BadTemplate(f"in {text!r} something follows {{?...}}", "Let it be the last, with all its variables.")
    return tuple(name.strip() for name in expressions[-1][1:].split(","))


def _check_readable(text: str, expressions: list[str], literals: list[str]) -> None:
    if any(not between for between in literals[1 : len(expressions)]):
        raise BadTemplate(f"in {text!r} two variables touch", "Put a text between them, like a slash.")
    if sum(expression.startswith("+") for expression in expressions) > 1:
        raise BadTemplate(f"{text!r} has two variables that take slashes", "Let only one of them be {+name}.")


def _pattern(expressions: list[str], literals: list[str]) -> re.Pattern[str]:
    """Each variable matches up to the text after it, so that there is nothing to try out twice."""
    parts = [re.escape(literals[0])]
    for place, expression in enumerate(expressions):
        after = literals[place + 1] if place + 1 < len(literals) else ""
        if expression.startswith("+"):
            parts.append("(.+)")
        else:
            is_last = place + 1 == len(expressions) or "/" in after
            parts.append("([^/?#]+)" if is_last else f"([^/?#{re.escape(after[:1])}]+)")
        parts.append(re.escape(after))
    return re.compile("".join(parts), re.DOTALL)
