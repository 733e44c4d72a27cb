"""Schema inference, validate-and-convert and refusal beside FastMCP, the mcp SDK and pydantic, in one run.

Ten signatures (`signatures.py`), each in three disciplines (`contestants.py` says what everybody does):

- inference: from a function to its tool, with input and output schema. The function is another object every time, its
  classes stay the same: what a library keeps by class (pydantic's models do) counts.
- calls: from JSON-decoded arguments to the running function, which has an empty body.
- bulk calls: the same with many records in the arguments, where there are lists to fill. Reported, without a bar.
- refusals: from arguments with a mistake in them to the text that says so. Reported, without a bar.

The contestants take turns sample by sample, and the best sample of all rounds counts, so a busy moment of the machine
hits all alike. A ratio is a peer's time over Accord's for the same work: at inference always over the slower way, with
both gates compiled; at calls with `invoke` where the peer's own runner is timed, without it where only a validation is.
Exits 1 when the geometric mean of a ratio stays under its bar.
"""

import gc
import importlib.metadata
import inspect
import json
import math
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from contestants import ACCORD, FASTMCP, FASTMCP_INNER, IN_FULL, PYDANTIC, SDK, SDK_RUN, Contestant
from signatures import CASES, Case

REPORT = Path(__file__).resolve().parents[1] / "build" / "bench" / "schema.json"
ROUNDS = 25
SAMPLE = 0.002  # seconds a sample is to take at least
INFERENCES = 8  # tools made in one sample
BAR = 3.0

#: discipline -> peer -> which way of Accord's does the same work
PEERS = {
    "inference": {FASTMCP: IN_FULL, SDK: IN_FULL, PYDANTIC: IN_FULL},
    "calls": {FASTMCP: IN_FULL, FASTMCP_INNER: ACCORD, SDK: ACCORD, SDK_RUN: IN_FULL, PYDANTIC: ACCORD},
    "bulk calls": {FASTMCP: IN_FULL, FASTMCP_INNER: ACCORD, SDK: ACCORD, SDK_RUN: IN_FULL, PYDANTIC: ACCORD},
    "refusals": {FASTMCP: ACCORD, FASTMCP_INNER: ACCORD, SDK: ACCORD, PYDANTIC: ACCORD},
}
# At calls the bars are runner against runner; the columns beside them show the peers' bare validators.
BARRED = {"inference": (FASTMCP, SDK), "calls": (FASTMCP, SDK_RUN), "bulk calls": (), "refusals": ()}

Sample = Callable[[], float]
Times = dict[str, dict[str, float]]  # signature -> contestant -> seconds


def takes_part(discipline: str) -> list[Contestant]:
    peers = PEERS[discipline]
    return [own for own in (ACCORD, IN_FULL) if own is ACCORD or own in peers.values()] + list(peers)


def check(case: Case) -> None:
    """Everybody hands the function the same values, and everybody refuses the mistake."""
    expected = None
    for contestant in takes_part("calls"):
        received = contestant.caller(_showing(case.function))(case.valid)
        expected = expected or received
        if received != expected:
            raise SystemExit(f"{case.name}: {contestant.name} passes {received}, others {expected}")
    for contestant in takes_part("refusals"):
        if not contestant.refuser(case.function)(case.invalid):
            raise SystemExit(f"{case.name}: {contestant.name} refuses without a word")


