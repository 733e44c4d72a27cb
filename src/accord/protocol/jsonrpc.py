"""Bytes to lines, one line to one message, and one message to one line. Knows JSON-RPC 2.0 as MCP narrows it; knows no
method.

However the bytes were cut, a line ends at its newline. A limit keeps one that never ends from filling the memory: once
a line is longer, what follows is thrown away up to its newline, and one ``None`` stands for it.

A message is one JSON object: none of the versions knows batches. Ids are strings and integers, echoed as they came.
What cannot be read as a message is answered without an id, for ``null`` is an id in no version; an error that
could be taken for the answer to something else in flight is not sent under that something's id either.
"""

from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, Error, Refused
from accord.protocol.events import RequestId

__all__ = [
    "ID_TYPES",
    "LONGEST",
    "Lines",
    "Message",
    "encode",
    "error_line",
    "notification_line",
    "read",
    "request_line",
    "result_line",
]

#: what an id may be, and a progress token; by `type`, for `true` is neither
ID_TYPES: Final = frozenset({int, str})


LONGEST: Final = 16 * 1024 * 1024
"""Bytes of one message. Files travel as base64 inside arguments, so it is generous; the HTTP servers of the peers stop
at 4 MiB, their stdio servers nowhere."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Lines:
    """Cuts a stream at its newlines."""

    __slots__ = ("_begun", "_limit", "_rest", "_skipping")

    def __init__(self, limit: int = LONGEST) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._skipping = False
        self._begun = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines these bytes complete, without their newlines; None for one that is over the limit."""
        lines: list[bytes | None] = list(data.split(b"\n"))
        rest = lines.pop() or b""
        if lines and self._skipping:
            del lines[0]  # the end of a line that was reported when it grew too long
            self._skipping = False
        elif lines and self._rest:
            lines[0] = bytes(self._rest) + (lines[0] or b"")
            self._rest.clear()
        if lines and not self._begun:
            self._begun = True
            lines[0] = (lines[0] or b"").removeprefix(_BYTE_ORDER_MARK)  # what some shells put before piped text
        limit = self._limit
        if lines and (len(data) > limit or len(lines[0] or b"") > limit):
            lines = [line if line is not None and len(line) <= limit else None for line in lines]
        if rest and not self._skipping:
            if len(self._rest) + len(rest) > limit:
                self._rest.clear()
                self._skipping = True
                lines.append(None)
            else:
                self._rest += rest
        return lines

    def end(self) -> list[bytes | None]:
        """What stood after the last newline, as if it had one."""
        return self.feed(b"\n") if self._rest else []


class Message(msgspec.Struct, gc=False):
    """A request (method and id), a notification (method only) or a response (no method)."""

    jsonrpc: str = ""
    id: Any = msgspec.UNSET
    method: str | None = None
    params: dict[str, Any] | None = None
    result: Any = msgspec.UNSET
    error: Any = msgspec.UNSET


class _Outline(msgspec.Struct, gc=False):
    """What is still asked of a message that is none: does it want an answer, and under which id?"""

    id: Any = msgspec.UNSET
    method: Any = None
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_decode = msgspec.json.Decoder(Message).decode
_outline = msgspec.json.Decoder(_Outline).decode
_scan = msgspec.json.Decoder(msgspec.Raw).decode
encode: Final = msgspec.json.Encoder().encode

# Invalid UTF-8 is a ValueError, and what is nested too deep stops the decoder with a RecursionError.
_UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)


def read(line: bytes) -> Message | None:
    """The message on this line; None for one that is flawed and wants no answer.

    Raises:
        Refused: it is no message, or a flawed request. ``id`` is the request's, where it could be read.
    """
    try:
        if not line.isascii():
            line.decode()  # the decoder does not look into members that nobody asks for
        message = _decode(line)
    except _UNREADABLE as error:
        _flawed(line, error)
        return None
    if message.jsonrpc != "2.0" or (message.method is None and message.result is message.error is msgspec.UNSET):
        _flawed(line, None)
        return None
    return message


def _flawed(line: bytes, error: Exception | None) -> None:
    """Raises what is to be answered; returns where nothing is."""
    if error is not None and not isinstance(error, msgspec.ValidationError):
        raise Refused(PARSE_ERROR, _why(error)) from None
    try:
        if line.lstrip()[:1] != b"{":
            _scan(line)
            raise Refused(INVALID_REQUEST, "A message is one JSON object")
        outline = _outline(line)
    except _UNREADABLE as worse:
        raise Refused(PARSE_ERROR, _why(worse)) from None
    if outline.method is None and not (outline.result is outline.error is msgspec.UNSET):
        return  # a response: answering it could go on for ever
    if isinstance(outline.method, str) and outline.id is msgspec.UNSET:
        return  # a notification
    known = outline.id if type(outline.id) in ID_TYPES else None
    if error is not None and "$.params" in str(error) and isinstance(outline.method, str):
        raise Refused(INVALID_PARAMS, f"Invalid params: {error}", id=known) from None
    raise Refused(INVALID_REQUEST, "Not a JSON-RPC 2.0 request", id=known) from None


def _why(error: Exception) -> str:
    return "Nested too deep" if isinstance(error, RecursionError) else "Parse error: not JSON in UTF-8"


# -- writing --------------------------------------------------------------------------------------------------------


def result_line(id: RequestId, head: bytes, body: bytes) -> bytes:
    """A response. ``body`` is an encoded object, ``head`` the members that go before its own: ``{"a":1,``."""
    if b"\n" in body:
        body = msgspec.json.format(body, indent=-1)
    if body == b"{}":
        head = head.rstrip(b",")
    return b'{"jsonrpc":"2.0","id":' + encode(id) + b',"result":' + head + body[1:] + b"}\n"


def error_line(id: RequestId | None, error: Error) -> bytes:
    """An error response; without an id where the request's could not be read."""
    start = b'{"jsonrpc":"2.0",' if id is None else b'{"jsonrpc":"2.0","id":' + encode(id) + b","
    return start + b'"error":' + encode(error) + b"}\n"


def notification_line(method: str, params: Any = None) -> bytes:
    """A notification, without params where there are none."""
    members = {"jsonrpc": "2.0", "method": method, "params": params}
    return encode(members if params is not None else {"jsonrpc": "2.0", "method": method}) + b"\n"


def request_line(id: RequestId, method: str, params: Any = None) -> bytes:
    """A request, without params where there are none."""
    members: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
    return encode(members if params is None else {**members, "params": params}) + b"\n"
