"""The vocabulary: what came in, as frozen values. Knows no bytes and no state.

A session answers by itself what needs no app (``initialize``, ``ping``, ``server/discover``, log levels,
subscriptions, everything malformed): that is a ``Send``. The rest is a ``Request`` to be answered exactly once,
or a notice that wants no answer. Don't subclass these.
"""

from typing import Any, Literal, TypeAlias

import msgspec

from accord.protocol.errors import Error
from accord.protocol.versions import Version

__all__ = [
    "JSON",
    "Answer",
    "CallTool",
    "CancelTask",
    "Cancelled",
    "Complete",
    "Discover",
    "Event",
    "Filter",
    "GetPrompt",
    "GetTask",
    "Initialize",
    "Initialized",
    "Level",
    "ListPrompts",
    "ListResources",
    "ListTemplates",
    "ListTools",
    "Listen",
    "Peer",
    "Ping",
    "PromptRef",
    "ReadResource",
    "Request",
    "RequestId",
    "ResourceRef",
    "Retry",
    "RootsChanged",
    "Send",
    "SetLevel",
    "Subscribe",
    "Token",
    "Unsubscribe",
    "UpdateTask",
]

#: a JSON value as msgspec decodes it
JSON: TypeAlias = Any
RequestId: TypeAlias = int | str
Token: TypeAlias = int | str
Level: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

_PREFIX = "io.modelcontextprotocol/"


class Peer(msgspec.Struct, frozen=True, gc=False):
    """The client, as it describes itself: per request in the stateless era, by its handshake before.

    The names its members travel under are those of the stateless era.
    """

    protocol: str = msgspec.field(name=_PREFIX + "protocolVersion")
    """The version it asks for."""
    capabilities: dict[str, JSON] = msgspec.field(name=_PREFIX + "clientCapabilities")
    info: dict[str, JSON] | None = msgspec.field(name=_PREFIX + "clientInfo", default=None)
    """Unverified: for display and logs, never for decisions."""
    log_level: Level | None = msgspec.field(name=_PREFIX + "logLevel", default=None)
    """The least level it wants to hear of; None: it wants none."""

    def declares(self, *path: str) -> bool:
        """Whether it declared this capability: ``declares("elicitation", "url")``."""
        value: JSON = self.capabilities
        for name in path:
            if not isinstance(value, dict) or value.get(name) is None:
                return False
            value = value[name]
        return value is not False


class Retry(msgspec.Struct, frozen=True, gc=False):
    """What a repeated request brings along: answers to what was asked, by key, and the state that was sealed."""

    answers: dict[str, dict[str, JSON]] = {}
    """Not yet read: ``Question.read`` holds each against what was asked. Keys nobody asked for may be among them."""
    state: JSON = None


class Request(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something to be answered, once: with ``session.result``, ``.error`` or ``.input_required``."""

    id: RequestId
    """As the client wrote it: 1 and "1" are two ids. Unique among what this session has open, and no further."""
    version: Version
    peer: Peer
    meta: dict[str, JSON] = msgspec.field(name="_meta", default_factory=dict)
    """Everything the request's ``_meta`` held, also what nobody here knows."""

    @property
    def token(self) -> Token | None:
        """What progress is reported under; None: nobody wants to hear of it."""
        token: Token | None = self.meta.get("progressToken")
        return token


class ListTools(Request, frozen=True, gc=False):
    cursor: str | None = None
    """None is the first page; "" is a cursor like any other."""


class ListResources(Request, frozen=True, gc=False):
    cursor: str | None = None


class ListTemplates(Request, frozen=True, gc=False):
    cursor: str | None = None


class ListPrompts(Request, frozen=True, gc=False):
    cursor: str | None = None


class CallTool(Request, frozen=True, gc=False):
    name: str
    arguments: dict[str, JSON] = {}
    retry: Retry | None = None


class ReadResource(Request, frozen=True, gc=False):
    uri: str
    retry: Retry | None = None


class GetPrompt(Request, frozen=True, gc=False):
    name: str
    arguments: dict[str, str] = {}
    retry: Retry | None = None


class PromptRef(msgspec.Struct, frozen=True, gc=False, tag="ref/prompt"):
    name: str


class ResourceRef(msgspec.Struct, frozen=True, gc=False, tag="ref/resource"):
    uri: str


class _Argument(msgspec.Struct, frozen=True, gc=False):
    name: str
    value: str


class _Context(msgspec.Struct, frozen=True, gc=False):
    arguments: dict[str, str] = {}


class Complete(Request, frozen=True, gc=False):
    ref: PromptRef | ResourceRef
    argument: _Argument
    context: _Context = _Context()


class Filter(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, rename="camel"):
    """What a listener wants to hear of."""

    tools_list_changed: bool = False
    prompts_list_changed: bool = False
    resources_list_changed: bool = False
    resource_subscriptions: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()


class Listen(Request, frozen=True, gc=False):
    """A stream of changes is wanted: ``session.acknowledge`` it. It stays open until cancelled, or ``finish``ed."""

    filter: Filter = msgspec.field(name="notifications")
    """What is honoured of what was asked for."""


class GetTask(Request, frozen=True, gc=False):
    """How is the task?"""

    task: str = msgspec.field(name="taskId")


class UpdateTask(Request, frozen=True, gc=False):
    """Answers to what a task waits for."""

    task: str = msgspec.field(name="taskId")
    answers: dict[str, dict[str, JSON]] = msgspec.field(name="inputResponses")
    """Not yet read. Keys nobody asked for may be among them."""


class CancelTask(Request, frozen=True, gc=False):
    """Nobody wants the task any more: it may stop."""

    task: str = msgspec.field(name="taskId")


# -- what a session answers by itself -------------------------------------------------------------------------------


class Initialize(Request, frozen=True, gc=False):
    protocol: str = msgspec.field(name="protocolVersion")
    capabilities: dict[str, JSON]
    info: dict[str, JSON] = msgspec.field(name="clientInfo")


class Ping(Request, frozen=True, gc=False):
    pass


class Discover(Request, frozen=True, gc=False):
    pass


class SetLevel(Request, frozen=True, gc=False):
    level: Level


class Subscribe(Request, frozen=True, gc=False):
    uri: str


class Unsubscribe(Request, frozen=True, gc=False):
    uri: str


# -- what wants no answer -------------------------------------------------------------------------------------------


class Send(msgspec.Struct, frozen=True, gc=False):
    """Write these bytes, before anything that follows."""

    data: bytes
    """One whole message, or several, each with its newline."""
    code: int | None = None
    """The error code, where it is an error: ``errors.HTTP_STATUS`` has what HTTP says beside it."""


class Initialized(msgspec.Struct, frozen=True, gc=False):
    """The handshake is complete: the client may be asked things that belong to no call."""

    peer: Peer


class Cancelled(msgspec.Struct, frozen=True, gc=False):
    """Stop working on this. Whatever is still said about it, the session turns into no bytes."""

    request: Request
    reason: str | None = None


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The client's response to ``session.ask``: a result, or the error it gave instead."""

    id: str
    """That of the ``Asked`` value."""
    result: dict[str, JSON] | None = None
    error: Error | None = None


class RootsChanged(msgspec.Struct, frozen=True, gc=False):
    """The folders the client works in are others now."""


Event: TypeAlias = Request | Send | Initialized | Cancelled | Answer | RootsChanged
