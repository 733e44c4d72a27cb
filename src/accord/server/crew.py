"""The threads that serve one pipe. One of them leads: it reads, and makes the calls it reads about itself.

A hand-over from thread to thread takes longer than most calls, so a quick call is answered by the thread that heard of
it. That must hold up nobody: while a call runs, the watch looks every few milliseconds whether the leader has come
back to the pipe, and if it has not, another thread leads from then on. A tool that was slow once is made room for at
once the next time. Replies to what came in together go out together. Knows a desk and two functions that read and write
bytes.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from time import perf_counter
from typing import Final

from accord._registry import Registry
from accord.protocol.events import CallTool, Request
from accord.protocol.session import ServerSession
from accord.server.desk import Desk

__all__ = ["Crew"]

_log = logging.getLogger("accord.server")

#: seconds between two looks at the leader
_TICK: Final = 0.005
#: ticks with nothing to do until the watch sleeps
_QUIET_TICKS: Final = 40
#: seconds of sleep until signals are looked for
_LOOK_UP: Final = 0.5
#: seconds after which a call was not quick
_SLOW: Final = 0.001
#: kinds of calls that are remembered as slow
_MOST_SLOW: Final = 10_000
#: replies that are held back at most
_HELD_BACK: Final = 64
#: calls that wait for a thread until the pipe is left alone
_MOST_WAITING: Final = 10_000
#: seconds that calls have to end by themselves once nobody will send more
_GRACE: Final = 2.0

#: the job of leading
_LEAD: Final = object()


class Crew:
    """Serves one pipe: ``read`` gives bytes, or none at the end; ``write`` takes whole messages."""

    def __init__(
        self, registry: Registry, session: ServerSession, read: Callable[[], bytes], write: Callable[[bytes], None]
    ) -> None:
        self.desk: Desk = Desk(registry, session, self._send)
        self._registry = registry
        self._session = session
        self._read_bytes = read
        self._write = write
        self._most = registry.policy.concurrency
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[object] = SimpleQueue()
        #: threads without a job, threads in all, and calls that were begun and not answered
        self._idle = self._threads = self._busy = 0
        self._heard: deque[Request] = deque()
        self._backlog: deque[Request] = deque()
        self._slow: set[object] = set()
        self._held_back: list[bytes] = []
        # Who leads: every leader has a number, and leads while it is the highest.
        self._reign = 0
        self._leader: int | None = None
        self._is_reading = False
        self._reads = 0
        self._is_watched = False
        self._stirred = threading.Event()
        self._has_ended = False
        self._over = threading.Event()
        self._quiet = threading.Event()

    # -- beginning and end ---------------------------------------------------------------------------------------

    def run(self, heard: bytes = b"") -> None:
        """Serve until the pipe ends; the calling thread is the watch, and hears signals. ``heard`` was read before."""
        self._unread = heard
        self._registry.watchers.append(self.desk)
        try:
            self._employ(_LEAD)
            self._watch()
            self._quiet.wait(_GRACE)
            self.desk.cancel_all()
            self._quiet.wait(_GRACE)
        finally:
            self._registry.watchers.remove(self.desk)
        self.desk.end_streams()
        self._flush()

    def stop(self) -> None:
        """End as soon as may be."""
        self.desk.cancel_all()
        self._over.set()
        self._stirred.set()

    # -- the watch -----------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        quiet, seen = 0, -1
        while not self._over.wait(_TICK):
            with self._lock:
                is_away = not self._is_reading and self._reads == seen
                quiet = quiet + 1 if self._is_reading and self._reads == seen else 0
                seen = self._reads
                self._is_watched = quiet < _QUIET_TICKS
            if is_away:
                self._depose()
            if not self._is_watched:
                while not (self._stirred.wait(_LOOK_UP) or self._over.is_set()):
                    pass
                self._stirred.clear()
                quiet = 0

    def _depose(self) -> None:
        """Another thread leads from now on; the leader may still be at a call."""
        with self._lock:
            if self._is_reading or self._has_ended:
                return
            self._reign += 1
            self._leader = None
        self._flush()
        self._employ(_LEAD)

    # -- threads and their jobs ----------------------------------------------------------------------------------

    def _employ(self, job: object) -> None:
        """Have a job done by a thread that has none, or by a new one."""
        with self._lock:
            is_new = self._idle == 0
            if is_new:
                self._threads += 1
            else:
                self._idle -= 1
        self._jobs.put(job)
        if is_new:
            threading.Thread(target=self._serve, name=f"accord-{self._threads}", daemon=True).start()

    def _serve(self) -> None:
        while True:
            job = self._jobs.get()
            if job is _LEAD:
                self._lead()
            elif isinstance(job, Request):
                self._work(job)
            with self._lock:
                self._idle += 1

    def _work(self, call: Request) -> None:
        """Make a call that somebody made room for."""
        started = perf_counter()
        self.desk.answer(call, self._answered)
        if perf_counter() - started < _SLOW:
            self._slow.discard(_kind(call))

    def _answered(self) -> None:
        """A call less is under way; whoever waits takes its place."""
        with self._lock:
            self._busy -= 1
            waiting = self._backlog.popleft() if self._backlog and self._busy < self._most else None
            if waiting is not None:
                self._busy += 1
            elif self._has_ended and not self._busy:
                self._quiet.set()
        if waiting is not None:
            self._employ(waiting)

    # -- leading -------------------------------------------------------------------------------------------------

    def _lead(self) -> None:
        with self._lock:
            reign = self._reign
            self._leader = threading.get_ident()
        while True:
            with self._lock:
                if self._reign != reign or self._has_ended:
                    return
                call = self._heard.popleft() if self._heard else None
                if call is None:
                    self._is_reading = True
                elif self._busy < self._most:
                    self._busy += 1
                else:
                    self._backlog.append(call)
                    continue
            if call is None:
                self._read()
            elif _kind(call) in self._slow:
                self._depose()
                self._work(call)
            else:
                self._take(call)

    def _take(self, call: Request) -> None:
        """Make a call here and now."""
        started = perf_counter()
        self.desk.answer(call, self._answered)
        if perf_counter() - started > _SLOW and len(self._slow) < _MOST_SLOW:
            self._slow.add(_kind(call))

    def _read(self) -> None:
        """Hear what comes next. Until it is sorted, nobody else leads."""
        if self._held_back:
            self._flush()
        if len(self._backlog) >= _MOST_WAITING:
            self._let_them_work()
        data, self._unread = self._unread or self._read_bytes(), b""
        calls = []
        for event in self._session.receive(data) if data else self._session.end():
            call = self.desk.accept(event)
            if call is not None:
                calls.append(call)
        with self._lock:
            self._heard.extend(calls)
            self._is_reading = False
            self._reads += 1
            is_stirring = not self._is_watched and bool(calls)
            self._is_watched = self._is_watched or is_stirring
        if is_stirring:
            self._stirred.set()
        if not data:
            self._end()

    def _let_them_work(self) -> None:
        """Leave the pipe alone until fewer calls wait, unless they wait for what comes through it."""
        while len(self._backlog) >= _MOST_WAITING and not self.desk.is_asking:
            if self._over.wait(_TICK):
                return

    def _end(self) -> None:
        """Nothing more will come; what came is still answered."""
        with self._lock:
            self._has_ended = True
            self._backlog.extend(self._heard)
            self._heard.clear()
            free = min(self._most - self._busy, len(self._backlog))
            waiting = [self._backlog.popleft() for _ in range(free)]
            self._busy += free
            if not self._busy:
                self._quiet.set()
        for call in waiting:
            self._employ(call)
        self._over.set()
        self._stirred.set()

    # -- writing -------------------------------------------------------------------------------------------------

    def _send(self, data: bytes) -> None:
        """Called by the desk, one message at a time. The leader holds replies back while there is more to reply to."""
        self._held_back.append(data)
        if self._heard and len(self._held_back) < _HELD_BACK and self._leader == threading.get_ident():
            return
        self._write_out()

    def _flush(self) -> None:
        self.desk.flush(self._write_out)

    def _write_out(self) -> None:
        if self._held_back:
            data = b"".join(self._held_back)
            self._held_back.clear()
            self._write(data)


def _kind(call: Request) -> object:
    """What calls have in common that take about as long."""
    return call.name if type(call) is CallTool else type(call)
