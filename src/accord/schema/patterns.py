"""ECMA-262 regular expressions: schemas travel, and other languages will read their patterns.

``is_ecma`` refuses what only Python or Rust would understand, and ``with_engine_patterns`` rewrites,
for the compiled engine alone, the few constructs that mean something else there.
"""

import re
from typing import Any

from accord._calls import JSON
from accord.schema.walk import map_subschemas

__all__ = ["engine_pointer", "is_ecma", "with_engine_patterns"]

#: what Python and Rust understand and ECMA-262 does not, with escapes and classes skipped over
_FOREIGN = re.compile(r"\\[AZzGQEhRX]|\(\?(?:P|#|>|\(|\||[a-zA-Z-]+[:)])|[*+?}]\+|\[\[:|&&|~~")
_SKIPPED = re.compile(r"\\[^AZzGQEhRX]|\[\^?\]?(?:\\.|[^\]\\])*\]")


def is_ecma(text: str) -> bool:
    """Whether the text compiles as a regular expression and uses no other dialect's syntax."""
    plain = _SKIPPED.sub("x", text)
    if _FOREIGN.search(plain):
        return False
    import jsonschema_rs  # noqa: PLC0415 - 20 ms that only an app with patterns pays at registration

    try:
        jsonschema_rs.Draft202012Validator({"pattern": text})
    except ValueError:
        return False
    return True


_WORD = "0-9A-Za-z_"
_EDGE = f"(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}])"
_NO_EDGE = f"(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}])"
_SPACES = "\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LAST = chr(0x10FFFF)
_NO_SPACES = (
    "\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    f"\u3001-\ufefe\uff00-{_LAST}"
)
#: ``.`` stops at four line terminators, words and digits are ASCII; the engine is not always of that opinion
_ENGINE_FORMS = {
    ".": r"[^\n\r\u2028\u2029]",
    r"\d": "[0-9]",
    r"\D": "[^0-9]",
    r"\w": f"[{_WORD}]",
    r"\W": f"[^{_WORD}]",
    r"\s": f"[{_SPACES}]",
    r"\S": f"[^{_SPACES}]",
    r"\b": f"(?:{_EDGE})",
    r"\B": f"(?:{_NO_EDGE})",
}
_CLASS_FORMS = {
    r"\d": "0-9",
    r"\D": f"\x00-/:-{_LAST}",
    r"\w": _WORD,
    r"\W": f"\x00-/:-@\\[-\\^`{{-{_LAST}",
    r"\s": _SPACES,
    r"\S": _NO_SPACES,
}
_TOKEN = re.compile(r"\\c[A-Za-z]|\\.|\[\^?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_ESCAPE = re.compile(r"\\c[A-Za-z]|\\.", re.DOTALL)
_REWRITTEN = re.compile(r"\.|\\[dDsSwWbBc]").search


def with_engine_patterns(schema: dict[str, JSON]) -> dict[str, JSON]:
    """The schema with its patterns as the engine has to be given them."""
    rewritten = map_subschemas(schema, with_engine_patterns)
    if isinstance(rewritten.get("pattern"), str):
        rewritten["pattern"] = _engine_form(rewritten["pattern"])
    if isinstance(rewritten.get("patternProperties"), dict):
        named: dict[str, Any] = rewritten["patternProperties"]
        rewritten["patternProperties"] = {_engine_form(pattern): inner for pattern, inner in named.items()}
    return rewritten


def engine_pointer(pointer: str) -> str:
    """A JSON Pointer into a schema as the same pointer into ``with_engine_patterns`` of it.

    Patterns are names there, so a pointer may lead through one. What else may follow a property that is called
    ``patternProperties`` is a keyword, and has nothing to rewrite.
    """
    if "/patternProperties/" not in pointer:
        return pointer
    steps = pointer.split("/")
    for index, step in enumerate(steps):
        if index and steps[index - 1] == "patternProperties":
            pattern = _engine_form(step.replace("~1", "/").replace("~0", "~"))
            steps[index] = pattern.replace("~", "~0").replace("/", "~1")
    return "/".join(steps)


def _engine_form(pattern: str) -> str:
    return _TOKEN.sub(_engine_token, pattern) if _REWRITTEN(pattern) else pattern


def _engine_token(match: re.Match[str]) -> str:
    token = match.group()
    if token[0] == "[":
        return _ESCAPE.sub(lambda escape: _escape(escape.group(), _CLASS_FORMS), token)
    return _escape(token, _ENGINE_FORMS)


def _escape(token: str, forms: dict[str, str]) -> str:
    if token.startswith(r"\c") and len(token) > 2:
        return f"\\x{ord(token[2]) % 32:02x}"  # a control character by its letter
    return forms.get(token, token)
