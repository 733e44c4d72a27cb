"""Where requests are answered that come alone, as over HTTP: in the event loop they came in.

Async tools run in this loop, because what they use belongs to it; everything else runs on threads, and the loop never
waits for it. One for each served app. Knows no HTTP.
"""

import asyncio
import logging
from _thread import allocate_lock
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from accord._caller import Cancellation
from accord._calls import Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch import awaiting, invoke_async
from accord.dispatch.bind import prepare
from accord.dispatch.exceptions import error_on_purpose
from accord.dispatch.fault import cancelled
from accord.dispatch.invoke import invoke
from accord.dispatch.normalize import finish, wire_result
from accord.dispatch.threads import LooseThreads
from accord.door.audit import is_audited, record_call
from accord.gate.validator import expect_many_calls
from accord.protocol.errors import CAPABILITY_MISSING, HTTP_STATUS, INTERNAL_ERROR, Error, Refused
from accord.protocol.events import CallTool, ListPrompts, ListResources, ListTemplates, ListTools, Request
from accord.protocol.session import ServerSession
from accord.server.affairs import Affairs
from accord.server.handshake import HandshakeClient
from accord.server.listing import Listing
from accord.server.reply import reply
from accord.server.rounds import StatelessClient
from accord.server.work import AWORK

if TYPE_CHECKING:
    from accord.server.deferring import TaskClient

__all__ = ["Answered", "Reception"]

_log = logging.getLogger("accord.server")

_encode = msgspec.json.Encoder().encode
#: threads at most for what may wait for days
_MOST_TASKS = 10_000
_LISTS = (ListTools, ListResources, ListTemplates, ListPrompts)


class Answered(msgspec.Struct, frozen=True):
    """What a request was answered with: one message, or none where it was withdrawn."""

    data: bytes
    status: int = 200
    """What HTTP says beside it."""


class _Withdrawal(Cancellation):
    """The cancellation of a call that runs in the task it was made in, and is called off with it."""

    def __init__(self) -> None:
        self._here = asyncio.get_running_loop()
        self._task = asyncio.current_task(self._here)
        #: the call has ended, and the task goes on to something else
        self.is_over: bool = False

    def cancel(self) -> None:
        """Withdraw the call. Who waits for it although it ran out of time is answered."""
        super().cancel()
        if not self.expired:
            _call(self._here, self._call_off)

    def _call_off(self) -> None:
        if self._task is not None and not self.is_over:
            self._task.cancel()

    def has_called_off(self) -> bool:
        """Whether that is why the task is being cancelled, which it is no more then."""
        if not self.requested or self.expired or self._task is None:
            return False
        self._task.uncancel()
        return True


