"""``accord serve --reload``: one process that serves, and another that starts it anew when its source has changed.

The one that stays has the socket, so that clients who come meanwhile wait, and are not turned away. The one that serves
watches its own source, because only it knows what it has loaded; what cannot be loaded is waited for.
"""

import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any, Final, Self

from accord.cli.diversion import diverted
from accord.cli.main import conduct
from accord.cli.serving import serve
from accord.cli.target import home_of, load_app, read_target
from accord.cli.watching import Watch, sources_of
from accord.errors import ToolError
from accord.transports.asgi.serving import guard, listening

__all__ = ["serve_and_reload"]

#: the exit code of a server whose source has changed
_CHANGED: Final = 75
#: seconds between two looks at the source
_PAUSE: Final = 0.5
#: seconds for calls that run when it has changed: whoever changed it waits as well
_GRACE: Final = 2.0
_INTERRUPTED: Final = 130


# -- the process that stays ----------------------------------------------------------------------------------------


def serve_and_reload(target: str, options: dict[str, Any]) -> int:
    """Serve over HTTP, with these options, until told to end; return the exit code."""
    try:
        file = read_target(target).file
        if file and not os.path.isfile(file):  # noqa: PTH113 - as cli/target has it
            load_app(target)  # a mistake on the line is one now; what goes missing later is waited for
        guard(options["host"], insecure=options.get("insecure", False))
        listener = listening(options["host"], options["port"])
    except (ToolError, ValueError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1 if isinstance(error, ToolError) else 2
    with listener, _Keeper() as keeper:
        while True:
            exit_code = keeper.run(_serve, listener, target, options)
            if keeper.is_told:
                return 0
            if exit_code != _CHANGED:
                return exit_code


class _Keeper:
    """Runs one process at a time, and passes on to it that it is to end."""

    def __init__(self) -> None:
        self.is_told = False
        self._running: BaseProcess | None = None

    def __enter__(self) -> Self:
        self._before = [(number, signal.signal(number, self._tell)) for number in (signal.SIGINT, signal.SIGTERM)]
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before:
            signal.signal(number, handler)

    def run(self, work: Callable[..., None], *arguments: Any) -> int:
        process = multiprocessing.get_context("spawn").Process(target=work, args=arguments)
        with _interrupts_held_back():
            process.start()
        self._running = process
        if self.is_told:  # while it was being started
            process.terminate()
        process.join()
        return process.exitcode or 0

    def _tell(self, _number: int, _frame: Any) -> None:
        self.is_told = True
        if self._running is not None:
            self._running.terminate()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C waits until the process that is started can take it: before that it would end with a traceback."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - only where there is one

    resource_tracker.ensure_running()  # starting it lets interrupts in again
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


# -- the process that serves ---------------------------------------------------------------------------------------


def _serve(listener: socket.socket, target: str, options: dict[str, Any]) -> None:
    try:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        exit_code = _serve_until_changed(listener, target, options)
    except KeyboardInterrupt:
        exit_code = _INTERRUPTED
    sys.exit(exit_code)


def _serve_until_changed(listener: socket.socket, target: str, options: dict[str, Any]) -> int:
    file = read_target(target).file
    watch = Watch(home_of(os.path.abspath(file))[0] if file else os.getcwd())  # noqa: PTH100, PTH109 - as cli/target
    try:
        with diverted():
            loaded = load_app(target)
    except ToolError as error:
        print(f"Error: {error}\nWaiting until it changes.", file=sys.stderr, flush=True)
        watch.add([file, *sources_of(error)])
        return _CHANGED if _waited_for(watch) else 0
    if not file and loaded.module.__file__:  # a module may be found anywhere
        watch.folder = home_of(loaded.module.__file__)[0]
    end = _End(watch)
    threading.Thread(target=end.wait, name="accord-reload", daemon=True).start()
    exit_code = conduct(
        loaded.app,
        lambda console: serve(console, "--reload", "http", listener=listener, grace=_GRACE, **options),
    )
    return _CHANGED if end.is_change else exit_code


class _End:
    """Interrupts the server when its source has changed, or when nobody keeps it any more."""

    def __init__(self, watch: Watch) -> None:
        self.is_change = False
        self._watch = watch

    def wait(self) -> None:
        self.is_change = _waited_for(self._watch)
        # Before the server listens for it, this is a KeyboardInterrupt, and ends it as well.
        signal.raise_signal(signal.SIGINT)


def _waited_for(watch: Watch) -> bool:
    """Wait for a change; False when the process that would start us anew is gone."""
    keeper = multiprocessing.parent_process()
    assert keeper is not None
    while keeper.is_alive():
        file = watch.changed()
        if file is not None:
            print(f"{os.path.relpath(file)} has changed.", file=sys.stderr, flush=True)
            return True
        keeper.join(_PAUSE)
    return False
