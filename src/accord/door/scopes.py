"""Which scopes include which. A hierarchy is data: a scope -> those it includes."""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet

__all__ = ["Scopes"]


class Scopes:
    """A hierarchy of scopes, with what is included by what is included. Circles make their scopes alike."""

    __slots__ = ("_included",)

    def __init__(self, hierarchy: Mapping[str, Collection[str]]) -> None:
        self._included = {scope: _reach(hierarchy, scope) for scope in hierarchy}

    def missing(self, held: AbstractSet[str], needed: Iterable[str]) -> tuple[str, ...]:
        """Those of the needed scopes that are neither held nor included by one that is, in their order."""
        lacking = [scope for scope in needed if scope not in held]
        if not lacking:
            return ()
        included = self._included
        return tuple(
            scope for scope in lacking if not any(scope in included[each] for each in held if each in included)
        )


def _reach(hierarchy: Mapping[str, Collection[str]], scope: str) -> frozenset[str]:
    found: set[str] = set()
    ahead = [scope]
    while ahead:
        new = set(hierarchy.get(ahead.pop(), ())) - found
        found |= new
        ahead.extend(new)
    return frozenset(found)
