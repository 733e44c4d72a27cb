"""Document 003: its two commands, on every surface it names."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from accord import App, Context, Progress

app = App("contract", description="Two commands to agree on")


@app.command("deploy", description="Put a service live")
def deploy(environment: str, service: str, version: str = "latest", ctx: Context = None) -> dict[str, str]:
    return {"environment": environment, "service": service, "version": version}


site = app.group("site", description="What concerns the pages")


@site.command("build", description="Write the pages")
def build(output: str = "_site", clean: bool = False) -> dict[str, str | bool]:
    return {"output": output, "clean": clean}


@app.command
def speaks(ctx: Context) -> str:
    ctx.log("a log line")
    ctx.error("an error line")
    ctx.progress("a step", 1, 2)
    return ctx.surface


@app.command
def shows(ctx: Context) -> str:
    return ctx.run_app(lambda: "on the screen", fallback=lambda: "in words")


@app.command
def text() -> str:
    return "plain words"


@app.command
def mapping() -> dict[str, int]:
    return {"a": 1}


@app.command
def listing() -> list[int]:
    return [1, 2]


@app.command
def whole() -> int:
    return 7


@app.command
def fraction() -> float:
    return 2.5


@app.command
def truth() -> bool:
    return True


@app.command
def nothing() -> None:
    return None


@app.command
def steps() -> Iterator[Progress | str]:
    yield Progress("first", 0, 2)
    yield Progress("second", 1, 2)
    yield "at the end"


@app.command
def fails() -> str:
    raise LookupError("nowhere to be found")


# (promises, tool, what `invoke` prints by default, the same with --format json, text and structure over MCP)
RESULTS = [
    ("003-96 003-97", "text", "plain words\n", '"plain words"\n', "plain words", "plain words"),
    ("003-98 003-99", "mapping", "a: 1\n", '{\n  "a": 1\n}\n', '{"a":1}', {"a": 1}),
    ("003-98 003-99", "listing", "1\n2\n", "[\n  1,\n  2\n]\n", "[1,2]", [1, 2]),
    ("003-100 003-101", "whole", "7\n", "7\n", "7", 7),
    ("003-100 003-101", "fraction", "2.5\n", "2.5\n", "2.5", 2.5),
    ("003-100 003-101", "truth", "true\n", "true\n", "true", True),
    ("003-102 003-103", "nothing", "", "null\n", "", ...),
]

if __name__ == "__main__":
    app.run(sys.argv[1:])
