"""Lines come out the same however the bytes are cut, and no line fills the memory."""

from __future__ import annotations

import pytest

from accord.protocol.events import Send
from accord.protocol.jsonrpc import LONGEST, Lines
from accord.protocol.session import ServerSession
from tests.protocol._server import Pipe, profile, small
from tests.protocol._wire import line, messages, request, stateless

LIMIT = 8

# (bytes, the lines in them): with a limit of eight
STREAMS: list[tuple[bytes, list[bytes | None]]] = [
    (b"", []),
    (b"a", []),
    (b"a\n", [b"a"]),
    (b"\n", [b""]),
    (b"\n\n", [b"", b""]),
    (b"a\nb\nc", [b"a", b"b"]),
    (b"a\r\n", [b"a\r"]),
    (b"a\x00b\n", [b"a\x00b"]),
    (b"12345678\n", [b"12345678"]),
    (b"123456789\n", [None]),
    (b"123456789", [None]),
    (b"1234567890123456789012345\na\n", [None, b"a"]),
    (b"a\n123456789\nb\n", [b"a", None, b"b"]),
    (b"123456789\n123456789\n", [None, None]),
    (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", [b"a", b"\xef\xbb\xbfb"]),
    (b"\xef\xbb\xbf\n", [b""]),
]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize(("stream", "expected"), STREAMS)
def test_a_stream_is_cut_at_its_newlines(stream: bytes, expected: list[bytes | None], size: int) -> None:
    lines, found = Lines(LIMIT), []
    for at in range(0, len(stream), size):
        found += lines.feed(stream[at : at + size])
    assert found == expected


def test_a_line_without_its_newline_is_read_at_the_end() -> None:
    lines = Lines(LIMIT)
    assert lines.feed(b"a\nb") == [b"a"]
    assert lines.end() == [b"b"]
    assert lines.end() == []


def test_a_last_message_may_lack_its_newline() -> None:
    session = ServerSession(profile())
    assert session.receive(line(request(1, "ping")).rstrip()) == []
    (sent,) = session.end()
    assert isinstance(sent, Send)
    assert messages(sent.data)[0]["result"] == {}


def test_a_line_that_never_ends_is_thrown_away_as_it_comes() -> None:
    lines, chunk = Lines(1000), b"x" * 700
    assert lines.feed(chunk) == []
    assert lines.feed(chunk) == [None]
    assert [lines.feed(chunk) for _ in range(1000)] == [[]] * 1000
    assert len(lines._rest) == 0
    assert lines.feed(b"\na\n") == [b"a"]


@pytest.mark.parametrize("size", [100, 10_000])
def test_a_message_over_the_limit_is_refused_and_the_next_one_works(size: int) -> None:
    pipe = Pipe(small(message_bytes=400))
    said = line(stateless(1, "tools/call", name="x" * 1000)) + line(stateless(2, "tools/call", name="add"))
    pipe.expect(stateless(2, "tools/call"))
    refused, done = [each for at in range(0, len(said), size) for each in pipe.push(said[at : at + size])]
    assert refused == {"jsonrpc": "2.0", "error": {"code": -32600, "message": "A message has at most 400 bytes"}}
    assert done["id"] == 2


def test_a_hundred_megabytes_in_one_line_are_refused_without_being_kept() -> None:
    session = ServerSession(profile())
    chunk = b"[" * (1024 * 1024)
    events = [event for _ in range(100) for event in session.receive(chunk)]
    assert len(events) == 1
    assert len(session._lines._rest) <= LONGEST
    assert len(session.receive(b"\n" + line(request(1, "ping")))) == 1
