"""Where requests are answered: an event in, the reply written. One for each pipe; any thread may work here.

Knows the app's registry, the session of its pipe and a way to write, and neither threads nor descriptors.
"""

import logging
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from accord._caller import Cancellation
from accord._calls import Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch.bind import prepare
from accord.dispatch.invoke import invoke
from accord.dispatch.normalize import finish, wire_result
from accord.gate.validator import expect_many_calls
from accord.protocol.errors import INTERNAL_ERROR, Error, Refused
from accord.protocol.events import (
    Answer,
    CallTool,
    Cancelled,
    Event,
    Listen,
    ListPrompts,
    ListResources,
    ListTemplates,
    ListTools,
    Request,
    Send,
)
from accord.protocol.listening import Kind
from accord.protocol.session import ServerSession
from accord.server.client import Client, Waiting, name_of
from accord.server.handshake import HandshakeClient
from accord.server.listing import Listed, Listing
from accord.server.reply import reply
from accord.server.rounds import StatelessClient
from accord.server.work import WORK, Work, guarded, wrapped

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from accord.protocol.tasks import Task

__all__ = ["Desk"]

_log = logging.getLogger("accord.server")

_encode = msgspec.json.Encoder().encode


class Desk:
    """Answers what comes in on one pipe; ``principal`` is who speaks there, once somebody has checked."""

    def __init__(
        self,
        registry: Registry,
        session: ServerSession,
        send: Callable[[bytes], None],
        *,
        principal: str | None = None,
    ) -> None:
        expect_many_calls()
        self._registry = registry
        self._session = session
        self._send = send
        self._principal = principal
        self._writing = threading.Lock()
        self._listing = Listing(registry)
        #: by the identity of a request: its id may be given to another one as soon as it is cancelled
        self._running: dict[int, Cancellation] = {}
        self._waiting: Waiting = {}
        self._threads: ThreadPoolExecutor | None = None

    # -- what comes in -------------------------------------------------------------------------------------------

    def accept(self, event: Event) -> Request | None:
        """Do at once what takes no time; what runs code is handed back, to be ``answer``ed by whoever has the time."""
        kind = type(event)
        if kind is CallTool or kind in WORK:
            self._running[id(event)] = Cancellation()
            return event  # type: ignore[return-value]  # it is one of these requests
        try:
            self._do(event)
        except Exception:  # noqa: BLE001 - boundary: a fault of ours is logged and told, and the server goes on
            if isinstance(event, Request):
                self._fail(event)
            else:
                _log.exception("a message could not be heard")
        return None

    def _do(self, event: Event) -> None:
        if isinstance(event, Send):
            self.write(lambda: event.data)
        elif isinstance(event, ListTools | ListResources | ListTemplates | ListPrompts):
            self._list(event)
        elif isinstance(event, Listen):
            self.write(lambda: self._session.acknowledge(event))
        elif isinstance(event, Cancelled):
            cancellation = self._running.get(id(event.request))
            if cancellation is not None:
                cancellation.cancel()
        elif isinstance(event, Answer):
            take = self._waiting.pop(event.id, None)
            if take is not None:
                take(event)

    def _list(self, request: Listed) -> None:
        try:
            body = self._listing.page(request)
        except Refused as refused:
            error = refused.error
            self.write(lambda: self._session.error(request, error))
        else:
            self.write(lambda: self._session.result(request, body))

    # -- what is answered ----------------------------------------------------------------------------------------

    def answer(self, request: Request, over: Callable[[], None]) -> None:
        """Do what is asked and write what came of it; ``over`` is called when that is done.

        What runs in the event loop goes on there, and this returns before.
        """
        cancellation = self._running[id(request)]
        kind = StatelessClient if request.version.stateless else HandshakeClient
        caller = kind(self._session, request, self.write, self._waiting, cancellation)
        try:
            if type(request) is CallTool:
                tool = self._registry.tools.get(request.name) or self._registry.find(request.name)
                if tool is not None and tool.options.task and self._deferred(tool, request, cancellation, over):
                    return
            # What a tool sets in its context is gone with the call: the next one on this thread is somebody else's.
            work = copy_context().run(self._begun, request, caller, cancellation)
        except BaseException:  # noqa: BLE001 - as in ``accept``, and the thread has other calls to make
            self._fail(request)
        else:
            if not (type(work) is Ok or type(work) is Failed):
                self._go_on(request, work, cancellation, over)
                return
            self._settle(request, work)
        over()

    def _deferred(self, tool: Tool, request: CallTool, cancellation: Cancellation, over: Callable[[], None]) -> bool:
        """Begin a call that may become a task, and go on elsewhere; whether it is seen to with that."""
        from accord.server.deferring import client_of, go_on, refusal_of  # noqa: PLC0415 - few tools are tasks

        def answered(data: Callable[[], bytes]) -> None:
            self.write(data)
            self._running.pop(id(request), None)
            over()

        refusal = refusal_of(tool, request)
        if refusal is not None:
            answered(lambda: self._session.error(request, refusal))
            return True
        client = client_of(self._registry, self._session, request, self.write, self._waiting, cancellation)
        if client is None:
            return False

        def settle(outcome: Outcome) -> None:
            try:
                if client.end(outcome):
                    return
                self._settle(request, outcome)
            except Exception:  # noqa: BLE001 - as in ``accept``
                self._fail(request)
            over()

        client.be_for(self._principal, lambda task: answered(lambda: self._session.deferred(request, task)))
        call = Call(request.name, request.arguments, "mcp", client, self._principal, request.id, cancellation)
        go_on(self._registry, tool, call, self._pool, settle)
        return True

    def _begun(self, request: Request, caller: Client, cancellation: Cancellation) -> Work:
        """The outcome of a request, or a coroutine of it."""
        registry = self._registry
        if type(request) is not CallTool:
            name, arguments = getattr(request, "name", ""), getattr(request, "arguments", {})
            call = Call(name, arguments, "mcp", caller, self._principal, request.id, cancellation)
            return WORK[type(request)](registry, request, call)
        call = Call(request.name, request.arguments, "mcp", caller, self._principal, request.id, cancellation)
        if registry.middleware or registry.homes:
            return wrapped(registry, call, self._pool)
        prepared = prepare(registry, call)
        if type(prepared) is Failed:
            return prepared
        tool = prepared.tool
        if prepared.is_plain and not tool.is_async:
            return finish(tool, invoke(tool, prepared.bound, call), prepared.repairs)
        return guarded(registry, prepared, self._pool)

    def _go_on(
        self, request: Request, work: Coroutine[Any, Any, Outcome], cancellation: Cancellation, over: Callable[[], None]
    ) -> None:
        from accord.dispatch import loop  # noqa: PLC0415 - only what is async needs a loop
        from accord.dispatch.fault import cancelled  # noqa: PLC0415 - as above

        def done(task: "asyncio.Task[Outcome]") -> None:
            try:
                # Whether anybody still waits for an answer, the session knows: a tool can cancel itself, too.
                self._settle(request, cancelled(name_of(request)) if task.cancelled() else task.result())
            except BaseException:  # noqa: BLE001 - as in ``answer``
                self._fail(request)
            over()

        loop.begin(work, done, cancellation.on_withdrawal)

    def _settle(self, request: Request, outcome: Outcome) -> None:
        """Write what came of a request."""
        try:
            if type(outcome) is Ok and type(request) is CallTool:
                registry = self._registry
                tool = registry.tools.get(request.name) or registry.find(request.name)
                result = wire_result(outcome, tool, registry.policy, request.version)
                meta = result.pop("_meta", None)
                body = _encode(result)
                with self._writing:
                    data = self._session.result(request, body, meta=meta)
                    if data:
                        self._send(data)
            else:
                self.write(lambda: reply(self._session, self._registry, request, outcome))
        except Exception:  # noqa: BLE001 - as in ``accept``
            self._fail(request)
        self._running.pop(id(request), None)

    def _fail(self, request: Request) -> None:
        """Say that a request failed in a way that is this package's own fault."""
        _log.exception("a request could not be answered")
        self._running.pop(id(request), None)
        error = Error(INTERNAL_ERROR, "The server failed")
        self.write(lambda: self._session.error(request, error))

    def _pool(self) -> "ThreadPoolExecutor":
        """The threads for what blocks in a call that runs in the event loop."""
        if self._threads is None:
            from accord.dispatch.threads import LooseThreads  # noqa: PLC0415 - only what is async needs them

            self._threads = LooseThreads()
        return self._threads

    # -- what is told --------------------------------------------------------------------------------------------

    def changed(self, kind: Kind) -> None:
        """A list is another one now: tell everybody who wants to hear of it."""
        self.write(lambda: self._session.listening.changed(kind))

    def updated(self, uri: str) -> None:
        """A resource has other contents now: tell everybody who watches it."""
        self.write(lambda: self._session.listening.updated(uri))

    def write(self, make: Callable[[], bytes]) -> None:
        """Make some bytes and send them, with nothing from another thread in between."""
        with self._writing:
            data = make()
            if data:
                self._send(data)

    def flush(self, out: Callable[[], None]) -> None:
        """Let what was held back go out, between two messages."""
        with self._writing:
            out()

    def task(self, task: "Task", principal: str | None) -> None:
        """A task is not as it was: tell everybody who wants to hear of it, if it is theirs."""
        if principal == self._principal:
            self.write(lambda: self._session.listening.task(task))

    # -- the end -------------------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Whether every call was answered."""
        return not self._running

    @property
    def is_asking(self) -> bool:
        """Whether a call waits for an answer of the client's."""
        return bool(self._waiting)

    def still_wanted(self, requests: Iterable[Request]) -> Iterator[Request]:
        """Those that were not withdrawn while they waited; the others are forgotten."""
        for request in requests:
            if self._running[id(request)].requested:
                del self._running[id(request)]
            else:
                yield request

    def cancel_all(self) -> None:
        """Withdraw every call that runs: nobody will read the answers."""
        for cancellation in list(self._running.values()):
            cancellation.cancel()

    def end_streams(self) -> None:
        """Tell those who listen that nothing more will come."""
        for stream in self._session.listening.streams:
            self.write(partial(self._session.finish, stream))
