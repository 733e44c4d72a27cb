"""An app whose tools do what a transport has to cope with. A test holds them up, and lets them go."""

from __future__ import annotations

import asyncio
from typing import Annotated

from accord import App, Context, Header


class Valve:
    """Holds tools up until a test lets them go, and tells how they fared."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.open = asyncio.Event()
        self.ended: list[str] = []
        self.ending = asyncio.Event()

    async def passed(self) -> None:
        self.reached.set()
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self._end("cancelled")
            raise
        self._end("done")

    def _end(self, how: str) -> None:
        self.ended.append(how)
        self.ending.set()


def app_with(valve: Valve) -> App:
    app = App("visited", version="1.0")

    @app.command
    async def add(a: int, b: int) -> int:
        return a + b

    @app.command
    async def waits() -> str:
        await valve.passed()
        return "waited"

    @app.command
    async def tells(ctx: Context, times: int = 1, then_wait: bool = False) -> str:
        """Say something, and go on when it is let."""
        for step in range(times):
            ctx.progress("working", step + 1, times)
            ctx.info(f"step {step + 1}")
        if then_wait:
            await valve.passed()
        return "told"

    @app.command
    async def goes(ctx: Context) -> str:
        """Let the client go, and wait until it is let to answer."""
        ctx.info("before")
        ctx.hang_up(retry=0.25)
        await valve.passed()
        ctx.info("after")
        return "gone and back"

    @app.command
    def asks(ctx: Context) -> str:
        return str(ctx.ask("Who?"))

    @app.command
    async def routed(region: Annotated[str, Header("Region")]) -> str:
        return region

    @app.command
    async def grows() -> str:
        """Add a tool."""
        number = len(app.tools)
        app.add(lambda: number, name=f"another{number}")
        return "grown"

    @app.prompt
    async def greeting() -> str:
        return "Hello"

    @app.resource("note://one")
    def note() -> str:
        return "A note."

    return app
