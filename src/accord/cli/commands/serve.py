"""``accord serve APP``: an app as an MCP server, on stdio or HTTP.

Reads the line and loads the app; everything about serving is the app's. Its few words are read by hand, because clients
wait for a server to start.
"""

import sys
from typing import Any

from accord.cli.diversion import diverted
from accord.cli.target import load_app
from accord.errors import SettingsError, ToolError

__all__ = ["run"]

_USAGE = """usage: accord serve APP [--stdio | --http [HOST:]PORT [--insecure]]

Serve an app to MCP clients: on stdin and stdout, or over HTTP.

  APP                 path/to/app.py, path/to/app.py:attr or module:attr
  --stdio             as a client's child process; the default
  --http [HOST:]PORT  over HTTP; HOST is 127.0.0.1 unless given
  --insecure          let everybody in who reaches a HOST that is not this machine alone"""


class _Misused(Exception):
    """The line cannot be read."""


def run(arguments: list[str]) -> int:
    """Serve until the client leaves or the process is told to end."""
    if {"-h", "--help"} & {*arguments}:
        print(_USAGE)
        return 0
    try:
        target, transport, options = _read(arguments)
        # A print at import time would be the first thing a client reads.
        with diverted():
            app: Any = load_app(target).app
    except _Misused as error:
        print(f"Error: {error}\n\n{_USAGE}", file=sys.stderr)
        return 2
    except ToolError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    try:
        app.serve(transport, **options)
    except (ValueError, SettingsError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    return 0


def _read(arguments: list[str]) -> tuple[str, str, dict[str, Any]]:
    """The target, the transport and its options."""
    targets: list[str] = []
    transports: list[tuple[str, dict[str, Any]]] = []
    insecure: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--stdio":
            transports.append(("stdio", {}))
        elif word == "--insecure":
            insecure = {"insecure": True}
        elif option == "--http":
            transports.append(("http", _address(value if equals else next(words, ""))))
        elif word.startswith("-"):
            raise _Misused(f"there is no option {option} here.")
        else:
            targets.append(word)
    if len(targets) != 1:
        raise _Misused(f"one APP is needed, {len(targets) or 'none'} was given.")
    if len(transports) > 1:
        raise _Misused("one transport at a time: --stdio or --http.")
    transport, options = (transports or [("stdio", {})])[0]
    if insecure and transport != "http":
        raise _Misused("--insecure is for --http.")
    return targets[0], transport, {**options, **insecure}


def _address(text: str) -> dict[str, Any]:
    """``[HOST:]PORT``; an IPv6 host stands in brackets."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise _Misused(f"--http needs [HOST:]PORT, like 8000 or 0.0.0.0:8000, and got {text!r}.")
    return {"host": host.removeprefix("[").removesuffix("]") or "127.0.0.1", "port": int(port)}
