"""The official clients get through the same conversation over HTTP: with sessions, without, and behind two replicas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache

import pytest

from tests.interop._addresses import replicas, serving
from tests.interop._clients import OFFICIAL, Client, Heard, conversation
from tests.interop._conversation import DURING, QUESTIONS, STEPS
from tests.interop._steps import HANDSHAKE, STATELESS, Step


@dataclass(frozen=True)
class Address:
    """A way to be served, and the steps that cannot be taken there, by era."""

    serve: Callable[[], AbstractContextManager[int]]
    eras: tuple[str, ...] = (HANDSHAKE, STATELESS)
    beyond: dict[str, list[Step]] = field(default_factory=dict)

    def steps(self, era: str) -> list[Step]:
        return [step for step in STEPS if step not in self.beyond.get(era, [])]


# Calls that wait for another one meet only in one process.
MEETING = [step for step in STEPS if step in DURING or step.given.get("name") == "pays"]
CANCELLING = [step for step in DURING if step.given.get("cancel") or step.given.get("name") == "withdrawn"]

ADDRESSES = {
    "sessions": Address(serving),
    # Nothing that a client of the handshake era says is known at its next request: neither that it can be asked, nor
    # which call it takes back.
    "no-sessions": Address(lambda: serving("--stateless"), beyond={HANDSHAKE: [*QUESTIONS, *CANCELLING]}),
    "two-replicas": Address(lambda: replicas(2), (STATELESS,), {STATELESS: MEETING}),
    "two-replicas-no-sessions": Address(
        lambda: replicas(2, "--stateless"), (HANDSHAKE,), {HANDSHAKE: [*QUESTIONS, *MEETING]}
    ),
}


@pytest.fixture(scope="module", autouse=True)
def addresses() -> Iterator[None]:
    """What was heard is heard once, and forgotten with the module."""
    yield
    heard.cache_clear()


@cache
def heard(address: str, client: str) -> Heard:
    """What a client said in its conversation at an address."""
    there, who = ADDRESSES[address], OFFICIAL[client]
    with there.serve() as port:
        speaking = Client(who.program, spoken(address, client), who.runner, who.makes)
        return conversation(speaking, {"http": {"url": f"http://127.0.0.1:{port}/mcp"}}, there.steps)


def spoken(address: str, client: str) -> tuple[str, ...]:
    return tuple(era for era in OFFICIAL[client].eras if era in ADDRESSES[address].eras)


ROWS = [
    pytest.param(address, client, era, step, id=f"{address}-{client}-{era}-{step.says}")
    for address, there in ADDRESSES.items()
    for client in OFFICIAL
    for era in spoken(address, client)
    for step in there.steps(era)
]


@pytest.mark.parametrize(("address", "client", "era", "step"), ROWS)
def test_a_client_sees_over_http_what_the_conversation_promises(
    address: str, client: str, era: str, step: Step
) -> None:
    assert heard(address, client).at(era, step.says) == OFFICIAL[client].sees(era, step)


@pytest.mark.parametrize(("address", "client"), sorted({row.values[:2] for row in ROWS}))
def test_a_client_leaves_the_address_in_peace(address: str, client: str) -> None:
    found = heard(address, client)
    assert found.code == 0, found.stderr
