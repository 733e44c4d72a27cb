"""Did you mean ...? Near misses among keys and enum values, cheaply and without surprises."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["nearest", "same_word"]

_LONGEST = 64
_MOST = 300


def same_word(left: str, right: str) -> bool:
    """Whether two spellings differ in case, separators or surrounding space only."""
    return _plain(left) == _plain(right)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most likely meant by ``word``, or None when none is close."""
    known = [candidate for candidate in candidates if len(candidate) <= _LONGEST][:_MOST]
    if not word or len(word) > _LONGEST:
        return None
    for candidate in known:
        if same_word(word, candidate):
            return candidate
    close = get_close_matches(word.lower(), [candidate.lower() for candidate in known], n=1, cutoff=0.7)
    if close:
        return next(candidate for candidate in known if candidate.lower() == close[0])
    starting = [candidate for candidate in known if len(word) >= 3 and _plain(candidate).startswith(_plain(word))]
    return starting[0] if len(starting) == 1 else None


def _plain(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum())
