"""No instance exists on which schema, gate and conversion disagree: at least none that this test can find."""

from __future__ import annotations

import pytest

from accord.schema.formats import FORMATS
from tests.fuzz.histogram import SHOWN, Histogram
from tests.fuzz.oracle import OVERRIDES
from tests.fuzz.patterns import PATTERNS, matches
from tests.fuzz.rounds import agreement
from tests.fuzz.samples import BAD, GOOD

SIGNATURES = 1000
INSTANCES = 20_000
LEAST_SHARE = 0.25


@pytest.mark.slow
def test_schema_gate_and_conversion_agree_on_random_signatures_and_arguments() -> None:
    histogram = Histogram()
    try:
        agreement(histogram, SIGNATURES)
    finally:
        overrides = [f"the oracle overrides {word}: {why}" for word, why in OVERRIDES.items()]
        SHOWN["agreement of schema, gate and conversion"] = [*histogram.lines(), *overrides]
    assert histogram.instances >= INSTANCES
    assert histogram.unseen() == []
    assert histogram.valid_instances >= LEAST_SHARE * histogram.instances
    assert histogram.invalid_instances >= LEAST_SHARE * histogram.instances


@pytest.mark.parametrize("name", GOOD)
def test_the_format_table_takes_the_good_and_refuses_the_bad(name: str) -> None:
    """The oracle reads the engine's table, so the table itself is held to strings that DESIGN 3.2 decides."""
    assert [text for text in GOOD[name] if not FORMATS[name](text)] == []
    assert [text for text in BAD[name] if FORMATS[name](text)] == []


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.source)
def test_the_oracle_searches_as_ecma_262_does(pattern) -> None:
    """Else oracle and gate could agree on Python's reading of a pattern, or on Rust's."""
    assert [text for text in pattern.matching if not matches(pattern.source, text)] == []
    assert [text for text in pattern.missing if matches(pattern.source, text)] == []
