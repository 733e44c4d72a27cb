"""The ``accord`` program, also ``python -m accord``."""

import os
import sys
from importlib import import_module

__all__ = ["main"]

#: command -> what it does; each command is a module of its own under ``accord.cli.commands``
COMMANDS = {
    "run": "run a command of an app: accord run APP COMMAND ...",
    "serve": "serve an app to MCP clients",
    "list": "list the tools of an app",
    "call": "call one tool of an app",
    "schema": "show what an app publishes of its tools",
    "install": "put an app into the configuration of an MCP client",
    "demo": "one function and everything its contract does, shown in the terminal",
}


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_help())
        return 0
    if arguments[0] not in COMMANDS:
        print(f"accord: there is no command {arguments[0]!r}\n{_help()}", file=sys.stderr)
        return 2
    run = import_module(f"accord.cli.commands.{arguments[0]}").run
    try:
        code = int(run(arguments[1:]))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _help() -> str:
    return "usage: accord COMMAND\n\n" + "\n".join(f"  {name:<8} {what}" for name, what in COMMANDS.items())


if __name__ == "__main__":
    sys.exit(main())
