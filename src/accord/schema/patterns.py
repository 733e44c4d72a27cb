"""Is this text an ECMA-262 regular expression? Schemas travel, and other languages will read their patterns."""

import re

__all__ = ["is_ecma"]

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
