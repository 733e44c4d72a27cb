"""Many hostile inputs, from one seed after the other, and the command that tries them."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random as Rng

__all__ = ["command", "rounds"]

#: tries so many inputs, and counts what they gave
Check = Callable[[Rng, int, "Counter[str]"], None]


def rounds(check: Check, inputs: int, seed: int, report: Callable[[str], None] = lambda text: None) -> Counter[str]:
    """That many inputs, in streams of twenty; what they gave, counted."""
    seen: Counter[str] = Counter()
    for number in range(seed, seed + -(-inputs // 20)):
        try:
            check(Rng(number), 20, seen)
        except Exception as error:
            report(f"seed {number}: {type(error).__name__}: {error}")
            raise
    return seen


def command(name: str, about: str | None, check: Check, inputs: int) -> int:
    """Try as many as the command line says."""
    options = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    options.add_argument("--inputs", type=int, default=inputs, help=f"how many (default: {inputs})")
    options.add_argument("--seed", type=int, default=None, help="where to begin (default: somewhere else every time)")
    chosen = options.parse_args()
    begin = random.randrange(10**6) if chosen.seed is None else chosen.seed
    start = time.monotonic()
    seen = rounds(check, chosen.inputs, begin, lambda text: print(text, file=sys.stderr))
    took = time.monotonic() - start
    print(f"{chosen.inputs} inputs from seed {begin} in {took:.0f} s", *sorted(seen.items()), sep="\n")
    return 0
