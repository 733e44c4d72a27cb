"""Looking after what takes long: one timer for everybody, because one for each costs more than most of them take."""

import asyncio
from typing import Final, Protocol

__all__ = ["Attendance", "Attended", "Deadline"]

#: seconds between two looks
_LOOK: Final = 0.1


class Attended(Protocol):
    """Something that takes its time."""

    def take_long(self, seconds: float) -> None:
        """It has taken so long already; it is asked again and again."""


class Attendance:
    """Looks after what goes on at one endpoint, in its event loop."""

    def __init__(self) -> None:
        self._since: dict[Attended, float] = {}
        #: the loop that will look; an endpoint may be served by one loop after the other
        self._looking: asyncio.AbstractEventLoop | None = None

    def begin(self, attended: Attended) -> None:
        """Look after this one from now on."""
        here = asyncio.get_running_loop()
        self._since[attended] = here.time()
        if self._looking is not here:
            self._looking = here
            here.call_later(_LOOK, self._look, here)

    def end(self, attended: Attended) -> None:
        """It is over."""
        self._since.pop(attended, None)

    def _look(self, here: asyncio.AbstractEventLoop) -> None:
        now = here.time()
        for attended, since in list(self._since.items()):
            if now - since >= _LOOK:
                attended.take_long(now - since)
        self._looking = here if self._since else None
        if self._looking is not None:
            here.call_later(_LOOK, self._look, here)


class Deadline:
    """Cancels the task it was made in when its time is over. Whoever catches that says ``is_over`` to know."""

    def __init__(self, seconds: float) -> None:
        task = asyncio.current_task()
        assert task is not None, "this runs in a task"
        self._task = task
        self._seconds = seconds
        self.is_over: bool = False

    def take_long(self, seconds: float) -> None:
        """End it, once."""
        if seconds >= self._seconds and not self.is_over:
            self.is_over = True
            self._task.cancel()
