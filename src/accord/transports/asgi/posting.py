"""The response to a POST: JSON, or a stream of events.

JSON where nothing was said before the answer; else a stream, which begins with what was said first, or when nothing has
come for a while, so that nobody takes the silence for the end. In the stateless era a client that goes away has
withdrawn its request; in the handshake era it may come back for the rest.
"""

import asyncio
from _thread import LockType, allocate_lock
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from accord.protocol.events import Listen, Request
from accord.protocol.session import ServerSession
from accord.protocol.tasks import Task
from accord.server.affairs import Affairs
from accord.server.reception import Answered, Reception
from accord.transports.asgi.attendance import Attendance
from accord.transports.asgi.streams import Stream
from accord.transports.asgi.wire import Receive, Send, respond

__all__ = ["Listener", "Response"]


class Response:
    """Not yet begun, JSON, or a stream; decided by what comes first."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        session: ServerSession,
        affairs: Affairs,
        stream: Stream,
    ) -> None:
        self.session = session
        self.stream = stream
        self._receive = receive
        self._send = send
        self._affairs = affairs
        self._relaying: asyncio.Task[bool] | None = None
        self._watching: asyncio.Task[None] | None = None
        #: held by whoever makes a message of a stream of changes, until it is said
        self.telling: LockType = allocate_lock()
        self._request: Request | None = None
        stream.begin = self._begin

    async def answer(
        self, request: Request, reception: Reception, principal: str | None, attendance: Attendance
    ) -> None:
        """Answer a request; it is looked after while that takes."""
        self._request = request
        attendance.begin(self)
        try:
            answered = await reception.answer(
                self.session,
                request,
                self.stream.put,
                self._affairs,
                principal,
                send_away=self.stream.send_away if self.stream.primes else None,
            )
        except BaseException:
            if self._relaying is not None:
                self._relaying.cancel()
            raise
        finally:
            attendance.end(self)
            if self._watching is not None:
                self._watching.cancel()
        if self._relaying is None:
            await self._whole(answered)
        else:
            for message in answered.data.splitlines(keepends=True):  # questions that end with it are withdrawn
                self.stream.put(message)
            self.stream.end()
            with suppress(asyncio.CancelledError):
                await self._relaying

    async def _whole(self, answered: Answered) -> None:
        self.stream.begin = None
        self.stream.end()
        # What was withdrawn has no answer, and HTTP wants a response.
        status = answered.status if answered.data else 202
        await respond(self._send, status, answered.data.rstrip(b"\n"))

    async def listen(self, listen: Listen) -> None:
        """Answer with a stream of changes, until the client goes away or it is ended from this side."""
        with self.telling:  # what is told of comes after it, whoever tells
            self.stream.put(self.session.acknowledge(listen))
        if listen not in self.session.open:  # it was refused: nothing comes after that
            self.stream.end()
        assert self._relaying is not None, "the acknowledgement has begun it"
        gone = asyncio.ensure_future(self._gone())
        await asyncio.wait({gone, self._relaying}, return_when=asyncio.FIRST_COMPLETED)
        self.session.abandon(listen)
        for task in (gone, self._relaying):
            task.cancel()

    def _begin(self) -> None:
        """It is a stream from here on."""
        if self._relaying is None:
            self._relaying = asyncio.ensure_future(self.stream.relay(self._send))

    # -- the client ----------------------------------------------------------------------------------------------

    def take_long(self, seconds: float) -> None:
        """The answer has not come for so long: the client may be gone, or take the silence for the end."""
        if self._watching is None and self._request is not None:
            self._watching = asyncio.ensure_future(self._withdraw(self._request))
        if seconds >= self.stream.silence:
            self._begin()

    async def _withdraw(self, request: Request) -> None:
        """Wait for the client to go away; it has withdrawn its request then, if it cannot come back for the answer."""
        await self._gone()
        if self._relaying is not None:
            self._relaying.cancel()
        if request.version.stateless:
            withdrawn = self.session.abandon(request)
            if withdrawn is not None:
                self._affairs.hear(withdrawn)

    async def _gone(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass


class Listener:
    """Somebody who hears of changes, on a stream of the stateless era."""

    def __init__(self, response: Response, listen: Listen, principal: str | None) -> None:
        self._response = response
        self._listen = listen
        self._principal = principal

    def changed(self, kind: Literal["tools", "prompts", "resources"]) -> None:
        """A list is another one now."""
        self._tell(lambda: self._response.session.listening.changed(kind))

    def updated(self, uri: str) -> None:
        """A resource has other contents now."""
        self._tell(lambda: self._response.session.listening.updated(uri))

    def task(self, task: Task, principal: str | None) -> None:
        """A task is not as it was; who asks for somebody else's is told nothing."""
        if principal == self._principal:
            self._tell(lambda: self._response.session.listening.task(task))

    def end(self) -> None:
        """Nothing more will come."""
        self._tell(lambda: self._response.session.finish(self._listen))
        self._response.stream.end()

    def _tell(self, make: Callable[[], bytes]) -> None:
        with self._response.telling:
            self._response.stream.put(make())
