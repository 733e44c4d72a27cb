"""A client on the official Python SDK, generation 1, which speaks the handshake era only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import plan
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client


class Connection(plan.Connection):
    protocol_error = McpError
    types = types

    def number(self) -> int:
        return int(self.client._request_id)

    async def cancel(self, task: asyncio.Task[Any], number: int) -> None:
        # This generation has no method that cancels: its users send the notification, and count requests as it does.
        cancelled = types.CancelledNotification(params=types.CancelledNotificationParams(requestId=number))
        await self.client.send_notification(types.ClientNotification(cancelled))
        task.cancel()


@asynccontextmanager
async def connect(server: dict[str, Any], era: str, user: plan.User | None) -> AsyncIterator[Connection]:
    assert era == "handshake", era
    asking = plan.callbacks(types, user)
    if "http" in server:
        transport = streamable_http_client(server["http"]["url"])
    else:
        transport = stdio_client(StdioServerParameters(**server["stdio"]))
    async with transport as (read, write, *_), ClientSession(read, write, **asking) as session:
        version = (await session.initialize()).protocolVersion
        yield Connection(session, str(version), user)


if __name__ == "__main__":
    plan.follow(connect)
