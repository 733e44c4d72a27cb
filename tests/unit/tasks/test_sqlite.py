"""Tasks in a file: what it keeps, from whom, for how long; and several who share it."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from accord import App
from accord._keeping import PLACE, tasks_of
from accord.errors import SettingsError
from accord.tasks import Record, SqliteTasks, TaskStore, TooManyTasks
from accord.tasks.record import asking, completed, withdrawn


def begun(id: str = "t", **more: Any) -> Record:
    return Record(**{"id": id, "owner": "o", "tool": "work", "created": 0.0, "updated": 0.0, **more})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "tasks.db"


def test_it_is_a_store(path: Path) -> None:
    assert isinstance(SqliteTasks(path), TaskStore)


def test_what_was_kept_is_there_for_another_who_opens_the_file(path: Path) -> None:
    first = SqliteTasks(path)
    first.create(begun(principal="ada", asked={"k": {"method": "roots/list"}}))
    changed = completed(begun(principal="ada"), {"content": [1.5, None, "é"]})
    assert changed is not None
    assert first.put(changed)
    first.close()
    assert SqliteTasks(path).get("t") == changed


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are another thing there")
def test_nobody_else_can_read_the_file(path: Path) -> None:
    SqliteTasks(path).create(begun())
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert "tasks.db" in modes
    assert set(modes.values()) == {0o600}


def test_the_slower_of_two_changes_is_refused(path: Path) -> None:
    here, there = SqliteTasks(path), SqliteTasks(path)
    here.create(begun())
    one, other = withdrawn(begun()), completed(begun(), {})
    assert one is not None
    assert other is not None
    assert there.put(one)
    assert not here.put(other)
    assert here.get("t") == one


def test_what_is_not_there_cannot_be_changed(path: Path) -> None:
    changed = withdrawn(begun("nobody"))
    assert changed is not None
    assert not SqliteTasks(path).put(changed)


def test_many_who_change_a_task_at_once_lose_nothing(path: Path) -> None:
    stores = [SqliteTasks(path) for _ in range(4)]
    stores[0].create(begun())

    def ask(store: SqliteTasks, who: int) -> None:
        for number in range(10):
            while True:
                record = store.get("t")
                assert record is not None
                changed = asking(record, f"{who}-{number}", {})
                assert changed is not None
                if store.put(changed):
                    break

    threads = [threading.Thread(target=ask, args=(store, who)) for who, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    record = stores[0].get("t")
    assert record is not None
    assert len(record.asked) == record.revision == 40


OPENS = """
import sys
from accord.tasks import Record, SqliteTasks
store = SqliteTasks(sys.argv[1])
for number in range(10):
    store.create(Record(id=f"{sys.argv[2]}-{number}", owner="o", tool="t", created=0.0, updated=0.0))
"""


def test_processes_that_open_a_new_file_at_once_wait_for_each_other(path: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", OPENS, str(path), str(who)]) for who in range(6)]
    assert [each.wait(60) for each in running] == [0] * 6
    assert len(SqliteTasks(path).unfinished("o")) == 60


def test_many_who_open_a_new_file_in_the_same_instant_wait_for_each_other(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def open_together(path: Path, barrier: threading.Barrier) -> None:
        barrier.wait()
        try:
            SqliteTasks(path).close()
        except sqlite3.Error as error:
            failures.append(error)

    for number in range(60):
        path, barrier = tmp_path / str(number) / "tasks.db", threading.Barrier(8)
        threads = [threading.Thread(target=open_together, args=(path, barrier)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_what_has_expired_is_not_there_any_more(path: Path) -> None:
    now = 0.0
    store = SqliteTasks(path, clock=lambda: now)
    store.create(begun("short", ttl=10.0))
    store.create(begun("ever", ttl=None))
    now = 9.9
    assert store.get("short") is not None
    now = 10.0
    assert store.get("short") is None
    assert [record.id for record in store.unfinished("o")] == ["ever"]
    changed = completed(begun("short", ttl=10.0), {})
    assert changed is not None
    assert not store.put(changed)
    store.expire()
    with sqlite3.connect(path) as looking:
        assert looking.execute("select id from tasks").fetchall() == [("ever",)]
    looking.close()


def test_a_principal_has_so_many_and_no_more(path: Path) -> None:
    store = SqliteTasks(path, most_unfinished=2, most=3)
    for number in range(2):
        store.create(begun(f"ada-{number}", principal="ada"))
    with pytest.raises(TooManyTasks):
        store.create(begun("ada-2", principal="ada"))
    store.create(begun("bob", principal="bob"))
    store.create(begun("nobody", principal=None))
    ended = completed(begun("ada-0", principal="ada"), {})
    assert ended is not None
    assert store.put(ended)
    store.create(begun("ada-2", principal="ada"))
    ended = completed(begun("ada-1", principal="ada"), {})
    assert ended is not None
    assert store.put(ended)
    with pytest.raises(TooManyTasks):  # one is unfinished, and three are kept
        store.create(begun("ada-3", principal="ada"))


def test_who_was_not_heard_of_leaves_orphans(path: Path) -> None:
    now = 0.0
    store = SqliteTasks(path, patience=5, clock=lambda: now)
    store.create(begun("mine", owner="mine"))
    store.create(begun("theirs", owner="theirs"))
    now = 4.0
    store.unfinished("mine")
    assert store.orphans() == []
    now = 6.0
    assert [record.id for record in store.orphans()] == ["theirs"]


@pytest.mark.parametrize("wrong", [{"ttl": 0}, {"poll": 0}, {"patience": -1}, {"most": 0}, {"most_unfinished": 0}])
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="greater than zero"):
        SqliteTasks(":memory:", **wrong)


def test_a_file_of_another_release_is_left_alone(path: Path) -> None:
    SqliteTasks(path).close()
    with sqlite3.connect(path) as other:
        other.execute("pragma user_version = 99")
    other.close()
    with pytest.raises(sqlite3.DatabaseError, match="another release"):
        SqliteTasks(path)


# -- where an app keeps them ------------------------------------------------------------------------------------------


def file_of(store: TaskStore) -> str:
    assert isinstance(store, SqliteTasks)
    return str(store._connection.execute("pragma database_list").fetchone()[2])


def test_the_author_decides_then_the_environment_then_the_users_own_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PLACE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "state"))
    assert Path(file_of(tasks_of("shop", None))).is_relative_to(tmp_path)
    monkeypatch.setenv(PLACE, str(tmp_path / "environment.db"))
    assert file_of(tasks_of("shop", None)) == str(tmp_path / "environment.db")
    assert file_of(tasks_of("shop", tmp_path / "author.db")) == str(tmp_path / "author.db")
    ours = SqliteTasks(":memory:")
    assert App("shop", tasks=ours)._registry.tasks is ours


def test_a_place_that_cannot_be_used_is_reported_with_who_named_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(PLACE, str(tmp_path / "file" / "tasks.db"))
    with pytest.raises(SettingsError, match=PLACE):
        tasks_of("shop", None)
    with pytest.raises(SettingsError, match="App"):
        tasks_of("shop", str(tmp_path))


def test_without_a_place_of_the_users_own_tasks_end_with_the_process_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv(PLACE, raising=False)
    for name in ("HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    assert file_of(tasks_of("shop", None)) == ""
    assert PLACE in caplog.text
