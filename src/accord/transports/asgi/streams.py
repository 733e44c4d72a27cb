"""Streams of events: what a call says before its answer, and what a client is told without having asked.

A stream takes messages from any thread and hands them to one reader at a time. Of the streams of the handshake era some
is kept, so that a client that lost its connection can go on where it was; those of the stateless era are read once. It
holds no more than so much: what nobody reads, and is oldest, is dropped first. Knows messages only as bytes.
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Final

from accord.transports.asgi.wire import Receive, Send, event, start_events, write_event

__all__ = ["PATIENCE", "SILENCE", "Stream"]

#: seconds of silence after which a stream says that it is still there, and that a reader may take for one event
SILENCE: Final = 15.0
PATIENCE: Final = 60.0
_STILL_HERE: Final = b": still here\n\n"

#: messages, and bytes of them, that wait for a reader or for being read again
_MOST: Final = 1000
_MOST_BYTES: Final = 4 * 1024 * 1024


class Stream:
    """Messages in order, each with a number.

    What was read of one that ``keeps`` may be read again. One that ``primes`` begins with an empty event, so that a
    client can come back that has read nothing yet, and can send its reader away.
    """

    def __init__(
        self,
        name: str,
        *,
        keeps: bool = False,
        primes: bool = False,
        silence: float = SILENCE,
        patience: float = PATIENCE,
    ) -> None:
        self.name = name
        self.keeps = keeps
        self.primes = primes
        #: seconds after which it says that it is still there
        self.silence = silence
        #: seconds that a reader may take for one event
        self.patience = patience
        self.has_ended: bool = False
        self.is_read: bool = False
        self.was_read: bool = False
        #: bytes that are kept
        self.size: int = 0
        #: called when something is said for the first time: somebody has to begin the response
        self.begin: Callable[[], None] | None = None
        #: seconds after which a reader is to come back, once it has been sent away
        self._retry: float | None = None
        self._lock = threading.Lock()
        #: whether the loop is about to look at what was said
        self._is_told = False
        self._stirred = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._events: deque[tuple[int, bytes]] = deque()
        self._last = 0
        self._read_up_to = 0

    # -- from any thread -----------------------------------------------------------------------------------------

    def put(self, message: bytes) -> None:
        """Say something, in the order in which it was called; nothing is said with no bytes."""
        if not message:
            return
        with self._lock:
            if self.has_ended:
                return
            self._last += 1
            self._events.append((self._last, message))
            self.size += len(message)
            while len(self._events) > _MOST or (self.size > _MOST_BYTES and len(self._events) > 1):
                self.size -= len(self._events.popleft()[1])
            was_told, self._is_told = self._is_told, True
        if not was_told:  # or a tool that says a lot would fill the memory with what the loop has yet to hear
            self._here(self._hear)

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
        else:
            with suppress(RuntimeError):  # the loop is closed: nobody reads any more
                self._loop.call_soon_threadsafe(step, *arguments)  # type: ignore[arg-type]  # as above

    # -- in the loop ---------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        self._is_told = False
        self._stirred.set()
        self._begin()

    def _end(self) -> None:
        self.has_ended = True
        self._stirred.set()

    def _send_away(self, retry: float) -> None:
        if not self.primes or self.has_ended:
            return
        if self.was_read and not self.is_read:
            return  # nobody is there
        self._begin()
        self._retry = retry
        self._stirred.set()

    def _begin(self) -> None:
        begin, self.begin = self.begin, None
        if begin is not None:
            begin()

    async def relay(self, send: Send, *, after: int | None = None) -> bool:
        """Be the response: everything after that number, or after what was read before, up to the end.

        False where that was not the end: the reader has been sent away, or does not read.
        """
        self.is_read = self.was_read = True
        try:
            await start_events(send)
            if self.primes and after is None:
                await self._write(send, b"id: " + self._id(self._read_up_to) + b"\ndata: \n\n")
            async with aclosing(self._read(self._read_up_to if after is None else after)) as events:
                async for said in events:
                    await self._write(send, _STILL_HERE if said is None else self._event(*said))
            retry, self._retry = self._retry, None
            await self._write(send, b"" if retry is None else b"retry: %d\n\n" % round(retry * 1000), more=False)
            return retry is None
        except TimeoutError:  # a reader that stands still is none
            return False
        finally:
            self.is_read = False

    async def relay_to(self, receive: Receive, send: Send, *, after: int | None) -> bool:
        """The same for as long as somebody is there. False where it did not come to the end."""
        self.is_read = True  # from now on, and not only once the task has begun
        relaying = asyncio.ensure_future(self.relay(send, after=after))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({relaying, leaving}, return_when=asyncio.FIRST_COMPLETED)
            return relaying.done() and relaying.result()
        finally:
            relaying.cancel()
            leaving.cancel()
            self.is_read = False

    async def _write(self, send: Send, data: bytes, *, more: bool = True) -> None:
        async with asyncio.timeout(self.patience):
            await write_event(send, data, more=more)

    def _event(self, number: int, message: bytes) -> bytes:
        return event(message, self._id(number) if self.keeps else None)

    def _id(self, number: int) -> bytes:
        return f"{self.name}-{number}".encode()

    async def _read(self, after: int) -> AsyncGenerator[tuple[int, bytes] | None, None]:
        """Everything after that number, as it comes, up to the end; None where nothing has come for a while.

        Ends early when the reader is sent away.
        """
        while True:
            self._stirred.clear()
            while (said := self._next(after)) is not None:
                after = said[0]
                yield said
                self._read_up_to = max(self._read_up_to, after)
            if self._retry is not None or (self.has_ended and after >= self._last):
                return
            if self._stirred.is_set():
                continue
            try:
                async with asyncio.timeout(self.silence):
                    await self._stirred.wait()
            except TimeoutError:
                yield None

    def _next(self, after: int) -> tuple[int, bytes] | None:
        """The first of what is there that comes after that number."""
        with self._lock:
            if not self._events or self._last <= after:
                return None
            if not self.keeps:
                said = self._events.popleft()
                self.size -= len(said[1])
                return said
            first = self._events[0][0]  # and from there on, no number is left out
            return self._events[max(0, after + 1 - first)]


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
