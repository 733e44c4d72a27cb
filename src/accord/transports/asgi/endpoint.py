"""The ASGI callable: takes each request to whoever answers it.

A POST is one message. What it says decides its era (the body does; headers alone are not enough), and the era decides
who knows the client: nobody in the stateless one, a session in the other. A GET reads what a session is told without
having asked, or goes on with an answer that was interrupted; a DELETE ends a session.
"""

import asyncio
from typing import Any, Final, Literal

from accord.app import App
from accord.protocol.errors import HTTP_STATUS, INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, Error, Refused
from accord.protocol.events import Answer, Cancelled, Listen, Peer, Request
from accord.protocol.events import Send as Said
from accord.protocol.headers import Headers, headers_of
from accord.protocol.jsonrpc import error_line
from accord.protocol.ladder import Agreed
from accord.protocol.profile import Profile
from accord.protocol.session import ServerSession
from accord.protocol.tasks import Task
from accord.protocol.versions import HANDSHAKE
from accord.server.affairs import Affairs
from accord.server.profile import for_principal, profile_of
from accord.server.reception import Reception
from accord.transports.asgi.limits import Limits
from accord.transports.asgi.posting import Listener, Response
from accord.transports.asgi.sessions import Session, Sessions
from accord.transports.asgi.streams import Stream
from accord.transports.asgi.wire import Gone, Receive, Send, TooLarge, read_body, respond

__all__ = ["Endpoint"]

_SESSION_ID: Final = "mcp-session-id"
_DEFAULT: Final = Limits()
#: what is assumed of a client of the handshake era that names no version and has no session
_OLDEST: Final = next(iter(HANDSHAKE.values()))


