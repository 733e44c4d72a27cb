"""APP as people type it -> the App it names, loaded: ``module:attr``, ``path/to/app.py`` or ``path/to/app.py:attr``.

A file is loaded as ``python`` would have it: what stands beside it can be imported, and inside a package it is a
module of that package. Knows files and modules; calls nothing of the App.
"""

from __future__ import annotations

import os
import sys

from accord._values import Value
from accord.app import App
from accord.errors import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    _Load = Callable[[str], ModuleType]

__all__ = ["Loaded", "Target", "home_of", "load_app", "read_target"]

_FORMS = "APP is path/to/app.py, path/to/app.py:attr or module:attr"


class Target(Value):
    """What was typed, taken apart: a file or else a module, and the attribute, "" where none was named."""

    file: str
    module: str
    attribute: str


class Loaded(Value):
    """An App, and the module and attribute it was found at."""

    app: App
    module: ModuleType
    attribute: str

    @property
    def anywhere(self) -> str:
        """What names the same App from any directory: its file, unless only the module's name leads to its package.

        Raises:
            ToolError: the name leads there from this directory only.
        """
        file, name = getattr(self.module, "__file__", None), self.module.__name__
        if not file or ("." in name and home_of(file)[1] != name):
            if file == os.path.join(os.getcwd(), *name.split(".")) + ".py":  # noqa: PTH109, PTH118 - as below
                raise ToolError(
                    f"{name} is found from this directory only. Put an __init__.py beside it, or name its file."
                )
            return f"{name}:{self.attribute}"
        return f"{os.path.abspath(file)}:{self.attribute}"  # noqa: PTH100 - pathlib is not worth its start-up time


def load_app(text: str) -> Loaded:
    """Load what is named.

    Raises:
        ToolError: there is no such file, module or App, or loading it failed.
    """
    target = read_target(text)
    module = _load_file(target) if target.file else _load_module(target.module)
    attribute, app = _app_in(module, target.attribute, text)
    return Loaded(app, module, attribute)


def read_target(text: str) -> Target:
    """Take apart what was typed; whether any of it exists is not asked here.

    The last colon separates the attribute, unless what follows it is no name: ``C:\\app.py`` is a file.

    Raises:
        ToolError: this names neither a file nor a module.
    """
    head, colon, tail = text.rpartition(":")
    if not colon or tail.endswith(".py") or not _is_dotted(tail):
        head, tail = text, ""
    if head.endswith(".py") or "/" in head or os.sep in head or (os.altsep or "/") in head:
        return Target(head, "", tail)
    if not _is_dotted(head):
        raise ToolError(f"{text!r} names no app: {_FORMS}.")
    return Target("", head, tail)


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _load_module(name: str) -> ModuleType:
    # The directory people are in counts, as with `python -m`; a safe path (`python -P`) says that it must not.
    if not sys.flags.safe_path:
        _import_from(os.getcwd())  # noqa: PTH109 - as above
    return _run(name, name, _by_name)


def _load_file(target: Target) -> ModuleType:
    path = os.path.abspath(target.file)  # noqa: PTH100 - as above
    if os.path.isdir(path):  # noqa: PTH112 - as above
        raise ToolError(f"{target.file!r} is a directory: {_FORMS}.")
    if not os.path.isfile(path):  # noqa: PTH113 - as above
        raise ToolError(f"there is no file {target.file!r} (looked in {os.getcwd()}).")  # noqa: PTH109 - as above
    directory, name = home_of(path)
    _import_from(directory)
    return _run(name, target.file, _by_name) if name else _run(path, target.file, _by_path)


def home_of(path: str) -> tuple[str, str]:
    """The directory a file's imports start from, and the file's name as a module of a package, "" outside of any."""
    directory, base = os.path.split(path)
    stem = base.removesuffix(".py")
    packages: list[str] = []
    while _is_package(directory):
        directory, package = os.path.split(directory)
        packages.insert(0, package)
    return directory, ".".join(packages if stem == "__init__" else [*packages, stem]) if packages else ""


def _is_package(directory: str) -> bool:
    name = os.path.basename(directory)  # noqa: PTH119 - as above
    return name.isidentifier() and os.path.isfile(os.path.join(directory, "__init__.py"))  # noqa: PTH113, PTH118 - as above


def _import_from(directory: str) -> None:
    if directory not in sys.path:
        sys.path.insert(0, directory)


def _by_name(name: str) -> ModuleType:
    __import__(name)
    return sys.modules[name]


def _by_path(path: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location  # noqa: PLC0415 - modules need none of it

    name = os.path.basename(path).removesuffix(".py")  # noqa: PTH119 - as above
    there = sys.modules.get(name)
    if there is not None:
        if getattr(there, "__file__", None) == path:
            return there
        name = f"accord_app_{name}"  # a file may be called json.py, and must not stand for json
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ToolError(f"{path!r} is no Python file: {_FORMS}.")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _run(source: str, shown: str, load: _Load) -> ModuleType:
    """The module, or one sentence about what its own code did."""
    try:
        return load(source)
    except ToolError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and load is _by_name and f"{source}.".startswith(f"{error.name}."):
            raise ToolError(f"there is no module {error.name!r}: {_FORMS}.") from error
        raise ToolError(f"{shown} cannot be loaded: {error}. Is it installed for {sys.executable}?") from error
    except SystemExit as error:
        raise ToolError(
            f"{shown} ended the program while it was loaded. Put app.run() under `if __name__ == '__main__':`."
        ) from error
    except SyntaxError as error:
        raise ToolError(f"{shown} cannot be loaded: {error.filename}, line {error.lineno}: {error.msg}.") from error
    except Exception as error:
        raise ToolError(f"{shown} cannot be loaded: {_told(error)}") from error


def _told(error: Exception) -> str:
    """The error, and the line of the innermost frame: where people look first."""
    from traceback import walk_tb  # noqa: PLC0415 - only the failure needs it

    frame, line = list(walk_tb(error.__traceback__))[-1]
    return f"{type(error).__name__}: {error} ({frame.f_code.co_filename}, line {line})"


def _app_in(module: ModuleType, attribute: str, shown: str) -> tuple[str, App]:
    if attribute:
        return attribute, _named(module, attribute, shown)
    apps = {name: value for name, value in vars(module).items() if isinstance(value, App)}
    if isinstance(apps.get("app"), App):
        return "app", apps["app"]
    own = {id(app): name for name, app in reversed(apps.items())}  # one App under two names is one
    if len(own) == 1:
        (name,) = own.values()
        return name, apps[name]
    if not apps:
        raise ToolError(f"{shown} holds no App: make one at the top level, `app = App('name')`.")
    choice = " or ".join(f"{shown}:{name}" for name in sorted(own.values()))
    raise ToolError(f"{shown} holds {len(own)} Apps. Say which: {choice}.")


def _named(module: ModuleType, attribute: str, shown: str) -> App:
    found: object = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            apps = sorted(name for name, value in vars(module).items() if isinstance(value, App))
            there = f" Its Apps: {', '.join(apps)}." if apps else " It holds no App."
            raise ToolError(f"{shown}: there is no {attribute!r}.{there}")
        found = getattr(found, part)
    if not isinstance(found, App):
        raise ToolError(f"{shown} is no App: it is {_article(type(found).__name__)}.")
    return found


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
