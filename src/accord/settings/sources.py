"""Files and environment -> one table of settings, the layers laid over each other in the order of their precedence.

The only place that reads configuration files. What cannot be read is an error that says where and what to do.
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from accord.errors import SettingsError
from accord.settings.places import PYPROJECT, config_files, current_directory, file_name, home_directory
from accord.settings.tree import Table, merge, plant
from accord.settings.variables import with_variables

__all__ = ["read_settings"]


def read_settings(app: str) -> Table:
    """The settings of an app: environment over its own file over pyproject.toml over the user's own file.

    Raises:
        SettingsError: a file or a variable cannot be used.
    """
    here = current_directory()
    table: Table = {}
    for path in reversed(list(config_files(app, here))):
        shown = _shown(path, here)
        values = _read(path, shown)
        if path.name == PYPROJECT and file_name(app) != "pyproject":
            values, shown = _section(values, app, shown), f"{shown} [tool.{app}]"
        table = merge(table, plant(values, shown))
    return with_variables(table, app, os.environ)


def _read(path: Path, shown: str) -> dict[str, Any]:
    try:
        # Editors on Windows like to begin a file with a byte order mark.
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise SettingsError(shown, f"the file cannot be read ({reason})", "Make it readable, or remove it.") from error
    except UnicodeDecodeError as error:
        problem = f"the file is not UTF-8 (byte {error.start})"
    except tomllib.TOMLDecodeError as error:
        shown, problem = _placed(shown, str(error))
    except RecursionError:
        problem = "the file is nested too deeply"
    # Outside of the handlers: those errors hold the text of the file.
    raise SettingsError(shown, problem, "Correct the file, or remove it.")


def _placed(shown: str, message: str) -> tuple[str, str]:
    """The line moves to the front, where editors look for it."""
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    if found is None:
        return shown, f"this is not TOML: {message}"
    place = f"line {found[1]}, column {found[2]}" if found[1] else "at the end"
    return f"{shown}, {place}", f"this is not TOML: {message[: found.start()]}"


def _section(values: dict[str, Any], app: str, shown: str) -> dict[str, Any]:
    """The app's own table of a pyproject.toml."""
    section, name = values, ""
    for key in ("tool", app):
        name = f"{name}.{key}" if name else key
        section = section.get(key, {})
        if not isinstance(section, dict):
            raise SettingsError(shown, f"[{name}] is no table", f"Write it as one: a line [{name}], its keys below.")
    return section


def _shown(path: Path, here: Path) -> str:
    """The path as somebody in the current directory would write it."""
    if path.is_relative_to(here):
        return path.relative_to(here).as_posix()
    if here.is_relative_to(path.parent):
        return "../" * (len(here.parts) - len(path.parent.parts)) + path.name
    home = home_directory()
    return f"~/{path.relative_to(home).as_posix()}" if home and path.is_relative_to(home) else path.as_posix()
