"""Whole conversations, as data, come out the same however the bytes are cut.

A transcript is what the client says (`>`), followed by what the server says to that (`<`). `>~` is a bytes literal,
and a word behind an `@` stands for a value that would be long to repeat.
"""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.protocol.rounds import _bound
from tests.protocol._server import CAPABILITIES, Pipe, seal
from tests.protocol._wire import STAMP, enveloped

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))

VALUES = {
    "@meta": json.dumps(enveloped()),
    "@asked": json.dumps(enveloped(capabilities={"elicitation": {}})),
    "@token": json.dumps(enveloped(progressToken=7)),
    "@info": json.dumps(enveloped(level="info")),
    "@stamp": json.dumps(STAMP),
    "@capabilities": json.dumps(CAPABILITIES),
    # Inside a JSON string.
    "@state": json.dumps(seal({"round": 1}, _bound("tools/call", {"name": "ask"})))[1:-1],
}


def turns(path: Path) -> Iterator[tuple[list[bytes], list[Any]]]:
    """What is said, and what is answered to it."""
    said: list[bytes] = []
    answered: list[Any] = []
    for row in path.read_text(encoding="utf-8").splitlines():
        for name, value in VALUES.items():
            row = row.replace(name, value)
        if row.startswith(">"):
            if answered:
                yield said, answered
                said, answered = [], []
            said.append(ast.literal_eval(row[2:].strip()) if row.startswith(">~") else row[1:].strip().encode())
        elif row.startswith("<"):
            answered.append(json.loads(row[1:]))
    yield said, answered


def whole(data: bytes) -> list[bytes]:
    return [data]


def bytewise(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def at_random(data: bytes) -> list[bytes]:
    places = sorted(random.Random(len(data)).choices(range(len(data) + 1), k=20))
    return [data[start:stop] for start, stop in zip([0, *places], [*places, len(data)], strict=True)]


@pytest.mark.parametrize("cut", [whole, bytewise, at_random])
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_conversation_goes_as_it_is_written(path: Path, cut: Callable[[bytes], list[bytes]]) -> None:
    pipe = Pipe()
    for said, answered in turns(path):
        for each in said:
            try:
                pipe.expect(json.loads(each))
            except ValueError:
                continue
        written: list[Any] = []
        for piece in cut(b"".join(each + b"\n" for each in said)):
            written += pipe.push(piece)
        assert written == answered
