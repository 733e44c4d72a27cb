"""Which earlier call a call repeats, and what is kept of it.

The key is the tool, its contract, the arguments as they were bound, and who asks; only successes are kept. Values
are copied in and out, so that nobody changes what the next caller gets.
"""

import copy
import warnings
from typing import Any

import msgspec

from accord._calls import JSON, Call, Ok
from accord._canonical import canonical
from accord._tool import Tool
from accord.errors import AccordWarning
from accord.store import Store

__all__ = ["keep", "key_of", "look_up"]


def key_of(tool: Tool, arguments: dict[str, JSON], call: Call) -> str:
    """The key of a call with these JSON arguments."""
    import hashlib  # noqa: PLC0415 - only what is kept needs it

    asked = canonical([tool.name, tool.digest, arguments, call.principal])
    return hashlib.sha256(asked).hexdigest()


def look_up(store: Store, key: str) -> Ok | None:
    """What is kept under the key, as a copy of its own."""
    kept: Ok | None = store.get(key)
    return None if kept is None else _copy(kept)


def keep(store: Store, key: str, outcome: Ok, ttl: float) -> None:
    """Keep a success, if its value can be copied; what cannot be would be shared, and is not kept."""
    try:
        kept = _copy(outcome)
    except Exception as error:  # noqa: BLE001 - boundary: __copy__ and __reduce__ are the author's code
        kind = type(outcome.value).__name__
        warnings.warn(f"a {kind} cannot be copied ({error}), so the result is not kept", AccordWarning, stacklevel=2)
        return
    store.put(key, kept, ttl)


def _copy(outcome: Ok) -> Ok:
    value: Any = copy.deepcopy(outcome.value)
    return msgspec.structs.replace(outcome, value=value)
