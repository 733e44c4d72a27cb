"""The requests a client may send, one row each: which specifications know it, and what a server must have declared.

A method is served where a row names the version; there is no other gate. Knows nothing of how a request is decided.
"""

from typing import Any, Final, Literal, TypeAlias

import msgspec

from accord.protocol import events
from accord.protocol.tasks import EXTENSION
from accord.protocol.versions import HANDSHAKE, STATELESS, VERSIONS

__all__ = ["METHODS", "Method", "offers"]

Listed: TypeAlias = Literal["tools", "resources", "resourceTemplates", "prompts"]


class Method(msgspec.Struct, frozen=True, kw_only=True):
    """One request a client may send."""

    name: str
    request: type[events.Request]
    versions: frozenset[str] = frozenset(VERSIONS)
    needs: tuple[str, ...] = ()
    """The server capability it belongs to; without it, the method does not exist."""
    lists: Listed | None = None
    """The member of the result that holds the entries."""
    cacheable: bool = False
    """Results of the stateless era say how long they may be kept."""
    rounds: bool = False
    """It may be answered by asking for input, and repeated with it."""
    mirrored: str | None = None
    """The parameter that HTTP repeats in ``Mcp-Name``."""
    own: bool = False
    """The session answers it by itself."""
    anytime: bool = False
    """It may precede the handshake."""
    tasks: bool = False
    """It belongs to the tasks extension: the client has to have declared it with the same request."""
    deferrable: bool = False
    """It may be answered with a task."""


_BEFORE = frozenset(HANDSHAKE)
_SINCE = frozenset(STATELESS)
_TOOLS, _RESOURCES, _PROMPTS = ("tools",), ("resources",), ("prompts",)
_TASKS = ("extensions", EXTENSION)

_ROWS = (
    Method(name="initialize", request=events.Initialize, versions=_BEFORE, own=True, anytime=True),
    Method(name="ping", request=events.Ping, versions=_BEFORE, own=True, anytime=True),
    Method(name="server/discover", request=events.Discover, versions=_SINCE, own=True, cacheable=True),
    Method(name="tools/list", request=events.ListTools, needs=_TOOLS, lists="tools", cacheable=True),
    Method(name="tools/call", request=events.CallTool, needs=_TOOLS, rounds=True, mirrored="name", deferrable=True),
    Method(name="resources/list", request=events.ListResources, needs=_RESOURCES, lists="resources", cacheable=True),
    Method(
        name="resources/templates/list",
        request=events.ListTemplates,
        needs=_RESOURCES,
        lists="resourceTemplates",
        cacheable=True,
    ),
    Method(
        name="resources/read",
        request=events.ReadResource,
        needs=_RESOURCES,
        cacheable=True,
        rounds=True,
        mirrored="uri",
    ),
    Method(
        name="resources/subscribe",
        request=events.Subscribe,
        versions=_BEFORE,
        needs=("resources", "subscribe"),
        own=True,
    ),
    Method(
        name="resources/unsubscribe",
        request=events.Unsubscribe,
        versions=_BEFORE,
        needs=("resources", "subscribe"),
        own=True,
    ),
    Method(name="prompts/list", request=events.ListPrompts, needs=_PROMPTS, lists="prompts", cacheable=True),
    Method(name="prompts/get", request=events.GetPrompt, needs=_PROMPTS, rounds=True, mirrored="name"),
    Method(name="completion/complete", request=events.Complete, needs=("completions",)),
    Method(name="logging/setLevel", request=events.SetLevel, versions=_BEFORE, needs=("logging",), own=True),
    Method(name="tasks/get", request=events.GetTask, versions=_SINCE, needs=_TASKS, mirrored="taskId", tasks=True),
    Method(
        name="tasks/update", request=events.UpdateTask, versions=_SINCE, needs=_TASKS, mirrored="taskId", tasks=True
    ),
    Method(
        name="tasks/cancel", request=events.CancelTask, versions=_SINCE, needs=_TASKS, mirrored="taskId", tasks=True
    ),
    # Any list that can change, or resources that can be watched: `profile` asks for one of them.
    Method(name="subscriptions/listen", request=events.Listen, versions=_SINCE, needs=("*", "listChanged"), own=True),
)

METHODS: Final[dict[str, Method]] = {row.name: row for row in _ROWS}


def offers(capabilities: dict[str, Any], needs: tuple[str, ...]) -> bool:
    """Whether a server with these capabilities has what a method needs. ``*`` stands for any capability."""
    if not needs:
        return True
    if needs[0] == "*":
        return any(
            offers(capabilities, (name, member)) for name in capabilities for member in (*needs[1:], "subscribe")
        )
    value: Any = capabilities
    for name in needs:
        value = value.get(name) if isinstance(value, dict) else None
    return value is not None and value is not False
