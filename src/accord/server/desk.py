"""Where requests are answered: an event in, the reply written. One for each pipe; any thread may work here.

Knows the app's registry, the session of its pipe and a way to write, and neither threads nor descriptors.
"""

import threading
from collections.abc import Callable

from accord._caller import Cancellation
from accord._registry import Registry
from accord.protocol.errors import INTERNAL_ERROR, Error, Refused
from accord.protocol.events import (
    Answer,
    Cancelled,
    Event,
    Listen,
    ListPrompts,
    ListResources,
    ListTemplates,
    ListTools,
    Request,
    RequestId,
    Send,
)
from accord.protocol.session import ServerSession
from accord.server.client import Waiting
from accord.server.handshake import HandshakeClient
from accord.server.listing import Listed, Listing
from accord.server.rounds import StatelessClient
from accord.server.work import WORK, outcome_of, written

__all__ = ["Desk"]


class Desk:
    """Answers what comes in on one pipe."""

    def __init__(self, registry: Registry, session: ServerSession, send: Callable[[bytes], None]) -> None:
        self._registry = registry
        self._session = session
        self._send = send
        self._writing = threading.Lock()
        self._listing = Listing(registry)
        self._running: dict[RequestId, Cancellation] = {}
        self._waiting: Waiting = {}

    def accept(self, event: Event) -> Request | None:
        """Do at once what takes no time; what runs code is handed back, to be ``answer``ed by whoever has the time."""
        if isinstance(event, Request) and type(event) in WORK:
            self._running[event.id] = Cancellation()
            return event
        if isinstance(event, Send):
            self.write(lambda: event.data)
        elif isinstance(event, ListTools | ListResources | ListTemplates | ListPrompts):
            self._list(event)
        elif isinstance(event, Listen):
            self.write(lambda: self._session.acknowledge(event))
        elif isinstance(event, Cancelled):
            cancellation = self._running.get(event.request.id)
            if cancellation is not None:
                cancellation.cancel()
        elif isinstance(event, Answer):
            take = self._waiting.pop(event.id, None)
            if take is not None:
                take(event)
        return None

    def answer(self, request: Request) -> None:
        """Do what is asked and write what came of it."""
        cancellation = self._running[request.id]
        kind = StatelessClient if request.version.stateless else HandshakeClient
        client = kind(self._session, request, self.write, self._waiting, cancellation)
        try:
            outcome = outcome_of(self._registry, request, client, cancellation)
            self.write(lambda: written(self._session, self._registry, request, outcome))
        finally:
            self._running.pop(request.id, None)

    def cancel_all(self) -> None:
        """Withdraw every call that runs: nobody will read the answers."""
        for cancellation in list(self._running.values()):
            cancellation.cancel()

    @property
    def is_idle(self) -> bool:
        """Whether every call was answered."""
        return not self._running

    def write(self, make: Callable[[], bytes]) -> None:
        """Make some bytes and send them, with nothing from another thread in between."""
        with self._writing:
            data = make()
            if data:
                self._send(data)

    def _list(self, request: Listed) -> None:
        try:
            body = self._listing.page(request)
        except Refused as refused:
            error = refused.error
            self.write(lambda: self._session.error(request, error))
        else:
            self.write(lambda: self._session.result(request, body))

    def fail(self, request: Request) -> None:
        """Say that a call failed in a way that is this package's own fault."""
        error = Error(INTERNAL_ERROR, "The server failed")
        self.write(lambda: self._session.error(request, error))
