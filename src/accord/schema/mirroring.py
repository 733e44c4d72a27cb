"""Arguments that HTTP clients repeat in headers: where a schema says so (``x-mcp-header``), and where it may.

A client leaves out a whole tool that breaks these rules, so they are kept at registration, by schemas from annotations
and by an author's own. Knows schemas only: what a header holds is checked by ``accord.protocol.headers``.
"""

from collections.abc import Iterator

from accord._calls import JSON
from accord.errors import RegistrationError
from accord.schema.walk import subschemas

__all__ = ["MIRRORED", "check_mirrored", "header_name", "mirrored_in"]

Schema = dict[str, JSON]

#: the keyword: an annotation, which no gate heeds
MIRRORED = "x-mcp-header"

#: what RFC 9110 calls a token is made of
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
#: what every client writes into a header in the same way, which numbers with fractions are not
_PRIMITIVE = ("string", "integer", "boolean")

_WHERE = (
    "Put Header on a parameter, or on a field of a model that is one, whose type is str, int, bool or an enum of "
    "these. Instead of T | None, give it a default of type T."
)


def header_name(name: str) -> str:
    """The header of an argument whose author named none: ``max_count`` -> ``Max-Count``."""
    return "-".join(word[0].upper() + word[1:] for word in name.split("_") if word)


def mirrored_in(schema: Schema) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The header of each argument that is repeated, and its path in the arguments; of a schema that was checked."""
    for steps, inner in _marked(schema):
        yield inner[MIRRORED], _path(steps)


def check_mirrored(schema: Schema, function: str) -> None:
    """Refuse headers that no client would send.

    Raises:
        RegistrationError: one stands where it cannot be reached, has an impossible or a double name, or tells a secret.
    """
    taken: dict[str, str] = {}
    for steps, inner in _marked(schema):
        found = _problem(schema, steps, inner) or _double(taken, inner[MIRRORED], ".".join(_path(steps)))
        if found:
            raise RegistrationError(function, _parameter(steps), *found)


def _marked(schema: Schema) -> Iterator[tuple[list[str], Schema]]:
    """Every schema that has a header, and the steps that lead there."""
    for pointer, inner in subschemas(schema):
        if MIRRORED in inner:
            yield [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]], inner


def _path(steps: list[str]) -> tuple[str, ...]:
    return tuple(steps[1::2])


def _parameter(steps: list[str]) -> str | None:
    return steps[1] if steps[:1] == ["properties"] else None


def _is_property(steps: list[str]) -> bool:
    """Whether nothing but the names of properties leads there."""
    return bool(steps) and len(steps) % 2 == 0 and set(steps[::2]) == {"properties"}


def _problem(schema: Schema, steps: list[str], inner: Schema) -> tuple[str, str] | None:
    if not _is_property(steps):
        return (
            f"its Header is at /{'/'.join(steps)}, and clients find it below plain properties only",
            _WHERE,
        )
    kind, name = inner.get("type"), inner[MIRRORED]
    if kind not in _PRIMITIVE:
        shown = f"a value of type {kind}" if isinstance(kind, str) else "a value of more than one type"
        return f"a header cannot hold {shown}", _WHERE
    if not isinstance(name, str) or not name or not _TOKEN.issuperset(name):
        return f"{name!r} cannot be the name of a header", "Use letters, digits and hyphens: Header('Region')."
    if any(each.get("writeOnly") is True for each in _along(schema, steps)):
        return "it is a secret, and headers are read and logged by everybody on the way", "Take its Header away."
    return None


def _along(schema: Schema, steps: list[str]) -> Iterator[Schema]:
    for name in _path(steps):
        schema = schema["properties"][name]
        yield schema


def _double(taken: dict[str, str], name: str, path: str) -> tuple[str, str] | None:
    other = taken.setdefault(name.lower(), path)
    if other == path:
        return None
    return f"{other!r} is in the header {name!r} too, in whatever case it is written", "Give one of them another name."
