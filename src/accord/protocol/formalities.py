"""What a session answers by itself: handshake, discovery, ping, log levels and subscriptions.

Each formality turns a request into the body of its result, and may change what the pipe has agreed on.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from accord.protocol.events import JSON, Discover, Initialize, Peer, Ping, Request, SetLevel, Subscribe, Unsubscribe
from accord.protocol.ladder import Agreed
from accord.protocol.listening import Listening
from accord.protocol.profile import Profile
from accord.protocol.versions import HANDSHAKE, LATEST_HANDSHAKE

__all__ = ["FORMALITIES", "Standing"]


class Standing:
    """What one pipe has agreed on so far. Requests of the stateless era neither read nor change it."""

    __slots__ = ("_profile", "agreed", "listening")

    def __init__(self, profile: Profile, agreed: Agreed | None) -> None:
        self._profile = profile
        self.agreed = agreed
        self.listening: Listening = Listening(profile.capabilities, profile.limits)
        self.listening.by_handshake = agreed is not None

    def _initialize(self, request: Initialize) -> dict[str, JSON]:
        # A second handshake is a fresh one: whoever sits at the other end now begins anew.
        version = HANDSHAKE.get(request.protocol, LATEST_HANDSHAKE)
        self.agreed = Agreed(version, Peer(request.protocol, request.capabilities, request.info))
        return self._profile.welcome(version)

    def _discover(self, request: Discover) -> dict[str, JSON]:
        hints: dict[str, JSON] = msgspec.to_builtins(self._profile.hints)
        return {**hints, **self._profile.welcome(request.version)}

    def _ping(self, _request: Ping) -> dict[str, JSON]:
        return {}

    def _set_level(self, request: SetLevel) -> dict[str, JSON]:
        peer = msgspec.structs.replace(request.peer, log_level=request.level)
        self.agreed = Agreed(request.version, peer)
        return {}

    def _subscribe(self, request: Subscribe) -> dict[str, JSON]:
        self.listening.watch(request.uri)
        return {}

    def _unsubscribe(self, request: Unsubscribe) -> dict[str, JSON]:
        self.listening.unwatch(request.uri)
        return {}


#: request -> what answers it; may raise Refused
FORMALITIES: Final[dict[type[Request], Callable[[Standing, Any], dict[str, JSON]]]] = {
    Initialize: Standing._initialize,
    Discover: Standing._discover,
    Ping: Standing._ping,
    SetLevel: Standing._set_level,
    Subscribe: Standing._subscribe,
    Unsubscribe: Standing._unsubscribe,
}
