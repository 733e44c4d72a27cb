"""Text -> the JSON value it stands for, as the schema decides (R15).

Where nothing fits, the value is what the text means by itself, and the gate says what is wrong with it, in the words
it has for the same value on every surface: nothing is refused here.

Knows schemas and text, and neither options nor files.
"""

import re
from collections.abc import Iterator

import msgspec

from accord._calls import JSON
from accord.texts.kinds import Kinds, Schema, branches, fits, kinds_of

__all__ = ["parsed", "read_text", "takes_any_text"]

# Compiled when first used: most command lines hold no number.
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_WHOLE = r"[+-]?[0-9]+"
_WORDS = {"true": True, "false": False}
# As the schema of Decimal has it (``accord.schema.emit``), which is not worth loading here.
_DECIMAL = r"^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,8})?$"
_MORE_WORDS = {**_WORDS, "yes": True, "no": False, "on": True, "off": False, "1": True, "0": False}
_NOTHING = object()


def read_text(text: str, schema: JSON, definitions: Schema) -> JSON:
    """The value a text stands for.

    A number, ``true``, ``null``, an array or an object where the schema admits that type; the text itself where it
    admits text and nothing closer. A quoted text (``'"123"'``) is text where ``123`` would be a number.
    """
    kinds = kinds_of(schema, definitions)
    if kinds <= {"string"}:
        return text
    if kinds <= {"boolean", "null"} and text.lower() in _MORE_WORDS:
        return _MORE_WORDS[text.lower()]
    if _is_exact_decimal(text, schema, definitions):
        return text
    meanings = list(_meanings(text, kinds, takes_any_text(schema, definitions)))
    fitting = (value for value in meanings if fits(value, schema, definitions))
    return next(fitting, text if "string" in kinds else meanings[0])


def takes_any_text(schema: JSON, definitions: Schema) -> bool:
    """Whether some type here is text, without a limit to which."""
    limits = {"const", "enum", "format", "pattern"}
    return any(
        branch.get("type") == "string" and not branch.keys() & limits for branch in branches(schema, definitions)
    )


def _meanings(text: str, kinds: Kinds, any_text: bool) -> Iterator[JSON]:
    """What the text may stand for, the closest first: ``+49`` and ``007`` are no numbers where any text may stand."""
    plain = _plain(text)
    if plain is not _NOTHING:
        if any_text and not isinstance(plain, bool) and parsed(text) is msgspec.UNSET:
            yield text
        yield plain
    elif text[:1] == text[-1:] == '"':
        inner = parsed(text)
        if isinstance(inner, str) and _plain(inner) is not _NOTHING:
            yield inner
    if kinds & {"array", "object"}:
        container = parsed(text)
        if isinstance(container, dict | list):
            yield container
    yield text


def _plain(text: str) -> JSON:
    """The number, the truth value or the null a text spells, else ``_NOTHING``."""
    if text == "null":
        return None
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if re.fullmatch(_NUMBER, text) is None:
        return _NOTHING
    try:
        return int(text) if re.fullmatch(_WHOLE, text) else _finite(float(text))
    except ValueError:  # an integer of thousands of digits
        return _NOTHING


def _finite(number: float) -> JSON:
    return number if number - number == 0 else _NOTHING


def _is_exact_decimal(text: str, schema: JSON, definitions: Schema) -> bool:
    """Whether this is for a Decimal, to which the text says more than any float."""
    numeric = (branch.get("pattern") == _DECIMAL for branch in branches(schema, definitions))
    return any(numeric) and re.search(_DECIMAL, text) is not None


def parsed(text: str) -> JSON:
    """The text as JSON; UNSET when it is none."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):  # no JSON, half characters, or nested a thousand times
        return msgspec.UNSET
