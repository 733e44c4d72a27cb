"""Whatever else writes to stdout is led to stderr, so that JSON on stdout is JSON and nothing else.

On the level of file descriptors too: a child process, or a library in C, does not ask ``sys.stdout``.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

__all__ = ["diverted"]


@contextmanager
def diverted() -> Iterator[TextIO | None]:
    """The real stdout, while ``print`` and file descriptor 1 lead to stderr."""
    real = sys.stdout
    try:
        target = real.fileno()
        aside = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()
        own = os.dup(target)
        os.dup2(aside, target)
    except (AttributeError, OSError, ValueError):  # no real files: only Python's own writes can be led away
        sys.stdout = sys.stderr
        try:
            yield real
        finally:
            sys.stdout = real
        return
    with open(own, "w", encoding=real.encoding, errors=real.errors, newline=None) as result:  # noqa: PTH123 - a descriptor
        try:
            yield result
        finally:
            try:
                real.flush()
                result.flush()
            finally:
                os.dup2(own, target)
