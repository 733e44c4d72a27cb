"""Where the names in an annotation are looked up.

Annotations may be strings (``from __future__ import annotations``), may name types that only exist
under ``TYPE_CHECKING`` or inside a function, and may hold type variables. A Scope resolves all of
that for one annotation at a time, so that one bad name never spoils its neighbours.
"""

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any, ForwardRef

import msgspec

__all__ = ["Scope", "Unfit", "Unresolved", "scope_of_class", "scope_of_function"]


class Unresolved(NameError):
    """An annotation names something that is not defined (yet). ``parameter`` is filled in on the way up."""

    def __init__(self, missing: str) -> None:
        super().__init__(f"{missing!r} is not defined", name=missing)
        self.missing = missing
        self.parameter: str | None = None


class Unfit(Exception):
    """An annotation can never be used: ``problem`` and ``remedy`` are the two sentences of the error."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}")
        self.problem = problem
        self.remedy = remedy


class Scope(msgspec.Struct, frozen=True):
    """Namespaces, innermost first, and what the type variables stand for here.

    A frame among the namespaces stands for its locals as they are at the time of the look-up.
    """

    namespaces: tuple[Mapping[str, Any] | FrameType, ...]
    variables: Mapping[Any, Any] = {}

    def resolve(self, reference: str | ForwardRef) -> Any:
        """The object a string annotation means.

        Raises:
            Unresolved: a name in it is not defined.
            Unfit: evaluating it fails in any other way.
        """
        text = reference if isinstance(reference, str) else reference.__forward_arg__
        module = getattr(reference, "__forward_module__", None)
        spaces = self._spaces(sys.modules.get(module) if isinstance(module, str) else module)
        try:
            meaning = eval(compile(text.strip(), "<annotation>", "eval"), {}, _Chain(spaces))  # noqa: S307 - the author's own annotation
        except NameError as error:
            raise Unresolved(error.name or text) from error
        except Exception as error:
            raise Unfit(
                f"its annotation {text!r} cannot be evaluated ({type(error).__name__}: {error})", "Correct it."
            ) from error
        # Quotes inside a postponed annotation make a string that means a string.
        return self.resolve(meaning) if isinstance(meaning, str) else meaning

    def _spaces(self, module: Any) -> list[Mapping[str, Any]]:
        spaces = [space.f_locals if isinstance(space, FrameType) else space for space in self.namespaces]
        return [*spaces, vars(module), vars(builtins)] if module else [*spaces, vars(builtins)]

    def inside(self, variables: Mapping[Any, Any]) -> "Scope":
        """The same names, with these type variables bound."""
        return Scope(self.namespaces, variables)


class _Chain(dict[str, Any]):
    """Names looked up in several namespaces in turn, as ``eval`` wants them."""

    def __init__(self, spaces: list[Mapping[str, Any]]) -> None:
        super().__init__()
        self._spaces = spaces

    def __missing__(self, name: str) -> Any:
        for space in self._spaces:
            if name in space:
                return space[name]
        raise KeyError(name)


def scope_of_function(function: Callable[..., Any]) -> Scope:
    """The scope a function's annotations were written in: closure, enclosing function, module."""
    inner = function
    if hasattr(function, "__wrapped__"):
        import inspect  # noqa: PLC0415 - a plain function does without

        inner = inspect.unwrap(function)
    inner = getattr(inner, "func", inner)  # functools.partial
    inner = getattr(inner, "__func__", inner)  # bound method
    if not hasattr(inner, "__globals__"):
        inner = getattr(type(inner), "__call__", inner)  # noqa: B004 - the method itself, not whether there is one
    module: dict[str, Any] = getattr(inner, "__globals__", {})
    return Scope((_type_parameters(inner), _closure(inner), *_enclosing_frames(inner), module))


def scope_of_class(cls: type, outer: Scope) -> Scope:
    """The scope a class body's annotations were written in; locally defined classes see what ``outer`` sees."""
    module = sys.modules.get(cls.__module__)
    around = outer.namespaces if "<locals>" in cls.__qualname__ else ()
    # The module comes before the class body, or a field named like its type would hide the type.
    own = ({cls.__name__: cls}, *around, vars(module) if module else {}, vars(cls))
    return Scope((_type_parameters(cls), *own))


def _type_parameters(owner: Any) -> dict[str, Any]:
    return {variable.__name__: variable for variable in getattr(owner, "__type_params__", ())}


def _closure(function: Any) -> dict[str, Any]:
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None)
    if not code or not cells:
        return {}
    return {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells, strict=True) if _filled(cell)}


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # an empty cell: the name is assigned later
        return False


def _enclosing_frames(function: Any) -> tuple[FrameType, ...]:
    """The running frames of the functions this one was defined in: local types live there."""
    enclosing = set(getattr(function, "__qualname__", "").replace(".<locals>", "").split(".")[:-1])
    if "<locals>" not in getattr(function, "__qualname__", "") or not enclosing:
        return ()
    source = getattr(getattr(function, "__code__", None), "co_filename", None)
    return tuple(_matching_frames(enclosing, source))


def _matching_frames(names: set[str], source: str | None) -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name in names and frame.f_code.co_filename == source:
            yield frame
        frame = frame.f_back
