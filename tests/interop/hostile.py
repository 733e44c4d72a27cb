"""A server of tools that behave badly."""

import asyncio
import ctypes
import os
import subprocess
import sys
import time

from accord import App, Context

app = App("hostile")
AS_IT_WAS = sys.stdout


@app.command
def sleeps() -> str:
    time.sleep(10)
    return "slept"


@app.command
def spins() -> int:
    end, turns = time.monotonic() + 3, 0
    while time.monotonic() < end:
        turns += 1
    return turns


@app.command
def floods() -> str:
    for _ in range(100):
        print("x" * 100_000)
    return "flooded"


@app.command
def exits() -> str:
    sys.exit(3)


@app.command
def pipes() -> str:
    subprocess.run(["cat"], check=True)
    return "piped"


@app.command
def writes() -> str:
    ctypes.CDLL(None).puts(b"from C")
    ctypes.CDLL(None).fflush(None)
    os.write(1, b"from the descriptor\n")
    return "wrote"


@app.command
def dies_of_interrupt() -> str:
    raise KeyboardInterrupt


@app.command
def lasts(ctx: Context) -> None:
    while not ctx.cancelled:
        time.sleep(0.01)
    print("the sync tool was told")


@app.command
async def alasts() -> None:
    try:
        await asyncio.sleep(600)
    finally:
        print("the async tool was told")


@app.command
def peak() -> int:
    """The most memory this process has had, in bytes."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


@app.command
def keeps_to_itself() -> str:
    """Writes what stays in buffers until the process ends."""
    AS_IT_WAS.write("from a buffer\n")
    ctypes.CDLL(None).puts(b"from a buffer of C's")
    return "written"


@app.command
def forks() -> int:
    """Returns twice: here, and in a process of its own."""
    return os.fork()


@app.command
def large(size: int) -> str:
    return "x" * size


@app.command
def add(a: int, b: int) -> int:
    return a + b


if __name__ == "__main__":
    app.run()
