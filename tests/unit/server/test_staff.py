"""Threads that do jobs: every job is done, whatever becomes of others and however few threads there can be."""

from __future__ import annotations

import queue
import threading

import pytest

from accord.server.bell import Bell
from accord.server.staff import Staff

DEADLINE = 20


def test_jobs_are_done_side_by_side_and_threads_that_rest_do_the_next_ones() -> None:
    staff, gate, done = Staff(), threading.Barrier(4), queue.SimpleQueue[int]()
    for number in range(3):
        staff.employ(lambda number=number: (gate.wait(DEADLINE), done.put(number)))
    gate.wait(DEADLINE)
    assert {done.get(timeout=DEADLINE) for _ in range(3)} == {0, 1, 2}
    assert staff.threads == 3


def refuses(self: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_a_job_that_fails_costs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    staff, done = Staff(), queue.SimpleQueue[int]()

    def leaves() -> None:
        raise SystemExit(3)

    staff.employ(leaves)
    monkeypatch.setattr(threading.Thread, "start", refuses)
    for number in range(3):
        staff.employ(lambda number=number: done.put(number))
    assert {done.get(timeout=DEADLINE) for _ in range(3)} == {0, 1, 2}
    assert staff.threads == 1


def test_where_no_thread_can_be_started_whoever_is_done_does_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    staff, gate, done = Staff(), threading.Event(), queue.SimpleQueue[int]()
    staff.employ(lambda: gate.wait(DEADLINE))
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuses)
        for number in range(5):
            staff.employ(lambda number=number: done.put(number))
        assert staff.threads == 1
    gate.set()
    assert {done.get(timeout=DEADLINE) for _ in range(5)} == set(range(5))
    both = threading.Barrier(3)
    for _ in range(2):  # and there are as many as are needed, as soon as there can be
        staff.employ(lambda: both.wait(DEADLINE))
    both.wait(DEADLINE)


def test_where_there_is_no_thread_at_all_somebody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", refuses)
    with pytest.raises(RuntimeError, match="start new thread"):
        Staff().employ(lambda: None)


def test_a_bell_rings_until_it_is_heard_once() -> None:
    bell = Bell()
    assert not bell.wait(0)
    bell.ring()
    bell.ring()
    assert bell.wait(0)
    assert not bell.wait(0)
