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
        own = os.dup(real.fileno())
        os.dup2(sys.stderr.fileno(), real.fileno())
    except (AttributeError, OSError, ValueError):  # no real files: only Python's own writes can be led away
        sys.stdout = sys.stderr
        try:
            yield real
        finally:
            sys.stdout = real
        return
    target = real.fileno()
    with open(own, "w", encoding=real.encoding, errors=real.errors, newline=None, closefd=False) as result:
        try:
            yield result
        finally:
            real.flush()
            result.flush()
            os.dup2(own, target)
            os.close(own)
