"""What an endpoint keeps in memory at most, and for how long. Declared once, for whoever serves."""

import msgspec

__all__ = ["Limits"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of one endpoint."""

    head_bytes: int = 64 * 1024
    """Where this process serves: a mounted application is handed heads that were read."""
    head_seconds: float = 30.0
    body_bytes: int = 4 * 1024 * 1024
    body_seconds: float = 30.0
    """For the whole of it to arrive."""
    requests: int = 4096
    """At the same time."""
    listeners: int = 1024
    """Open ``subscriptions/listen`` streams."""
    sessions: int = 1024
    session_idle: float = 1800.0
    """Seconds after which a session that is not used is forgotten."""
    silence: float = 15.0
    """Seconds after which a stream says that it is still there."""
