"""A task that this process works on: what it waits for, whether anybody still wants it, how far it is.

Its questions are kept with the task until the client answers them, here or at another process that shares the store;
the function waits where it asked. Knows its workshop, and no session.
"""

import threading
from collections.abc import Callable
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from accord._caller import Cancellation, Unanswered
from accord._calls import JSON
from accord.protocol.errors import Refused
from accord.protocol.questions import Question
from accord.protocol.rounds import as_asked
from accord.protocol.versions import Version
from accord.tasks.record import Record, asking

if TYPE_CHECKING:
    from accord.server.workshop import Workshop

__all__ = ["Errand"]


class Errand:
    """The part of a task that lives in memory."""

    def __init__(self, workshop: "Workshop", record: Record, cancellation: Cancellation) -> None:
        self.id: str = record.id
        #: how far it is, in words; newer than what is kept
        self.message: str | None = None
        #: how it ended, as long as that is not kept
        self.ending: Callable[[Record], Record | None] | None = None
        #: the client does not want it any more
        self.is_withdrawn: bool = False
        self._workshop = workshop
        self._cancellation = cancellation
        #: what questions were known by; none is used twice
        self._keys: set[str] = set()
        self._naming = threading.Lock()
        self._waiting: dict[str, Callable[[JSON], None]] = {}

    def ask(self, question: Question, version: Version, name: str | None = None) -> Any:
        """The client's answer, waited for, or Unanswered. One that cannot be read is asked for again.

        ``name`` is the key it goes by, unless an earlier question of the task had it.
        """
        while True:
            said = self._said(self._key(name), as_asked(question, version))
            if isinstance(said, Unanswered):
                return said
            try:
                return question.read(said)
            except Refused:
                continue

    def _key(self, name: str | None) -> str:
        with self._naming:
            keys = (f"{name or 'input'}-{number}" for number in count(1))
            key = next(key for key in chain([name] if name else [], keys) if key not in self._keys)
            self._keys.add(key)
            return key

    def _said(self, key: str, asked: JSON) -> Any:
        """What the client says to a question, or Unanswered."""
        over, heard = threading.Event(), list[JSON]()

        def take(answer: JSON) -> None:
            heard.append(answer)
            over.set()

        self._waiting[key] = take
        record = self._workshop.change(self.id, lambda record: asking(record, key, asked))
        if record is None or record.is_over:
            return Unanswered("the task is over")
        self._cancellation.on_cancel(over.set)
        over.wait()
        return heard[0] if heard else Unanswered("the call is over")

    def hear(self, record: Record) -> None:
        """What became of it in the store, whoever changed it there."""
        for key, answer in record.answers.items():
            take = self._waiting.pop(key, None)
            if take is not None:
                take(answer)
        if record.is_withdrawn:
            self.is_withdrawn = True
            self.stop()

    def stop(self) -> None:
        """Let the function end, if it looks."""
        self._cancellation.cancel()

    def end(self, step: Callable[[Record], Record | None]) -> None:
        """It is over, and this is how."""
        self._workshop.end(self, step)
