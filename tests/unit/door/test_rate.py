"""How often somebody may call: never more than the bucket holds, never less, in bounded memory."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Principal, RateLimit
from accord.door.rate import Turnstile, passer
from tests.unit.door._visits import visit


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def turnstile(*limit: float, remembered: int = 100) -> tuple[Turnstile, Clock]:
    clock = Clock()
    calls, per, *burst = limit
    rate = RateLimit(int(calls), per, int(burst[0]) if burst else None)
    return Turnstile(rate, remembered=remembered, clock=clock), clock


def test_as_many_calls_at_once_as_the_bucket_holds_and_then_none() -> None:
    gate, _ = turnstile(5, 60)
    assert [gate.wait("a") for _ in range(5)] == [0] * 5
    assert gate.wait("a") == pytest.approx(12)
    assert gate.wait("b") == 0


def test_a_refused_call_costs_nothing() -> None:
    gate, clock = turnstile(1, 10)
    assert gate.wait("a") == 0
    for _ in range(100):
        assert gate.wait("a") == pytest.approx(10)
    clock.now += 10
    assert gate.wait("a") == 0


def test_the_bucket_fills_at_the_rate_and_no_further_than_it_holds() -> None:
    gate, clock = turnstile(10, 10, 3)
    for _ in range(3):
        assert gate.wait("a") == 0
    clock.now += 2
    assert [gate.wait("a") == 0 for _ in range(3)] == [True, True, False]
    clock.now += 1_000_000
    assert [gate.wait("a") == 0 for _ in range(4)] == [True, True, True, False]


def test_whoever_waits_as_long_as_told_gets_in() -> None:
    gate, clock = turnstile(7, 3, 2)
    for _ in range(50):
        clock.now += gate.wait("a")
        assert gate.wait("a") == 0 or gate.wait("a") > 0
    seconds = gate.wait("a")
    clock.now += seconds
    assert gate.wait("a") == 0


@given(
    st.integers(1, 20),
    st.floats(0.5, 100),
    st.integers(1, 20),
    st.lists(st.floats(0, 20), max_size=60),
)
def test_in_no_stretch_of_time_are_there_more_calls_than_burst_and_rate_allow(
    calls: int, per: float, burst: int, pauses: list[float]
) -> None:
    gate, clock = turnstile(calls, per, burst)
    admitted: list[float] = []
    for pause in pauses:
        clock.now += pause
        if gate.wait("a") == 0:
            admitted.append(clock.now)
    for first, start in enumerate(admitted):
        for last in range(first, len(admitted)):
            allowed = burst + (admitted[last] - start) * calls / per
            assert last - first + 1 <= allowed + 1e-6


def test_a_refusal_says_when_to_come_again_in_whole_seconds() -> None:
    gate, _ = turnstile(1, 2.5)
    assert gate.refuse("a") is None
    refusal = gate.refuse("a")
    assert refusal is not None
    assert refusal.status == 429
    assert refusal.headers == {"retry-after": "3"}


def test_no_more_callers_are_remembered_than_there_is_room_for() -> None:
    gate, _ = turnstile(1, 60, remembered=10)
    for number in range(1000):
        gate.wait(f"caller {number}")
    assert len(gate) == 10


def test_newcomers_are_counted_where_there_is_no_more_room() -> None:
    gate, _ = turnstile(1, 60, remembered=10)
    for number in range(10):
        gate.wait(f"caller {number}")
    assert gate.wait("newcomer") == 0
    assert gate.wait("newcomer") > 0


def test_whoever_keeps_calling_is_not_forgotten() -> None:
    gate, _ = turnstile(1, 60, remembered=10)
    assert gate.wait("busy") == 0
    for number in range(1000):
        gate.wait(f"caller {number}")
        assert gate.wait("busy") > 0


def test_a_clock_that_goes_back_locks_nobody_out() -> None:
    gate, clock = turnstile(1, 10)
    assert gate.wait("a") == 0
    clock.now -= 5
    assert gate.wait("a") <= 15


def test_threads_together_get_no_more_than_the_bucket_holds() -> None:
    gate, _ = turnstile(500, 60)
    admitted: list[int] = []

    def call() -> None:
        admitted.extend(1 for _ in range(200) if gate.wait("a") == 0)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 500


@pytest.mark.parametrize("wrong", [(0, 60), (-1, 60), (1, 0), (1, -1), (1, math.inf), (1, math.nan), (1, 1, 0)])
def test_a_rate_that_makes_no_sense_is_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="rate"):
        RateLimit(*wrong)


def test_a_principal_is_counted_by_name_and_anybody_else_by_address() -> None:
    assert passer(Principal("alice"), visit()) == "principal alice"
    assert passer(None, visit()) == "address 203.0.113.9"
    assert passer(None, visit(client=None)) == "address "


def test_nobody_is_counted_as_a_principal_whose_name_is_an_address() -> None:
    assert passer(Principal("203.0.113.9"), visit()) != passer(None, visit())


def test_all_addresses_of_one_household_are_one_caller() -> None:
    one, two = visit(client="2001:db8:1:2::1"), visit(client="2001:db8:1:2:ffff::9%eth0")
    assert passer(None, one) == passer(None, two) == "address 2001:db8:1:2::/64"
    assert passer(None, visit(client="2001:db8:1:3::1")) != passer(None, one)


def test_a_socket_that_is_no_address_is_counted_as_it_is() -> None:
    assert passer(None, visit(client="unix")) == "address unix"
