"""What each client calls a server that it starts itself: data, one row a client."""

from typing import Literal

from accord._values import Value

__all__ = ["CLIENTS", "Client", "Entry", "Name", "entry_for", "is_ours"]

Name = Literal["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini"]
#: a server as a client's file has it
Entry = dict[str, object]

#: how a client starts us, after the interpreter: `-P` keeps the client's own directory off the module path
_START = ("-P", "-m", "accord", "serve")


class Client(Value):
    """A client: its name for people, the key its servers stand under, and how its file is written.

    ``typed`` says that an entry names its transport; ``lenient`` that its file may hold comments and commas too many.
    """

    title: str
    key: str
    toml: bool = False
    typed: bool = False
    lenient: bool = False
    then: str = ""


CLIENTS: dict[str, Client] = {
    "claude-code": Client("Claude Code", "mcpServers", typed=True, then="Start a new session; /mcp shows it."),
    "claude-desktop": Client("Claude Desktop", "mcpServers", then="Quit Claude Desktop and start it again."),
    "cursor": Client(
        "Cursor", "mcpServers", typed=True, lenient=True, then="Enable it in Cursor's settings, under MCP."
    ),
    "vscode": Client("VS Code", "servers", typed=True, lenient=True, then="Run `MCP: List Servers` to start it."),
    "codex": Client("Codex", "mcp_servers", toml=True, then="Start a new session; /mcp shows it."),
    "gemini": Client("Gemini CLI", "mcpServers", lenient=True, then="Start a new session; /mcp shows it."),
}


def entry_for(client: Client, interpreter: str, target: str, environment: dict[str, str]) -> Entry:
    """The entry that starts an app's server."""
    entry: Entry = {"type": "stdio"} if client.typed else {}
    entry |= {"command": interpreter, "args": [*_START, target]}
    return {**entry, "env": environment} if environment else entry


def is_ours(entry: object) -> bool:
    """Whether an entry that is there starts an Accord server."""
    args = entry.get("args") if isinstance(entry, dict) else None
    words = [str(arg) for arg in args] if isinstance(args, list) else []
    return any(words[at : at + 3] == ["-m", "accord", "serve"] for at in range(len(words)))
