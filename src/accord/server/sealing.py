"""How the state of a question travels through the client: signed, bound to its request and its caller, for a while.

It is signed and not encrypted: the client can read it, and nobody can alter it or use it elsewhere.
"""

import time

import msgspec

from accord._calls import JSON
from accord._registry import Registry
from accord.protocol.profile import Sealing

__all__ = ["LIFETIME", "sealing_of"]

#: seconds a user has to answer: coffee is included
LIFETIME = 30 * 60.0


def sealing_of(registry: Registry, name: str, principal: str | None = None) -> Sealing:
    """The sealing of the app of that name, for one principal: what one was asked, no other can answer."""
    whose = msgspec.json.encode(("requestState", name, principal))

    def seal(state: JSON, binding: bytes) -> str:
        return registry.seal.seal(state, binding=whose + binding, expires=time.time() + LIFETIME)

    def unseal(token: str, binding: bytes) -> JSON:
        from accord._seal import Unsealed  # noqa: PLC0415 - only servers that ask need seals

        try:
            return registry.seal.open(token, binding=whose + binding)
        except Unsealed as unsealed:
            raise ValueError(unsealed.reason) from None

    return Sealing(seal, unseal)
