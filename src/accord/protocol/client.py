"""The client's end of one pipe: requests in, bytes out; bytes in, replies out. Does no I/O and starts nothing.

It speaks one version. In the handshake era ``initialize`` comes first, and the server may ask questions of
its own; in the stateless era every request describes the client, and questions come as results.
"""

from collections.abc import Callable
from itertools import count
from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_REQUEST, METHOD_NOT_FOUND, Error, NotAllowed, Refused
from accord.protocol.events import JSON, Level, RequestId, Send, Token
from accord.protocol.jsonrpc import (
    ID_TYPES,
    LONGEST,
    Lines,
    Message,
    encode,
    error_line,
    notification_line,
    read,
    request_line,
    result_line,
)
from accord.protocol.listening import SUBSCRIPTION_ID, Kind
from accord.protocol.notices import cancelled_line
from accord.protocol.replies import (
    Acknowledged,
    Changed,
    Failure,
    InputRequired,
    Logged,
    Progressed,
    Question,
    Reply,
    Result,
    Sent,
    Updated,
    Withdrawn,
)
from accord.protocol.versions import HANDSHAKE, LATEST_STATELESS, VERSIONS, Version

__all__ = ["ClientSession"]

_NAME: Final = "io.modelcontextprotocol/"
_OF_A_ROUND: Final = ("inputResponses", "requestState")


class ClientSession:
    """One pipe of a client.

    ``version`` is the name of the specification to speak; where a handshake settles on another one, that one.

    Raises:
        KeyError: nobody here speaks that version.
    """

    __slots__ = ("_capabilities", "_info", "_lines", "_numbers", "_open", "version")

    def __init__(
        self,
        info: dict[str, JSON],
        capabilities: dict[str, JSON] | None = None,
        *,
        version: str = LATEST_STATELESS.name,
        longest: int = LONGEST,
    ) -> None:
        self.version: Version = VERSIONS[version]
        self._info = info
        self._capabilities = capabilities or {}
        self._lines = Lines(longest)
        self._numbers = count(1)
        self._open: dict[int, Sent] = {}

    # -- what is asked of the server -----------------------------------------------------------------------------

    def initialize(self) -> Sent:
        """Open the handshake. The rest follows by itself: a ``Send`` goes before the result.

        Raises:
            NotAllowed: the version has no handshake.
        """
        if self.version.stateless:
            raise NotAllowed(f"{self.version} has no handshake")
        params = {
            "protocolVersion": self.version.name,
            "capabilities": self._capabilities,
            "clientInfo": self._info,
        }
        return self.request("initialize", params)

    def request(
        self,
        method: str,
        params: dict[str, JSON] | None = None,
        *,
        token: Token | None = None,
        log_level: Level | None = None,
    ) -> Sent:
        """Send a request. ``token`` asks for progress under that name, ``log_level`` for its log (stateless era)."""
        number = next(self._numbers)
        meta: dict[str, JSON] = {} if token is None else {"progressToken": token}
        if self.version.stateless:
            meta[_NAME + "protocolVersion"] = self.version.name
            meta[_NAME + "clientInfo"] = self._info
            meta[_NAME + "clientCapabilities"] = self._capabilities
            if log_level is not None:
                meta[_NAME + "logLevel"] = log_level
        whole = dict(params or {})
        if meta:
            whole["_meta"] = {**whole.get("_meta", {}), **meta}
        sent = Sent(number, request_line(number, method, whole or None), method, params or {}, token, log_level)
        self._open[number] = sent
        return sent

    def retry(self, asked: InputRequired, answers: dict[str, JSON]) -> Sent:
        """Repeat a request that was answered with questions; ``answers`` are by key, as the methods define them."""
        first = asked.sent
        params = {name: value for name, value in first.params.items() if name not in _OF_A_ROUND}
        if answers:
            params["inputResponses"] = answers
        if asked.state is not None:
            params["requestState"] = asked.state
        return self.request(first.method, params, token=first.token, log_level=first.log_level)

    def cancel(self, id: int, reason: str | None = None) -> bytes:
        """Withdraw a request; what still comes back for it is dropped."""
        if self._open.pop(id, None) is None:
            return b""
        return cancelled_line(id, reason)

    # -- what the server asks ------------------------------------------------------------------------------------

    def answer(self, question: Question, result: dict[str, JSON]) -> bytes:
        """Answer a question."""
        return result_line(question.id, b"{", encode(result))

    def refuse(self, question: Question, error: Error) -> bytes:
        """Refuse to answer a question."""
        return error_line(question.id, error)

    # -- what came in --------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Reply]:
        """What these bytes of a newline-delimited stream complete, however they were cut."""
        replies: list[Reply] = []
        for line in self._lines.feed(data):
            if line is not None:
                replies += self.message(line)
        return replies

    def message(self, line: bytes) -> list[Reply]:
        """What one whole message says. What makes no sense is dropped: there is nobody to complain to."""
        try:
            message = read(line)
            if message is None:
                return []
            if message.method is None:
                return self._answered(message)
            if message.id is msgspec.UNSET:
                return _told(message.method, message.params or {})
            return self._asked(message.method, message)
        except (Refused, msgspec.ValidationError):
            return []

    def _answered(self, message: Message) -> list[Reply]:
        if message.id is msgspec.UNSET and message.error is not msgspec.UNSET:
            return [Failure(None, msgspec.convert(message.error, Error))]
        sent = self._open.pop(message.id, None) if type(message.id) is int else None
        if sent is None:
            return []
        try:
            return self._result(sent, message)
        except msgspec.ValidationError as error:
            return [Failure(sent.id, Error(INVALID_REQUEST, f"The server's answer is none: {error}"))]

    def _result(self, sent: Sent, message: Message) -> list[Reply]:
        if message.error is not msgspec.UNSET:
            return [Failure(sent.id, msgspec.convert(message.error, Error))]
        result = msgspec.convert(message.result, dict[str, Any])
        if result.get("resultType") == "input_required":
            requests = msgspec.convert(result.get("inputRequests", {}), dict[str, dict[str, Any]])
            state = msgspec.convert(result.get("requestState"), str | None)
            return [InputRequired(sent.id, requests, state, sent)]
        if sent.method == "initialize":
            return self._welcomed(sent.id, result)
        return [Result(sent.id, result)]

    def _welcomed(self, id: int, result: dict[str, JSON]) -> list[Reply]:
        version = HANDSHAKE.get(str(result.get("protocolVersion")))
        if version is None:
            return [Failure(id, Error(INVALID_REQUEST, "The server speaks another version", result))]
        self.version = version
        return [Send(notification_line("notifications/initialized")), Result(id, result)]

    def _asked(self, method: str, message: Message) -> list[Reply]:
        if type(message.id) not in ID_TYPES:
            return []
        if self.version.stateless:
            error = Error(METHOD_NOT_FOUND, f"Servers of {self.version} send no requests")
            return [Send(error_line(message.id, error), error.code)]
        if method == "ping":
            return [Send(result_line(message.id, b"{", b"{}"))]
        return [Question(message.id, method, message.params or {})]


