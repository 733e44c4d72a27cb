"""A process that turns into a server, and how that ended.

The one path ``--mcp``, ``--mcp-http`` and ``accord serve`` share. Everything about serving is the app's.
"""

from __future__ import annotations

from accord.cli.console import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from accord.cli.builtin import Wishes
    from accord.cli.console import Console

__all__ = ["serve", "serve_as_wished"]


def serve_as_wished(wishes: Wishes, console: Console) -> Ending:
    """Serve as ``--mcp`` or ``--mcp-http`` says."""
    if wishes.address is None:
        return serve(console, "--mcp", "stdio")
    options: dict[str, Any] = {"insecure": True} if wishes.insecure else {}
    return serve(console, "--mcp-http", "http", host=wishes.address.host, port=wishes.address.port, **options)


def serve(console: Console, asked: str, transport: str, **options: Any) -> Ending:
    """Serve until the client leaves or the process is told to end. ``asked`` is the option that asked for it."""
    if console.serve is None:
        return _failed(console, f"{asked} serves from a process of its own, and this is none.")
    try:
        console.serve(transport, **options)
    except ValueError as error:  # there it cannot serve, or not so
        return _failed(console, str(error))
    return Ending(0)


def _failed(console: Console, problem: str) -> Ending:
    console.write(console.stderr, f"Error: {problem}\n")
    return Ending(2)
