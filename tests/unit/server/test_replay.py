"""Random tools that ask: every question gets its own answer, whatever the order, and what runs once runs once."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from accord._caller import Unwind
from accord.protocol.events import Retry
from accord.protocol.questions import Elicit
from accord.server.replay import ROUNDS, Replay

asks = st.tuples(st.just("ask"), st.sampled_from("ABC"))
#: no two with the same key
Tools = st.lists(st.one_of(asks, st.lists(asks, max_size=2)), max_size=5)


class Tool:
    """Runs its steps; each answer it gets is noted under the place that asked."""

    def __init__(self, steps: list[Any], *, names: bool = False) -> None:
        self.steps = steps
        #: whether questions have keys: those of their places
        self.names = names
        self.done: list[int] = []

    def run(self, replay: Replay, order: list[int]) -> dict[Any, str]:
        kept: dict[str, Any] = {}
        heard: dict[Any, str] = {}
        for place in order:
            step = self.steps[place]
            if isinstance(step, tuple):
                heard[place] = ask(replay, step[1], self.name(place))
            else:
                heard[place] = replay.once(
                    kept, f"once {place}", lambda place=place, step=step: self.do(replay, place, step)
                )
        return heard

    def do(self, replay: Replay, place: int, step: list[Any]) -> list[str]:
        answers = [ask(replay, question, self.name(place, at)) for at, (_, question) in enumerate(step)]
        self.done.append(place)
        return answers

    def name(self, *place: int) -> str | None:
        return f"question-{place}" if self.names else None


def ask(replay: Replay, question: str, name: str | None) -> str:
    answer: str = replay.answer(Elicit(question, {}), name=name).content["it"]
    return answer


def rounds(tool: Tool, orders: list[list[int]]) -> tuple[dict[Any, Any], dict[str, int]]:
    """What the tool heard in its last run, and how often each question was answered."""
    retry, answered = None, dict.fromkeys("ABC", 0)
    for number in range(ROUNDS + 1):
        replay = Replay(retry)
        try:
            return tool.run(replay, orders[number % len(orders)]), answered
        except Unwind as unwind:
            answers = {}
            for key, question in unwind.questions.items():
                answered[question.message] += 1
                answers[key] = {
                    "action": "accept",
                    "content": {"it": f"{question.message}{answered[question.message]}"},
                }
            retry = Retry(answers, json.loads(json.dumps(unwind.state())))
    raise AssertionError("it asks without end")


def flat(heard: dict[Any, Any]) -> list[str]:
    return [one for each in heard.values() for one in (each if isinstance(each, list) else [each])]


@given(Tools, st.booleans())
def test_a_tool_that_asks_in_the_same_order_hears_each_answer_once(steps: list[Any], names: bool) -> None:
    tool = Tool(steps, names=names)
    heard, answered = rounds(tool, [list(range(len(steps)))])
    answers = flat(heard)
    assert len(answers) == len(set(answers)) == sum(answered.values())
    assert sorted(tool.done) == [place for place, step in enumerate(steps) if isinstance(step, list)]


@given(st.data())
def test_in_whatever_order_a_tool_asks_no_answer_is_that_of_another_question(data: st.DataObject) -> None:
    steps = data.draw(Tools)
    orders = data.draw(st.lists(st.permutations(range(len(steps))), min_size=1, max_size=3))
    tool = Tool(steps, names=data.draw(st.booleans()))
    heard, answered = rounds(tool, [list(order) for order in orders])
    for place, step in enumerate(steps):
        wanted = [step[1]] if isinstance(step, tuple) else [question for _, question in step]
        got = [heard[place]] if isinstance(step, tuple) else heard[place]
        assert [each[0] for each in got] == wanted
    assert len(flat(heard)) == len(set(flat(heard))) == sum(answered.values())
    assert len(tool.done) == len(set(tool.done))
