"""The few things ASGI is made of: reading a body, writing a response whole or as a stream of events."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from accord.protocol.errors import Error
from accord.protocol.jsonrpc import error_line
from accord.transports.asgi.attendance import Attendance, Deadline

__all__ = [
    "Gone",
    "Receive",
    "Send",
    "TooLarge",
    "event",
    "read_body",
    "refuse",
    "respond",
    "start_events",
    "write_event",
]

Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

_JSON: Final = (b"content-type", b"application/json")
_EVENTS: Final = {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
}


class TooLarge(Exception):
    """A body is larger than may be."""


class Gone(Exception):
    """The client went away before it had said everything, or took too long."""


async def read_body(receive: Receive, most: int, patience: float, attendance: Attendance) -> bytes:
    """The whole body.

    Raises:
        TooLarge: there is more of it than that.
        Gone: the rest does not come.
    """
    deadline = Deadline(patience)
    attendance.begin(deadline)
    try:
        return await _whole(receive, most)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if not deadline.is_over or task is None or task.uncancel():
            raise
        raise Gone from None
    finally:
        attendance.end(deadline)


async def _whole(receive: Receive, most: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        piece: bytes = message.get("body", b"")
        if len(body) + len(piece) > most:
            raise TooLarge
        if not message.get("more_body"):
            return bytes(body + piece) if body else piece
        body += piece


async def respond(send: Send, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
    """A whole response; a body is JSON unless the headers say otherwise."""
    raw = [(b"content-length", str(len(body)).encode())]
    if body and not headers:
        raw.append(_JSON)
    elif headers:
        given = {"content-type": "application/json"} if body else {}
        raw = _raw({**given, "content-length": str(len(body)), **headers})
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def refuse(send: Send, status: int, error: Error) -> None:
    """A whole response that is an error of nobody's request."""
    await respond(send, status, error_line(None, error).rstrip(b"\n"))


async def start_events(send: Send) -> None:
    """Begin a response that is a stream of events."""
    await send(_start(200, _EVENTS))


async def write_event(send: Send, data: bytes, *, more: bool = True) -> None:
    """Send a piece of the stream, the last one where there is no more."""
    await send({"type": "http.response.body", "body": data, "more_body": more})


def event(message: bytes, id: bytes | None = None) -> bytes:
    """A message as an event. JSON on one line, so it needs no splitting; an id makes it one that can be read again."""
    head = b"event: message\n" if id is None else b"event: message\nid: " + id + b"\n"
    return head + b"data: " + message.rstrip(b"\n") + b"\n\n"


def _start(status: int, headers: Mapping[str, str]) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": _raw(headers)}


def _raw(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
