"""The server's end of one pipe: bytes in, events out; results in, bytes out. Does no I/O and starts nothing.

The contract:

* ``receive`` (or ``message``, where the transport cuts messages itself) returns what came in, in order. A ``Send``
  among the events is to be written before what follows is looked at; every ``Request`` is to be answered once.
* Whatever is said about a request returns bytes to be written, in the order in which they were returned.
* One thread at a time may ``receive``, and one may speak about a given request; that they do so at the same time is
  what is expected. Whoever writes from several threads holds a lock over the method and the write.
* Nothing is sent for a request that was cancelled or answered: the bytes are empty then. So are they where the client
  does not want to hear it (progress without a token, a log below its level).
* What was asked on behalf of a request, and not answered, is withdrawn with the answer to that request.
* Streams of changes open with ``acknowledge``, under the lock, so that nothing can be told on one before.
* ``NotAllowed`` is a mistake on this side. Any other exception is a bug in this package, whatever the bytes were.
"""

from math import isfinite
from typing import Any, Final

import msgspec

from accord.protocol.asking import Asked, Asking
from accord.protocol.errors import INVALID_REQUEST, Error, NotAllowed, Refused
from accord.protocol.events import (
    JSON,
    Cancelled,
    Event,
    Initialized,
    Level,
    Listen,
    Request,
    RequestId,
    RootsChanged,
    Send,
)
from accord.protocol.formalities import FORMALITIES, Standing
from accord.protocol.headers import Headers
from accord.protocol.jsonrpc import (
    ID_TYPES,
    Lines,
    Message,
    encode,
    error_line,
    notification_line,
    read,
    result_line,
)
from accord.protocol.ladder import Agreed, admit
from accord.protocol.listening import SUBSCRIPTION_ID, Listening, honoured
from accord.protocol.methods import METHODS
from accord.protocol.notices import is_wanted, log_line, progress_line
from accord.protocol.profile import NO_HINTS, Hints, Profile
from accord.protocol.questions import Question
from accord.protocol.rounds import input_body
from accord.protocol.tasks import EXTENSION, Task

__all__ = ["ServerSession"]


class _Underway(msgspec.Struct, gc=False):
    """An open request, and what is forgotten with it."""

    request: Request
    reported: float = float("-inf")
    """The progress that was last told of."""
    has_more: bool = False
    """It is a stream, or the client was asked something on its behalf."""


