"""The official clients, in Python and TypeScript, get through the conversation over stdio."""

from __future__ import annotations

from functools import cache

import pytest

from tests.interop._clients import OFFICIAL, STDIO, Heard, conversation
from tests.interop._conversation import PENDING, STEPS
from tests.interop._steps import Step
from tests.interop.example import app


@cache
def heard(client: str) -> Heard:
    """What a client said in its conversation: held once, however many tests look at what it saw."""
    return conversation(OFFICIAL[client], STDIO)


def row(client: str, era: str, step: Step) -> object:
    why = PENDING.get((era, step.says))
    marks = [] if why is None else [pytest.mark.xfail(reason=why, raises=AssertionError, strict=True)]
    return pytest.param(client, era, step, marks=marks, id=f"{client}-{era}-{step.says}")


ROWS = [row(name, era, step) for name, client in OFFICIAL.items() for era in client.eras for step in STEPS]


@pytest.mark.parametrize(("client", "era", "step"), ROWS)
def test_a_client_sees_what_the_conversation_promises(client: str, era: str, step: Step) -> None:
    assert heard(client).at(era, step.says) == OFFICIAL[client].sees(era, step)


@pytest.mark.parametrize("client", OFFICIAL)
def test_a_client_leaves_in_peace(client: str) -> None:
    found = heard(client)
    assert found.code == 0, found.stderr


def test_the_conversation_calls_every_tool() -> None:
    given = [step.given for step in STEPS if step.verb in ("call", "during")]
    called = {call["name"] for call in given} | {call["meanwhile"]["name"] for call in given if "meanwhile" in call}
    assert set(app.tools) <= called


def test_every_step_is_a_sentence_of_its_own() -> None:
    assert len({step.says for step in STEPS}) == len(STEPS)


def test_what_is_pending_is_a_step() -> None:
    assert {says for _, says in PENDING} <= {step.says for step in STEPS}
