"""An event that a signal handler may ring.

A handler runs on a thread that it interrupts anywhere, also where that thread holds the lock inside of a
``threading.Event``: ringing one there could wait for ever. A bare lock has none inside.
"""

from _thread import allocate_lock
from contextlib import suppress

__all__ = ["Bell"]


class Bell:
    """Wakes one thread that waits for it, or the next one that does."""

    __slots__ = ("_silence",)

    def __init__(self) -> None:
        self._silence = allocate_lock()
        self._silence.acquire()

    def ring(self) -> None:
        """Wake whoever waits. A bell that nobody has heard yet rings on."""
        with suppress(RuntimeError):  # it rings already
            self._silence.release()

    def wait(self, seconds: float) -> bool:
        """Wait for it; False when it has not rung within that time."""
        return self._silence.acquire(timeout=seconds)
