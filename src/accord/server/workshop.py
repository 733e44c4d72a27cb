"""Where the tasks of one app are worked on, and looked after: one for each app and process.

The store decides what is true; whatever changes a task compares with it first, so that any number of processes may
share it. A pulse, while there is work, tells the store that this process is alive, and hears what others have changed.
Tasks of a process that fell silent are failed, never begun again: nobody knows how far they came.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec.structs import replace

from accord._caller import Cancellation
from accord._calls import JSON
from accord._registry import Registry
from accord.errors import ToolError
from accord.protocol.errors import INTERNAL_ERROR
from accord.protocol.tasks import Task
from accord.server.errand import Errand
from accord.tasks.keeping import TooManyTasks
from accord.tasks.record import Record, answered, failed, reporting, withdrawn

__all__ = ["STOPPED", "Workshop", "task_of", "workshop_of"]

_log = logging.getLogger("accord.server")

#: what became of a task whose process is gone
STOPPED: Final[dict[str, JSON]] = {
    "code": INTERNAL_ERROR,
    "message": "The server stopped before the task was finished. How far it came is not known",
}
#: seconds between two beats of the pulse, at most
_BEAT: Final = 1.0
#: beats within the patience of the store
_BEATS: Final = 5
_MAKING: Final = threading.Lock()

Step = Callable[[Record], Record | None]


class Workshop:
    """Works on tasks of its own, and tells of everybody's."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._owner = secrets.token_hex(8)
        self._errands: dict[str, Errand] = {}
        self._lock = threading.Lock()
        self._is_beating = False
        self._stirred = threading.Event()

    # -- tasks of this process -----------------------------------------------------------------------------------

    def begin(
        self, *, tool: str, contract: str, arguments: str, principal: str | None, cancellation: Cancellation
    ) -> tuple[Errand, Task]:
        """Take a task on. It is kept, durably, when this returns.

        Raises:
            ToolError: the principal has too many.
        """
        store, now = self._registry.tasks, time.time()
        record = Record(
            id=secrets.token_urlsafe(24),
            owner=self._owner,
            tool=tool,
            principal=principal,
            contract=contract,
            arguments=arguments,
            created=now,
            updated=now,
            ttl=store.ttl,
            poll=store.poll,
        )
        self._bury()
        try:
            store.create(record)
        except TooManyTasks:
            raise ToolError("there are too many tasks already: wait for some of them to end", retryable=True) from None
        errand = Errand(self, record, cancellation)
        with self._lock:
            self._errands[record.id] = errand
            is_first, self._is_beating = not self._is_beating, True
        if is_first:
            threading.Thread(target=self._pulse, name="accord-pulse", daemon=True).start()
        return errand, task_of(record)

    def end(self, errand: Errand, step: Step) -> None:
        """A task of ours is over, unless somebody has said so before. The pulse tries again where the store fails."""
        errand.ending = step
        try:
            self._finish(errand)
        except Exception:  # noqa: BLE001 - boundary: the store may be somebody else's code
            _log.exception("how a task ended could not be kept")

    def _finish(self, errand: Errand) -> None:
        assert errand.ending is not None, "it is over"
        self.change(errand.id, errand.ending)
        with self._lock:
            self._errands.pop(errand.id, None)

    def close(self) -> None:
        """Nobody works here for now: what is unfinished has failed."""
        with self._lock:
            errands = list(self._errands.values())
        for errand in errands:
            errand.end(partial(failed, error=STOPPED))
            errand.stop()
        self._stirred.set()

    # -- anybody's tasks -----------------------------------------------------------------------------------------

    def find(self, id: str, principal: str | None) -> Record | None:
        """A task of this principal; None where it has none of that id."""
        record = self._registry.tasks.get(id)
        if record is None or record.principal != principal:
            return None
        if not record.is_over and record.owner != self._owner:
            self._bury()
            return self._registry.tasks.get(id)
        errand = self._errands.get(id)
        if errand is not None and errand.message is not None and not record.is_over:
            return replace(record, message=errand.message)
        return record

    def answer(self, id: str, principal: str | None, answers: dict[str, dict[str, JSON]]) -> bool:
        """Take answers to what a task asked; whether there is such a task."""
        if self.find(id, principal) is None:
            return False
        self.change(id, lambda record: answered(record, answers))
        return True

    def withdraw(self, id: str, principal: str | None) -> bool:
        """Ask for a task to stop; whether there is such a task."""
        if self.find(id, principal) is None:
            return False
        self.change(id, withdrawn)
        return True

    def change(self, id: str, step: Step) -> Record | None:
        """Take a step from what is kept now; the record after it, or None where there is none."""
        store = self._registry.tasks
        while True:
            record = store.get(id)
            if record is None:
                return None
            changed = step(record)
            if changed is None:
                return record
            changed = replace(changed, updated=max(record.updated, time.time()))
            if store.put(changed):
                self._tell(changed)
                return changed

    # -- looking after them --------------------------------------------------------------------------------------

    def _tell(self, record: Record) -> None:
        errand = self._errands.get(record.id)
        if errand is not None:
            errand.hear(record)
        for watcher in list(self._registry.watchers):
            watcher.task(task_of(record), record.principal)

    def _bury(self) -> None:
        """What nobody works on any more has failed."""
        for orphan in self._registry.tasks.orphans():
            self.change(orphan.id, partial(failed, error=STOPPED))

    def _pulse(self) -> None:
        """Beat while there is work here."""
        pause = min(_BEAT, self._registry.tasks.patience / _BEATS)
        while True:
            self._stirred.wait(pause)
            self._stirred.clear()
            with self._lock:
                errands = list(self._errands.values())
                self._is_beating = bool(errands)
            if not errands:
                return
            try:
                self._beat(errands)
            except Exception:  # noqa: BLE001 - a store that fails now may be there again at the next beat
                _log.exception("the store of tasks could not be asked")

    def _beat(self, errands: list[Errand]) -> None:
        store = self._registry.tasks
        kept = {record.id: record for record in store.unfinished(self._owner)}
        for errand in errands:
            if errand.ending is not None:
                self._finish(errand)
                continue
            record = kept.get(errand.id)
            if record is None:  # it has expired, or somebody took this process for gone
                errand.stop()
                continue
            errand.hear(record)
            message = errand.message
            if message is not None and message != record.message:
                self.change(errand.id, partial(reporting, message=message))
        store.expire()


def workshop_of(registry: Registry) -> Workshop:
    """The workshop of the app with this registry, in this process."""
    with _MAKING:
        if registry.workshop is None:
            registry.workshop = Workshop(registry)
        workshop: Workshop = registry.workshop
        return workshop


def task_of(record: Record) -> Task:
    """What clients are told of a task."""
    return Task(
        id=record.id,
        status=record.status,
        created=record.created,
        updated=record.updated,
        ttl=record.ttl,
        poll=record.poll,
        message=record.message,
        asked=record.asked,
        result=record.result,
        error=record.error,
    )
