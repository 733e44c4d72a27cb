"""Where an app keeps its tasks: what its author says, else what the environment says, else a file of the user's own."""

import logging
import os
import sqlite3
from pathlib import Path
from typing import Final

from accord.errors import SettingsError
from accord.settings.places import own_directories
from accord.tasks import SqliteTasks, TaskStore

__all__ = ["PLACE", "tasks_of"]

#: the file for tasks, where the author names none; ":memory:" keeps them in the process
PLACE: Final = "ACCORD_TASKS"

_log = logging.getLogger("accord.server")


def tasks_of(app: str, given: TaskStore | str | os.PathLike[str] | None) -> TaskStore:
    """The store of the app of that name.

    Raises:
        SettingsError: the place that was named for it cannot be used.
    """
    if given is not None and not isinstance(given, str | os.PathLike):
        return given
    named = given if given is not None else os.environ.get(PLACE)
    if named:
        return _at(named, "App(tasks=...)" if given is not None else f"the environment variable {PLACE}")
    try:
        return SqliteTasks(own_directories(app)["state"] / "tasks.db")
    except (OSError, sqlite3.Error, SettingsError) as error:
        _log.warning("tasks are kept in this process only, and end with it: %s; %s names another place", error, PLACE)
        return SqliteTasks(":memory:")


def _at(place: str | os.PathLike[str], who: str) -> SqliteTasks:
    try:
        return SqliteTasks(place)
    except (OSError, sqlite3.Error) as error:
        remedy = "Name a file in a directory that this process may write to."
        raise SettingsError(who, f"tasks cannot be kept in {Path(place).name}: {error}", remedy) from None
