"""Where tasks are kept: calls that go on after they were answered, over MCP's tasks extension.

``record`` is what is known of one and how that may change, ``keeping`` what a store can do, ``sqlite`` the store in a
file, which several processes may share and which survives them. Who does the work is the business of ``server``.
"""

from accord.tasks.keeping import TaskStore, TooManyTasks
from accord.tasks.record import Record
from accord.tasks.sqlite import SqliteTasks

__all__ = ["Record", "SqliteTasks", "TaskStore", "TooManyTasks"]
