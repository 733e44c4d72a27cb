"""The agreement as hypothesis runs it: pairs of a signature and arguments, shrunk together when they fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz.agreement import check, registered
from tests.fuzz.annotations import Source, sources
from tests.fuzz.histogram import Histogram
from tests.fuzz.mutations import arguments
from tests.fuzz.writer import upto

PER_SIGNATURE = 50
"""About how many instances a signature is tried on: making the signature costs as much as twenty of them."""

Trial = Callable[[Source, Any], None]


def trial(source: Source, data: Any, histogram: Histogram) -> None:
    """One signature, and the arguments drawn for its published schema."""
    with registered(source) as subject:
        histogram.signature(source)
        drawn = arguments(subject.schema)
        tried = 0
        # A draw of "go on" before each instance, not a number up front: hypothesis can cut single ones out.
        while tried < 2 * PER_SIGNATURE and data.draw(upto(PER_SIGNATURE)):
            check(subject, data.draw(drawn), histogram)
            tried += 1


BATCH = 10
"""Examples of one hypothesis run. Hypothesis varies the tail of each example about five times before it draws a fresh
one, and the signature stands at the head: of 700 examples in one run some 130 have a signature of their own. The
first ten of a run are spared that, so there are many runs of ten."""


def rounds(run: Trial, signatures: int, first_seed: int = 0, shrink: bool = True) -> None:
    """Try about that many signatures: always the same ones for the same seed."""
    for at in range(first_seed, first_seed + -(-signatures // BATCH)):
        seed(at)(batch(run, shrink))()


def batch(run: Trial, shrink: bool) -> Callable[[], None]:
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(sources(), st.data())
    def tried(source: Source, data: Any) -> None:
        run(source, data)

    return tried


def agreement(histogram: Histogram, signatures: int, first_seed: int = 0) -> None:
    """The claim of this directory: raises Disagreement when it does not hold."""
    rounds(lambda source, data: trial(source, data, histogram), signatures, first_seed)
