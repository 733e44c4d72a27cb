"""Equality of large numbers in the gate, held against Python's, which is exact."""

from __future__ import annotations

import enum
import itertools
from typing import Any, Literal

import pytest

from accord.gate.validator import Gate
from tests.fuzz.meaning import json_key
from tests.unit._tools import received, refusal

WHOLE = (5, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 2**64 + 1, 10**22, 10**23, 10**30, -(2**63), -(2**64), 10**400)
NUMBERS = (*WHOLE, *(float(number) for number in WHOLE if abs(number) < 10**308), 0.5)


class Large(enum.IntEnum):
    BIT = 2**63
    ODD = 2**53 + 1


@pytest.mark.parametrize("constant", NUMBERS)
def test_a_constant_equals_the_numbers_that_python_says_it_equals(constant: Any) -> None:
    for number in NUMBERS:
        equal = constant == number
        assert Gate({"enum": ["a", constant]}).is_valid(number) is equal, number
        assert Gate({"const": constant}).is_valid(number) is equal, number
        assert Gate({"const": {"k": [constant]}}).is_valid({"k": [number]}) is equal, number


def test_items_are_unique_when_python_says_so() -> None:
    gate = Gate({"type": "array", "items": {"type": "number"}, "uniqueItems": True})
    for pair in itertools.product(NUMBERS, repeat=2):
        assert gate.is_valid(list(pair)) is (pair[0] != pair[1]), pair


@pytest.mark.parametrize(
    "items",
    [
        [1, True],
        [0, False],
        [1, "1"],
        [[1], [True]],
        [{"a": 1}, {"a": 2}],
        [None, False],
        [[], {}],
        [1],
        [],
        ["a", "b"],
    ],
)
def test_different_json_is_unique_whatever_python_thinks_of_it(items: Any) -> None:
    assert Gate({"uniqueItems": True}).is_valid(items)
    assert len({json_key(item) for item in items}) == len(items)


@pytest.mark.parametrize(
    "items", [[1, 1.0], [True, True], [[1], [1.0]], [{"a": 1, "b": 2}, {"b": 2, "a": 1}], ["a", "a"]]
)
def test_equal_json_is_not_unique_however_it_is_spelt(items: Any) -> None:
    assert not Gate({"uniqueItems": True}).is_valid(items)
    assert Gate({"uniqueItems": False}).is_valid(items)


def test_a_large_constant_is_converted_exactly_when_the_gate_takes_it() -> None:
    assert received(Large, 2.0**63) is Large.BIT
    assert refusal(Large, 2.0**53)["violations"][0]["keyword"] == "enum"
    assert refusal(Literal[10**30], 1e30)["violations"][0]["keyword"] == "enum"
    assert refusal(set[int], [2**63, 2.0**63])["violations"][0]["keyword"] == "uniqueItems"


def test_values_nested_too_deeply_to_be_compared_are_refused() -> None:
    deep: Any = 1
    for _ in range(20_000):
        deep = [deep]
    assert not Gate({"enum": [10**30]}).is_valid(deep)
    assert not Gate({"uniqueItems": True}).is_valid([deep, 1])
