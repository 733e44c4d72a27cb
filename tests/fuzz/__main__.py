"""`python -m tests.fuzz --seconds 60 [--seed 7]`: the agreement test for as long as asked."""

from __future__ import annotations

import argparse
import random
import sys
import time


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--seconds", type=float, default=60.0, help="how long to go on (default: 60)")
    options.add_argument("--seed", type=int, default=None, help="where to begin (default: somewhere else every time)")
    chosen = options.parse_args()
    begin = random.randrange(10**6) if chosen.seed is None else chosen.seed

    from tests.fuzz.histogram import Histogram
    from tests.fuzz.rounds import BATCH, agreement

    histogram, start, at = Histogram(), time.monotonic(), begin
    status = 0
    while time.monotonic() - start < chosen.seconds and not status:
        try:
            agreement(histogram, BATCH, at)
        except Exception as error:
            notes = "\n".join(getattr(error, "__notes__", ()))
            print(f"seed {at}: {type(error).__name__}: {error}\n{notes}\n", flush=True)
            for inner in getattr(error, "exceptions", ()):
                print(f"{type(inner).__name__}: {inner}\n" + "\n".join(getattr(inner, "__notes__", ())), flush=True)
            status = 1
        at += 1
    elapsed = time.monotonic() - start
    print(*histogram.lines(), sep="\n")
    print(f"seeds {begin} to {at - 1}: {elapsed:.0f} s, {histogram.instances / elapsed:.0f} instances a second")
    for word in histogram.unseen() if not status else ():
        print(f"not met by both valid and invalid instances: {word}")
    return status


if __name__ == "__main__":
    sys.exit(main())
