"""The command line of a process: real streams, real signals, an exit code.

The only place that touches ``sys`` streams for good. Everything else is ``command``.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from accord._surfaces import reach
from accord.cli.command import obey
from accord.cli.console import Console, Ending, is_terminal
from accord.errors import SettingsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import TextIO

    from accord.app import App

__all__ = ["conduct", "run"]

_INTERRUPTED = 130


def run(app: App, argv: list[str]) -> int:
    """Do what the arguments say, and return the exit code."""
    return conduct(app, lambda console: _do(app, argv, console))


def conduct(app: App, work: Callable[[Console], Ending]) -> int:
    """Do something with an App at the console of this process, and return the exit code."""
    # A process that ends gives its memory back by itself; searching all of it for cycles first takes an eighth of the
    # time a short command takes. Nothing is promised about what is still alive then, with or without this.
    atexit.register(gc.freeze)
    try:
        exit_code = work(_console(app)).exit_code
        _flush()
    except KeyboardInterrupt:  # between our lines: nothing is running that could be told
        exit_code = _INTERRUPTED
    except OSError as error:
        _give_up_output(error)
        exit_code = 1
    except SettingsError as error:  # a server's own: what a tool reads fails the tool
        print(f"Error: {error}", file=sys.stderr)
        exit_code = 2
    return _closed(app) or exit_code


def _do(app: App, argv: list[str], console: Console) -> Ending:
    heard = b"" if argv or is_terminal(sys.stdin) else _first_message()
    if not heard:
        return obey(app, argv, console)
    reach("stdio")(app, heard)
    return Ending(0)


def _give_up_output(error: OSError) -> None:
    """Our output cannot be written. A reader who has gone need not be told; anybody else is."""
    # What is still in the buffer goes nowhere: Python would try again at exit, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if not isinstance(error, BrokenPipeError):
        try:
            print(f"Error: the output cannot be written: {error.strerror}", file=sys.stderr)
        except OSError:  # that cannot be written either
            return


def _closed(app: App) -> int:
    """Clean up what lives as long as the app; 1 when that failed."""
    try:
        app.close()
    except ExceptionGroup as group:
        problems = "; ".join(f"{type(error).__name__}: {error}" for error in group.exceptions)
        print(f"Error: {group.message}: {problems}", file=sys.stderr)
        return 1
    return 0


def _first_message() -> bytes:
    """What stands on stdin, if it begins with an MCP message: then whoever started this without a word is a client."""
    from accord.transports.stdio import first_message  # noqa: PLC0415 - only a program without arguments looks

    return first_message()


def _console(app: App) -> Console:
    return Console(sys.stdin, sys.stdout, sys.stderr, os.environ, _program(), _divert, app.serve)


def _program() -> str:
    """What people type to start this."""
    name = os.path.basename(sys.argv[0])  # noqa: PTH119 - pathlib is not worth its start-up time
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    if name == "__main__.py" and main is not None:
        return f"python -m {main.name.removesuffix('.__main__')}"
    return name


def _divert() -> AbstractContextManager[TextIO | None]:
    from accord.cli.diversion import diverted  # noqa: PLC0415 - only JSON has to be kept clean

    return diverted()


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
