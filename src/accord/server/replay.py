"""One run of a tool of the stateless era: what earlier runs were told, and what this one asks beyond that.

The tool runs from the top each time. A question is known by what it asks and by how many equal ones came before it, so
that no answer is ever taken for that of another question, in whatever order they are asked. Knows no session and no
wire: what has to be remembered is JSON, made here and read here.
"""

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any

import msgspec

from accord._caller import Unwind
from accord._calls import JSON
from accord.protocol.errors import Refused
from accord.protocol.events import Retry
from accord.protocol.questions import Question

__all__ = ["ROUNDS", "CannotGoOn", "Replay"]

#: rounds of questions in one call: a tool that asks for more asks something else each time it runs
ROUNDS = 20

#: the key of the ``once`` around what runs: it asks no more once its result is kept, and what it asked counts apart
_inside: ContextVar[str | None] = ContextVar("accord_once", default=None)

_ordered = msgspec.json.Encoder(order="deterministic").encode


class CannotGoOn(ValueError):
    """There can be no further run; the message says why and what to do."""


class _State(msgspec.Struct, frozen=True):
    """What travels through the client's hands."""

    answers: dict[str, dict[str, JSON]] = {}
    asked: dict[str, str] = {}
    """What the last run asked, and the name it went by: its answers count, whether the next run asks for them or only a
    later one."""
    once: dict[str, JSON] = {}
    round: int = 0


class Replay:
    """Answers what was answered before; anything else ends the run."""

    def __init__(self, retry: Retry | None) -> None:
        state = _state_of(retry)
        said = retry.answers if retry is not None else {}
        # A name of the tool's choice says nothing of what was asked. It is read as the state has it, and nowhere else.
        asked_for = {key: said[name] for key, name in state.asked.items() if name in said}
        #: what goes on to the next run. What an earlier one may have gone by counts more than what is said of it now.
        self._answers = {**asked_for, **state.answers}
        self._said = {**said, **self._answers}
        self._once = dict(state.once)
        self._stuck: dict[str, str] = {}
        self._round = state.round
        self._asked: dict[str, count[int]] = {}
        #: what this run asks: the name each question goes by, and the questions by that name
        self._open: dict[str, str] = {}
        self._questions: dict[str, Question] = {}

    def answer(self, question: Question, meaning: JSON = None, name: str | None = None) -> Any:
        """The answer. ``meaning`` is what else tells this question from others that look the same; ``name`` is what it
        goes by where somebody else reads it.

        Raises:
            Unwind: there is none yet, or none that can be read.
        """
        key = self._key(question, meaning, name)
        said = self._said.get(key)
        if said is not None:
            try:
                answer = question.read(said)
            except Refused:  # malformed: as good as none
                del self._said[key]
                self._answers.pop(key, None)
            else:
                self._answers[key] = said
                return answer
        self._open[key] = name or key
        self._questions[name or key] = question
        raise Unwind(self._questions, self._state)

    def once(self, kept: dict[str, Any], key: str, function: Callable[[], Any]) -> Any:
        """What ``function`` gave in an earlier run, or gives now."""
        if not self._recalled(kept, key):
            with _asking_inside(key):
                value = function()
            self._keep(kept, key, value)
        return kept[key]

    async def aonce(self, kept: dict[str, Any], key: str, function: Callable[[], Awaitable[Any]]) -> Any:
        """The same for a function whose result is awaited."""
        if not self._recalled(kept, key):
            with _asking_inside(key):
                value = await function()
            self._keep(kept, key, value)
        return kept[key]

    def _recalled(self, kept: dict[str, Any], key: str) -> bool:
        if key not in kept and key in self._once:
            kept[key] = _copied(self._once[key])
        return key in kept

    def _keep(self, kept: dict[str, Any], key: str, value: Any) -> None:
        kept[key] = value
        try:
            self._once[key] = _copied(value)  # as it is now, whatever the tool does to it later
            problem = "" if _is_same(value, self._once[key]) else f"a {type(value).__name__} would not come back as one"
        except (TypeError, ValueError, RecursionError) as error:
            problem = str(error)
        if problem:
            self._stuck[key] = problem

    def _key(self, question: Question, meaning: JSON, given: str | None) -> str:
        asked = _ordered((_inside.get(), question.method, question.params, meaning, given))
        name = hashlib.sha256(asked).hexdigest()[:24]
        # One step for setdefault and one for next: threads that ask the same at once get a number each.
        return f"{name}-{next(self._asked.setdefault(name, count(1)))}"

    def _state(self) -> JSON:
        """What the next run has to be given back.

        Raises:
            CannotGoOn: there should be no next one, or something of it cannot travel.
        """
        if self._round >= ROUNDS:
            raise CannotGoOn(
                f"it still asks after {ROUNDS} rounds of questions. A question that differs on every run is never "
                "answered: say what varies with ctx.once"
            )
        for key, problem in self._stuck.items():
            raise CannotGoOn(
                f"what ctx.once({key!r}, ...) gave has to travel to the next run as JSON, and cannot: {problem}. "
                "Return texts, numbers, lists and dicts from it"
            )
        return {"answers": self._answers, "asked": self._open, "once": self._once, "round": self._round + 1}


def _state_of(retry: Retry | None) -> _State:
    if retry is None or retry.state is None:
        return _State()
    try:
        return msgspec.convert(retry.state, _State)
    except msgspec.ValidationError:  # of a release that remembered otherwise: everything is asked again
        return _State()


@contextmanager
def _asking_inside(key: str) -> Iterator[None]:
    token = _inside.set(key)
    try:
        yield
    finally:
        _inside.reset(token)


def _copied(value: Any) -> JSON:
    return msgspec.json.decode(msgspec.json.encode(value))


def _is_same(value: Any, copy: JSON) -> bool:
    """Whether a copy is the value again, types included: a tuple comes back as a list, and a date as a text."""
    if type(value) is not type(copy):
        return False
    if type(value) is list:
        return all(_is_same(*pair) for pair in zip(value, copy, strict=True))
    if type(value) is dict:
        return value.keys() == copy.keys() and all(_is_same(value[key], copy[key]) for key in value)
    return bool(value == copy)
