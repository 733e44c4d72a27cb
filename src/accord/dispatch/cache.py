"""Which earlier call a call repeats, and what is kept of it.

The key is the tool, its contract, the arguments as they were bound, and who asks; only successes are kept. Values
are copied in and out, so that nobody changes what the next caller gets.
"""

import copy
import logging
from typing import Any

import msgspec

from accord._calls import JSON, Call, Ok
from accord._canonical import canonical
from accord._ready import Given
from accord._tool import Tool
from accord.store import Store

__all__ = ["keep", "key_of", "look_up"]


_log = logging.getLogger("accord.tools")


def key_of(tool: Tool, arguments: dict[str, JSON], call: Call) -> str | None:
    """The key of a call with these JSON arguments; None where they cannot be compared with others."""
    import hashlib  # noqa: PLC0415 - only what is kept needs it

    try:
        # An instance of one class is not asked about like one of another, though they may be alike in JSON.
        chosen = arguments.chosen if isinstance(arguments, Given) else None
        asked = canonical([tool.name, tool.digest, arguments, call.principal, chosen])
    except RecursionError:
        return None
    return hashlib.sha256(asked).hexdigest()


def look_up(store: Store, key: str) -> Ok | None:
    """What is kept under the key, as a copy of its own; nothing where the store cannot be asked."""
    try:
        kept: Ok | None = store.get(key)
        return None if kept is None else _copy(kept)
    except Exception:  # noqa: BLE001 - boundary: stores are the author's code, and a call can do without
        _log.warning("a kept result could not be read, so the tool runs", exc_info=True)
        return None


def keep(store: Store, key: str, outcome: Ok, ttl: float) -> None:
    """Keep a success, if its value can be copied; what cannot be would be shared, and is not kept."""
    try:
        store.put(key, _copy(outcome), ttl)
    except Exception:  # noqa: BLE001 - boundary: so are __copy__, __reduce__ and the store
        _log.warning("a result with a %s could not be kept", type(outcome.value).__name__, exc_info=True)


def _copy(outcome: Ok) -> Ok:
    value: Any = copy.deepcopy(outcome.value)
    return msgspec.structs.replace(outcome, value=value)
