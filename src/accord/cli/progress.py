"""Live progress and log lines on one stream, which is stderr.

On a terminal one line is drawn over and over, at most ten times a second; what came too soon is drawn a
moment later, so that the last state is always seen. Anywhere else each step is a line of its own.
A stream that breaks ends nothing but the bar.
"""

import contextlib
import time
from collections.abc import Callable
from threading import RLock, Timer
from typing import TextIO

from accord.cli.gauge import Stage, bar_line, step_line
from accord.cli.terminal import Look, Style, one_line, paint, shown

__all__ = ["Bar", "Later"]

#: ``later(seconds, action)`` has the action called once, and returns what calls it off
Later = Callable[[float, Callable[[], None]], Callable[[], None]]

#: seconds between two drawings: ten a second look like movement, and cost nothing
_PERIOD = 0.1
_STYLES: dict[str, Style] = {"warning": "yellow", "error": "red", "critical": "red"}
#: lines kept so that none is written twice; all are forgotten when there are more
_REMEMBERED = 10_000
_ERASE = "\r\x1b[2K"


def _in_a_thread(seconds: float, action: Callable[[], None]) -> Callable[[], None]:
    timer = Timer(seconds, action)
    timer.daemon = True
    with contextlib.suppress(RuntimeError):  # no more threads, or the process is ending: the next state is drawn
        timer.start()
    return timer.cancel


class Bar:
    """Progress and log lines on one stream. Safe to use from many threads.

    ``quiet`` hides the progress, not the log. ``look_again`` is asked before each drawing, for windows change their
    size. No method raises because the stream is gone.
    """

    def __init__(
        self,
        stream: TextIO | None,
        look: Look,
        *,
        quiet: bool = False,
        look_again: Callable[[], Look] | None = None,
        clock: Callable[[], float] = time.monotonic,
        later: Later = _in_a_thread,
    ) -> None:
        self._stream = stream
        self._look = look
        self._quiet = quiet
        self._look_again = look_again
        self._clock = clock
        self._later = later
        # Reentrant: a signal may interrupt a drawing with something to log.
        self._lock = RLock()
        self._stage: Stage | None = None
        self._drawn: Stage | None = None
        self._next_drawing = float("-inf")
        self._turn = 0
        self._call_off: Callable[[], None] | None = None
        self._written: set[str] = set()

    def show(self, status: str, step: float = 0, total: float = 0) -> None:
        """Say how far it is; ``total`` is 0 when that is not known."""
        with self._lock:
            if self._quiet or self._stream is None:
                return
            last, self._stage = self._stage, Stage(status, step, total)
            if not (self._look.tty and self._look.escapes):
                self._write_once(step_line(self._stage, self._look))
            elif self._stage != self._drawn:
                completes = self._stage.is_complete and not (last is not None and last.is_complete)
                self._draw_in_time(at_once=completes)

    def log(self, level: str, text: str) -> None:
        """Write lines of log, above the bar. Every level but ``info`` is named."""
        line = shown(text.rstrip("\n"), self._look)
        if level != "info":
            label = shown(f"{one_line(level)}:", self._look)
            line = f"{paint(label, _STYLES.get(level, 'dim'), self._look)} {line}"
        with self._lock:
            if self._drawn is None:
                self._write(f"{line}\n")
            else:
                self._draw(before=f"{line}\n")

    def make_room(self, write: Callable[[], None]) -> None:
        """Have something written where the bar is, which moves below it."""
        with self._lock:
            if self._drawn is not None:
                self._write(_ERASE)
                self._drawn = None
            write()
            if self._stage is not None and self._look.tty and self._look.escapes:
                self._draw_in_time(at_once=False)

    def done(self) -> None:
        """Erase the bar. What is shown afterwards begins a new one."""
        with self._lock:
            self._cancel()
            if self._drawn is not None:
                self._write(_ERASE)
            self._stage = self._drawn = None
            self._next_drawing = float("-inf")

    def _draw_in_time(self, *, at_once: bool) -> None:
        wait = self._next_drawing - self._clock()
        if at_once or wait <= 0:
            self._draw()
        elif self._call_off is None:
            self._call_off = self._later(wait, self._catch_up)

    def _catch_up(self) -> None:
        """Draw what came too soon, unless it is drawn or over by now."""
        with self._lock:
            self._call_off = None
            if self._stage != self._drawn:
                self._draw()

    def _draw(self, before: str = "") -> None:
        if self._stage is None:
            return
        self._cancel()
        self._turn += 1
        if self._look_again is not None:
            self._look = self._look_again()
        # In one piece, so that nothing else on the terminal comes between.
        self._write(f"{_ERASE}{before}{bar_line(self._stage, self._turn, self._look)}")
        self._drawn = self._stage
        self._next_drawing = self._clock() + _PERIOD

    def _cancel(self) -> None:
        if self._call_off is not None:
            self._call_off()
            self._call_off = None

    def _write_once(self, line: str) -> None:
        if line and line not in self._written:
            if len(self._written) >= _REMEMBERED:
                self._written.clear()
            self._written.add(line)
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None  # a broken pipe, or closed: nobody is looking any more
