"""MCP over this process's stdin and stdout, on threads that take turns.

One thread at a time reads; whoever read a call makes it, and another one reads on meanwhile, so that a slow tool keeps
nobody waiting and a quick one is answered by the thread that heard of it. Tools cannot reach the pipe: file
descriptors 0 and 1 are the null device and stderr before the first of them runs. Knows descriptors and threads, and
no message.
"""

import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from accord.app import App
from accord.protocol.events import Request
from accord.protocol.session import ServerSession
from accord.server.desk import Desk
from accord.server.profile import profile_of

__all__ = ["first_message", "serve"]

_log = logging.getLogger("accord.server")

_CHUNK = 65536
#: seconds that calls have to end by themselves once nobody will send more
_GRACE = 2.0
#: seconds within which a client speaks first
_PATIENCE = 3.0


def serve(app: App, heard: bytes = b"") -> None:
    """Serve the app until stdin ends, or the process is told to stop. ``heard`` was read from stdin already."""
    with _own_pipe() as (incoming, outgoing):
        pipe = _Pipe(app, incoming, outgoing, heard)
        with _stopping_at_signals(pipe.stop):
            pipe.run()


class _Pipe:
    """One client, and the threads that serve it."""

    def __init__(self, app: App, incoming: int, outgoing: int, heard: bytes) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._most = app.policy.concurrency
        self._session = ServerSession(profile_of(app))
        self._desk = Desk(app._registry, self._session, self._send)
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        #: threads that wait for their turn, and calls that wait for a thread
        self._idle = 0
        self._threads = 0
        self._busy = 0
        self._backlog: deque[Request] = deque()
        self._heard: deque[Request] = deque()
        self._unread = heard
        self._ended = False
        self._over = threading.Event()
        self._quiet = threading.Event()

    def run(self) -> None:
        """Serve until the end; the calling thread only waits, because signals come to it."""
        self._hire()
        while not self._over.wait(0.5):
            pass
        self._quiet.wait(_GRACE)
        self._desk.cancel_all()
        self._quiet.wait(_GRACE)

    def stop(self) -> None:
        """End as soon as may be."""
        self._desk.cancel_all()
        self._over.set()

    def _hire(self) -> None:
        self._threads += 1
        threading.Thread(target=self._work, name=f"accord-stdio-{self._threads}", daemon=True).start()

    def _work(self) -> None:
        while True:
            call = self._next()
            if call is None:
                return
            while call is not None:
                self._answer(call)
                call = self._after()

    def _next(self) -> Request | None:
        """Wait for the turn, then read until there is a call to make; None at the end."""
        with self._counting:
            self._idle += 1
        with self._turn:
            while not self._ended:
                if self._heard:
                    call = self._heard.popleft()
                    if self._takes(call):
                        return call
                    continue
                self._read()
        return None

    def _takes(self, call: Request) -> bool:
        """Whether this thread makes the call. Beyond the limit it waits, and this thread reads on."""
        with self._counting:
            if self._busy >= self._most:
                self._backlog.append(call)
                return False
            self._busy += 1
            self._idle -= 1
            needs_reader = self._idle == 0
            if needs_reader:
                self._hire()
        return True

    def _answer(self, call: Request) -> None:
        try:
            self._desk.answer(call)
        except Exception:  # noqa: BLE001 - boundary: a fault of ours is logged and told, and the thread goes on
            _log.exception("a request could not be answered")
            self._desk.fail(call)

    def _after(self) -> Request | None:
        """A call that has waited, or None: then this thread waits for its turn."""
        with self._counting:
            if self._backlog:
                return self._backlog.popleft()
            self._busy -= 1
            if self._ended and self._busy == 0:
                self._quiet.set()
        return None

    def _read(self) -> None:
        data, self._unread = self._unread, b""
        if not data:
            data = _read_from(self._incoming)
        events = self._session.receive(data) if data else self._session.end()
        for event in events:
            call = self._desk.accept(event)
            if call is not None:
                self._heard.append(call)
        if not data:
            self._end()

    def _end(self) -> None:
        """Nothing more will come; what came is still answered."""
        while self._heard:
            call = self._heard.popleft()
            with self._counting:
                self._busy += 1
            threading.Thread(target=self._finish, args=(call,), daemon=True).start()
        self._ended = True
        with self._counting:
            if self._busy == 0:
                self._quiet.set()
        self._over.set()

    def _finish(self, call: Request | None) -> None:
        while call is not None:
            self._answer(call)
            call = self._after()

    def _send(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._outgoing, view) :]
        except OSError:  # nobody reads any more
            self.stop()


def _read_from(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:  # as good as its end
        return b""


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
    """Descriptors of our own for what was stdin and stdout; tools find the null device and stderr there."""
    incoming, outgoing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    streams = sys.stdin, sys.stdout
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
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
        os.dup2(incoming, 0)
        os.dup2(outgoing, 1)
        os.close(outgoing)


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
