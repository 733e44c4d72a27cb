"""Apps as files in a directory, and the `accord` program run on them in this process."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from accord.__main__ import main

FLEET = """
from accord import App, Context, Positional
from typing import Annotated

app = App("fleet", version="1.0.0")

@app.command(idempotent=True)
def deploy(service: Annotated[str, Positional], copies: int = 1, tags: list[str] = []) -> dict[str, object]:
    "Deploy a service. Or not."
    return {"service": service, "copies": copies, "tags": tags}

site = app.group("site")

@site.command
def build(clean: bool = False) -> str:
    "Build it."
    if clean:
        raise ValueError("nothing to clean")
    return "built"

@app.command(surfaces=["mcp"])
def hidden() -> str:
    return "hidden"
"""


class Ran(NamedTuple):
    """How the program ended."""

    code: int
    out: str
    err: str


class Program:
    """The `accord` program, at home in a directory of its own."""

    def __init__(self, directory: Path, captured: pytest.CaptureFixture[str]) -> None:
        self.directory = directory
        self._captured = captured

    def write(self, name: str, text: str = FLEET) -> Path:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def __call__(self, *arguments: str) -> Ran:
        with forgetting():
            code = main([str(argument) for argument in arguments])
        written = self._captured.readouterr()
        return Ran(code, written.out, written.err)


@contextmanager
def forgetting() -> Iterator[None]:
    """What is imported here is not there for the next one."""
    modules, path = {*sys.modules}, list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in {*sys.modules} - modules:
            if not name.partition(".")[0] == "accord":
                del sys.modules[name]
