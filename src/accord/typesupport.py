"""How a type Accord does not know attaches to it: one protocol, one ordered chain.

A TypeSupport answers for a family of annotations: what their JSON looks like, how a JSON value
becomes theirs, and back. The first in the chain that matches wins; authors' own come before ours.
"""

from typing import Any, Literal, Protocol, runtime_checkable

from accord._calls import JSON

__all__ = ["Direction", "TypeSupport", "register", "support_for", "unregister"]

Direction = Literal["input", "output"]


@runtime_checkable
class TypeSupport(Protocol):
    """Speaks for a family of types.

    ``schema`` returns JSON Schema 2020-12, self-contained (its own ``$defs`` at most). ``decode``
    gets a JSON value that passed that schema; ValueError or TypeError from it is a rejection the
    caller sees. ``encode`` returns a JSON-ready value.
    """

    def matches(self, annotation: Any) -> bool:
        """Whether this support speaks for the annotation (or for the class of a value)."""
        ...

    def schema(self, annotation: Any, direction: Direction) -> dict[str, JSON]:
        """The JSON Schema of values read (``input``) or written (``output``)."""
        ...

    def decode(self, annotation: Any, value: JSON) -> Any:
        """The Python value for a JSON value that satisfies the input schema."""
        ...

    def encode(self, value: Any) -> JSON:
        """The JSON-ready form of a value."""
        ...


_chain: list[TypeSupport] = []


def register(support: TypeSupport) -> None:
    """Put a support at the head of the chain. Tools registered earlier keep what they have."""
    _chain.insert(0, support)


def unregister(support: TypeSupport) -> None:
    """Take a support out of the chain."""
    _chain.remove(support)


def support_for(annotation: Any) -> TypeSupport | None:
    """The first support that speaks for the annotation."""
    for support in _chain:
        if support.matches(annotation):
            return support
    return None