class ServerSession:
    """One pipe of a server, with clients of either era on it, in any order.

    ``agreed`` is for a transport that keeps the handshake elsewhere (stateless HTTP of the handshake era).
    """

    __slots__ = ("_asking", "_lines", "_open", "_profile", "_standing")

    def __init__(self, profile: Profile, *, agreed: Agreed | None = None) -> None:
        self._profile = profile
        self._lines = Lines(profile.limits.message_bytes)
        self._standing = Standing(profile, agreed)
        # The thread that receives takes a cancelled request out, the one that works on it an answered one:
        # whoever gets it with `pop` has the last word.
        self._open: dict[RequestId, _Underway] = {}
        self._asking = Asking()

    # -- what came in --------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Event]:
        """What these bytes of a newline-delimited stream complete, however they were cut."""
        events: list[Event] = []
        for line in self._lines.feed(data):
            self._read(line, events, None)
        return events

    def end(self) -> list[Event]:
        """The stream has ended: a last message may have lacked its newline."""
        events: list[Event] = []
        for line in self._lines.end():
            self._read(line, events, None)
        return events

    def message(self, body: bytes, headers: Headers | None = None) -> list[Event]:
        """What one whole message says; ``headers`` are those that came with it over HTTP."""
        events: list[Event] = []
        self._read(body, events, headers)
        return events

    def _read(self, line: bytes | None, events: list[Event], headers: Headers | None) -> None:
        # Everything that comes in goes through here.
        known: Any = None
        try:
            if line is None:
                raise Refused(INVALID_REQUEST, f"A message has at most {self._profile.limits.message_bytes} bytes")
            message = read(line)
            if message is None:
                return
            if message.method is None:
                answer = self._asking.answered(message)
                if answer is not None:
                    events.append(answer)
                elif headers is not None and headers.is_stateless:
                    raise Refused(INVALID_REQUEST, "Clients of this version send no responses")
                return
            if message.id is msgspec.UNSET:
                self._notified(message, events)
                return
            if type(message.id) not in ID_TYPES:
                raise Refused(INVALID_REQUEST, "The id of a request is a string or an integer")
            if message.id in self._open:
                # Answered without the id, or it would be taken for the answer to the first.
                raise Refused(INVALID_REQUEST, "A request with this id is still open", {"id": message.id})
            known = message.id
            request = admit(known, message.method, message.params or {}, self._standing.agreed, self._profile, headers)
            formality = FORMALITIES.get(type(request))
            if formality is None:
                if type(request) is Listen:
                    granted = honoured(request.filter, self._profile.capabilities, request.peer)
                    request = msgspec.structs.replace(request, filter=granted)
                self._open[known] = _Underway(request)
                events.append(request)
            else:
                body = encode(formality(self._standing, request))
                events.append(Send(result_line(known, self._profile.heads[request.version.name], body)))
        except Refused as refused:
            if headers is None and line is not None and not line.strip():
                return  # a blank line is no message
            data = error_line(refused.id if known is None else known, refused.error)
            events.append(Send(data, refused.error.code))

    def _notified(self, message: Message, events: list[Event]) -> None:
        agreed, params = self._standing.agreed, message.params or {}
        if message.method == "notifications/cancelled":
            known: Any = params.get("requestId")
            reason = params.get("reason")
            underway = self._open.pop(known, None) if type(known) in ID_TYPES else None
            if underway is not None:
                self._forget(underway)
                events.append(Cancelled(underway.request, reason if isinstance(reason, str) else None))
        elif message.method == "notifications/initialized" and agreed is not None:
            self._standing.listening.by_handshake = True
            events.append(Initialized(agreed.peer))
        elif message.method == "notifications/roots/list_changed" and agreed is not None:
            events.append(RootsChanged())

    # -- what is said about a request ----------------------------------------------------------------------------

    def result(
        self, request: Request, body: bytes | JSON, *, meta: dict[str, JSON] | None = None, hints: Hints = NO_HINTS
    ) -> bytes:
        """The result of a request.

        ``body`` is the result object without what its version adds (``resultType``, cache hints, the server's name):
        a dict, or the same already encoded, compact and without ``_meta``, which then goes to ``meta``. ``hints`` count
        where the version and the method know them.
        """
        underway = self._open.get(request.id)
        if underway is None or underway.request is not request:
            return b""
        if type(body) is not bytes:
            body, meta = _encoded(body, meta)
        if body[:1] != b"{":
            raise TypeError("a result is an object")
        version = request.version
        head = self._profile.heads[version.name] if not meta else self._profile.head(version, meta)
        if version.stateless and type(request) in _CACHEABLE:
            head += encode(hints)[1:-1] + b","
        line = result_line(request.id, head, body)
        if self._open.pop(request.id, None) is not underway:
            return b""  # it was cancelled just now
        return self._forget(underway) + line if underway.has_more else line

    def error(self, request: Request, error: Error) -> bytes:
        """An error instead of a result."""
        return self._last(request, error_line(request.id, error))

    def input_required(self, request: Request, questions: dict[str, Question], state: JSON = None) -> bytes:
        """Ask for input instead of a result; the client repeats the request with the answers. ``state`` comes back.

        Raises:
            NotAllowed: this request cannot be answered so, or nothing is asked and nothing is kept.
            Undeclared: the client did not declare that it can be asked that.
        """
        if not (request.version.stateless and type(request) in _ROUNDS):
            raise NotAllowed(f"{type(request).__name__} at {request.version} is not answered with questions")
        body = input_body(request, questions, state, self._profile.sealing)
        head = self._profile.head(request.version, kind="input_required")
        return self._last(request, result_line(request.id, head, encode(body)))

    def deferred(self, request: Request, task: Task) -> bytes:
        """A task instead of a result: it goes on, and the client asks how it is.

        Raises:
            NotAllowed: this request cannot be answered so, or the client did not declare that it knows tasks.
        """
        if not (type(request) in _DEFERRABLE and request.version.stateless):
            raise NotAllowed(f"{type(request).__name__} at {request.version} is not answered with a task")
        if not request.peer.declares("extensions", EXTENSION):
            raise NotAllowed("only a client that declared the extension is answered with a task")
        head = self._profile.head(request.version, kind="task")
        return self._last(request, result_line(request.id, head, encode(task.brief())))

    def progress(
        self, request: Request, progress: float, total: float | None = None, message: str | None = None
    ) -> bytes:
        """How far the work is. Empty where nobody asked, or where it is not further than it was."""
        underway, token = self._open.get(request.id), request.token
        if token is None or underway is None or underway.request is not request:
            return b""
        if not (isfinite(progress) and progress > underway.reported):
            return b""
        underway.reported = progress
        return progress_line(token, progress, total, message)

    def log(self, request: Request | None, level: Level, data: JSON, logger: str | None = None) -> bytes:
        """A log message; None is for what belongs to no request. Empty where the client wants none of this level."""
        agreed = self._standing.agreed
        if request is not None and not self._is_open(request):
            return b""
        if request is not None and request.version.stateless:
            least = request.peer.log_level
        else:
            least = agreed.peer.log_level if agreed is not None else None
        if not is_wanted(level, least) or self._profile.capabilities.get("logging") is None:
            return b""
        return log_line(level, data, logger)

    def abandon(self, request: Request, reason: str | None = None) -> Cancelled | None:
        """The request is cancelled from outside its pipe (over HTTP, when the client is gone); the event says so.

        None: it was answered or cancelled before.
        """
        underway = self._open.get(request.id)
        if underway is None or underway.request is not request or self._open.pop(request.id, None) is not underway:
            return None
        self._forget(underway)
        return Cancelled(request, reason)

    # -- what is asked of the client, in the handshake era -------------------------------------------------------

    def ask(self, question: Question, about: Request | None = None) -> Asked:
        """Ask the client; the answer is an ``Answer`` event, unless the request it is about ends before.

        Raises:
            NotAllowed: there was no handshake, the request is of the stateless era, or it is over.
            Undeclared: the client did not declare that it can be asked that.
        """
        underway = None if about is None else self._open.get(about.id)
        if underway is not None:
            underway.has_more = True
        asked = self._asking.ask(question, self._standing.agreed, about)
        if about is not None and not self._is_open(about):
            self._asking.forget(about)
            raise NotAllowed("the request it is about is over")
        return asked

    def withdraw(self, id: str, reason: str | None = None) -> bytes:
        """Stop waiting for the answer to a question; a late one is dropped."""
        return self._asking.withdraw(id, reason)

    def elicited(self, id: str) -> bytes:
        """The page of a URL elicitation has done its work, where the version has a word for that."""
        agreed = self._standing.agreed
        if agreed is None or not agreed.version.elicitation_id:
            return b""
        return notification_line("notifications/elicitation/complete", {"elicitationId": id})

    # -- changes -------------------------------------------------------------------------------------------------

    @property
    def listening(self) -> Listening:
        """Who is to be told of changes: ``changed("tools")`` and ``updated(uri)`` are the notifications."""
        return self._standing.listening

    @property
    def agreed(self) -> Agreed | None:
        """What the handshake has settled; None before, and where there is none."""
        return self._standing.agreed

    @property
    def open(self) -> list[Request]:
        """The requests not answered yet, streams included, oldest first."""
        return [underway.request for underway in list(self._open.values())]

    def acknowledge(self, listen: Listen) -> bytes:
        """Open a stream of changes: what ``listening`` tells of from now on comes after these bytes.

        They are the acknowledgement, or an error where there are too many streams.
        """
        underway = self._open.get(listen.id)
        if underway is None or underway.request is not listen:
            return b""
        underway.has_more = True
        try:
            line = self.listening.open(listen)
        except Refused as refused:
            return self.error(listen, refused.error)
        if not self._is_open(listen):
            self.listening.close(listen.id)
            return b""
        return line

    def finish(self, listen: Listen) -> bytes:
        """End a stream from this side."""
        return self.result(listen, b"{}", meta={SUBSCRIPTION_ID: listen.id})

    # -- bookkeeping ---------------------------------------------------------------------------------------------

    def _is_open(self, request: Request) -> bool:
        underway = self._open.get(request.id)
        return underway is not None and underway.request is request

    def _last(self, request: Request, line: bytes) -> bytes:
        """The line, if it may be sent: nothing comes after it."""
        underway = self._open.get(request.id)
        if underway is None or underway.request is not request or self._open.pop(request.id, None) is not underway:
            return b""
        return self._forget(underway) + line

    def _forget(self, underway: _Underway) -> bytes:
        """Forget what belongs to a request that is over; the bytes tell a client that still means to answer it."""
        if not underway.has_more:
            return b""
        self.listening.close(underway.request.id)
        return self._asking.forget(underway.request)


def _encoded(body: JSON, meta: dict[str, JSON] | None) -> tuple[bytes, dict[str, JSON] | None]:
    """A result object as bytes, and its ``_meta`` apart."""
    if isinstance(body, dict) and "_meta" in body:
        meta = {**body["_meta"], **(meta or {})}
        body = {name: value for name, value in body.items() if name != "_meta"}
    return encode(body), meta


_CACHEABLE: Final = {row.request for row in METHODS.values() if row.cacheable}
_DEFERRABLE: Final = {row.request for row in METHODS.values() if row.deferrable}
_ROUNDS: Final = {row.request for row in METHODS.values() if row.rounds}
