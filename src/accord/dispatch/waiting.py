"""Waiting for another thread in a way that Ctrl-C ends.

Python hears signals on its main thread only, and a lock it waits for there is given up when the signal wakes it. The
system may hand the signal to any thread, though, and then nothing wakes the main one: so it looks up now and then.
"""

import threading
import time

__all__ = ["wait"]

#: seconds until a signal is heard that another thread was woken by
_LOOK_UP = 0.1


def wait(event: threading.Event, seconds: float | None = None) -> bool:
    """``event.wait(seconds)``, interrupted by Ctrl-C wherever the signal went."""
    if threading.current_thread() is not threading.main_thread():
        return event.wait(seconds)
    end = float("inf") if seconds is None else time.monotonic() + seconds
    while not event.wait(max(min(_LOOK_UP, end - time.monotonic()), 0)):
        if time.monotonic() >= end:
            return False
    return True
