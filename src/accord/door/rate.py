"""How often somebody may call: a bucket of tokens for each, in bounded memory."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address
from threading import Lock
from typing import Final

from accord._values import Value
from accord.auth import Principal
from accord.door.refusal import Refusal
from accord.door.visit import Visit

__all__ = ["RateLimit", "Turnstile", "passer"]

#: callers that are remembered; of more, those who called longest ago are forgotten, and start with a full bucket
_REMEMBERED: Final = 10_000
#: bits of an IPv6 address that are one household's: whoever has the rest to choose from is still one caller
_HOUSEHOLD: Final = 64


class RateLimit(Value):
    """``calls`` in ``per`` seconds, for each caller. Up to ``burst`` of them at once; None is as many as ``calls``.

    Raises:
        ValueError: nobody could call at all, or forever.
    """

    calls: int
    per: float
    burst: int | None

    def __init__(self, calls: int, per: float = 60.0, burst: int | None = None) -> None:
        if calls < 1 or not (0 < per < math.inf) or (burst is not None and burst < 1):
            raise ValueError("a rate has at least one call, in a time that passes, and a burst of at least one")
        super().__init__(calls=calls, per=per, burst=burst)


class Turnstile:
    """Counts the calls of everybody who comes. Any thread may use it.

    All that is kept of a caller is when the bucket will be full again: each call moves that by one interval, and
    there is no room for it where that would be more than the whole bucket away.
    """

    def __init__(
        self, limit: RateLimit, *, remembered: int = _REMEMBERED, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._interval = limit.per / limit.calls
        self._depth = self._interval * (limit.calls if limit.burst is None else limit.burst)
        self._remembered = remembered
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, who: str) -> float:
        """Count a call; 0 where it may go on, else the seconds after which one may, and it is not counted."""
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.pop(who, now), now) + self._interval
            excess = full_at - now - self._depth
            # What a clock loses in rounding is no reason to turn anybody away.
            admitted = excess <= self._interval * 1e-9
            self._full_at[who] = full_at if admitted else full_at - self._interval
            if len(self._full_at) > self._remembered:
                self._full_at.popitem(last=False)
            return 0.0 if admitted else excess

    def refuse(self, who: str) -> Refusal | None:
        """Count a call, or say when to come again."""
        seconds = self.wait(who)
        if not seconds:
            return None
        return Refusal(429, "Too many calls", {"retry-after": str(math.ceil(seconds))})


def passer(principal: Principal | None, visit: Visit) -> str:
    """Under which name a visitor is counted: the principal's, or the address's where nobody was authenticated.

    The address is that of the other end of the connection; behind a proxy, the server has to be told to trust its
    headers.
    """
    if principal is not None:
        return f"principal {principal.name}"
    return f"address {_household(visit.client or '')}"


def _household(address: str) -> str:
    try:
        number = int(IPv6Address(address.partition("%")[0]))
    except ValueError:
        return address
    return f"{IPv6Address(number >> _HOUSEHOLD << _HOUSEHOLD)}/{_HOUSEHOLD}"
