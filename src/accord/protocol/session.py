"""The server's end of one pipe: bytes in, events out; results in, bytes out. Does no I/O and starts nothing.

The contract:

* ``receive`` (or ``message``, where the transport cuts messages itself) returns what came in, in order. A ``Send``
  among the events is to be written before what follows is looked at; every ``Request`` is to be answered once.
* Whatever is said about a request returns bytes to be written, in the order in which they were returned.
* One thread at a time may ``receive``, and one may speak about a given request; that they do so at the same time is
  what is expected. Whoever writes from several threads holds a lock over the method and the write.
* Nothing is sent for a request that was cancelled or answered: the bytes are empty then. So are they where the client
  does not want to hear it (progress without a token, a log below its level).
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
from accord.protocol.framing import Lines
from accord.protocol.headers import Headers
from accord.protocol.jsonrpc import (
    ID_TYPES,
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
from accord.protocol.profile import NO_HINTS, Hints, Profile
from accord.protocol.questions import Question
from accord.protocol.rounds import asked, binding, demand

__all__ = ["ServerSession"]

_LEVELS: Final = {
    name: rank
    for rank, name in enumerate(("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"))
}


class ServerSession:
    """One pipe of a server, with clients of either era on it, in any order.

    ``agreed`` is for a transport that keeps the handshake elsewhere (stateless HTTP of the handshake era).
    """

    __slots__ = ("_asking", "_attached", "_lines", "_open", "_profile", "_reported", "_standing")

    def __init__(self, profile: Profile, *, agreed: Agreed | None = None) -> None:
        self._profile = profile
        self._lines = Lines(profile.limits.message_bytes)
        self._standing = Standing(profile, agreed)
        self._open: dict[RequestId, Request] = {}
        #: open requests with more to be forgotten than themselves
        self._attached: set[RequestId] = set()
        self._reported: dict[RequestId, float] = {}
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
                    request = self._listen(request, events)
                self._open[known] = request
                events.append(request)
            else:
                body = encode(formality(self._standing, request))
                events.append(Send(result_line(known, self._profile.heads[request.version.name], body)))
        except Refused as refused:
            if headers is None and line is not None and not line.strip():
                return  # a blank line is no message
            data = error_line(refused.id if known is None else known, refused.error)
            events.append(Send(data, refused.error.code))

    def _listen(self, request: Listen, events: list[Event]) -> Listen:
        granted = honoured(request.filter, self._profile.capabilities)
        request = msgspec.structs.replace(request, filter=granted)
        events.append(Send(self._standing.listening.open(request)))
        self._attached.add(request.id)
        return request

    def _notified(self, message: Message, events: list[Event]) -> None:
        agreed, params = self._standing.agreed, message.params or {}
        if message.method == "notifications/cancelled":
            request = self._open.get(params["requestId"]) if type(params.get("requestId")) in ID_TYPES else None
            if request is not None:
                reason = params.get("reason")
                events.append(self.abandon(request, reason if isinstance(reason, str) else None))
        elif message.method == "notifications/initialized" and agreed is not None:
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
        if self._open.get(request.id) is not request:
            return b""
        if type(body) is not bytes:
            body, meta = _encoded(body, meta)
        if body[0] != _BRACE:
            raise TypeError("a result is an object")
        version = request.version
        head = self._profile.heads[version.name] if not meta else self._profile.head(version, meta)
        if version.stateless and type(request) in _CACHEABLE:
            head += encode(hints)[1:-1] + b","
        if self._open.pop(request.id, None) is None:
            return b""  # cancelled by another thread, just now
        if request.id in self._attached:
            self._detach(request)
        return result_line(request.id, head, body)

    def error(self, request: Request, error: Error) -> bytes:
        """An error instead of a result."""
        if self._open.get(request.id) is not request:
            return b""
        line = error_line(request.id, error)
        self._forget(request)
        return line

    def input_required(self, request: Request, questions: dict[str, Question], state: JSON = None) -> bytes:
        """Ask for input instead of a result; the client repeats the request with the answers. ``state`` comes back.

        Raises:
            NotAllowed: this request cannot be answered so, or nothing is asked and nothing is kept.
            Undeclared: the client did not declare that it can be asked that.
        """
        if not (request.version.stateless and type(request) in _ROUNDS):
            raise NotAllowed(f"{type(request).__name__} at {request.version} is not answered with questions")
        if not questions and state is None:
            raise NotAllowed("there is neither a question nor a state to come back with")
        for question in questions.values():
            demand(question, request.peer)
        if self._open.get(request.id) is not request:
            return b""
        body: dict[str, JSON] = {}
        if questions:
            body["inputRequests"] = {key: asked(question, request.version) for key, question in questions.items()}
        if state is not None:
            if self._profile.sealing is None:
                raise NotAllowed("a state travels sealed, and the profile has no sealing")
            body["requestState"] = self._profile.sealing.seal(state, binding(request))
        line = result_line(request.id, self._profile.head(request.version, kind="input_required"), encode(body))
        self._forget(request)
        return line

    def progress(
        self, request: Request, progress: float, total: float | None = None, message: str | None = None
    ) -> bytes:
        """How far the work is. Empty where nobody asked, or where it is not further than it was."""
        token = request.token
        if token is None or self._open.get(request.id) is not request or not isfinite(progress):
            return b""
        if progress <= self._reported.get(request.id, float("-inf")):
            return b""
        self._attached.add(request.id)
        self._reported[request.id] = progress
        params: dict[str, JSON] = {"progressToken": token, "progress": progress}
        if total is not None and isfinite(total):
            params["total"] = total
        if message is not None:
            params["message"] = message
        return notification_line("notifications/progress", params)

    def log(self, request: Request | None, level: Level, data: JSON, logger: str | None = None) -> bytes:
        """A log message; None is for what belongs to no request. Empty where the client wants none of this level."""
        agreed = self._standing.agreed
        if request is not None and self._open.get(request.id) is not request:
            return b""
        if request is not None and request.version.stateless:
            wanted = request.peer.log_level
        else:
            wanted = agreed.peer.log_level if agreed is not None else None
        if wanted is None or _LEVELS[level] < _LEVELS[wanted] or self._profile.capabilities.get("logging") is None:
            return b""
        params = {"level": level, "data": data} if logger is None else {"level": level, "logger": logger, "data": data}
        return notification_line("notifications/message", params)

    def abandon(self, request: Request, reason: str | None = None) -> Cancelled:
        """The request is cancelled from outside its pipe (over HTTP, when the client is gone); the event says so."""
        self._forget(request)
        return Cancelled(request, reason)

    # -- what is asked of the client, in the handshake era -------------------------------------------------------

    def ask(self, question: Question, about: Request | None = None) -> Asked:
        """Ask the client; the answer is an ``Answer`` event, unless the request it is about ends before.

        Raises:
            NotAllowed: there was no handshake, the request is of the stateless era, or it is over.
            Undeclared: the client did not declare that it can be asked that.
        """
        if about is not None:
            if self._open.get(about.id) is not about:
                raise NotAllowed("the request it is about is over")
            self._attached.add(about.id)
        return self._asking.ask(question, self._standing.agreed, about)

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
    def open(self) -> list[Request]:
        """The requests not answered yet, streams included, oldest first."""
        return list(self._open.values())

    def finish(self, listen: Listen) -> bytes:
        """End a stream from this side."""
        return self.result(listen, b"{}", meta={SUBSCRIPTION_ID: listen.id})

    def _forget(self, request: Request) -> None:
        if self._open.get(request.id) is request:
            self._open.pop(request.id, None)
            self._detach(request)

    def _detach(self, request: Request) -> None:
        self._attached.discard(request.id)
        self._reported.pop(request.id, None)
        self._asking.forget(request)
        if type(request) is Listen:
            self._standing.listening.close(request.id)


def _encoded(body: JSON, meta: dict[str, JSON] | None) -> tuple[bytes, dict[str, JSON] | None]:
    """A result object as bytes, and its ``_meta`` apart."""
    if isinstance(body, dict) and "_meta" in body:
        meta = {**body["_meta"], **(meta or {})}
        body = {name: value for name, value in body.items() if name != "_meta"}
    return encode(body), meta


_BRACE: Final = ord("{")
_CACHEABLE: Final = {row.request for row in METHODS.values() if row.cacheable}
_ROUNDS: Final = {row.request for row in METHODS.values() if row.rounds}
