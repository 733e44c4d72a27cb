"""MCP over this process's stdin and stdout.

Tools cannot reach the pipe: file descriptors 0 and 1 are the null device and stderr before the first of them runs.
Knows descriptors and signals, and no message.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from accord.app import App
from accord.protocol.session import ServerSession
from accord.server.crew import Crew
from accord.server.journal import journal
from accord.server.profile import profile_of

__all__ = ["first_message", "serve"]

_CHUNK = 65536
#: seconds within which a client speaks first
_PATIENCE = 3.0


def serve(app: App, heard: bytes = b"") -> None:
    """Serve the app until stdin ends, or the process is told to stop. ``heard`` was read from stdin already."""
    with _own_pipe() as (incoming, outgoing), journal():
        session = ServerSession(profile_of(app))

        def write(data: bytes) -> None:
            if not _write_to(outgoing, data):
                crew.stop()

        crew = Crew(app._registry, session, lambda: _read_from(incoming), write)
        with _stopping_at_signals(crew.stop):
            crew.run(heard)
        if app._registry.workshop is not None:
            app._registry.workshop.close()


def _read_from(descriptor: int) -> bytes:
    while True:
        try:
            return os.read(descriptor, _CHUNK)
        except BlockingIOError:
            os.set_blocking(descriptor, True)  # somebody who shares it would not wait; we do
        except OSError:  # as good as its end
            return b""


def _write_to(descriptor: int, data: bytes) -> bool:
    """Write it all; False when nobody reads any more."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            os.set_blocking(descriptor, True)  # as above
        except OSError:
            return False
    return True


def first_message() -> bytes:
    """What comes on stdin at once, if it is the beginning of an MCP message.

    A client sends its first message as soon as it has started the program. Whatever stays silent is none.
    """
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(_read_from(0)), name="accord-stdin", daemon=True)
    reader.start()
    reader.join(_PATIENCE)
    data = heard[0] if heard else b""
    return data if data.lstrip()[:1] == b"{" and b'"jsonrpc"' in data else b""


@contextmanager
def _own_pipe() -> Iterator[tuple[int, int]]:
    """Descriptors of our own for what was stdin and stdout; tools find the null device and stderr there.

    For good: what is still in some buffer at the end, or said by a tool that runs on, is not for the client either.
    """
    _open_what_is_closed()
    incoming, outgoing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    streams = sys.stdin, sys.stdout
    os.dup2(null, 0)
    os.dup2(2, 1)
    if sys.platform != "win32":
        os.register_at_fork(after_in_child=partial(_let_go, incoming, outgoing, os.getpid()))
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a descriptor, for as long as we serve
    sys.stdout = sys.stderr
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - only Windows has it

        msvcrt.setmode(incoming, os.O_BINARY)
        msvcrt.setmode(outgoing, os.O_BINARY)
    try:
        yield incoming, outgoing
    finally:
        sys.stdin, sys.stdout = streams
        # Not closed: a call that ends later would write its answer to whatever has the number by then.
        os.dup2(null, outgoing, inheritable=False)
        os.close(null)


def _let_go(incoming: int, outgoing: int, server: int) -> None:
    """In a process that a tool has forked: it may return from the tool, too, and the pipe is not its own."""
    if os.getppid() == server:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, incoming, inheritable=False)
        os.dup2(null, outgoing, inheritable=False)
        os.close(null)


def _open_what_is_closed() -> None:
    """Of the three standard descriptors, those that this process was started without: nobody is there."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # it gets the lowest number that is free


@contextmanager
def _stopping_at_signals(stop: Callable[[], None]) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the server cleanly. Only the main thread may say so; elsewhere its owner decides."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGINT, signal.SIGTERM]

    def stopped(_number: int, _frame: Any) -> None:
        stop()

    before = [signal.signal(number, stopped) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
