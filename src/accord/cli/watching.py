"""Whether the source of a program that runs has changed: the files its modules came from, looked at now and then.

Knows modules and files. What is to be done about a change is for others to say.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from traceback import walk_tb
from typing import Final

__all__ = ["Watch", "sources_of"]

_INSTALLED: Final = ("site-packages", "dist-packages")


class Watch:
    """Looks at the modules that were loaded from below ``folder``, however late they are loaded.

    What was written after the watch began counts as changed, even where nobody had looked at it before.
    """

    def __init__(self, folder: str) -> None:
        self.folder: str = os.path.abspath(folder)  # noqa: PTH100 - as pathlib would, but without following links
        self._began = time.time_ns()
        self._written: dict[str, int | None] = {}

    def add(self, files: Iterable[str]) -> None:
        """Look at these as well, and at the folders they are in: a file that was missing may come."""
        self._see(self.folder)
        for path in [Path(file).absolute() for file in files if file and not file.startswith("<")]:
            self._see(str(path))
            self._see(str(path.parent))

    def changed(self) -> str | None:
        """A file that is not what it was, or None."""
        for file in _sources(self.folder):
            if file not in self._written:
                self._see(file)
                written = self._written[file]
                # A time to come is that of another clock, and says nothing.
                if written is not None and self._began < written <= time.time_ns():
                    return file
        return next((file for file, written in self._written.items() if _written(file) != written), None)

    def _see(self, file: str) -> None:
        self._written.setdefault(file, _written(file))


def sources_of(error: BaseException) -> Iterator[str]:
    """The files an exception speaks of, and those of what it was raised from."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, SyntaxError) and seen.filename:
            yield seen.filename
        yield from (frame.f_code.co_filename for frame, _ in walk_tb(seen.__traceback__))
        seen = seen.__cause__ or seen.__context__


def _sources(folder: str) -> Iterator[str]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(folder + os.sep):
            within = Path(file).relative_to(folder).parts
            if file.endswith(".py") and not any(name in within for name in _INSTALLED):
                yield file


def _written(file: str) -> int | None:
    """When it was written; None where it is not there."""
    try:
        return Path(file).stat().st_mtime_ns
    except (OSError, ValueError):
        return None
