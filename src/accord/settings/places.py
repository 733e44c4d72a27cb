"""Where an app's files stand: the project around the current directory, and the platform's own directories.

Knows the rules of the platforms and which files exist; reads none.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from accord.errors import SettingsError

__all__ = [
    "PYPROJECT",
    "config_files",
    "current_directory",
    "directories",
    "file_name",
    "home_directory",
    "own_directories",
    "project_of",
]

PYPROJECT = "pyproject.toml"

#: what marks the top of a project
_ROOTS = (PYPROJECT, ".git")


def file_name(app: str) -> str:
    """The app's name as files and directories bear it."""
    return re.sub(r"[^\w.-]+", "-", app).strip("-.") or "app"


def current_directory() -> Path:
    """The current directory.

    Raises:
        SettingsError: it is gone.
    """
    try:
        return Path.cwd()
    except OSError:
        raise SettingsError("settings", "the current directory does not exist", "Change to one that does.") from None


def project_of(start: Path) -> Path | None:
    """The nearest directory, from ``start`` upward, with a pyproject.toml or a .git; None where there is none."""
    for directory in (start, *start.parents):
        if any(_exists(directory / name) for name in _ROOTS):
            return directory
    return None


def config_files(app: str, start: Path) -> Iterator[Path]:
    """The files an app's settings are read from, those that count more first. All of them exist."""
    own = f"{file_name(app)}.toml"
    top = project_of(start)
    # Without a project nothing says where to stop, so nobody else's directories are looked into.
    inside = [each for each in (start, *start.parents) if top in (each, *each.parents)] if top else [start]
    candidates = [directory / own for directory in inside]
    yield from [path for path in candidates if _is_file(path)][:1]
    if top is not None and own != PYPROJECT and _is_file(top / PYPROJECT):
        yield top / PYPROJECT
    home = home_directory()
    if home is not None:
        users = directories(app, sys.platform, os.environ, home)["config"] / own
        if _is_file(users):
            yield users


def own_directories(app: str) -> dict[str, Path]:
    """The directories of this app, on this platform, for this user.

    Raises:
        SettingsError: nobody knows the user's home directory.
    """
    home = home_directory()
    if home is None:
        raise SettingsError("settings", "this user has no home directory", "Set HOME to a directory.")
    return directories(app, sys.platform, os.environ, home)


def directories(app: str, platform: str, environment: Mapping[str, str], home: Path) -> dict[str, Path]:
    """Where an app keeps what, by the rules of a platform (named as in ``sys.platform``)."""
    name = file_name(app)
    if platform == "win32":
        roaming = Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / name
        local = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / name
        return {"config": roaming, "data": local, "cache": local / "Cache", "state": local / "State"}
    if platform == "darwin":
        support = home / "Library" / "Application Support"
        usual = {"config": support, "data": support, "cache": home / "Library" / "Caches", "state": support}
    else:
        share = home / ".local"
        usual = {
            "config": home / ".config",
            "data": share / "share",
            "cache": home / ".cache",
            "state": share / "state",
        }
    return {kind: _xdg(kind, environment, default) / name for kind, default in usual.items()}


def _xdg(kind: str, environment: Mapping[str, str], default: Path) -> Path:
    """What the XDG variable says; the specification has relative paths ignored."""
    chosen = Path(environment.get(f"XDG_{kind.upper()}_HOME") or "")
    return chosen if chosen.is_absolute() else default


def home_directory() -> Path | None:
    """The user's own directory, or None where nobody knows it."""
    try:
        return Path.home()
    except RuntimeError:  # a container's user without a name and without HOME
        return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # in a directory that may not be entered
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # as above
        return False
