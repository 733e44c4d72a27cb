"""What an author may say about a resource or a prompt beside its function: keywords for type checkers, and checks."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from accord.errors import RegistrationError
from accord.ui import Icon, UiPage

__all__ = ["Annotations", "PromptOptions", "ResourceOptions", "checked"]


class Annotations(TypedDict, total=False):
    """MCP's hints on a resource: whom it is for, how much it matters (0 to 1), the ISO 8601 date of its last change."""

    audience: Sequence[Literal["user", "assistant"]]
    priority: float
    lastModified: str


class ResourceOptions(TypedDict, total=False):
    """The options of ``app.resource``, all optional.

    ``name`` is what it is called where addresses are not shown, by default the function's name; ``title``,
    ``description`` and ``icons`` are for people. ``mime_type`` is the type of what the function returns, ``size`` its
    bytes (not for templates), ``meta`` the entry's ``_meta``; ``ui`` is what the page at a ``ui://`` address needs.
    ``timeout`` is in seconds; ``replace`` takes the place of what is registered for the URI.
    """

    name: str | None
    title: str | None
    description: str | None
    mime_type: str | None
    size: int | None
    annotations: Annotations | None
    icons: Sequence[Icon | Mapping[str, Any]] | Icon
    meta: Mapping[str, Any] | None
    ui: UiPage | None
    timeout: float | None
    replace: bool


class PromptOptions(TypedDict, total=False):
    """The options of ``app.prompt``, all optional; they mean what they mean for resources."""

    title: str | None
    description: str | None
    icons: Sequence[Icon | Mapping[str, Any]] | Icon
    meta: Mapping[str, Any] | None
    timeout: float | None
    replace: bool


_AUDIENCE = {"user", "assistant"}


def checked(given: dict[str, Any], kind: type, function: str) -> None:
    """Refuse what can only be a mistake.

    Raises:
        RegistrationError: there is no such option, or its value makes no sense.
    """
    known = kind.__annotations__
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        raise RegistrationError(
            function, None, f"there is no option {unknown[0]!r}", f"The options are: {', '.join(known)}."
        )
    timeout, size = given.get("timeout"), given.get("size")
    if timeout is not None and not timeout > 0:
        raise _senseless(function, "timeout", timeout, "Give a number greater than zero, or leave it out.")
    if size is not None and (type(size) is not int or size < 0):
        raise _senseless(function, "size", size, "Give a number of bytes, or leave it out.")
    hints = given.get("annotations") or {}
    if not hints.keys() <= Annotations.__annotations__.keys():
        raise _senseless(function, "annotations", hints, "They are: audience, priority, lastModified.")
    if not set(hints.get("audience", ())) <= _AUDIENCE or not 0 <= hints.get("priority", 0) <= 1:
        raise _senseless(
            function, "annotations", hints, 'The audience holds "user" or "assistant"; the priority is from 0 to 1.'
        )


def _senseless(function: str, option: str, value: object, remedy: str) -> RegistrationError:
    return RegistrationError(function, None, f"{option}={value!r} makes no sense", remedy)
