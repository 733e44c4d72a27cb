"""The free decorators: what a function is to be for any App that ``app.add`` hands it to.

A mark is left on the function, which is returned unchanged. Knows no app.
"""

from __future__ import annotations

from accord._options import MARK, PROMPT_MARK, RESOURCE_MARK, name_of
from accord.errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from typing_extensions import Unpack

    from accord._tool_options import ToolOptions
    from accord.offers.options import PromptOptions, ResourceOptions

    _Function = TypeVar("_Function", bound=Callable[..., Any])

__all__ = ["prompt", "resource", "tool"]


if TYPE_CHECKING:

    @overload
    def tool(name: _Function, /) -> _Function: ...

    @overload
    def tool(name: str | None = None, /, **options: Unpack[ToolOptions]) -> Callable[[_Function], _Function]: ...


def tool(name: Any = None, /, **options: Any) -> Any:
    """Mark a function as a tool for any App: ``app.add`` registers what a module or a class marks so.

    The function is returned unchanged. Works bare and with the options of ``app.command``.
    """
    if name is not None and not isinstance(name, str):
        _mark(name, MARK, {})
        return name
    if name is not None:
        options["name"] = name
    return _marking(MARK, options)


def resource(uri: str, **options: Unpack[ResourceOptions]) -> Callable[[_Function], _Function]:
    """Mark a function as what is read at a URI, or at each URI of a template. Takes the options of ``app.resource``."""
    if not isinstance(uri, str):  # used bare, it would take the function's place
        raise RegistrationError(
            name_of(uri), None, "a resource needs an address", 'Give it one: @accord.resource("notes://today").'
        )
    return _marking(RESOURCE_MARK, (uri, options))


if TYPE_CHECKING:

    @overload
    def prompt(name: _Function, /) -> _Function: ...

    @overload
    def prompt(name: str | None = None, /, **options: Unpack[PromptOptions]) -> Callable[[_Function], _Function]: ...


def prompt(name: Any = None, /, **options: Any) -> Any:
    """Mark a function as a prompt for any App. Works bare and with the options of ``app.prompt``."""
    if name is not None and not isinstance(name, str):
        _mark(name, PROMPT_MARK, (None, {}))
        return name
    return _marking(PROMPT_MARK, (name, options))


def _marking(mark: str, said: Any) -> Callable[[_Function], _Function]:
    def decorate(function: _Function) -> _Function:
        _mark(function, mark, said)
        return function

    return decorate


def _mark(function: Any, mark: str, said: Any) -> None:
    # A class hands out the function inside a classmethod or a staticmethod, not what stands around it.
    setattr(getattr(function, "__func__", function), mark, said)
