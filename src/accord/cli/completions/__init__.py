"""The completion script of an app, for the shell that asks: static, so that no key press starts the program.

Each shell has a module that writes the app's places as that shell's data, and an engine beside it, in the shell's own
language, that walks a command line through them. Nothing of the app's texts is ever code in a script.
"""

from collections.abc import Callable
from importlib import import_module

from accord.app import App
from accord.cli.completions.offers import Place, places_of
from accord.cli.terminal import one_line

__all__ = ["completion_script"]


def completion_script(app: App, program: str, shell: str) -> str:
    """The script that completes the app's command lines, to be evaluated or saved."""
    # ``python -m name`` is no command a shell could complete; the app's own name may be one.
    name = one_line(app.name if program.startswith("python -m ") else program)
    write: Callable[[str, list[Place]], str] = import_module(f"accord.cli.completions.{shell}").script
    return write(name, places_of(app._registry))
