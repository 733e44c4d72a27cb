"""The server's own log: on stderr, unless the program has set up logging itself.

It has what tools say and no client wants to hear, and the tracebacks of those that fail, which no client is shown.
Where callers are told apart, it has a line for each call, too (``accord.audit``).
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["journal"]


@contextmanager
def journal(*, audits: bool = False) -> Iterator[None]:
    """Write it while the app is served; ``audits``: with a line for each call."""
    ours = logging.getLogger("accord")
    if logging.getLogger().handlers or ours.handlers:
        yield
        return
    handler, level = logging.StreamHandler(sys.stderr), ours.level
    audit = logging.getLogger("accord.audit")
    before = audit.level
    if not audits and not before:
        audit.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    ours.addHandler(handler)
    ours.setLevel(logging.INFO)
    try:
        yield
    finally:
        ours.removeHandler(handler)
        ours.setLevel(level)
        audit.setLevel(before)
