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
from functools import partial
from time import perf_counter, sleep
from typing import Final

from accord._registry import Registry
from accord.protocol.events import CallTool, Request
from accord.protocol.session import ServerSession
from accord.server.bell import Bell
from accord.server.desk import Desk
from accord.server.staff import Staff

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
#: seconds that calls have to end by themselves once nobody will send more, and looks whether there is still time
_GRACE: Final = 2.0
_LOOKS: Final = 20
#: seconds to clean up for those that were withdrawn
_CLEANING_UP: Final = 1.0
#: seconds that the last words may take
_GOODBYE: Final = 0.5


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
        self.staff: Staff = Staff()
        #: calls that were begun and not answered
        self._busy = 0
        self._heard: deque[Request] = deque()
        self._backlog: deque[Request] = deque()
        self._slow: set[object] = set()
        self._held_back: list[bytes] = []
        # Who leads: every leader is appointed with a number, and leads while it is the highest.
        self._reign = 0
        #: the leader's thread, once it has begun
        self._leader: int | None = None
        self._is_reading = False
        self._reads = 0
        self._is_watched = False
        self._has_ended = self._is_stopped = False
        #: there is something to look at: calls came in, or it is over
        self._stirred = Bell()
        self._quiet = threading.Event()

    # -- beginning and end ---------------------------------------------------------------------------------------

    def run(self, heard: bytes = b"") -> None:
        """Serve until the pipe ends; the calling thread is the watch, and hears signals. ``heard`` was read before."""
        self._unread = heard
        self._registry.watchers.append(self.desk)
        try:
            self.staff.employ(partial(self._lead, self._reign))
            self._watch()
            self._wind_up()
        finally:
            self._registry.watchers.remove(self.desk)
        self._say_goodbye()

    def stop(self) -> None:
        """End as soon as may be. A signal handler may say so: this takes no lock."""
        self._is_stopped = True
        self._stirred.ring()

    def _is_over(self) -> bool:
        return self._has_ended or self._is_stopped

    def _wind_up(self) -> None:
        """Let calls end by themselves for a while, or until there is no more time; then withdraw them."""
        for _ in range(_LOOKS):
            if self._is_stopped or self._quiet.wait(_GRACE / _LOOKS):
                break
        self.desk.cancel_all()
        self._end()
        self._quiet.wait(_CLEANING_UP)

    def _say_goodbye(self) -> None:
        """On another thread: a client that does not read would have this one wait for ever."""
        said = threading.Event()

        def say() -> None:
            self.desk.end_streams()
            self._flush()
            said.set()

        self.staff.employ(say)
        said.wait(_GOODBYE)

    # -- the watch -----------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        quiet, seen = 0, -1
        while not self._is_over():
            self._stirred.wait(_TICK)
            with self._lock:
                has_stayed = self._reads == seen
                # One that was appointed and has not begun is not away: a second one would not be sooner.
                is_away = has_stayed and not self._is_reading and self._leader is not None
                reign = self._reign
                quiet = quiet + 1 if has_stayed and self._is_reading else 0
                seen = self._reads
                self._is_watched = quiet < _QUIET_TICKS
            if is_away:
                self._depose(reign)
            if not self._is_watched:
                while not (self._is_over() or self._stirred.wait(_LOOK_UP)):
                    pass
                quiet = 0

    def _depose(self, reign: int) -> None:
        """Another thread leads from now on, unless that has happened; the leader may still be at a call."""
        with self._lock:
            if self._reign != reign or self._is_reading or self._has_ended:
                return
            self._reign += 1
            self._leader = None
            job = partial(self._lead, self._reign)
        self.staff.employ(job)

    # -- calls ---------------------------------------------------------------------------------------------------

    def _take(self, call: Request) -> None:
        """Make a call here and now."""
        started = perf_counter()
        self.desk.answer(call, self._answered)
        if perf_counter() - started > _SLOW and len(self._slow) < _MOST_SLOW:
            self._slow.add(_kind(call))

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
            self.staff.employ(partial(self._work, waiting))

    # -- leading -------------------------------------------------------------------------------------------------

    def _lead(self, reign: int) -> None:
        with self._lock:
            if self._reign != reign:
                return
            self._leader = threading.get_ident()
        if self._held_back:  # by the leader before, who may be long at a call
            self._flush()
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
                self._depose(reign)
                self._work(call)
            else:
                self._take(call)

    def _read(self) -> None:
        """Hear what comes next. Until it is sorted, nobody else leads."""
        if self._held_back:
            self._flush()
        if len(self._backlog) >= _MOST_WAITING:
            self._let_them_work()
        data, self._unread = self._unread or self._read_bytes(), b""
        calls = self._calls_in(data)
        with self._lock:
            self._heard.extend(calls)
            self._is_reading = False
            self._reads += 1
            is_stirring = not self._is_watched and bool(calls)
            self._is_watched = self._is_watched or is_stirring
        if is_stirring:
            self._stirred.ring()
        if not data:
            self._end()

    def _calls_in(self, data: bytes) -> list[Request]:
        """What these bytes ask for and takes time; all else is done already."""
        calls: list[Request] = []
        try:
            for event in self._session.receive(data) if data else self._session.end():
                call = self.desk.accept(event)
                if call is not None:
                    calls.append(call)
        except Exception:  # noqa: BLE001 - boundary: a fault of ours is logged, and what else was said is heard
            _log.exception("some of what a client said was not heard")
        return calls

    def _let_them_work(self) -> None:
        """Leave the pipe alone until fewer calls wait, unless they wait for what comes through it."""
        with self._lock:
            self._backlog = deque(self.desk.still_wanted(self._backlog))
        while len(self._backlog) >= _MOST_WAITING and not (self.desk.is_asking or self._is_over()):
            sleep(_TICK)

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
            self.staff.employ(partial(self._work, call))
        self._stirred.ring()

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
