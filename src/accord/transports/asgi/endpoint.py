"""The ASGI callable: takes each request to whoever answers it.

A POST is one message. What it says decides its era (the body does; headers alone are not enough), and the era decides
who knows the client: nobody in the stateless one, a session in the other. A GET reads what a session is told without
having asked, or goes on with an answer that was interrupted; a DELETE ends a session.
"""

import asyncio
import re
from collections.abc import Iterable
from typing import Any, Final, Literal

from accord.app import App
from accord.auth import Auth, Principal
from accord.door.entrance import Entrance, Reply
from accord.door.house import rules_for
from accord.door.rate import RateLimit
from accord.door.visit import Visit, visit_of
from accord.protocol.errors import INVALID_REQUEST, Error, Refused
from accord.protocol.headers import headers_of
from accord.protocol.profile import Profile
from accord.protocol.tasks import Task
from accord.server.profile import profile_of
from accord.server.reception import Reception
from accord.transports.asgi.attendance import Attendance
from accord.transports.asgi.limits import Limits
from accord.transports.asgi.post import Post
from accord.transports.asgi.posting import Listener
from accord.transports.asgi.sessions import SESSION_ID, Session, Sessions
from accord.transports.asgi.wire import Gone, Receive, Send, TooLarge, read_body, refuse, respond

__all__ = ["Endpoint"]

_DEFAULT: Final = Limits()
#: the id of an event: its stream and its number
_LAST_EVENT: Final = re.compile(r"([0-9]{1,15})-([0-9]{1,15})")


class Endpoint:
    """One app, served at one address.

    ``path`` is where it answers; None is everywhere, as where it is mounted. ``auth`` says whose a token is, ``rate``
    how often somebody may come; ``hosts`` and ``origins`` are the names it is reached under and the pages that may
    visit (``door/house`` says how they are written), by default what is safe at ``host``, where it is bound to.
    ``stateless``: clients of the handshake era have no sessions either.

    Raises:
        ValueError: a host or an origin is none.
    """

    def __init__(
        self,
        app: App,
        *,
        path: str | None = None,
        host: str | None = None,
        auth: Auth | None = None,
        hosts: Iterable[str] | None = None,
        origins: Iterable[str] | None = None,
        rate: RateLimit | None = None,
        limits: Limits = _DEFAULT,
        stateless: bool = False,
    ) -> None:
        app._registry.check_key()  # sooner than at the first request
        self.app: App = app
        self._path = path
        rules = rules_for(host, hosts=hosts, origins=origins, body_bytes=limits.body_bytes)
        self.entrance: Entrance = Entrance(rules, auth=auth, rate=rate)
        self.limits: Limits = limits
        self.is_stateless: bool = stateless
        self.sessions: Sessions = Sessions(limits)
        self.listeners: set[Listener] = set()
        self.attendance: Attendance = Attendance()
        self._reception: Reception | None = None
        self._profile: Profile | None = None
        self._underway = 0
        self.is_closing: bool = False

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
        workshop = self.app._registry.workshop
        if workshop is not None:
            await asyncio.get_running_loop().run_in_executor(None, workshop.close)
        await send({"type": "lifespan.shutdown.complete"})

    def close(self) -> None:
        """End what is only listened to, so that nothing is left but calls that run."""
        self.is_closing = True
        for listener in list(self.listeners):
            listener.end()
        self.sessions.end_news()
        watchers = self.app._registry.watchers
        if self in watchers:
            watchers.remove(self)

    def changed(self, kind: Literal["tools", "prompts", "resources"]) -> None:
        """A list is another one now: what is said of the app may be, too."""
        self._profile = None
        self.sessions.changed(kind)
        for listener in list(self.listeners):
            listener.changed(kind)

    def updated(self, uri: str) -> None:
        """A resource has other contents now."""
        self.sessions.updated(uri)
        for listener in list(self.listeners):
            listener.updated(uri)

    def task(self, task: Task, principal: str | None) -> None:
        """A task is not as it was."""
        for listener in list(self.listeners):
            listener.task(task, principal)

    def served(self) -> tuple[Reception, Profile]:
        """Made with the first request: until then the app is still being put together."""
        if self._reception is None:
            self._reception = Reception(self.app._registry)
            self.app._registry.watchers.append(self)
        if self._profile is None:
            self._profile = profile_of(self.app)
        return self._reception, self._profile

    # -- requests ------------------------------------------------------------------------------------------------

    async def _visited(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["path"].endswith("/healthz") and scope["method"] in ("GET", "HEAD"):
            status, word = (503, b"closing") if self.is_closing else (200, b"ok")
            await respond(send, status, b'{"status":"' + word + b'"}')
            return
        visit = visit_of(scope)
        is_here = self._path is None or visit.path.rstrip("/") == self._path.rstrip("/")
        if not is_here and not self.entrance.is_document(visit.path):
            await respond(send, 404)
            return
        if self._underway >= self.limits.requests:
            await respond(send, 503, headers={"retry-after": "1"})
            return
        self._underway += 1
        try:
            met = await self.entrance.meet(visit)
            if isinstance(met, Reply):
                await respond(send, met.status, met.body, met.headers)
            else:
                await self._handle(visit, met.principal, receive, _with(send, met.headers))
        except Refused as refused:
            await refuse(send, 400, refused.error)
        except TooLarge:
            await refuse(send, 413, Error(INVALID_REQUEST, f"A message has at most {self.limits.body_bytes} bytes"))
        except Gone:
            await respond(send, 408)
        finally:
            self._underway -= 1

    async def _handle(self, visit: Visit, principal: Principal | None, receive: Receive, send: Send) -> None:
        headers = headers_of(visit.headers)
        verb, has_sessions = visit.verb, not (self.is_stateless or headers.is_stateless)
        name = visit.headers.get(SESSION_ID) if has_sessions else None
        known = None if name is None else self.sessions.find(name, principal.name if principal else None)
        if name is not None and known is None:
            await refuse(send, 404, Error(INVALID_REQUEST, "There is no such session: initialize again"))
        elif verb == "POST":
            body = await read_body(receive, self.limits.body_bytes, self.limits.body_seconds, self.attendance)
            await Post(self, visit, headers, known, principal, receive, send).answer(body)
        elif verb not in ("GET", "DELETE") or not has_sessions:
            await respond(send, 405, headers={"allow": "GET, POST, DELETE" if has_sessions else "POST"})
        elif known is None:
            await refuse(send, 400, Error(INVALID_REQUEST, "Mcp-Session-Id is missing"))
        elif verb == "DELETE":
            self.sessions.end(known)
            await respond(send, 204)
        else:
            await self._read(known, visit.headers.get("last-event-id"), receive, send)

    async def _read(self, known: Session, last: str | None, receive: Receive, send: Send) -> None:
        """What a client of the handshake era is told, or the rest of an answer."""
        place = _LAST_EVENT.fullmatch(last or "0-0")
        stream = known.find(place[1]) if place else None
        if place is None or stream is None:
            await refuse(send, 404, Error(INVALID_REQUEST, "There is no such event"))
        elif stream.is_read:
            await refuse(send, 409, Error(INVALID_REQUEST, "This stream is being read already"))
        else:
            came_to_the_end = await stream.relay_to(receive, send, after=None if not last else int(place[2]))
            if came_to_the_end and stream is not known.news:
                known.forget(stream)


def _with(send: Send, headers: dict[str, str]) -> Send:
    """The same, with more headers on whatever is answered."""
    if not headers:
        return send
    more = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]

    async def sending(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sending
