"""The steps of a call at which code that is not ours runs, or time passes: what dispatch asks its drivers for.

Dispatch is a generator that yields these and gets back what came of them; the sync and the async driver differ
in how they take a step, and in nothing else.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from accord._calls import Bound, Call, Ok, Outcome
from accord._tool import Tool
from accord.provide import Opened, Provider

if TYPE_CHECKING:
    from accord.store import Store

__all__ = ["Begin", "Close", "Consult", "Flow", "Invoke", "Keep", "Open", "Pause", "Recall", "Step", "Steps"]


class Begin(msgspec.Struct, frozen=True, gc=False):
    """Tell the caller that the function is about to run. Gives None, or Failed."""

    tool: Tool
    call: Call


class Invoke(msgspec.Struct, frozen=True, gc=False):
    """Run the tool's function to its end. Gives its value, or Failed."""

    tool: Tool
    bound: Bound
    call: Call
    timeout: float | None


class Open(msgspec.Struct, frozen=True):
    """Run a factory. Gives Opened, or Failed. A value for the app is ``kept``, and made under the ``lock``."""

    tool: Tool
    provider: Provider
    arguments: dict[str, Any]
    kept: dict[Provider, Opened] | None = None
    lock: Any = None


class Close(msgspec.Struct, frozen=True):
    """Let a factory clean up, after ``error`` or after a success. Gives None, or Failed."""

    tool: Tool
    opened: Opened
    error: BaseException | None


class Consult(msgspec.Struct, frozen=True):
    """Ask the caller for consent. Gives True, False, Unanswered, or Failed where the answer is for another run."""

    call: Call
    question: str


class Pause(msgspec.Struct, frozen=True):
    """Let time pass. Gives True when the call was withdrawn meanwhile."""

    call: Call
    seconds: float


class Recall(msgspec.Struct, frozen=True):
    """Look in the store. Gives the Ok that is kept under the key, or None."""

    tool: Tool
    store: "Store"
    key: str


class Keep(msgspec.Struct, frozen=True):
    """Put a success into the store."""

    store: "Store"
    key: str
    outcome: Ok
    ttl: float


Step: TypeAlias = Begin | Invoke | Open | Close | Consult | Pause | Recall | Keep
Flow: TypeAlias = Generator[Step, Any, Outcome]
#: a part of a flow: yields steps, and returns what the flow goes on with
Steps: TypeAlias = Generator[Step, Any, Any]
