"""What an author hands to an App -> tools in its registry.

A function becomes one tool; a module, a class or an object becomes those its author marked; another App brings
its tools along with everything that stands around them.
"""

from __future__ import annotations

import sys

from accord._options import MARK, MARKS, PROMPT_MARK, RESOURCE_MARK, name_of, options_of
from accord._registry import Home
from accord._tool import Tool
from accord._values import field_names
from accord.errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from accord._registry import Registry

__all__ = ["MARK", "add", "register"]

Words = tuple[str, ...]

#: what `def` makes; the module that has the name for it is not loaded for that
_FUNCTION = type(name_of)


def register(
    registry: Registry,
    function: Callable[..., Any],
    options: dict[str, Any],
    path: Words,
    *,
    replace: bool = False,
    home: Home | None = None,
) -> None:
    """Make a function a tool, named below ``path``.

    Raises:
        RegistrationError: it cannot work, or a name is taken.
    """
    _check_callable(function)
    own = name_of(function) if options.get("name") is None else options["name"]
    name = ".".join((*path, own))
    options = {**options, "name": name}
    if options.get("aliases"):
        options["aliases"] = _below(path, options["aliases"])
    is_provided = registry.providers.provides
    if home is not None:
        is_provided = home.registry.providers_of(home.name).before(registry.providers).provides
    tool = Tool(function, options_of(options, name_of(function)), registry.policy, is_provided=is_provided)
    words = tool.path
    for length in range(1, len(words)):
        registry.add_group(words[:length], None)
    registry.add(tool, replace=replace, home=home)


def _check_callable(function: Any) -> None:
    """Refuse what cannot be called, and a method of no object: callers would have to give its ``self``."""
    if isinstance(function, classmethod):
        remedy = f"Mark it with @accord.tool, and add the class: app.add({_owner_of(function.__func__) or 'TheClass'})."
        raise RegistrationError(function.__func__.__name__, None, "a class method needs its class", remedy)
    if not callable(function):
        raise RegistrationError(repr(function), None, "this cannot be called", "Register a function.")
    owner = _owner_of(function)
    if owner and function.__code__.co_varnames[:1] in (("self",), ("cls",)):
        raise RegistrationError(
            function.__name__,
            None,
            f"it is a method of {owner}, and nobody gives it an object",
            f"Mark it with @accord.tool, and add an object: app.add({owner}(...)).",
        )


def _owner_of(function: Any) -> str:
    """The class a function was written in, or nothing."""
    path: str = function.__qualname__ if isinstance(function, _FUNCTION) else ""
    owner = path.rpartition(".")[0].rpartition(".")[2]
    return "" if owner == "<locals>" else owner


def _below(path: Words, aliases: Any) -> tuple[str, ...]:
    given = (aliases,) if isinstance(aliases, str) else tuple(aliases)
    return tuple(".".join((*path, alias)) for alias in given)


def add(app: Any, thing: Any, *, prefix: str | None, replace: bool, options: dict[str, Any]) -> None:
    """Register whatever ``thing`` holds.

    Raises:
        RegistrationError: it holds nothing, or something in it cannot work.
    """
    import inspect  # noqa: PLC0415 - what a decorated function can do without

    registry: Registry = app._registry
    path: Words = tuple(prefix.split(".")) if prefix else ()
    if isinstance(thing, type(app)):
        _add_app(registry, thing, path, replace, options)
    elif isinstance(thing, list | tuple | set | frozenset):
        for item in thing:
            add(app, item, prefix=prefix, replace=replace, options=options)
    elif inspect.isroutine(thing) or hasattr(thing, "func"):
        _register_marked(registry, thing, path, replace, options)
    else:
        marked = list(_marked_in(thing))
        for function in marked:
            _register_marked(registry, function, path, replace, options)
        if not marked:
            raise RegistrationError(
                _shown(thing),
                None,
                "nothing in it is marked as a tool",
                "Mark functions with @accord.tool, or add the functions themselves.",
            )


def _register_marked(registry: Registry, function: Any, path: Words, replace: bool, options: dict[str, Any]) -> None:
    """Make a function all that its marks say; a tool where it has none. The options are for tools."""
    offered = [mark for mark in (RESOURCE_MARK, PROMPT_MARK) if hasattr(function, mark)]
    if not offered or hasattr(function, MARK):
        register(registry, function, {**getattr(function, MARK, {}), **options}, path, replace=replace)
    if not offered:
        return
    from accord.offers import registering  # noqa: PLC0415 - few apps offer more than tools

    _check_callable(function)
    if RESOURCE_MARK in offered:
        uri, said = getattr(function, RESOURCE_MARK)
        registering.add_resource(registry, function, uri, _replacing(said, replace))
    if PROMPT_MARK in offered:
        name, said = getattr(function, PROMPT_MARK)
        below = ".".join((*path, name_of(function) if name is None else name))
        registering.add_prompt(registry, function, below, _replacing(said, replace))


def _replacing(said: dict[str, Any], replace: bool) -> dict[str, Any]:
    return {**said, "replace": replace or said.get("replace", False)}


def _add_app(registry: Registry, other: Any, path: Words, replace: bool, options: dict[str, Any]) -> None:
    theirs: Registry = other._registry
    if theirs is registry:
        raise RegistrationError(other.name, None, "an app cannot be added to itself", "Add another one.")
    for words, description in theirs.groups.items():
        registry.add_group((*path, *words), description)
    for tool in list(theirs.tools.values()):
        given = {name: getattr(tool.options, name) for name in field_names(type(tool.options))}
        given["name"] = ".".join(tool.path)
        register(registry, tool.fn, {**given, **options}, path, replace=replace, home=Home(theirs, tool.name))
    if theirs.offers is not None:
        from accord.offers.registering import add_offers  # noqa: PLC0415 - few apps offer more than tools

        add_offers(registry, theirs, path, replace=replace)


def _marked_in(thing: Any) -> Iterator[Callable[..., Any]]:
    """The marked functions of a module, a class or an object, in the order they were written."""
    owner = _instance(thing) if isinstance(thing, type) else thing
    names = vars(thing) if isinstance(thing, type(sys)) else dict.fromkeys(_names_of(thing))
    for name in names:
        value = getattr(owner, name, None)
        if callable(value) and _is_marked(value) and not isinstance(value, type):
            yield value


def _names_of(thing: Any) -> Iterator[str]:
    for base in reversed((thing if isinstance(thing, type) else type(thing)).__mro__):
        yield from vars(base)


def _instance(kind: type) -> Any:
    """An object of the class, so that its methods have a self; the class itself where none of the marked needs one."""
    plain = (staticmethod, classmethod)
    needs_self = [name for name in _names_of(kind) if _is_marked_method(kind, name, plain)]
    if not needs_self:
        return kind
    try:
        return kind()
    except TypeError as error:
        raise RegistrationError(
            kind.__name__,
            None,
            f"its tools need an object, and {kind.__name__}() does not work ({error})",
            "Add an object of it.",
        ) from error


def _is_marked_method(kind: type, name: str, plain: tuple[type, ...]) -> bool:
    import inspect  # noqa: PLC0415 - as above

    raw = inspect.getattr_static(kind, name)
    return inspect.isfunction(raw) and _is_marked(raw) and not isinstance(raw, plain)


def _is_marked(value: Any) -> bool:
    return any(hasattr(value, mark) for mark in MARKS)


def _shown(thing: Any) -> str:
    return getattr(thing, "__name__", None) or type(thing).__name__
