"""A server over HTTP with tools that take their time: `python -m tests.interop.busy PORT`."""

from __future__ import annotations

import asyncio
import sys
import time

from accord import App, Context
from accord.transports.asgi.limits import Limits

app = App("busy")

MOMENT = 0.1


@app.command
async def naps(number: int) -> int:
    """Take a moment, and let others work meanwhile."""
    await asyncio.sleep(MOMENT)
    return number


@app.command
def blocks(number: int) -> int:
    """Take a moment of a whole thread."""
    time.sleep(MOMENT)
    return number


@app.command
async def lasts(seconds: float, ctx: Context) -> str:
    """Say that it has begun, and take so long."""
    ctx.progress("begun", 1, 2)
    await asyncio.sleep(seconds)
    return "finished"


@app.command
def floods(ctx: Context) -> str:
    """Say far more than anybody keeps: 200 MB."""
    for step in range(20_000):
        ctx.progress("x" * 10_000, step + 1)
    return "flooded"


if __name__ == "__main__":
    app.serve("http", port=int(sys.argv[1]), grace=5.0, limits=Limits(head_seconds=3))
