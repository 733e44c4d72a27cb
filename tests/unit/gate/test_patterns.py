"""The gate searches as ECMA-262 does (with the `u` flag): the answers are those of a JavaScript engine."""

from __future__ import annotations

import pytest

from accord.gate.explain import explain
from accord.gate.validator import Gate

MATCHES = [
    (r"^[\D]$", "\u0663", True),
    (r"^[\D]$", "5", False),
    (r"^[\D]$", "\U0001f600", True),
    (r"^[^\D]$", "\u0663", False),
    (r"^[^\D]$", "5", True),
    (r"^[\W]$", "\u00e9", True),
    (r"^[\W]$", "_", False),
    (r"^[\W]$", "^", True),
    (r"^[^\W]$", "\u00e9", False),
    (r"^[^\W]$", "Z", True),
    (r"^[\S]$", "\ufeff", False),
    (r"^[\S]$", "\x85", True),
    (r"^[\s]$", "\u2029", True),
    # With a lookaround another engine does the searching, which has its own opinions.
    (r"(?<=a)\s", "a\ufeff", True),
    (r"(?<=a)\s", "a\x85", False),
    (r"(?<=a)[\s]", "a\ufeff", True),
    (r"(?<=a)\S", "a\ufeff", False),
    (r"\ba|\cA", "\x01", True),
    (r"\b[\cA]|\cA", "\x01", True),
    (r"^\cj$", "\n", True),
]


@pytest.mark.parametrize(("pattern", "text", "matches"), MATCHES)
def test_a_pattern_matches_as_in_javascript(pattern: str, text: str, matches: bool) -> None:
    assert Gate({"pattern": pattern}).is_valid(text) is matches
    assert Gate({"patternProperties": {pattern: False}}).is_valid({text: 1}) is not matches


@pytest.mark.parametrize("pattern", [r"^\w+$", "a.c", r"^\d/[~\s]$", "^x$"])
def test_a_failure_behind_a_pattern_of_names_is_explained(pattern: str) -> None:
    """The way there leads through the pattern, which the engine was given in other words."""
    name = {r"^\w+$": "k", "a.c": "abc", r"^\d/[~\s]$": "1/~", "^x$": "x"}[pattern]
    inner = {"type": "object", "properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}
    gate = Gate({"type": "object", "patternProperties": {pattern: inner}})
    (found,) = explain(gate, {name: {"n": "text"}})
    assert (found.path, found.keyword) == ((name, "n"), "type")
