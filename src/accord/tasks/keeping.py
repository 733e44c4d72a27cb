"""What a store of tasks can do. A store decides nothing: it keeps records, and compares before it replaces one."""

from typing import Protocol, runtime_checkable

from accord.tasks.record import Record

__all__ = ["TaskStore", "TooManyTasks"]


class TooManyTasks(Exception):
    """A principal has as many tasks as it may have."""


@runtime_checkable
class TaskStore(Protocol):
    """Keeps the tasks of one server, or of several that share it. Every method may be called from any thread.

    A task that has expired is not there any more, whoever asks.
    """

    ttl: float | None
    """Seconds for which a task is kept after it was created; None is for ever."""
    poll: float
    """Seconds between two looks at a task that clients are told to leave."""
    patience: float
    """Seconds of silence after which an owner is taken for gone."""

    def create(self, record: Record) -> None:
        """Keep a new task, durably before this returns. Its owner counts as heard of now.

        Raises:
            TooManyTasks: its principal has too many.
        """
        ...

    def get(self, id: str) -> Record | None:
        """The task of that id, or None."""
        ...

    def put(self, record: Record) -> bool:
        """Replace the task if its revision is the one before this; False where somebody was faster, or it is gone."""
        ...

    def unfinished(self, owner: str) -> list[Record]:
        """The tasks that an owner works on. It counts as heard of now."""
        ...

    def orphans(self) -> list[Record]:
        """The unfinished tasks whose owner has not been heard of for longer than the patience."""
        ...

    def expire(self) -> None:
        """Forget what has expired."""
        ...
