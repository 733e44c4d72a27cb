"""JSON text -> its values, each with its place in the text. Comments and trailing commas are read where they may stand.

Knows JSON and nothing of clients.
"""

import json
import re
from typing import Any, NamedTuple

__all__ = ["Broken", "Member", "Node", "read_tree"]

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+)
    | (?P<comment>//[^\r\n]*|/\*.*?\*/)
    | (?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
    | (?P<scalar>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)
    | (?P<mark>[{}\[\]:,])""",
    re.DOTALL | re.VERBOSE,
)


class Broken(Exception):
    """The text cannot be used as it is, and why; ``line`` and ``column`` count from 1."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(problem)
        self.problem: str = problem
        self.line: int = line
        self.column: int = column


class Node(NamedTuple):
    """A value and where it stands. ``members`` are those of an object, None for anything else."""

    value: Any
    start: int
    end: int
    members: "list[Member] | None" = None


class Member(NamedTuple):
    """A key with its value; ``start`` is that of the key, ``comma`` the place of the comma behind, if there is one."""

    key: str
    start: int
    node: Node
    comma: int | None


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def read_tree(text: str, *, lenient: bool) -> Node:
    """The whole text as one value.

    Raises:
        Broken: it is not JSON.
    """
    reader = _Reader(text, lenient=lenient)
    try:
        root = reader.value()
    except RecursionError:
        raise reader.broken("this is nested too deeply", 0) from None
    if reader.token.kind != "end":
        raise reader.unexpected("the end")
    return root


class _Reader:
    """Reads token by token; ``token`` is the next one."""

    def __init__(self, text: str, *, lenient: bool) -> None:
        self._text = text
        self._lenient = lenient
        self.token = self._token_at(0)

    def value(self) -> Node:
        token = self.token
        if token.text == "{":
            return self._object()
        if token.text == "[":
            return self._array()
        if token.kind not in ("string", "scalar"):
            raise self.unexpected("a value")
        self._take()
        return Node(self._decoded(token), token.start, token.end)

    def _object(self) -> Node:
        start, members, value = self._take().start, list[Member](), dict[str, Any]()
        while self.token.text != "}":
            if self.token.kind != "string":
                raise self.unexpected("a key in double quotes")
            key = self._take()
            if self.token.text != ":":
                raise self.unexpected("a colon")
            self._take()
            node = self.value()
            name = self._decoded(key)
            members.append(Member(name, key.start, node, self._comma("}")))
            value[name] = node.value
        return Node(value, start, self._take().end, members)

    def _array(self) -> Node:
        start, value = self._take().start, list[Any]()
        while self.token.text != "]":
            value.append(self.value().value)
            self._comma("]")
        return Node(value, start, self._take().end)

    def _comma(self, closing: str) -> int | None:
        """The place of the comma after an item, None at the end of the items."""
        if self.token.text == closing and self.token.kind == "mark":
            return None
        if self.token.text != ",":
            raise self.unexpected(f"a comma or {closing}")
        comma = self._take()
        if self.token.text == closing and not self._lenient:
            raise self.broken("there is a comma too many", comma.start)
        return comma.start

    def _take(self) -> _Token:
        token = self.token
        self.token = self._token_at(token.end)
        return token

    def _token_at(self, at: int) -> _Token:
        while at < len(self._text):
            found = _TOKEN.match(self._text, at)
            if found is None:
                raise self.broken("this is no JSON", at)
            kind = str(found.lastgroup)
            if kind == "comment" and not self._lenient:
                raise self.broken("there is a comment, which this file may not hold", at)
            if kind not in ("blank", "comment"):
                return _Token(kind, found[0], at, found.end())
            at = found.end()
        return _Token("end", "", at, at)

    def _decoded(self, token: _Token) -> Any:
        try:
            return json.loads(token.text)
        except ValueError:  # a wrong escape, an integer of thousands of digits
            raise self.broken(
                f"this is no JSON {'text' if token.kind == 'string' else 'number'}", token.start
            ) from None

    def unexpected(self, wanted: str) -> Broken:
        found = f"{self.token.text[:20]!r} stands" if self.token.kind != "end" else "the text ends"
        return self.broken(f"{found} where {wanted} is needed", self.token.start)

    def broken(self, problem: str, at: int) -> Broken:
        return Broken(problem, self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at))