class Endpoint:
    """One app, served at one address.

    ``path`` is where it answers; None is everywhere, as where it is mounted. ``stateless``: clients of the handshake
    era have no sessions either. ``host`` is where it is bound to, for the checks of who may come.
    """

    def __init__(
        self,
        app: App,
        *,
        path: str | None = None,
        host: str = "127.0.0.1",
        limits: Limits = _DEFAULT,
        stateless: bool = False,
    ) -> None:
        app._registry.check_key()  # sooner than at the first request
        self._app = app
        self._path = path
        self._host = host
        self._limits = limits
        self._is_stateless = stateless
        self._sessions = Sessions(limits.sessions, limits.session_idle)
        self._listeners: set[Listener] = set()
        self._reception: Reception | None = None
        self._profile: Profile | None = None
        self._underway = 0
        self._is_closing = False

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._visited(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    # -- its life ------------------------------------------------------------------------------------------------

    async def _live(self, receive: Receive, send: Send) -> None:
        while (await receive())["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        self.close()
        workshop = self._app._registry.workshop
        if workshop is not None:
            await asyncio.get_running_loop().run_in_executor(None, workshop.close)
        await send({"type": "lifespan.shutdown.complete"})

    def close(self) -> None:
        """End what is only listened to, so that nothing is left but calls that run."""
        self._is_closing = True
        for listener in list(self._listeners):
            listener.end()
        self._sessions.end_news()

    def changed(self, kind: Literal["tools", "prompts", "resources"]) -> None:
        """A list is another one now: what is said of the app may be, too."""
        self._profile = None
        self._sessions.changed(kind)
        for listener in list(self._listeners):
            listener.changed(kind)

    def updated(self, uri: str) -> None:
        """A resource has other contents now."""
        self._sessions.updated(uri)
        for listener in list(self._listeners):
            listener.updated(uri)

    def task(self, task: Task, principal: str | None) -> None:
        """A task is not as it was."""
        for listener in list(self._listeners):
            listener.task(task, principal)

    def _served(self) -> tuple[Reception, Profile]:
        """Made with the first request: until then the app is still being put together."""
        if self._reception is None:
            self._reception = Reception(self._app._registry)
            self._app._registry.watchers.append(self)
        if self._profile is None:
            self._profile = profile_of(self._app)
        return self._reception, self._profile

    # -- requests ------------------------------------------------------------------------------------------------

    async def _visited(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["path"].endswith("/healthz") and scope["method"] in ("GET", "HEAD"):
            status, word = (503, b"closing") if self._is_closing else (200, b"ok")
            await respond(send, status, b'{"status":"' + word + b'"}')
            return
        if self._path is not None and scope["path"].rstrip("/") != self._path.rstrip("/"):
            await respond(send, 404)
            return
        if self._underway >= self._limits.requests:
            await respond(send, 503, headers={"retry-after": "1"})
            return
        self._underway += 1
        try:
            await self._handle(scope, receive, send)
        except Refused as refused:
            await _refuse(send, 400, refused.error)
        except TooLarge:
            await _refuse(send, 413, Error(INVALID_REQUEST, f"A message has at most {self._limits.body_bytes} bytes"))
        except Gone:
            await respond(send, 408)
        finally:
            self._underway -= 1

    async def _handle(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        headers, principal = headers_of(scope["headers"]), None
        verb, has_sessions = scope["method"], not (self._is_stateless or headers.is_stateless)
        name = _header(scope, _SESSION_ID) if has_sessions else None
        known = None if name is None else self._sessions.find(name, principal)
        if name is not None and known is None:
            await _refuse(send, 404, Error(INVALID_REQUEST, "There is no such session: initialize again"))
        elif verb == "POST":
            body = await read_body(receive, self._limits.body_bytes, self._limits.body_seconds)
            await self._post(body, headers, known, principal, receive, send)
        elif verb not in ("GET", "DELETE") or not has_sessions:
            await respond(send, 405, headers={"allow": "GET, POST, DELETE" if has_sessions else "POST"})
        elif known is None:
            await _refuse(send, 400, Error(INVALID_REQUEST, "Mcp-Session-Id is missing"))
        elif verb == "DELETE":
            self._sessions.end(known)
            await respond(send, 204)
        else:
            await self._read(known, _header(scope, "last-event-id"), receive, send)

    async def _post(
        self, body: bytes, headers: Headers, known: Session | None, principal: str | None, receive: Receive, send: Send
    ) -> None:
        reception, profile = self._served()
        agreed = _assumed(headers) if self._is_stateless and not headers.is_stateless else None
        profile = for_principal(profile, self._app, principal)
        session = known.session if known is not None else ServerSession(profile, agreed=agreed)
        affairs = known.affairs if known is not None else Affairs()
        for event in session.message(body, headers):
            if isinstance(event, Said):
                await self._say(event, session, known, principal, send, is_new=known is None and agreed is None)
                return
            if isinstance(event, Request):
                stream = known.open() if known is not None and not event.version.stateless else Stream("-")
                response = Response(receive, send, session, affairs, stream, {})
                if isinstance(event, Listen):
                    await self._listen(response, event, principal)
                else:
                    await response.answer(event, reception, principal)
                if known is not None and not stream.was_read:
                    known.forget(stream)
                return
            if isinstance(event, Cancelled | Answer):
                affairs.hear(event)
        await respond(send, 202)

    async def _say(
        self,
        said: Said,
        session: ServerSession,
        known: Session | None,
        principal: str | None,
        send: Send,
        *,
        is_new: bool,
    ) -> None:
        """What the session answers by itself. A handshake begins a session."""
        given: dict[str, str] = {}
        if is_new and session.agreed is not None:
            known = self._sessions.take_in(session, principal)
            if known is None:
                await respond(send, 503, headers={"retry-after": "60"})
                return
            given[_SESSION_ID] = known.id
        status = 200
        if said.code is not None and (is_new or said.code in (INVALID_REQUEST, PARSE_ERROR)):
            status = HTTP_STATUS.get(said.code, 200)
        await respond(send, status, said.data.rstrip(b"\n"), given)

    async def _listen(self, response: Response, listen: Listen, principal: str | None) -> None:
        if len(self._listeners) >= self._limits.listeners or self._is_closing:
            response.stream.put(response.session.error(listen, Error(INTERNAL_ERROR, "Too many streams are open")))
            response.stream.end()
        listener = Listener(response, listen, principal)
        self._listeners.add(listener)
        try:
            await response.listen(listen)
        finally:
            self._listeners.discard(listener)

    async def _read(self, known: Session, last: str | None, receive: Receive, send: Send) -> None:
        """What a client of the handshake era is told, or the rest of an answer."""
        name, _, number = ("0", "", None) if last is None else last.rpartition("-")
        stream = known.find(name)
        if stream is None or (number is not None and not number.isdecimal()):
            await _refuse(send, 404, Error(INVALID_REQUEST, "There is no such event"))
        elif stream.is_read:
            await _refuse(send, 409, Error(INVALID_REQUEST, "This stream is being read already"))
        else:
            await stream.relay_to(receive, send, after=None if number is None else int(number))
            if stream.has_ended and stream is not known.news:
                known.forget(stream)


def _assumed(headers: Headers) -> Agreed:
    """What stands for a handshake where there are no sessions."""
    version = HANDSHAKE.get(headers.version or "", _OLDEST)
    return Agreed(version, Peer(version.name, {}))


def _header(scope: dict[str, Any], name: str) -> str | None:
    wanted = name.encode()
    return next((value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == wanted), None)


async def _refuse(send: Send, status: int, error: Error) -> None:
    await respond(send, status, error_line(None, error).rstrip(b"\n"))
