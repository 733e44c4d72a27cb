"""One line for each call, and for each request that was refused: who, what, under which contract, how it ended.

Never what was said: no arguments, no results, no tokens. The lines are for a log that people search when something
went wrong, and what callers choose (names, ids) may neither forge a line nor flood it.
"""

import hashlib
import json
import logging
from typing import Final

from accord._calls import Call, Ok, Outcome
from accord._tool import Tool
from accord.auth import Principal
from accord.door.refusal import Refusal
from accord.door.visit import Visit
from accord.errors import RegistrationError

__all__ = ["is_audited", "record_call", "record_refusal"]

_log = logging.getLogger("accord.audit")

_LONGEST: Final = 200
_SESSION: Final = 16


def is_audited() -> bool:
    """Whether anybody reads these lines: making them takes time."""
    return _log.isEnabledFor(logging.INFO)


def record_call(call: Call, tool: Tool | None, outcome: Outcome, seconds: float, session: str | None = None) -> None:
    """Write the line of a call that ended. ``tool`` is None where there is none of that name."""
    if not is_audited():
        return
    _write(
        event="call",
        principal=call.principal,
        surface=call.surface,
        tool=call.name if tool is None else tool.name,
        contract=_contract(tool),
        outcome=_ending(outcome),
        milliseconds=round(seconds * 1000, 3),
        session=_trace(session),
        request=call.request_id,
    )


def record_refusal(visit: Visit, refusal: Refusal, principal: Principal | None = None) -> None:
    """Write the line of a request that was refused at the door."""
    if not is_audited():
        return
    _write(
        event="refused",
        principal=principal.name if principal else None,
        client=visit.client,
        verb=visit.verb,
        path=visit.path,
        status=refusal.status,
        outcome=refusal.message,
    )


def _write(**fields: str | float | None) -> None:
    told = {name: _short(value) for name, value in fields.items() if value is not None}
    # All but printable ASCII is escaped, also what JSON need not: line separators, terminal sequences, reversed text.
    _log.info("%s", json.dumps(told, separators=(",", ":")))


def _short(value: str | float | None) -> str | float | None:
    if isinstance(value, int) and abs(value) >= 1 << 64:
        value = str(value)[:_LONGEST] if abs(value) < 1 << 1024 else "an enormous number"
    if not isinstance(value, str):
        return value
    return value if len(value) <= _LONGEST else f"{value[: _LONGEST - 3]}..."


def _ending(outcome: Outcome) -> str:
    if isinstance(outcome, Ok):
        return "tool_error" if outcome.is_error else "ok"
    return outcome.reason


def _contract(tool: Tool | None) -> str | None:
    try:
        return tool.digest if tool else None
    except RegistrationError:  # it could not be compiled, which is also how the call ended
        return None


def _trace(session: str | None) -> str | None:
    """What tells sessions apart: whoever reads the log could go on with one of which they knew the id."""
    return hashlib.sha256(session.encode()).hexdigest()[:_SESSION] if session else None
