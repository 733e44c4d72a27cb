"""Where results are kept for a while: one protocol, and the store inside the process.

Knows keys and values; which call has which key is decided by ``_cache``.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

__all__ = ["MemoryStore", "Store"]


@runtime_checkable
class Store(Protocol):
    """Keeps values for a limited time. Both methods may be called from any thread."""

    def get(self, key: str) -> Any | None:
        """The value kept under the key, or None: never kept, expired, or dropped to make room."""
        ...

    def put(self, key: str, value: Any, ttl: float) -> None:
        """Keep a value for ``ttl`` seconds."""
        ...


class MemoryStore:
    """A store in this process, of at most ``size`` values; the least recently used one makes room."""

    def __init__(self, size: int = 1024, *, clock: Callable[[], float] = time.monotonic) -> None:
        if size < 1:
            raise ValueError("a store of no size keeps nothing: give a size of at least 1")
        self._size = size
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[float, Any]] = OrderedDict()

    def get(self, key: str) -> Any | None:
        """The value kept under the key, or None."""
        with self._lock:
            if key not in self._kept:
                return None
            expires, value = self._kept[key]
            if expires <= self._clock():
                del self._kept[key]
                return None
            self._kept.move_to_end(key)
            return value

    def put(self, key: str, value: Any, ttl: float) -> None:
        """Keep a value for ``ttl`` seconds."""
        with self._lock:
            self._kept[key] = (self._clock() + ttl, value)
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
