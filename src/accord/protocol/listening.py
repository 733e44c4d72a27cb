"""Who is told of changes: the streams of the stateless era, and the one pipe of the handshake era.

Knows what was asked for and what the server declared it would tell; knows nothing of what changed, or why.
"""

from typing import Any, Final, Literal, TypeAlias

from accord.protocol.errors import INTERNAL_ERROR, Refused
from accord.protocol.events import JSON, Filter, Listen, Peer, RequestId
from accord.protocol.jsonrpc import notification_line
from accord.protocol.profile import Limits
from accord.protocol.tasks import EXTENSION, Task, demand

__all__ = ["SUBSCRIPTION_ID", "Kind", "Listening", "honoured"]

SUBSCRIPTION_ID: Final = "io.modelcontextprotocol/subscriptionId"

Kind: TypeAlias = Literal["tools", "prompts", "resources"]

#: kind -> the field of a filter that asks for it
_ASKED: Final[dict[str, str]] = {
    "tools": "tools_list_changed",
    "prompts": "prompts_list_changed",
    "resources": "resources_list_changed",
}


def honoured(asked: Filter, capabilities: dict[str, JSON], peer: Peer) -> Filter:
    """The part of a filter that this server tells of.

    Raises:
        Refused: it asks for tasks, and the client did not declare that it knows them.
    """
    knows_tasks = EXTENSION in capabilities.get("extensions", {})
    if asked.task_ids and knows_tasks:
        demand(peer)
    return Filter(
        **{
            field: getattr(asked, field) and _declared(capabilities, kind, "listChanged")
            for kind, field in _ASKED.items()
        },
        resource_subscriptions=asked.resource_subscriptions
        if _declared(capabilities, "resources", "subscribe")
        else (),
        task_ids=asked.task_ids if knows_tasks else (),
    )


class Listening:
    """The listeners of one session. ``by_handshake``: the client completed one, and hears of all."""

    __slots__ = ("_capabilities", "_limits", "_streams", "_watched", "by_handshake")

    def __init__(self, capabilities: dict[str, JSON], limits: Limits) -> None:
        self._capabilities = capabilities
        self._limits = limits
        self._streams: dict[RequestId, Listen] = {}
        self._watched: set[str] = set()
        self.by_handshake: bool = False

    def open(self, listen: Listen) -> bytes:
        """Register a stream; the bytes are the acknowledgement, which goes first.

        Raises:
            Refused: there are too many.
        """
        watched = _watched_by(listen)
        if len(self._streams) >= self._limits.streams or self._count() + watched > self._limits.watched:
            raise Refused(INTERNAL_ERROR, "Too many subscriptions on this session")
        self._streams[listen.id] = listen
        return _told(listen, "notifications/subscriptions/acknowledged", {"notifications": listen.filter})

    def close(self, id: RequestId) -> bool:
        """Forget a stream; whether there was one."""
        return self._streams.pop(id, None) is not None

    @property
    def streams(self) -> list[Listen]:
        """The open ones, oldest first."""
        return list(self._streams.values())

    def watch(self, uri: str) -> None:
        """``resources/subscribe``. Raises Refused where there are too many."""
        if uri not in self._watched and self._count() >= self._limits.watched:
            raise Refused(INTERNAL_ERROR, "Too many subscriptions on this session")
        self._watched.add(uri)

    def unwatch(self, uri: str) -> None:
        """``resources/unsubscribe``."""
        self._watched.discard(uri)

    def changed(self, kind: Kind) -> bytes:
        """A list is another one now: the notifications for everybody who wants to hear of it."""
        method = f"notifications/{kind}/list_changed"
        told = [_told(listen, method, {}) for listen in self.streams if getattr(listen.filter, _ASKED[kind])]
        if self.by_handshake and _declared(self._capabilities, kind, "listChanged"):
            told.append(notification_line(method))
        return b"".join(told)

    def updated(self, uri: str) -> bytes:
        """A resource has other contents now: the notifications for everybody who watches it."""
        method, params = "notifications/resources/updated", {"uri": uri}
        told = [_told(listen, method, params) for listen in self.streams if uri in listen.filter.resource_subscriptions]
        if uri in self._watched:
            told.append(notification_line(method, params))
        return b"".join(told)

    def task(self, task: Task) -> bytes:
        """A task is not as it was: the notifications for everybody who wants to hear of it."""
        method, params = "notifications/tasks", task.whole()
        return b"".join(_told(listen, method, params) for listen in self.streams if task.id in listen.filter.task_ids)

    def _count(self) -> int:
        return len(self._watched) + sum(map(_watched_by, self.streams))


def _watched_by(listen: Listen) -> int:
    return len(listen.filter.resource_subscriptions) + len(listen.filter.task_ids)


def _told(listen: Listen, method: str, params: dict[str, Any]) -> bytes:
    return notification_line(method, {**params, "_meta": {SUBSCRIPTION_ID: listen.id}})


def _declared(capabilities: dict[str, JSON], kind: str, member: str) -> bool:
    declared = capabilities.get(kind)
    return isinstance(declared, dict) and declared.get(member) is True
