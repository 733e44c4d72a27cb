"""``accord serve APP``: an app as an MCP server, on stdio or HTTP.

Reads the line and loads the app; everything about serving is the app's. Its few words are read by hand, because clients
wait for a server to start.
"""

import sys
from collections.abc import Iterator
from typing import Any

from accord.cli.address import ADDRESS, address_of
from accord.cli.diversion import diverted
from accord.cli.main import conduct
from accord.cli.serving import serve
from accord.cli.target import load_app
from accord.errors import ToolError

__all__ = ["run"]

_USAGE = """usage: accord serve APP [--stdio | --http [HOST:]PORT [OPTIONS]]

Serve an app to MCP clients: on stdin and stdout, or over HTTP.

  APP                 path/to/app.py, path/to/app.py:attr or module:attr
  --stdio             as a client's child process; the default
  --http [HOST:]PORT  over HTTP; HOST is 127.0.0.1 unless given, port 0 is any that is free

With --http:

  --path PATH         where it answers; /mcp unless given
  --host-name NAME    a name that clients reach it under, and no other (again for more)
  --origin ORIGIN     a page that may visit, and no other, like https://app.example.com (again for more)
  --stateless         no sessions, for clients of 2025 either
  --insecure          let in everybody who reaches a HOST that is not this machine alone
  --reload            for development: start anew when a source file of the app changes"""

_FLAGS = {"--stateless": "stateless", "--insecure": "insecure", "--reload": "reload"}
_LISTS = {"--host-name": "hosts", "--origin": "origins"}


class _Misused(Exception):
    """The line cannot be read."""


def run(arguments: list[str]) -> int:
    """Serve until the client leaves or the process is told to end."""
    if {"-h", "--help"} & {*arguments}:
        print(_USAGE)
        return 0
    try:
        target, transport, options = _read(arguments)
    except _Misused as error:
        print(f"Error: {error}\n\n{_USAGE}", file=sys.stderr)
        return 2
    if options.pop("reload", False):
        from accord.cli.reloading import serve_and_reload  # noqa: PLC0415 - a server that stays does not need it

        return serve_and_reload(target, options)
    try:
        # A print at import time would be the first thing a client reads.
        with diverted():
            app = load_app(target).app
    except ToolError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return conduct(app, lambda console: serve(console, "accord serve", transport, **options))


def _read(arguments: list[str]) -> tuple[str, str, dict[str, Any]]:
    """The target, the transport and its options."""
    targets: list[str] = []
    transports: list[tuple[str, dict[str, Any]]] = []
    options: dict[str, Any] = {}
    for option, value in _taken_apart(arguments):
        if option == "--stdio":
            transports.append(("stdio", {}))
        elif option == "--http":
            transports.append(("http", _address(value)))
        elif option == "--path":
            options["path"] = _path(value)
        elif option in _FLAGS:
            options[_FLAGS[option]] = True
        elif option in _LISTS:
            options.setdefault(_LISTS[option], []).append(value)
        else:
            targets.append(value)
    if len(targets) != 1:
        raise _Misused(f"one APP is needed, {len(targets) or 'none'} was given.")
    if len(transports) > 1:
        raise _Misused("one transport at a time: --stdio or --http.")
    transport, where = (transports or [("stdio", {})])[0]
    if options and transport != "http":
        given = next(word.partition("=")[0] for word in arguments if word.startswith("-") and word != "--stdio")
        raise _Misused(f"{given} is for --http.")
    return targets[0], transport, {**where, **options}


def _taken_apart(arguments: list[str]) -> Iterator[tuple[str, str]]:
    """The options with their values; a word that stands alone comes with no option."""
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if not word.startswith("-"):
            yield "", word
        elif option == "--stdio" or option in _FLAGS:
            if equals:
                raise _Misused(f"{option} takes no value.")
            yield option, ""
        elif option in ("--http", "--path", *_LISTS):
            given = value if equals else next(words, "")
            if not given:
                raise _Misused(f"{option} needs a value.")
            yield option, given
        else:
            raise _Misused(f"there is no option {option} here.")


def _address(text: str) -> dict[str, Any]:
    address = address_of(text)
    if address is None:
        raise _Misused(f"--http cannot be {text[:100]!r}: it takes {ADDRESS}.")
    return {"host": address.host, "port": address.port}


def _path(text: str) -> str:
    if not text.startswith("/"):
        raise _Misused(f"--path cannot be {text[:100]!r}: a path begins with a slash, like /mcp.")
    return text
