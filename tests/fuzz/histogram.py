"""What was tested, so that it can be shown: per constructor, how many signatures and how many instances."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.annotations import CONSTRUCTORS, DECLARATIONS, MARKERS, Source


@dataclass
class Histogram:
    texts: set[int] = field(default_factory=set)
    uses: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    valid_instances: int = 0
    invalid_instances: int = 0
    repaired: int = 0

    def signature(self, source: Source) -> None:
        """Counted once, however often it is drawn."""
        if hash(source) not in self.texts:
            self.texts.add(hash(source))
            self.uses.update(source.kinds)

    def valid(self, kinds: Counter[str]) -> None:
        self.valid_instances += 1
        self.accepted.update(kinds.keys())

    def invalid(self, kinds: Counter[str], repaired: bool) -> None:
        self.invalid_instances += 1
        self.repaired += repaired
        self.refused.update(kinds.keys())

    @property
    def signatures(self) -> int:
        return len(self.texts)

    @property
    def instances(self) -> int:
        return self.valid_instances + self.invalid_instances

    def unseen(self) -> list[str]:
        """Constructors that no valid or no invalid instance has met."""
        words = (*CONSTRUCTORS, *MARKERS, *DECLARATIONS)
        return [word for word in words if not self.accepted[word] or not self.refused[word]]

    def lines(self) -> list[str]:
        share = self.repaired / max(self.invalid_instances, 1)
        return [
            f"{self.signatures} different signatures, {self.instances} instances: {self.valid_instances} valid",
            f"{self.invalid_instances} invalid, of which the patch repairs {share:.0%} in one step",
            f"{'constructor':<24}{'uses':>8}{'valid':>8}{'invalid':>9}",
            *(
                f"{word:<24}{self.uses[word]:>8}{self.accepted[word]:>8}{self.refused[word]:>9}"
                for word in (*CONSTRUCTORS, *MARKERS, *DECLARATIONS)
            ),
        ]


SHOWN: dict[str, list[str]] = {}
"""What conftest.py prints in pytest's summary: a title, and the lines under it."""
