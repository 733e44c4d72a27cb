"""Whoever made a call: hears what the tool says while it runs, answers questions, may withdraw the call.

Each surface has a caller of its own; ``Caller`` is deaf and answers nothing. Knows no tool and no call.
"""

from __future__ import annotations

from _thread import allocate_lock  # the same lock, without the half millisecond that importing threading takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any, Literal, TypeAlias

__all__ = ["UNANSWERED", "Caller", "Cancellation", "Level", "PythonCaller", "Unanswered", "Unwind"]

Level: TypeAlias = "Literal['debug', 'info', 'warning', 'error']"


class Unanswered:
    """There is no answer. ``reason`` says why, where it is known; ``UNANSWERED`` is for nobody being there."""

    def __init__(self, reason: str = "") -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"Unanswered({self.reason!r})" if self.reason else "UNANSWERED"


UNANSWERED = Unanswered()


class Unwind(BaseException):
    """Ends a run of a tool at a question that only the next run will find answered.

    Not an Exception, so that a tool's ``except Exception`` lets it pass. ``questions`` are all that this run has asked
    so far, by key; ``state`` makes what the next one has to be given back. Only callers raise it, and dispatch turns
    it into a Failed: it reaches neither Python nor the command line.
    """

    def __init__(self, questions: dict[str, Any], state: Callable[[], Any]) -> None:
        super().__init__("the tool waits for answers, and runs again once they are there")
        self.questions = questions
        self.state = state


class Caller:
    """The other end of a call. Every method may be called from any thread."""

    #: somebody sits at a terminal, who can be shown an interactive program
    has_screen: bool = False
    #: an answer may take its time: inside an event loop, it is waited for on a thread
    blocks: bool = True

    def log(self, level: Level, message: str, verbosity: int) -> None:
        """Hear a message; one of higher ``verbosity`` is for callers who asked for more."""

    def progress(self, status: str, step: float, total: float) -> None:
        """Hear how far the work is; ``total`` 0 means unknown."""

    def confirm(self, question: str) -> bool | Unanswered:  # noqa: ARG002 - nobody hears it
        """Give or refuse consent."""
        return UNANSWERED

    def ask(self, message: str, schema: dict[str, Any]) -> dict[str, Any] | Unanswered | None:  # noqa: ARG002 - as above
        """Answer with an object that satisfies the schema, or with None to decline."""
        return UNANSWERED

    def sample(self, request: dict[str, Any]) -> dict[str, Any] | Unanswered:  # noqa: ARG002 - as above
        """Let the caller's model say something."""
        return UNANSWERED

    def roots(self) -> list[str] | Unanswered:
        """The folders the caller works in, as file URIs."""
        return UNANSWERED

    def named(self, key: str) -> Caller:  # noqa: ARG002 - only those who write questions down have a use for it
        """The same caller, whose next question travels under a name of the tool's choice."""
        return self

    def hang_up(self, retry: float) -> None:
        """Let the connection go for so many seconds, where the rest can be fetched later."""

    def begin(self, tool: str, contract: Callable[[], str]) -> None:
        """Hear that the tool's function is about to run: of every question that comes before it, the last was answered.

        ``contract`` gives the fingerprint of what the tool promises. Called before each attempt, of tools with the
        option ``task`` only, on a thread that may wait. What it raises fails the call.
        """

    async def waited(self, ask: Callable[[], Any]) -> Any:
        """What one of the methods above gives, while the event loop goes on."""
        import asyncio  # noqa: PLC0415 - whoever awaits this has imported it

        return await asyncio.to_thread(ask)

    def once(self, kept: dict[str, Any], key: str, function: Callable[[], Any]) -> Any:
        """What ``function`` gives, which runs once for the call; ``kept`` holds what has run."""
        if key not in kept:
            kept[key] = function()
        return kept[key]

    async def aonce(self, kept: dict[str, Any], key: str, function: Callable[[], Awaitable[Any]]) -> Any:
        """The same for a function whose result is awaited."""
        if key not in kept:
            kept[key] = await function()
        return kept[key]


class PythonCaller(Caller):
    """Whoever calls from Python: consents inside ``app.confirmed()``, and answers nothing else."""

    blocks = False

    def __init__(self, made: Mapping[str, Any]) -> None:
        self._made = made

    def confirm(self, question: str) -> bool | Unanswered:  # noqa: ARG002 - consent is for whatever is asked
        """Say yes, where somebody has consented in advance."""
        consent = self._made.get("consent")  # nobody consents before the first ``confirmed``
        return True if consent is not None and consent.get() else UNANSWERED


#: one for all: it is held for a few steps, and every call has a cancellation
_SETTLING = allocate_lock()


class Cancellation:
    """Whether a call was withdrawn, seen from the tool's thread and from the caller's."""

    #: whether the call was withdrawn, or ran out of time
    requested: bool = False
    #: the call ran out of time: whoever made it still waits to hear that
    expired: bool = False
    _listeners: list[Callable[[], None]] | None = None

    def cancel(self) -> None:
        """Withdraw the call. A second time does nothing."""
        with _SETTLING:
            if self.requested:
                return
            self.requested = True
            listeners, self._listeners = self._listeners or [], None
        for listener in listeners:
            listener()

    def expire(self) -> None:
        """The same for a call that ran out of time."""
        self.expired = True
        self.cancel()

    def on_cancel(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` when the call is withdrawn: at once, if it was already."""
        with _SETTLING:
            if not self.requested:
                self._listeners = [*(self._listeners or ()), listener]
                return
        listener()

    def on_withdrawal(self, listener: Callable[[], None]) -> None:
        """The same, unless the call ran out of time and is still to be answered."""
        self.on_cancel(lambda: None if self.expired else listener())

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until the call is withdrawn; True when it was."""
        from threading import Event  # noqa: PLC0415 - half a millisecond that a call nobody waits in does not pay

        withdrawn = Event()
        self.on_cancel(withdrawn.set)
        return withdrawn.wait(seconds)
