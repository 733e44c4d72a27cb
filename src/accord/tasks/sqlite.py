"""Tasks in a SQLite file: they survive the process, and several processes on one machine may share them.

One connection for all threads, used by one at a time; between processes SQLite's own locks keep order. What was kept
has reached the disk.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from accord.tasks.keeping import TooManyTasks
from accord.tasks.record import TERMINAL, Record

__all__ = ["SqliteTasks"]

_FORMAT: Final = 1
_TABLES: Final = """
create table if not exists tasks (
    id text primary key, owner text not null, principal text, is_over integer not null, expires real,
    revision integer not null, record blob not null
) without rowid;
create index if not exists tasks_of_owner on tasks (owner, is_over);
create index if not exists tasks_of_principal on tasks (principal, is_over);
create index if not exists tasks_by_end on tasks (expires);
create table if not exists owners (id text primary key, heard real not null) without rowid;
"""
#: seconds to wait for another process that writes
_PATIENCE: Final = 10.0
#: and between two tries, where SQLite does not wait itself
_BETWEEN_TRIES: Final = 0.005

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode


class SqliteTasks:
    """The tasks in one file; ``":memory:"`` is in this process alone.

    ``ttl`` is for how many seconds a task is kept after it was created (None: for ever), ``poll`` what clients are told
    to leave between two looks. A principal has at most ``most_unfinished`` tasks that go on, and ``most`` in all. A
    process that was not heard of for ``patience`` seconds is taken for gone, and its tasks for failed.

    Raises:
        sqlite3.Error: the file cannot be used.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        ttl: float | None = 24 * 3600.0,
        poll: float = 1.0,
        most_unfinished: int = 100,
        most: int = 10_000,
        patience: float = 10.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not (poll > 0 and patience > 0 and most > 0 and most_unfinished > 0 and (ttl is None or ttl > 0)):
            raise ValueError("ttl, poll, patience, most and most_unfinished are greater than zero")
        self.ttl: float | None = ttl
        self.poll: float = poll
        self.patience: float = patience
        self._most = most
        self._most_unfinished = most_unfinished
        self._clock = clock
        self._lock = threading.Lock()
        self._connection = _opened(path)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def create(self, record: Record) -> None:
        """Keep a new task. Raises TooManyTasks where its principal has too many."""
        with self._changing() as connection:
            now = self._clock()
            connection.execute("delete from tasks where expires <= ?", (now,))
            unfinished, all_ = connection.execute(
                "select count(*) filter (where not is_over), count(*) from tasks where principal is ?",
                (record.principal,),
            ).fetchone()
            if unfinished >= self._most_unfinished or all_ >= self._most:
                raise TooManyTasks
            _hear(connection, record.owner, now)
            connection.execute("insert into tasks values (?, ?, ?, ?, ?, ?, ?)", _row(record))

    def get(self, id: str) -> Record | None:
        """The task of that id, or None."""
        found = self._found(
            "select record from tasks where id = ? and (expires is null or expires > ?)", id, self._clock()
        )
        return found[0] if found else None

    def put(self, record: Record) -> bool:
        """Replace the task if its revision is the one before this."""
        _, _, _, is_over, _, revision, data = _row(record)
        with self._changing() as connection:
            changed = connection.execute(
                "update tasks set is_over = ?, revision = ?, record = ? where id = ? and revision = ?"
                " and (expires is null or expires > ?)",
                (is_over, revision, data, record.id, record.revision - 1, self._clock()),
            )
            return changed.rowcount == 1

    def unfinished(self, owner: str) -> list[Record]:
        """The tasks that an owner works on; it counts as heard of now."""
        with self._changing() as connection:
            _hear(connection, owner, self._clock())
        return self._found(
            "select record from tasks where owner = ? and not is_over and (expires is null or expires > ?)",
            owner,
            self._clock(),
        )

    def orphans(self) -> list[Record]:
        """The unfinished tasks whose owner has not been heard of for longer than the patience."""
        now = self._clock()
        return self._found(
            "select record from tasks where not is_over and owner not in (select id from owners where heard > ?)"
            " and (expires is null or expires > ?)",
            now - self.patience,
            now,
        )

    def expire(self) -> None:
        """Forget what has expired, and owners without tasks."""
        with self._changing() as connection:
            now = self._clock()
            connection.execute("delete from tasks where expires <= ?", (now,))
            connection.execute(
                "delete from owners where heard <= ? and id not in (select owner from tasks)", (now - self.patience,)
            )

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def __del__(self) -> None:
        if hasattr(self, "_connection"):  # it was opened
            self._connection.close()

    def _found(self, query: str, *values: object) -> list[Record]:
        with self._lock:
            rows = self._connection.execute(query, values).fetchall()
        return [_decode(row[0]) for row in rows]

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that writes, by nobody else at the same time."""
        with self._lock:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")


def _opened(path: str | os.PathLike[str]) -> sqlite3.Connection:
    place = os.fspath(path)
    if place != ":memory:":
        Path(place).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Results are nobody else's business; SQLite gives its other files the permissions of this one.
        os.close(os.open(place, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _patiently(connection, "pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        (found,) = connection.execute("pragma user_version").fetchone()
        if found not in (0, _FORMAT):
            raise sqlite3.DatabaseError(f"{place} holds tasks of another release (format {found}, not {_FORMAT})")
        connection.executescript(f"begin immediate; {_TABLES} pragma user_version = {_FORMAT}; commit;")
    except BaseException:
        connection.close()
        raise
    return connection


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """Execute what SQLite gives up at once where somebody else has the file, and does not wait for by itself.

    Two who open a new file at the same time both want to make a log of it, which takes the whole file.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                raise
            time.sleep(_BETWEEN_TRIES)
        else:
            return


def _hear(connection: sqlite3.Connection, owner: str, now: float) -> None:
    connection.execute("insert or replace into owners values (?, ?)", (owner, now))


def _row(record: Record) -> tuple[str, str, str | None, bool, float | None, int, bytes]:
    is_over = record.status in TERMINAL
    return (record.id, record.owner, record.principal, is_over, record.expires, record.revision, _encode(record))
