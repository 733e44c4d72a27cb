"""What stands in the lists of a server beside names and schemas: icons and ``_meta``.

An author's words are checked here, at registration, and written as the protocol has them. Made of the language alone,
because whatever registers a tool is. Knows no tool and no resource.
"""

from __future__ import annotations

from accord.errors import RegistrationError
from accord.ui import Icon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from accord._calls import JSON

__all__ = ["checked_icons", "checked_meta", "senseless", "texts_of", "wire_icon"]

_THEMES = (None, "light", "dark")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ALPHANUMERIC = _LETTERS | frozenset("0123456789")
_PREFIX = _ALPHANUMERIC | {"-"}
_NAME = _ALPHANUMERIC | frozenset("-_.")
#: labels whose prefixes are the protocol's own
_RESERVED = ("mcp", "modelcontextprotocol")
#: names without a prefix that are the W3C's
_TRACING = ("traceparent", "tracestate", "baggage")
_DEEPEST = 32
_WHOLE = 2**53 - 1


# -- icons -----------------------------------------------------------------------------------------------------------


def checked_icons(given: Any, function: str) -> tuple[Icon, ...]:
    """The icons, each given as an Icon or as the object that is sent.

    Raises:
        RegistrationError: one of them makes no sense, or would be fetched over an open line.
    """
    if given is None:
        return ()
    several = given if isinstance(given, list | tuple) else (given,)
    return tuple(_icon(icon, function) for icon in several)


def _icon(given: Any, function: str) -> Icon:
    icon = _icon_of(dict(given)) if hasattr(given, "keys") else given
    if not isinstance(icon, Icon):
        raise senseless(function, "icons", given, "Give accord.Icon(src=...), with mime_type, sizes and theme.")
    src: Any = icon.src
    if not _is_line(src) or not src.lower().startswith(("https://", "data:")):
        raise senseless(function, "icons", given, "Let its src be an https: or data: URL.")
    sizes = texts_of(icon.sizes)
    if sizes is None or not all(map(_is_size, sizes)):
        raise senseless(function, "icons", given, 'Its sizes are like "48x48", or "any".')
    if icon.theme not in _THEMES or not _is_line(icon.mime_type or ""):
        raise senseless(function, "icons", given, 'Its mime_type is text, its theme is "light" or "dark".')
    return Icon(icon.src, icon.mime_type, sizes, icon.theme)


def _icon_of(given: dict[str, Any]) -> Icon | None:
    names = {"src": "src", "mimeType": "mime_type", "sizes": "sizes", "theme": "theme"}
    if "src" not in given or not given.keys() <= names.keys():
        return None
    return Icon(**{names[key]: value for key, value in given.items()})


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and text.isprintable()


def _is_size(text: str) -> bool:
    width, _, height = text.partition("x")
    return text == "any" or (width.isdecimal() and height.isdecimal())


def wire_icon(icon: Icon) -> dict[str, JSON]:
    """The icon as it is sent."""
    sizes = list(icon.sizes) or None
    said = {"src": icon.src, "mimeType": icon.mime_type, "sizes": sizes, "theme": icon.theme}
    return {key: value for key, value in said.items() if value is not None}


# -- _meta -----------------------------------------------------------------------------------------------------------


def checked_meta(given: Any, function: str) -> dict[str, JSON] | None:
    """A copy of the ``_meta`` of an entry.

    Raises:
        RegistrationError: a key cannot be one or is the protocol's own, or a value is no JSON.
    """
    if given is None:
        return None
    if not hasattr(given, "keys"):
        raise senseless(function, "meta", given, 'Give a dict, like {"example.com/team": "shop"}.')
    for key in given:
        problem = _problem_of_key(key)
        if problem:
            raise RegistrationError(function, None, f"meta has a key {key!r}, which {problem[0]}", problem[1])
    return {key: _json(value, function, key) for key, value in given.items()}


def _problem_of_key(key: Any) -> tuple[str, str] | None:
    if key in ("ui", "ui/resourceUri"):
        return "is written by the option ui", "Say ui=... instead."
    if key in _TRACING:
        return "is reserved for the context of a trace", "Give it another name."
    if not isinstance(key, str) or not _is_key(key):
        return "is no key of _meta", "Use letters and digits, with -, _ and . between: name, or example.com/name."
    labels = key.rpartition("/")[0].split(".")
    if any(label in _RESERVED for label in (*labels[:-1], *labels[1:2])):
        return "is reserved for the protocol", "Begin it with a domain of your own: example.com/name."
    return None


def _is_key(key: str) -> bool:
    prefix, slash, name = key.rpartition("/")
    labels = prefix.split(".") if slash else ()
    return (
        (not name or _is_made_of(name, _NAME, _ALPHANUMERIC))
        and bool(key)
        and all(_is_made_of(label, _PREFIX, _LETTERS) for label in labels)
    )


def _is_made_of(text: str, inside: frozenset[str], first: frozenset[str]) -> bool:
    return bool(text) and inside.issuperset(text) and text[0] in first and text[-1] in _ALPHANUMERIC


def _json(value: Any, function: str, key: str, levels: int = _DEEPEST) -> JSON:
    if value is None or isinstance(value, bool) or (isinstance(value, int) and -_WHOLE <= value <= _WHOLE):
        return value
    if isinstance(value, str) and (value.isascii() or _is_unicode(value)):
        return value
    if isinstance(value, float) and value - value == 0:  # neither infinite nor NaN
        return value
    if levels and isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {name: _json(item, function, key, levels - 1) for name, item in value.items()}
    if levels and isinstance(value, list | tuple):
        return [_json(item, function, key, levels - 1) for item in value]
    raise RegistrationError(
        function, None, f"meta[{key!r}] holds {value!r:.80}, which is no JSON", "Give text, numbers, lists and dicts."
    )


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


# -- what pages need, too --------------------------------------------------------------------------------------------


def texts_of(given: Any) -> tuple[str, ...] | None:
    """One text or several, as a tuple; None for anything else."""
    if isinstance(given, str):
        return (given,)
    several = tuple(given) if isinstance(given, list | tuple) else None
    return several if several is not None and all(isinstance(each, str) for each in several) else None


def senseless(function: str, option: str, value: object, remedy: str) -> RegistrationError:
    """The error of an option that can only be a mistake."""
    return RegistrationError(function, None, f"{option}={value!r:.200} makes no sense", remedy)
