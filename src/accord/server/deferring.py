"""Calls that may go on after they were answered: whose they are, and how they come to their end.

What is asked before the tool's function runs is asked in rounds, like everywhere. Then the call becomes a task: it is
kept, the client gets its id, and from there on what the function says, asks and returns belongs to the task.
"""

import hashlib
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from accord._caller import Cancellation
from accord._calls import INPUT_REQUIRED, JSON, Call, Failed, Ok, Outcome
from accord._canonical import canonical
from accord._registry import Registry
from accord._tool import Tool
from accord.dispatch import blocking
from accord.dispatch.fault import cancelled as withdrawn
from accord.dispatch.fault import fault_of
from accord.dispatch.normalize import wire_result
from accord.errors import ToolCancelled
from accord.protocol.errors import METHOD_NOT_FOUND, Error
from accord.protocol.events import CallTool
from accord.protocol.questions import Question, lacking
from accord.protocol.session import ServerSession
from accord.protocol.tasks import EXTENSION, Task, missing
from accord.server.client import Waiting
from accord.server.errand import Errand
from accord.server.reply import error_of, is_an_error
from accord.server.rounds import StatelessClient, lost
from accord.server.work import Pool
from accord.server.workshop import STOPPED, workshop_of
from accord.tasks.record import Record, cancelled, completed, failed

if TYPE_CHECKING:
    import asyncio

__all__ = ["TaskClient", "client_of", "go_on", "refusal_of"]


def refusal_of(tool: Tool, request: CallTool) -> Error | None:
    """Why a client cannot have this tool called, or None: some tools answer with tasks only."""
    if tool.options.task != "required" or _knows_tasks(request):
        return None
    if request.version.stateless:
        return missing()
    return Error(METHOD_NOT_FOUND, f"{tool.name} answers with tasks, and {request.version} has none that are served")


def client_of(
    registry: Registry,
    session: ServerSession,
    request: CallTool,
    write: Callable[[Callable[[], bytes]], None],
    waiting: Waiting,
    cancellation: Cancellation,
) -> "TaskClient | None":
    """The client of a call that may become a task; None where it did not say that it knows any."""
    if not _knows_tasks(request):
        return None
    client = TaskClient(session, request, write, waiting, cancellation)
    client.registry = registry
    return client


def go_on(registry: Registry, tool: Tool, call: Call, pool: Pool, settle: Callable[[Outcome], None]) -> None:
    """Have a call made elsewhere, on a thread of its own or in the event loop; ``settle`` gets what came of it."""
    if not tool.is_async:
        work = lambda: settle(blocking.dispatch(registry, call))  # noqa: E731 - one line
        threading.Thread(target=work, name=f"accord-{tool.name}", daemon=True).start()
        return
    from accord.dispatch import awaiting, loop  # noqa: PLC0415 - only what is async needs a loop

    def done(task: "asyncio.Task[Outcome]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            outcome: Outcome = fault_of(call.name, error, masked=registry.policy.mask_errors)
        else:
            outcome = withdrawn(call.name) if task.cancelled() else task.result()
        pool().submit(settle, outcome)  # the loop does not wait for a store

    assert call.cancellation is not None, "every call of a server has one"
    loop.begin(awaiting.dispatch(registry, call, pool()), done, call.cancellation.on_withdrawal)


def _knows_tasks(request: CallTool) -> bool:
    return request.version.stateless and request.peer.declares("extensions", EXTENSION)


class TaskClient(StatelessClient):
    """Asks in rounds while there is no task, and through the task once there is one."""

    registry: Registry
    _errand: Errand | None = None
    _is_over = False

    def be_for(self, principal: str | None, defer: Callable[[Task], None]) -> None:
        """Whose call it is; ``defer`` answers it with a task, on whichever thread that comes about."""
        self._principal = principal
        self._defer = defer
        self._lock = threading.Lock()

    def begin(self, tool: str, contract: Callable[[], str]) -> None:
        """Make a task of the call, unless an earlier attempt has."""
        with self._lock:
            if self._errand is not None:
                return
            if self._is_over or self._cancellation.requested:
                raise ToolCancelled("the call was withdrawn")
            self._errand, task = workshop_of(self.registry).begin(
                tool=tool,
                contract=contract(),
                arguments=_fingerprint(self._request.arguments),  # type: ignore[attr-defined]  # it is a tool's call
                principal=self._principal,
                cancellation=self._cancellation,
            )
            self.blocks = True
        self._defer(task)

    def end(self, outcome: Outcome) -> bool:
        """The call has come to this; whether it was a task, which is over now."""
        with self._lock:  # where a task is just being made, it is over as soon as it is there
            self._is_over, errand = True, self._errand
        if errand is None:
            return False
        errand.end(self._step(errand, outcome))
        return True

    def progress(self, status: str, step: float, total: float) -> None:
        """Keep how far a task is: whoever asks how it is hears of it."""
        if self._errand is None:
            super().progress(status, step, total)
        else:
            self._errand.message = status or (f"{step:g} of {total:g}" if total else f"{step:g}")

    async def waited(self, ask: Callable[[], Any]) -> Any:
        """On a thread of its own: people who think could take all those that are shared."""
        from accord.dispatch.loop import on_a_thread  # noqa: PLC0415 - only what is async needs a loop

        return await on_a_thread(ask)

    def _answer(self, question: Question, meaning: JSON = None) -> Any:
        errand = self._errand
        if errand is None or lacking(question, self._request.peer) is not None:
            return super()._answer(question, meaning)
        return errand.ask(question, self._request.version, self._key)

    def _step(self, errand: Errand, outcome: Outcome) -> Callable[[Record], Record | None]:
        """How a task ends whose call came to this."""
        if isinstance(outcome, Failed):
            if errand.is_withdrawn:
                return cancelled
            if outcome.reason == "cancelled" and self._cancellation.requested:
                return partial(failed, error=STOPPED)
            if outcome.kind is INPUT_REQUIRED:
                outcome = lost(outcome)
            if is_an_error(self.registry, outcome):
                return partial(failed, error=msgspec.to_builtins(error_of(self._request, outcome)))
        tool = self.registry.find(self._request.name) if isinstance(outcome, Ok) else None  # type: ignore[attr-defined]  # as above
        result = wire_result(outcome, tool, self.registry.policy, self._request.version)
        return partial(completed, result=result)


def _fingerprint(arguments: JSON) -> str:
    try:
        return hashlib.sha256(canonical(arguments)).hexdigest()
    except RecursionError:
        return ""
