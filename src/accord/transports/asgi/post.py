"""One POST: who sends it, what it says, and who knows the client it comes from."""

from typing import TYPE_CHECKING, Final

from accord.auth import Principal
from accord.door.entrance import Reply
from accord.door.visit import Visit
from accord.protocol.errors import (
    HEADER_MISMATCH,
    HTTP_STATUS,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    VERSION_NOT_SUPPORTED,
    Error,
    Refused,
)
from accord.protocol.events import Answer, CallTool, Cancelled, Listen, Peer, Request
from accord.protocol.events import Send as Said
from accord.protocol.headers import Headers, agree_on_arguments
from accord.protocol.ladder import Agreed
from accord.protocol.session import ServerSession
from accord.protocol.versions import HANDSHAKE
from accord.server.affairs import Affairs
from accord.server.profile import for_principal
from accord.transports.asgi.posting import Listener, Response
from accord.transports.asgi.sessions import SESSION_ID, Session
from accord.transports.asgi.streams import Stream
from accord.transports.asgi.wire import Receive, Send, respond

if TYPE_CHECKING:
    from accord.transports.asgi.endpoint import Endpoint

__all__ = ["Post"]

#: errors of the handshake era travel with 200, save those of what is no message, or of the other era
_ALWAYS: Final = (INVALID_REQUEST, PARSE_ERROR, HEADER_MISMATCH, VERSION_NOT_SUPPORTED)
#: what is assumed of a client of the handshake era that names no version and has no session
_OLDEST: Final = next(iter(HANDSHAKE.values()))


class Post:
    """One POST to an endpoint; ``known`` is the session it belongs to."""

    def __init__(
        self,
        endpoint: "Endpoint",
        visit: Visit,
        headers: Headers,
        known: Session | None,
        principal: Principal | None,
        receive: Receive,
        send: Send,
    ) -> None:
        self._endpoint = endpoint
        self._visit = visit
        self._headers = headers
        self._known = known
        self._principal = principal
        self._receive = receive
        self._send = send
        #: a client of the handshake era without a session, which only a handshake can get it
        self._is_strange = known is None and not (endpoint.is_stateless and not headers.is_stateless)
        self._session = known.session if known is not None else self._alone()
        self._affairs = known.affairs if known is not None else Affairs()

    @property
    def _name(self) -> str | None:
        return None if self._principal is None else self._principal.name

    def _alone(self) -> ServerSession:
        """A session for this message and no other."""
        _, profile = self._endpoint.served()
        profile = for_principal(profile, self._endpoint.app, self._name)
        return ServerSession(profile, agreed=None if self._is_strange else _assumed(self._headers))

    async def answer(self, body: bytes) -> None:
        """Do what the message asks for, and respond."""
        for event in self._session.message(body, self._headers):
            if isinstance(event, Said):
                await self._say(event)
                return
            if isinstance(event, Request):
                await self._serve(event)
                return
            if isinstance(event, Cancelled | Answer):
                self._affairs.hear(event)
        await respond(self._send, 202)

    async def _say(self, said: Said) -> None:
        """What the session answers by itself. A handshake begins a session."""
        given: dict[str, str] = {}
        if self._is_strange and self._session.agreed is not None:
            known = self._endpoint.sessions.take_in(self._session, self._name)
            if known is None:
                await respond(self._send, 503, headers={"retry-after": "60"})
                return
            given[SESSION_ID] = known.id
        status = 200
        if said.code is not None and (self._is_strange or said.code in _ALWAYS):
            status = HTTP_STATUS.get(said.code, 200)
        await respond(self._send, status, said.data.rstrip(b"\n"), given)

    async def _serve(self, request: Request) -> None:
        refused = self._refused(request)
        if refused is not None:
            self._session.abandon(request)
            await respond(self._send, refused.status, refused.body, refused.headers)
            return
        known, silence = self._known, self._endpoint.limits.silence
        is_kept = known is not None and not request.version.stateless
        stream = known.open() if known is not None and is_kept else Stream("-", silence=silence)
        response = Response(self._receive, self._send, self._session, self._affairs, stream)
        try:
            if isinstance(request, Listen):
                await self._listen(response, request)
            else:
                reception, _ = self._endpoint.served()
                await response.answer(request, reception, self._name, self._endpoint.attendance)
        finally:
            if known is not None and is_kept:
                known.keep(stream)

    def _refused(self, request: Request) -> Reply | None:
        """The answer to a call that its headers, or the scopes of who sends it, do not allow."""
        if not isinstance(request, CallTool):
            return None
        tool = self._endpoint.app.find(request.name)
        if tool is None:
            return None
        if request.version.stateless and tool.mirrored:
            try:
                agree_on_arguments(self._headers, tool.mirrored, request.arguments)
            except Refused as refused:
                return Reply(400, {}, self._session.error(request, refused.error).rstrip(b"\n"))
        if not tool.options.scopes:
            return None
        return self._endpoint.entrance.lacks(self._visit, self._principal, tool.options.scopes)

    async def _listen(self, response: Response, listen: Listen) -> None:
        endpoint = self._endpoint
        if len(endpoint.listeners) >= endpoint.limits.listeners or endpoint.is_closing:
            error = self._session.error(listen, Error(INTERNAL_ERROR, "Too many streams are open"))
            await respond(self._send, 503, error.rstrip(b"\n"), {"retry-after": "60"})
            return
        listener = Listener(response, listen, self._name)
        endpoint.listeners.add(listener)
        try:
            await response.listen(listen)
        finally:
            endpoint.listeners.discard(listener)


def _assumed(headers: Headers) -> Agreed:
    """What stands for a handshake where there are no sessions."""
    version = HANDSHAKE.get(headers.version or "", _OLDEST)
    return Agreed(version, Peer(version.name, {}))
