"""A server of everything a client may meet. Run as a program, it serves over stdio."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Annotated, Literal

from accord import App, Context, Ge, Progress, ToolError

app = App("example", version="1.2.3", description="Everything", instructions="Ask for what you need.")


@app.command(read_only=True)
def echo(text: str, times: Annotated[int, Ge(1)] = 1) -> str:
    """Say it again.

    Args:
        text: What to say.
        times: How often.
    """
    return text * times


@app.command
def add(a: int, b: int) -> dict[str, int]:
    return {"sum": a + b}


@app.command
def count(items: list[str]) -> int:
    return len(items)


@app.command
def nothing() -> None: ...


@app.command
async def later(text: str) -> str:
    await asyncio.sleep(0.01)
    return text


@app.command
def steps(number: int) -> Iterator[Progress | str]:
    for step in range(number):
        yield Progress(f"step {step + 1}", step + 1, number)
    yield "done"


@app.command
def fails(how: str) -> str:
    if how == "on purpose":
        raise ToolError("sold out", code="SOLD_OUT", data={"left": 0}, retryable=False)
    raise RuntimeError(how)


@app.command
def leaves() -> str:
    sys.exit(3)


@app.command
def noisy() -> str:
    print("printed")
    os.write(1, b"written to the descriptor\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
    return "quiet"


@app.command
def reads() -> str:
    """What a child finds on its stdin, and what `input` does."""
    child = subprocess.run(
        [sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], capture_output=True, check=True
    )
    try:
        return input()
    except EOFError:
        return f"nothing, and {child.stdout.decode().strip()} for the child"


@app.command
def waits(seconds: float, ctx: Context) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not ctx.cancelled:
        time.sleep(0.01)
    return "cancelled" if ctx.cancelled else "waited"


@app.command
def asks(ctx: Context) -> str:
    answer: str = ctx.ask("What is your name?", str)
    return f"hello {answer}"


@app.command(confirm="Really?")
def wipes() -> str:
    return "wiped"


@app.resource("note://{name}")
def note(name: str) -> str:
    """A note.

    Args:
        name: Which one.
    """
    return f"the note {name}"


@app.resource("data://numbers")
def numbers() -> list[int]:
    return [1, 2]


@app.prompt()
def review(code: str, tone: Literal["kind", "strict"] = "kind") -> str:
    """Ask for a review."""
    return f"Review this in a {tone} tone: {code}"


if __name__ == "__main__":
    app.run()
