"""What may become of a task: whatever is tried, in whatever order, what is over stays as it is."""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from accord.tasks import Record, SqliteTasks
from accord.tasks.record import (
    TERMINAL,
    answered,
    asking,
    cancelled,
    completed,
    failed,
    reporting,
    withdrawn,
)

KEYS = st.sampled_from(["one", "two", "three"])
ANSWER = {"action": "accept"}


def begun(**more: Any) -> Record:
    return Record(**{"id": "t", "owner": "o", "tool": "work", "created": 0.0, "updated": 0.0, **more})


STEPS = [
    partial(asking, key="one", question={"method": "roots/list"}),
    partial(answered, answers={"one": ANSWER}),
    withdrawn,
    partial(reporting, message="half"),
    partial(completed, result={"content": []}),
    partial(failed, error={"code": 1, "message": "no"}),
    cancelled,
]


@given(st.lists(st.sampled_from(STEPS)))
def test_what_is_over_never_changes(steps: list[Any]) -> None:
    record = begun()
    for step in steps:
        changed = step(record)
        if record.is_over:
            assert changed is None
        if changed is not None:
            assert changed.revision == record.revision + 1
            assert (changed.id, changed.owner, changed.created) == (record.id, record.owner, record.created)
            record = changed
        assert (record.status == "input_required") == bool(record.asked)
        assert not (record.is_over and (record.asked or record.answers))


def test_an_answer_takes_its_question_and_no_other() -> None:
    record = begun()
    for key in ("one", "two"):
        record = asking(record, key, {"method": "roots/list"}) or record
    partly = answered(record, {"one": ANSWER, "nobody": ANSWER})
    assert partly is not None
    assert (partly.status, [*partly.asked], partly.answers) == ("input_required", ["two"], {"one": ANSWER})
    assert answered(partly, {"one": {"action": "decline"}}) is None, "it was answered already"
    done = answered(partly, {"two": ANSWER})
    assert done is not None
    assert (done.status, done.asked) == ("working", {})


def test_nothing_to_change_is_no_change() -> None:
    record = begun(message="half", is_withdrawn=True)
    assert reporting(record, "half") is None
    assert withdrawn(record) is None
    assert answered(record, {}) is None


class Kept(RuleBasedStateMachine):
    """A store beside the plainest model of it: whoever changes a task has to have seen the last change."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.store = SqliteTasks(":memory:", ttl=50, patience=10, clock=lambda: self.now)
        self.model: dict[str, Record] = {}
        self.seen: dict[str, Record] = {}
        self.heard: dict[str, float] = {}

    @rule(owner=st.sampled_from(["a", "b"]), ttl=st.sampled_from([None, 5.0, 50.0]))
    def create(self, owner: str, ttl: float | None) -> None:
        record = begun(id=f"t{len(self.seen)}", owner=owner, created=self.now, updated=self.now, ttl=ttl)
        self.store.create(record)
        self.model[record.id] = self.seen[record.id] = record
        self.heard[owner] = self.now

    @rule(seconds=st.sampled_from([1.0, 4.0, 11.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.model = {
            id: record for id, record in self.model.items() if record.expires is None or record.expires > self.now
        }

    @rule(data=st.data(), step=st.sampled_from(STEPS), is_stale=st.booleans())
    def change(self, data: st.DataObject, step: Any, is_stale: bool) -> None:
        if not self.seen:
            return
        id = data.draw(st.sampled_from(sorted(self.seen)))
        base = self.seen[id] if is_stale else self.model.get(id, self.seen[id])
        changed = step(base)
        if changed is None:
            return
        current = self.model.get(id)
        may = current is not None and current.revision == base.revision
        assert self.store.put(changed) == may
        if may:
            assert current is not None
            assert current.status not in TERMINAL
            self.model[id] = changed

    @rule(owner=st.sampled_from(["a", "b"]))
    def beat(self, owner: str) -> None:
        self.heard[owner] = self.now
        mine = {record.id for record in self.model.values() if record.owner == owner and not record.is_over}
        assert {record.id for record in self.store.unfinished(owner)} == mine

    @rule()
    def sweep(self) -> None:
        self.store.expire()

    @invariant()
    def both_tell_the_same(self) -> None:
        for id in self.seen:
            assert self.store.get(id) == self.model.get(id)
        silent = {
            record.id
            for record in self.model.values()
            if not record.is_over and self.heard[record.owner] <= self.now - 10
        }
        assert {record.id for record in self.store.orphans()} == silent


TestKept = Kept.TestCase
