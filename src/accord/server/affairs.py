"""What a server and one client have going on between them: the calls that run, and the questions that are open."""

from collections.abc import Callable

from accord._caller import Cancellation
from accord.protocol.events import Answer, Cancelled

__all__ = ["Affairs"]


class Affairs:
    """Shared by everybody who speaks for the same client."""

    __slots__ = ("running", "waiting")

    def __init__(self) -> None:
        #: by the identity of a request: its id may be given to another one as soon as it is cancelled
        self.running: dict[int, Cancellation] = {}
        #: question id -> who waits for the answer
        self.waiting: dict[str, Callable[[Answer], None]] = {}

    def hear(self, event: Cancelled | Answer) -> None:
        """Pass on what the client says about a call, or answers to a question."""
        if isinstance(event, Cancelled):
            cancellation = self.running.get(id(event.request))
            if cancellation is not None:
                cancellation.cancel()
        else:
            take = self.waiting.pop(event.id, None)
            if take is not None:
                take(event)

    def cancel_all(self) -> None:
        """Withdraw every call that runs: nobody will read the answers."""
        for cancellation in list(self.running.values()):
            cancellation.cancel()
