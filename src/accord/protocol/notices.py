"""What a server tells in passing, and whether the client wants to hear it. Knows what notifications look like."""

from math import isfinite
from typing import Final

from accord.protocol.events import JSON, Level, Token
from accord.protocol.jsonrpc import notification_line

__all__ = ["cancelled_line", "is_wanted", "log_line", "progress_line"]

_LEVELS: Final = {
    name: rank
    for rank, name in enumerate(("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"))
}


def is_wanted(level: Level, least: Level | None) -> bool:
    """Whether somebody who wants to hear of ``least`` and worse wants to hear this."""
    return least is not None and _LEVELS[level] >= _LEVELS[least]


def log_line(level: Level, data: JSON, logger: str | None) -> bytes:
    """A log message."""
    params = {"level": level, "data": data} if logger is None else {"level": level, "logger": logger, "data": data}
    return notification_line("notifications/message", params)


def progress_line(token: Token, progress: float, total: float | None, message: str | None) -> bytes:
    """How far the work is."""
    params: dict[str, JSON] = {"progressToken": token, "progress": progress}
    if total is not None and isfinite(total):
        params["total"] = total
    if message is not None:
        params["message"] = message
    return notification_line("notifications/progress", params)


def cancelled_line(id: int | str, reason: str | None) -> bytes:
    """Nobody waits for the answer to this request any more."""
    params: dict[str, JSON] = {"requestId": id} if reason is None else {"requestId": id, "reason": reason}
    return notification_line("notifications/cancelled", params)