def _showing(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, returning its arguments by name."""
    signature = inspect.signature(function)

    @wraps(function)
    def shown(*args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return dict(bound.arguments)

    return shown


def inference_sample(contestant: Contestant, case: Case) -> Sample:
    """Seconds for one tool, on new functions in every sample."""

    def sample() -> float:
        first, *subjects = [contestant.fresh(case.function) for _ in range(INFERENCES + 1)]
        contestant.infer(first)  # the processor's caches are full of the others
        start = time.perf_counter()
        for subject in subjects:
            contestant.infer(subject)
        seconds = (time.perf_counter() - start) / INFERENCES
        contestant.forget()
        return seconds

    return sample


def step_sample(step: Callable[[dict[str, Any]], Any], arguments: dict[str, Any]) -> Sample:
    """Seconds for one step, of as many as fill a sample."""

    def timed(count: int) -> float:
        repeats = range(count)
        start = time.perf_counter()
        for _ in repeats:
            step(arguments)
        return time.perf_counter() - start

    count = 10
    while timed(count) < SAMPLE:
        count *= 2
    return lambda: timed(count) / count


def samples_of(discipline: str, contestant: Contestant, case: Case) -> Sample:
    if discipline == "inference":
        return inference_sample(contestant, case)
    if discipline == "calls":
        return step_sample(contestant.caller(case.function), case.valid)
    if discipline == "bulk calls":
        return step_sample(contestant.caller(case.function), case.bulk or case.valid)
    return step_sample(contestant.refuser(case.function), case.invalid)


def measure(discipline: str) -> Times:
    """The best sample of each contestant at each signature."""
    samples = {
        case.name: {contestant.name: samples_of(discipline, contestant, case) for contestant in takes_part(discipline)}
        for case in CASES
        if case.bulk is not None or discipline != "bulk calls"
    }
    best = {case: dict.fromkeys(row, math.inf) for case, row in samples.items()}
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        for case, row in samples.items():
            for name, sample in row.items():
                gc.disable()
                best[case][name] = min(best[case][name], sample())
                gc.enable()
        gc.collect()
    return best


def summary_of(discipline: str, times: Times) -> dict[str, Any]:
    """A discipline for the report: microseconds, ratios, and which bars they clear."""
    ratios = {
        peer.name: {case: row[peer.name] / row[own.name] for case, row in times.items()}
        for peer, own in PEERS[discipline].items()
    }
    means = {peer: math.exp(sum(map(math.log, row.values())) / len(row)) for peer, row in ratios.items()}
    return {
        "microseconds": {case: _rounded(row, 1e6) for case, row in times.items()},
        "ratios": {peer: _rounded(row) for peer, row in ratios.items()},
        "geometric_means": _rounded(means),
        "minima": _rounded({peer: min(row.values()) for peer, row in ratios.items()}),
        "bars": {peer.name: means[peer.name] >= BAR for peer in BARRED[discipline]},
    }


def _rounded(values: dict[str, float], factor: float = 1.0) -> dict[str, float]:
    return {name: round(value * factor, 3) for name, value in values.items()}


def show(discipline: str, summary: dict[str, Any]) -> None:
    """Print a discipline as a table: Accord in microseconds, the peers in microseconds and as ratios."""
    ratios = summary["ratios"]
    names = [contestant.name for contestant in takes_part(discipline)]
    own = [name for name in names if name not in ratios]
    print(f"\n{discipline:<15}" + "".join(f"{name:>{16 if name in own else 18}}" for name in names))
    for case, row in summary["microseconds"].items():
        cells = [f"{row[name]:>16.2f}" for name in own]
        cells += [f"{row[peer]:>10.2f}{by_case[case]:>7.2f}x" for peer, by_case in ratios.items()]
        print(f"{case:<15}" + "".join(cells))
    indent = 15 + 16 * len(own)
    for label, key in (("geometric mean", "geometric_means"), ("minimum", "minima")):
        print(f"{label:<{indent}}" + "".join(f"{ratio:>17.2f}x" for ratio in summary[key].values()))
    if summary["bars"]:
        verdicts = {peer: f"{BAR:.0f}x {'ok' if met else 'MISSED'}" for peer, met in summary["bars"].items()}
        print(f"{'bar':<{indent}}" + "".join(f"{verdicts.get(peer, '-'):>18}" for peer in ratios))


def main() -> int:
    versions = {name: importlib.metadata.version(name) for name in ("fastmcp", "mcp", "pydantic", "msgspec")}
    named = ", ".join(map(" ".join, versions.items()))
    print(f"Python {sys.version.split()[0]}, {named}, best of {ROUNDS} rounds, microseconds")
    for case in CASES:
        check(case)
    summaries = {}
    for discipline in PEERS:
        summaries[discipline] = summary_of(discipline, measure(discipline))
        show(discipline, summaries[discipline])
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    report = {"python": sys.version.split()[0], "versions": versions, "rounds": ROUNDS, "bar": BAR, **summaries}
    REPORT.write_text(json.dumps(report, indent=2) + "\n")
    return 0 if all(all(summary["bars"].values()) for summary in summaries.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
