"""Streams of events: what a call says before its answer, and what a client is told without having asked.

A stream takes messages from any thread and hands them to one reader at a time. Of the streams of the handshake era some
is kept, so that a client that lost its connection can go on where it was; those of the stateless era are read once. It
holds no more than so much: what nobody reads, and what is worth least, is dropped first. Knows messages only as bytes.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from accord.transports.asgi.wire import Receive, Send, event, start_events, write_event

__all__ = ["SILENCE", "Stream"]

#: seconds of silence after which a stream says that it is still there
SILENCE: Final = 15.0
_STILL_HERE: Final = b": still here\n\n"

#: messages, and bytes of them, that wait for a reader or for being read again
_MOST: Final = 1000
_MOST_BYTES: Final = 4 * 1024 * 1024


class Stream:
    """Messages in order, each with a number."""

    def __init__(self, name: str, *, keeps: bool = False) -> None:
        self.name = name
        #: whether what was read is kept, to be read again
        self.keeps = keeps
        self.has_ended: bool = False
        self.is_read: bool = False
        self.was_read: bool = False
        #: seconds after which a reader is to come back, once it has been sent away
        self.retry: float | None = None
        #: called when something is said for the first time: somebody has to begin the response
        self.begin: Callable[[], None] | None = None
        self._stirred = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._events: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._last = 0

    # -- from any thread -----------------------------------------------------------------------------------------

    def put(self, message: bytes) -> None:
        """Say something; in the order in which it was called."""
        self._here(self._put, message)

    def end(self) -> None:
        """Nothing more will be said."""
        self._here(self._end)

    def send_away(self, retry: float) -> None:
        """Let whoever reads now go, to come back after so many seconds; the rest is kept for that."""
        self._here(self._send_away, retry)

    def _here(self, step: object, *arguments: object) -> None:
        try:
            running: object = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is self._loop:
            step(*arguments)  # type: ignore[operator]  # one of the three below
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(step, *arguments)  # type: ignore[arg-type]  # as above

    # -- in the loop ---------------------------------------------------------------------------------------------

    def _put(self, message: bytes) -> None:
        if self.has_ended:
            return
        self._last += 1
        self._events.append((self._last, message))
        self._bytes += len(message)
        while len(self._events) > _MOST or (self._bytes > _MOST_BYTES and len(self._events) > 1):
            self._bytes -= len(self._events.popleft()[1])
        self._stirred.set()
        begin, self.begin = self.begin, None
        if begin is not None:
            begin()

    def _end(self) -> None:
        self.has_ended = True
        self._stirred.set()

    def _send_away(self, retry: float) -> None:
        if not self.keeps or self.has_ended:
            return
        begin, self.begin = self.begin, None
        if begin is not None:
            begin()
        elif not self.is_read:
            return  # nobody is there
        self.retry = retry
        self._stirred.set()

    async def relay(self, send: Send, headers: dict[str, str], *, after: int | None = None) -> None:
        """Be the response: everything after that number, up to the end; from the beginning where there is none."""
        await start_events(send, headers)
        if self.keeps and after is None:  # so that a client can come back that has read nothing yet
            await write_event(send, b"id: " + self._id(0) + b"\ndata: \n\n")
        async for said in self._read(after or 0):
            if said is None:
                await write_event(send, _STILL_HERE)
            else:
                number, message = said
                await write_event(send, event(message, self._id(number) if self.keeps else None))
        if self.retry is not None:
            await write_event(send, b"retry: %d\n\n" % round(self.retry * 1000))
            self.retry = None
        await write_event(send, b"", more=False)

    async def relay_to(self, receive: Receive, send: Send, *, after: int | None) -> None:
        """The same for as long as somebody is there."""
        relaying = asyncio.ensure_future(self.relay(send, {}, after=after))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({relaying, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            relaying.cancel()
            leaving.cancel()

    def _id(self, number: int) -> bytes:
        return f"{self.name}-{number}".encode()

    async def _read(self, after: int, silence: float = SILENCE) -> AsyncIterator[tuple[int, bytes] | None]:
        """Everything after that number, as it comes, up to the end; None where nothing has come for a while.

        Ends early when the reader is sent away.
        """
        self.is_read = self.was_read = True
        try:
            while True:
                self._stirred.clear()
                for number, message in list(self._events):
                    if number > after:
                        after = number
                        yield number, message
                if not self.keeps:
                    self._forget(after)
                if self.retry is not None or (self.has_ended and after >= self._last):
                    return
                if self._stirred.is_set():
                    continue
                try:
                    async with asyncio.timeout(silence):
                        await self._stirred.wait()
                except TimeoutError:
                    yield None
        finally:
            self.is_read = False

    def _forget(self, after: int) -> None:
        while self._events and self._events[0][0] <= after:
            self._bytes -= len(self._events.popleft()[1])


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