class Reception:
    """Answers the requests of everybody who comes."""

    def __init__(self, registry: Registry) -> None:
        expect_many_calls()
        self._registry = registry
        self._listing = Listing(registry)
        self._threads = LooseThreads(registry.policy.concurrency)
        #: where what is sync and may become a task runs: it may wait for days, and must not take a call's thread
        self._task_threads = LooseThreads(_MOST_TASKS)
        self._deferred: set[asyncio.Task[None]] = set()

    async def answer(
        self,
        session: ServerSession,
        request: Request,
        write: Callable[[bytes], None],
        affairs: Affairs,
        principal: str | None,
        *,
        send_away: Callable[[float], None] | None = None,
    ) -> Answered:
        """The answer to a request; ``write`` takes what is said before.

        ``send_away`` ends the connection before the answer is there, to be resumed after so many seconds.
        """
        if type(request) in _LISTS:
            return Answered(self._list(session, request))
        cancellation = affairs.running[id(request)] = _Withdrawal()
        try:
            if type(request) is CallTool:
                tool = self._registry.tools.get(request.name) or self._registry.find(request.name)
                if tool is not None and tool.options.task:
                    answered = await self._begin(tool, session, request, write, affairs, principal)
                    if answered is not None:
                        return answered
            kind = StatelessClient if request.version.stateless else HandshakeClient
            caller = kind(session, request, _in_order(write), affairs.waiting, cancellation)
            caller.send_away = send_away
            name = getattr(request, "name", "") or getattr(request, "uri", "")
            arguments = getattr(request, "arguments", {})
            call = Call(name, arguments, "mcp", caller, principal, request.id, cancellation)
            started = perf_counter()
            try:
                outcome = await self._outcome(request, call)
            except asyncio.CancelledError:
                if not cancellation.has_called_off():
                    raise
                outcome = cancelled(call.name)
            if is_audited():
                record_call(call, self._registry.find(call.name), outcome, perf_counter() - started)
            return Answered(self._written(session, request, outcome), _status(request, outcome))
        except Exception:  # noqa: BLE001 - boundary: a fault of ours is logged and told, and the server goes on
            return Answered(self._failed(session, request))
        finally:
            cancellation.is_over = True
            affairs.running.pop(id(request), None)

    def _failed(self, session: ServerSession, request: Request) -> bytes:
        """Say that a request failed in a way that is this package's own fault."""
        _log.exception("a request could not be answered")
        return session.error(request, Error(INTERNAL_ERROR, "The server failed"))

    async def _begin(
        self,
        tool: Tool,
        session: ServerSession,
        request: CallTool,
        write: Callable[[bytes], None],
        affairs: Affairs,
        principal: str | None,
    ) -> Answered | None:
        """The answer to a call that may become a task, as soon as there is one; None where it is a call like others."""
        from accord.server.deferring import client_of, refusal_of  # noqa: PLC0415 - few tools are tasks

        refusal = refusal_of(tool, request)
        if refusal is not None:
            return Answered(session.error(request, refusal), HTTP_STATUS[refusal.code])
        cancellation = affairs.running[id(request)]
        client = client_of(self._registry, session, request, lambda make: write(make()), affairs.waiting, cancellation)
        if client is None:
            return None
        here = asyncio.get_running_loop()
        answered: asyncio.Future[bytes] = here.create_future()

        def answer(data: bytes) -> None:
            if not answered.done():
                answered.set_result(data)

        def written(outcome: Outcome) -> bytes:
            try:
                return self._written(session, request, outcome)
            except Exception:  # noqa: BLE001 - as in ``answer``
                return self._failed(session, request)

        client.be_for(principal, lambda task: _call(here, answer, session.deferred(request, task)))
        call = Call(request.name, request.arguments, "mcp", client, principal, request.id, cancellation)
        work = here.create_task(self._go_on(call, client, lambda outcome: answer(written(outcome))))
        self._deferred.add(work)
        work.add_done_callback(self._deferred.discard)
        if tool.is_async:  # nothing can stop a thread: what is sync looks by itself, and has not ended before it has
            cancellation.on_withdrawal(lambda: _call(here, work.cancel))
        return Answered(await answered)

    async def _go_on(self, call: Call, client: "TaskClient", settle: Callable[[Outcome], None]) -> None:
        """Make a call that may become a task; where it did not, its outcome is settled here."""
        started = perf_counter()
        try:
            outcome = await awaiting.dispatch(self._registry, call, self._task_threads)
        except asyncio.CancelledError:
            outcome = cancelled(call.name)
        if is_audited():
            record_call(call, self._registry.find(call.name), outcome, perf_counter() - started)
        if not await self._task_threads.run(lambda: client.end(outcome)):
            settle(outcome)

    def _list(self, session: ServerSession, request: Any) -> bytes:
        try:
            return session.result(request, self._listing.page(request))
        except Refused as refused:
            return session.error(request, refused.error)

    async def _outcome(self, request: Request, call: Call) -> Outcome:
        registry = self._registry
        if type(request) is not CallTool:
            return await AWORK[type(request)](registry, request, call, self._threads)
        if registry.middleware or registry.homes:
            return await awaiting.dispatch(registry, call, self._threads)
        prepared = prepare(registry, call)
        if type(prepared) is Failed:
            return prepared
        tool, bound = prepared.tool, prepared.bound
        if not prepared.is_plain:
            return await awaiting.outcome_of(registry, prepared, self._threads)
        if tool.is_async:
            value = await invoke_async.run(tool, bound, call)
            return finish(tool, value, prepared.repairs)
        return await self._threads.run(lambda: finish(tool, invoke(tool, bound, call), prepared.repairs))

    def _written(self, session: ServerSession, request: Request, outcome: Outcome) -> bytes:
        registry = self._registry
        if type(outcome) is Ok and type(request) is CallTool:
            tool = registry.tools.get(request.name) or registry.find(request.name)
            result = wire_result(outcome, tool, registry.policy, request.version)
            meta = result.pop("_meta", None)
            return session.result(request, _encode(result), meta=meta)
        return reply(session, registry, request, outcome)


def _in_order(write: Callable[[bytes], None]) -> Callable[[Callable[[], bytes]], None]:
    """Make a message and write it, with nothing in between that another thread says about the same request."""
    lock = allocate_lock()

    def make_and_write(make: Callable[[], bytes]) -> None:
        with lock:
            write(make())

    return make_and_write


def _status(request: Request, outcome: Outcome) -> int:
    """What HTTP says beside an outcome: of the errors that arise once something runs, one has a status of its own."""
    if type(outcome) is not Failed or not request.version.stateless:
        return 200
    error = error_on_purpose(outcome)
    return HTTP_STATUS[CAPABILITY_MISSING] if error is not None and error.code == CAPABILITY_MISSING else 200


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """Have it called in a loop, from any thread; nothing happens where that loop is gone."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *arguments)
