"""Where tasks are kept: calls that go on after they were answered, over MCP's tasks extension.

``record`` is what is known of one and how that may change, ``keeping`` what a store can do, ``sqlite`` the store in a
file, which several processes may share and which survives them. Who does the work is the business of ``server``.
"""

from typing import TYPE_CHECKING, Any

from accord.tasks.keeping import TaskStore, TooManyTasks
from accord.tasks.record import Record

if TYPE_CHECKING:
    from accord.tasks.sqlite import SqliteTasks

__all__ = ["Record", "SqliteTasks", "TaskStore", "TooManyTasks"]


def __getattr__(name: str) -> Any:
    """SqliteTasks, with the library it needs."""
    if name == "SqliteTasks":
        from accord.tasks.sqlite import SqliteTasks  # noqa: PLC0415 - most servers keep no tasks

        return SqliteTasks
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
