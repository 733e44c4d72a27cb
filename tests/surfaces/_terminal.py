"""A terminal with a person at it: starts the program on a pty, reads what it shows, types what the test says.

Nothing here sleeps. Reading waits for what has to appear, until a deadline that only a broken program meets.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEADLINE = 20.0
#: seconds after which somebody who sees nothing happen presses a key again
PATIENCE = 5.0
CTRL_C = "\x03"
CTRL_D = "\x04"

_START = """\
import fcntl, runpy, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.argv[0] = "program"
runpy.run_module("tests.surfaces.program", run_name="__main__")
"""


class Terminal:
    """The program in a terminal of its own, which is its controlling one: typing Ctrl-C interrupts it."""

    def __init__(self, *words: str, piped_stdout: bool = False, **environment: str) -> None:
        self.shown = ""
        self._looked = 0
        self._master, self._slave = os.openpty()
        # Its other end is the program's: at the end of the program there is an end to read here.
        self._exit, alive = os.pipe()
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        environ = {**plain, "TERM": "xterm", "COLUMNS": "80", **environment}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, *words],
            cwd=ROOT,
            stdin=self._slave,
            stdout=subprocess.PIPE if piped_stdout else self._slave,
            stderr=self._slave,
            env=environ,
            start_new_session=True,
            pass_fds=[alive],
        )
        os.close(alive)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *exc: object) -> None:
        self.process.kill()
        self.process.communicate()
        for descriptor in (self._master, self._slave, self._exit):
            os.close(descriptor)

    def until(self, text: str) -> str:
        """Everything shown so far, once `text` is among what was not looked at before."""
        while text not in self.shown[self._looked :]:
            assert self._read(), f"the program ended without showing {text!r}: {self.shown!r}"
        self._looked = self.shown.index(text, self._looked) + len(text)
        return self.shown

    def types(self, text: str) -> None:
        """What the person types; a newline is the return key."""
        os.write(self._master, text.encode())

    def ends(self) -> int:
        """The exit code, after everything it showed was read."""
        while self._read():
            pass
        return self.process.wait(DEADLINE)

    def ends_at_ctrl_c(self) -> int:
        """The exit code after Ctrl-C, typed again where nothing happens, as anybody would.

        Python forgets a signal that arrives in the instant before it waits for the system: one in a hundred, on a
        busy machine.
        """
        for _ in range(int(DEADLINE / PATIENCE)):
            self.types(CTRL_C)
            while select.select([self._master, self._exit], [], [], PATIENCE)[0]:
                if not self._read():
                    return self.process.wait(DEADLINE)
        raise AssertionError(f"Ctrl-C ends nothing; shown so far: {self.shown!r}")

    def result(self) -> str:
        """What it wrote to a stdout that is a pipe."""
        assert self.process.stdout is not None
        return self.process.stdout.read().decode()

    def echoes(self) -> bool:
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self._slave)[3] & termios.ECHO)

    def _read(self) -> bool:
        """Whether there may be more to read: not when the program has ended and all it showed was read."""
        ready, _, _ = select.select([self._master, self._exit], [], [], DEADLINE)
        assert ready, f"nothing came until the deadline; shown so far: {self.shown!r}"
        if self._master in ready:
            self.shown += os.read(self._master, 65536).decode("utf-8", "replace")
            return True
        # What it wrote last may have come between the two looks.
        return bool(select.select([self._master], [], [], 0)[0])
