"""Bytes for the protocol: any bytes, whole or cut anywhere, give events and never an exception.

Most are messages with something wrong in them, for what is no JSON at all gets no further than the first step.
`python -m tests.fuzz.wire --inputs 200000 [--seed 7]` tries as many as asked.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from typing import Any

from accord.protocol import events
from accord.protocol.client import ClientSession
from accord.protocol.profile import Limits
from accord.protocol.session import ServerSession
from tests.fuzz.inputs import command
from tests.protocol._server import Pipe, profile
from tests.protocol._wire import CLIENT, EVERY, enveloped, initialize, messages, notification, request, stateless

LIMIT = 2000
"""Bytes of a message: low, so that long ones are tried as well."""

Rng = random.Random

METHODS = [
    *("initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list", "resources/read"),
    *("resources/templates/list", "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get"),
    *("completion/complete", "logging/setLevel", "subscriptions/listen", "nobody/knows", ""),
    *("notifications/initialized", "notifications/cancelled", "notifications/progress"),
    *("notifications/roots/list_changed",),
]
IDS = [0, 1, 2, "1", "", "s1", "s2", None, 1.5, True, [], {}, 10**30, "\ud7ff\U0001f600"]
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    10**25,
    "",
    "x",
    "\x00",
    [],
    {},
    [[]],
    {"": None},
    "9" * 50,
    "info",
    "file:///a",
]
PARAMS: dict[str, list[Any]] = {
    "name": ["add", "ask", "hang", "log", "work", "boom", "nobody"],
    "arguments": [{}, {"a": 1}],
    "uri": ["file:///a", "file:///b"],
    "cursor": ["", "WyJ0b29scyIsMSwiYWRkIl0="],
    "level": ["debug", "emergency"],
    "notifications": [{}, {"toolsListChanged": True, "resourceSubscriptions": ["file:///a"]}],
    "requestId": IDS,
    "inputResponses": [{}, {"who": {"action": "accept", "content": {"name": "x"}}}],
    "requestState": ["x", "0" * 64 + "{}"],
    "ref": [{"type": "ref/prompt", "name": "greet"}, {"type": "ref/resource", "uri": "x"}, {"type": "x"}],
    "argument": [{"name": "x", "value": "y"}],
    "protocolVersion": [*EVERY, "1900-01-01"],
    "capabilities": [{}, {"elicitation": {}, "sampling": {}, "roots": {}}],
    "clientInfo": [CLIENT],
    "id": ODD,
    "version": ODD,
    "peer": ODD,
    "retry": ODD,
}
METAS: list[Any] = [
    enveloped(),
    enveloped(progressToken=1),
    enveloped(level="debug", capabilities={"elicitation": {}}),
    {},
]
WELL_FORMED: list[Any] = [
    initialize(EVERY[0], elicitation={}, roots={}),
    initialize(EVERY[1], id="i"),
    stateless(1, "tools/call", name="add", arguments={"a": 1}),
    stateless(2, "subscriptions/listen", notifications={"toolsListChanged": True}),
    request(3, "tools/call", name="work", _meta={"progressToken": 1}),
    notification("notifications/cancelled", requestId=1),
    {"jsonrpc": "2.0", "id": "s1", "result": {"action": "decline"}},
    {"jsonrpc": "2.0", "id": "s2", "error": {"code": -1, "message": "no"}},
]


def drawn(rng: Rng) -> Any:
    """A message whose parts are known ones, each now and then odd."""
    if rng.random() < 0.2:
        return rng.choice(WELL_FORMED)
    params: Any = {name: rng.choice(values) for name, values in PARAMS.items() if rng.random() < 0.5}
    if rng.random() < 0.7:
        params["_meta"] = {**rng.choice(METAS)}
    if params and rng.random() < 0.2:
        params[rng.choice(list(params))] = rng.choice(ODD)
    if params.get("_meta") and rng.random() < 0.1:
        params["_meta"] = {
            **rng.choice(METAS),
            rng.choice(list(enveloped(progressToken=1, level="x"))): rng.choice(ODD),
        }
    members = {"jsonrpc": "2.0", "id": rng.choice(IDS), "method": rng.choice(METHODS), "params": params}
    if str(members["method"]).startswith("notifications/") and rng.random() < 0.8:
        del members["id"]
    for name in list(members):
        if rng.random() < 0.05:
            del members[name]
        elif rng.random() < 0.03:
            members[name] = rng.choice(ODD)
    return members


def spoiled(rng: Rng, data: bytes) -> bytes:
    """The same bytes with a few of them wrong."""
    spoil = rng.choice([flipped, truncated, doubled, stuffed, deep, long])
    return spoil(rng, data)


def flipped(rng: Rng, data: bytes) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def truncated(rng: Rng, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def doubled(rng: Rng, data: bytes) -> bytes:
    at, to = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    return data[:to] + data[at:]


def stuffed(rng: Rng, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return (
        data[:at]
        + rng.choice([b"\x00", b"\xff", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800"])
        + data[at:]
    )


def deep(rng: Rng, data: bytes) -> bytes:
    levels = rng.choice([10, 400, 900])
    return data.replace(b"{}", b"[" * levels + b"]" * levels, 1)


def long(rng: Rng, data: bytes) -> bytes:
    return data.replace(b'"', b'"' + b"x" * rng.choice([LIMIT // 2, LIMIT, 3 * LIMIT]), 1)


def stream(rng: Rng, length: int) -> bytes:
    """That many inputs, each on a line of its own unless it was spoiled."""
    # Without a handshake, most of the earlier era is refused at its first step.
    lines = [json.dumps(initialize(rng.choice(EVERY), elicitation={}, roots={})).encode()] if rng.random() < 0.6 else []
    for _ in range(length - len(lines)):
        data = json.dumps(drawn(rng)).encode() if rng.random() < 0.95 else rng.randbytes(rng.randrange(40))
        lines.append(spoiled(rng, data) if rng.random() < 0.3 else data)
    return b"\n".join(lines) + b"\n"


def pieces(rng: Rng, data: bytes) -> list[bytes]:
    """The bytes, cut anywhere: now and then at every one."""
    if rng.random() < 0.1:
        return [data[at : at + 1] for at in range(len(data))]
    places = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randint(1, 12)))
    return [data[start:stop] for start, stop in zip([0, *places], [*places, len(data)], strict=True)]


def check(rng: Rng, inputs: int, seen: Counter[str]) -> None:
    """One stream through a server left alone, one that answers, and a client. Raises where a promise breaks."""
    data = stream(rng, inputs)
    of = profile(limits=Limits(message_bytes=LIMIT, streams=3, watched=5))
    whole, cut = ServerSession(of), ServerSession(of)
    events_whole = whole.receive(data)
    events_cut = [event for piece in pieces(rng, data) for event in cut.receive(piece)]
    assert events_cut == events_whole, "it depends on how the bytes were cut"
    assert len(whole._lines._rest) <= LIMIT
    assert len(cut._lines._rest) <= LIMIT
    for event in events_whole:
        seen[type(event).__name__] += 1
        if isinstance(event, events.Send):
            for message in messages(event.data):
                seen[str(message.get("error", {}).get("code", "sent"))] += 1

    pipe = Pipe(of)
    for piece in pieces(rng, data):
        messages(pipe.react(pipe.session.receive(piece)))
    assert len(pipe.session.listening.streams) <= 3
    for waiting in pipe.session.open:
        pipe.session.abandon(waiting)
    assert pipe.session.open == []
    assert pipe.session.listening.streams == []

    client = ClientSession(CLIENT, longest=LIMIT, version=rng.choice(EVERY))
    for method in ("initialize", "tools/list", "tools/call"):
        client.request(method)
    for piece in pieces(rng, data):
        client.receive(piece)


if __name__ == "__main__":
    sys.exit(command("tests.fuzz.wire", __doc__, check, 200_000))
