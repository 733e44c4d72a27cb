"""The clients of the handshake era, who are known by a session id between one request and the next.

An id is unguessable and opens the session for the one it was given to: to anybody else there is no such session. Only a
handshake makes one; one that is not used for a while is forgotten.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Final

from accord.protocol.session import ServerSession
from accord.server.affairs import Affairs
from accord.transports.asgi.limits import Limits
from accord.transports.asgi.streams import SILENCE, Stream

__all__ = ["SESSION_ID", "Session", "Sessions"]

#: the header that names a session
SESSION_ID: Final = "mcp-session-id"

#: streams of a session that may be read again, and bytes of them; the one that ended last may be larger
_MOST_STREAMS = 16
_MOST_BYTES = 1024 * 1024


class Session:
    """One client."""

    def __init__(self, id: str, session: ServerSession, principal: str | None, silence: float = SILENCE) -> None:
        self.id = id
        self.session = session
        self.principal = principal
        self.affairs: Affairs = Affairs()
        #: what belongs to no request
        self.news: Stream = Stream("0", keeps=True, primes=self._is_polled, silence=silence)
        self.used: float = 0.0
        self._numbers = count(1)
        self._streams: OrderedDict[str, Stream] = OrderedDict()

    def open(self) -> Stream:
        """A stream for the answer to one request."""
        name = str(next(self._numbers))
        stream = Stream(name, keeps=True, primes=self._is_polled, silence=self.news.silence)
        self._streams[name] = stream
        return stream

    def keep(self, stream: Stream) -> None:
        """What this one has said may be asked for again, if it was a stream; what was kept of older ones makes room."""
        if not stream.was_read:
            self.forget(stream)
        ended = [each for each in self._streams.values() if each.has_ended and not each.is_read]
        size = sum(each.size for each in ended)
        for each in ended[:-1]:
            if len(self._streams) <= _MOST_STREAMS and size <= _MOST_BYTES:
                break
            size -= each.size
            self.forget(each)

    def find(self, name: str) -> Stream | None:
        """A stream that may be read again."""
        return self.news if name == self.news.name else self._streams.get(name)

    def forget(self, stream: Stream) -> None:
        """Nobody will ask for this one."""
        self._streams.pop(stream.name, None)

    @property
    def _is_polled(self) -> bool:
        agreed = self.session.agreed
        return agreed is not None and agreed.version.polling

    @property
    def is_busy(self) -> bool:
        """Whether a call runs, or somebody reads."""
        return bool(self.affairs.running) or self.news.is_read

    def end(self) -> None:
        """Withdraw what runs and end what is read."""
        self.affairs.cancel_all()
        self.news.end()

    # -- as a watcher of what the app offers ---------------------------------------------------------------------

    def changed(self, kind: str) -> None:
        """A list is another one now."""
        self._tell(self.session.listening.changed(kind))  # type: ignore[arg-type]  # it is one of the three kinds

    def updated(self, uri: str) -> None:
        """A resource has other contents now."""
        self._tell(self.session.listening.updated(uri))

    def _tell(self, messages: bytes) -> None:
        for line in messages.splitlines(keepends=True):
            self.news.put(line)


class Sessions:
    """All of them, the one that was used last at the end."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sessions)

    def take_in(self, session: ServerSession, principal: str | None) -> Session | None:
        """A session for a client that has shaken hands; None where there are too many.

        Who was away for longest makes room: it shakes hands again when it comes back.
        """
        self.sweep()
        if len(self._sessions) >= self._limits.sessions:
            idle = next((each for each in self._sessions.values() if not each.is_busy), None)
            if idle is None:
                return None
            self.end(idle)
        made = Session(secrets.token_urlsafe(32), session, principal, self._limits.silence)
        made.used = self._clock()
        self._sessions[made.id] = made
        return made

    def find(self, id: str, principal: str | None) -> Session | None:
        """The session of that id, if it is this one's."""
        found = self._sessions.get(id)
        if found is None or found.principal != principal:
            return None
        found.used = self._clock()
        self._sessions.move_to_end(id)
        return found

    def end(self, session: Session) -> None:
        """Forget a session; what it runs is withdrawn."""
        self._sessions.pop(session.id, None)
        session.end()

    def sweep(self) -> None:
        """Forget those that were not used for too long."""
        oldest = self._clock() - self._limits.session_idle
        for session in list(self._sessions.values()):
            if session.used > oldest:
                break
            if not session.is_busy:
                self.end(session)

    def end_news(self) -> None:
        """Nobody will be told anything any more without having asked."""
        for session in list(self._sessions.values()):
            session.news.end()

    def changed(self, kind: str) -> None:
        """Tell all of them that a list is another one now."""
        for session in list(self._sessions.values()):
            session.changed(kind)

    def updated(self, uri: str) -> None:
        """Tell those who watch a resource that it has other contents now."""
        for session in list(self._sessions.values()):
            session.updated(uri)
