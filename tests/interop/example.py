"""A server of everything a client may meet. Run as a program, it serves over stdio."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Annotated, Literal

from accord import App, Context, Ge, Progress, ToolError

app = App("example", version="1.2.3", description="Everything", instructions="Ask for what you need.")

# What one call waits for and another one brings about, so that a client can decide which of two things comes first.
_patience = 20.0
_released = threading.Semaphore(0)
_withdrawn = threading.Semaphore(0)
#: who paid, in the life of this process
_payments: list[str] = []


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
def letters(word: str) -> list[str]:
    return list(word)


@app.command
def nothing() -> None: ...


@app.command
async def later(text: str) -> str:
    await asyncio.sleep(0.01)
    return text


@app.command
def steps(number: int, held: bool = False) -> Iterator[Progress | str]:
    """Take steps, and if `held` is set, wait for `release` after the last one."""
    for step in range(number):
        yield Progress(f"step {step + 1}", step + 1, number)
    yield "done" if not held or _released.acquire(timeout=_patience) else "forgotten"


@app.command
async def paces(number: int, ctx: Context) -> str:
    """Take steps without a thread, and wait for `release` after the last one."""
    for step in range(number):
        ctx.progress(f"pace {step + 1}", step + 1, number)
    return "done" if await asyncio.to_thread(_released.acquire, timeout=_patience) else "forgotten"


@app.command
def release() -> bool:
    """Let `steps` or `paces` go on."""
    _released.release()
    return True


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
    ctx.progress("waiting")
    ctx.info("waiting")
    end = time.monotonic() + seconds
    while time.monotonic() < end and not ctx.cancelled:
        time.sleep(0.01)
    if ctx.cancelled:
        _withdrawn.release()
    return "cancelled" if ctx.cancelled else "waited"


@app.command
def withdrawn() -> bool:
    """Whether `waits` hears that its call was withdrawn."""
    return _withdrawn.acquire(timeout=_patience)


@app.command
def asks(ctx: Context) -> str:
    answer: str = ctx.ask("What is your name?", str)
    return f"hello {answer}"


@app.command
def introduces(ctx: Context) -> str:
    name: str = ctx.ask("What is your name?", str)
    age: int = ctx.ask(f"How old are you, {name}?", int)
    return f"{name} is {age}"


@app.command
def samples(topic: str, ctx: Context) -> str:
    """What the client's model says about the topic."""
    question = {"role": "user", "content": {"type": "text", "text": f"A line about {topic}, please."}}
    said: str = ctx.sample([question], maxTokens=50)["content"]["text"]
    return said


@app.command
def folders(ctx: Context) -> list[str]:
    """Where the client works."""
    return ctx.roots()


@app.command
async def pays(ctx: Context) -> str:
    """Asks, acts, and asks again: how often it runs must not show."""
    name = await ctx.aask("What is your name?")
    before = ctx.once("before", lambda: len(_payments))
    if await ctx.aconfirm(f"Pay, {name}?"):
        ctx.once("pay", lambda: _payments.append(name))
    receipt = await ctx.aconfirm(f"A receipt, {name}?")
    return f"{name} pays {len(_payments) - before} time" + (", on paper" if receipt else "")


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
