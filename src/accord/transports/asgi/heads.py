"""Heads of requests, with an end: how many bytes there may be before the body, and how long they may take to come.

uvicorn reads a head to its end however long it is and however long that takes; what is refused for its headers has
been read whole by then. Whoever goes beyond is cut off without an answer.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from accord.transports.asgi.attendance import Attendance
from accord.transports.asgi.limits import Limits

__all__ = ["protocol_with"]


def protocol_with(limits: Limits, attendance: Attendance) -> type[HttpToolsProtocol]:
    """uvicorn's protocol with these limits."""

    class Bounded(HttpToolsProtocol):
        """One connection; it is looked after while a head is awaited that has begun, or the first one."""

        #: a head is awaited that has begun, or the first one; and how much of it is here
        _is_awaited = True
        _size = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the base has it
            super().connection_made(transport)
            attendance.begin(self)

        def connection_lost(self, exc: Exception | None) -> None:
            attendance.end(self)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            # The base begins a scope with each head, and writes the method into it at the head's end.
            if "method" in (self.scope or ()):
                if self._is_awaited:
                    self._is_awaited, self._size = False, 0
                    attendance.end(self)
                return
            if not self._is_awaited:
                self._is_awaited = True
                attendance.begin(self)
            self._size += len(data)
            if self._size > limits.head_bytes:
                self.transport.abort()

        def take_long(self, seconds: float) -> None:
            """Cut off whoever does not come to the point."""
            if seconds >= limits.head_seconds:
                self.transport.abort()

    return Bounded
