"""What an author may say about one tool beside its function: declared here, once.

``_tool_options`` repeats the names for type checkers, which need them as keywords.
"""

from __future__ import annotations

from accord._values import Value, field_names
from accord.errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from accord._calls import JSON, Surface
    from accord.ui import Icon, Ui

__all__ = [
    "MARK",
    "MARKS",
    "PROMPT_MARK",
    "RESOURCE_MARK",
    "SURFACES",
    "Options",
    "check_options",
    "checked_name",
    "name_of",
    "options_of",
]

#: where the free decorators leave a function's options
MARK = "__accord_tool__"
RESOURCE_MARK = "__accord_resource__"
PROMPT_MARK = "__accord_prompt__"
MARKS = (MARK, RESOURCE_MARK, PROMPT_MARK)

SURFACES: tuple[Surface, ...] = ("cli", "python", "mcp")

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
)
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_LONGEST_NAME = 128


class Options(Value, kw_only=True):
    """The options of one tool. Hints that are None stay off the wire; caps that are None are the policy's."""

    name: str | None = None
    description: str | None = None
    title: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    examples: tuple[dict[str, Any], ...] = ()
    aliases: tuple[str, ...] = ()
    hidden: bool = False
    surfaces: tuple[Surface, ...] = SURFACES
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    input_schema: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    flatten: bool | None = None
    retry_on: tuple[type[BaseException], ...] = ()
    max_attempts: int = 1
    cache_ttl: float = 0.0
    timeout: float | None = None
    max_response_bytes: int | None = None
    max_items: int | None = None
    confirm: str | bool | None = None
    task: bool | Literal["required"] = False
    scopes: tuple[str, ...] = ()
    version: str | None = None
    deprecated: str | bool | None = None
    icons: tuple[Icon, ...] = ()
    ui: Ui | None = None
    meta: dict[str, JSON] | None = None

    @property
    def asks_more(self) -> bool:
        """Whether a call takes more than calling the function."""
        caps = (self.timeout, self.max_response_bytes, self.max_items)
        more = self.confirm or self.task or self.retry_on or self.cache_ttl
        return bool(more or any(cap is not None for cap in caps))


_KNOWN = frozenset(field_names(Options))
_SEQUENCES = ("tags", "examples", "aliases", "surfaces", "retry_on", "scopes")


def options_of(given: dict[str, Any], function: str) -> Options:
    """The options an author gave, checked.

    Raises:
        RegistrationError: there is no such option, or its value makes no sense.
    """
    if not given.keys() <= _KNOWN:
        unknown, known = sorted(given.keys() - _KNOWN), ", ".join(field_names(Options))
        raise RegistrationError(function, None, f"there is no option {unknown[0]!r}", f"The options are: {known}.")
    values: dict[str, Any] = {name: _sequence(value) if name in _SEQUENCES else value for name, value in given.items()}
    if not given.keys().isdisjoint(_SHOWN):
        values |= _shown(given, function)
    options = Options(**values)
    if not given.keys().isdisjoint(_CHECKED):
        check_options(options, function)
    return options


#: what a client shows, or is told besides
_SHOWN = ("icons", "ui", "meta")


def _shown(given: dict[str, Any], function: str) -> dict[str, Any]:
    from accord._entries import checked_icons, checked_meta  # noqa: PLC0415 - few tools have any
    from accord._pages import checked_ui  # noqa: PLC0415 - as above

    checks: dict[str, Callable[[Any, str], Any]] = {"icons": checked_icons, "ui": checked_ui, "meta": checked_meta}
    return {name: check(given[name], function) for name, check in checks.items() if name in given}


def _sequence(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str | type | dict) else tuple(value)


def check_options(options: Options, function: str) -> None:
    """Refuse what can only be a mistake.

    Raises:
        RegistrationError: an option's value makes no sense.
    """
    for problem, remedy in _PROBLEMS:
        name = problem(options)
        if name:
            raise RegistrationError(function, None, f"{name}={getattr(options, name)!r} makes no sense", remedy)
    for alias in options.aliases:
        checked_name(alias)


#: the options whose values can be wrong
_CHECKED = frozenset(
    {
        "aliases",
        "cache_ttl",
        "examples",
        "max_attempts",
        "max_items",
        "max_response_bytes",
        "retry_on",
        "surfaces",
        "task",
        "timeout",
    }
)


def _first(wrong: dict[str, bool]) -> str | None:
    return next((name for name, is_wrong in wrong.items() if is_wrong), None)


def _is_exception(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException)


_PROBLEMS: tuple[tuple[Callable[[Options], str | None], str], ...] = (
    (
        lambda o: _first(
            {
                "timeout": o.timeout is not None and not o.timeout > 0,
                "max_response_bytes": o.max_response_bytes is not None and not o.max_response_bytes > 0,
                "max_items": o.max_items is not None and not o.max_items > 0,
                "max_attempts": not o.max_attempts >= 1,
            }
        ),
        "Give a number greater than zero, or leave it out.",
    ),
    (lambda o: _first({"cache_ttl": not o.cache_ttl >= 0}), "Give a number of seconds; 0 caches nothing."),
    (lambda o: _first({"retry_on": not all(map(_is_exception, o.retry_on))}), "Give exception classes."),
    (
        lambda o: _first({"surfaces": not o.surfaces or not set(o.surfaces) <= set(SURFACES)}),
        f"Give some of {', '.join(SURFACES)}.",
    ),
    (
        lambda o: _first({"task": o.task not in (False, True, "required")}),
        'Give True, or "required" for a tool that never answers at once.',
    ),
    (
        lambda o: _first({"examples": not all(isinstance(example, dict) for example in o.examples)}),
        "Give argument objects, like {'name': 'value'}.",
    ),
)


def checked_name(name: str) -> str:
    """The name itself, if a tool can have it.

    Raises:
        RegistrationError: it cannot be a tool's name.
    """
    if not _is_safe(name):
        raise RegistrationError(
            name,
            None,
            "this cannot be a tool name",
            "Use up to 128 letters, digits, _, - and single dots; a name also names schema files, so not "
            "a reserved file name, and not one that ends in .output.",
        )
    return name


def _is_safe(name: str) -> bool:
    if not 0 < len(name) <= _LONGEST_NAME or name.partition(".")[0].lower() in _DEVICES:
        return False
    if name.isidentifier() and name.isascii():
        return True
    spelled = name[0] in _LETTERS and _LETTERS.issuperset(name.replace(".", "").replace("-", ""))
    return spelled and not name.endswith((".", ".output")) and ".." not in name


def name_of(function: Callable[..., Any]) -> str:
    """The name a callable goes by."""
    inner = getattr(function, "func", function)
    return getattr(inner, "__name__", None) or type(inner).__name__