def _told(method: str, params: dict[str, JSON]) -> list[Reply]:
    """A notification as a value; raises ValidationError for one that is malformed."""
    tell = _NOTICES.get(method)
    return [] if tell is None else [tell(params)]


def _subscription(params: dict[str, JSON]) -> RequestId | None:
    meta = params.get("_meta")
    found = meta.get(SUBSCRIPTION_ID) if isinstance(meta, dict) else None
    return found if type(found) in ID_TYPES else None


def _acknowledged(params: dict[str, JSON]) -> Reply:
    members = {"subscription": _subscription(params), "filter": params.get("notifications")}
    return msgspec.convert(members, Acknowledged)


def _updated(params: dict[str, JSON]) -> Reply:
    return msgspec.convert({"uri": params.get("uri"), "subscription": _subscription(params)}, Updated)


def _progressed(params: dict[str, JSON]) -> Reply:
    return msgspec.convert({**params, "token": params.get("progressToken")}, Progressed)


def _withdrawn(params: dict[str, JSON]) -> Reply:
    return msgspec.convert({"id": params.get("requestId"), "reason": params.get("reason")}, Withdrawn)


def _logged(params: dict[str, JSON]) -> Reply:
    return msgspec.convert(params, Logged)


def _changed(kind: Kind) -> Callable[[dict[str, JSON]], Reply]:
    return lambda params: Changed(kind, _subscription(params))


_NOTICES: Final[dict[str, Callable[[dict[str, JSON]], Reply]]] = {
    "notifications/progress": _progressed,
    "notifications/message": _logged,
    "notifications/cancelled": _withdrawn,
    "notifications/subscriptions/acknowledged": _acknowledged,
    "notifications/resources/updated": _updated,
    "notifications/tools/list_changed": _changed("tools"),
    "notifications/prompts/list_changed": _changed("prompts"),
    "notifications/resources/list_changed": _changed("resources"),
}
