"""A client on the official Python SDK, generation 2, which speaks both eras."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import plan
from mcp import Client, MCPError, StdioServerParameters, types

MODES = {"handshake": "legacy", "stateless": "auto"}


class Connection(plan.Connection):
    protocol_error = MCPError
    types = types

    async def cancel(self, task: asyncio.Task[Any], number: int) -> None:
        task.cancel()


@asynccontextmanager
async def connect(server: dict[str, Any], era: str, user: plan.User | None) -> AsyncIterator[Connection]:
    target = server["http"]["url"] if "http" in server else StdioServerParameters(**server["stdio"])
    async with Client(target, mode=MODES[era], **plan.callbacks(types, user)) as client:
        yield Connection(client, client.protocol_version, user)


if __name__ == "__main__":
    plan.follow(connect)
