"""A result against the caps on results: how many bytes, how many items.

Caps on arguments are the schema's business; these are about what a tool turned out to return.
"""

import msgspec

from accord._calls import Failed, Ok, Outcome
from accord._tool import Tool
from accord.policy import Policy

__all__ = ["within_caps"]


def within_caps(tool: Tool, policy: Policy, outcome: Outcome) -> Outcome:
    """The outcome itself, or the failure of one that is too large."""
    if isinstance(outcome, Failed):
        return outcome
    items, most_items = _items(outcome), tool.options.max_items
    if most_items is not None and items > most_items:
        return _exceeded(tool, "items", items, most_items)
    most_bytes = tool.options.max_response_bytes or policy.max_response_bytes
    size = _size(outcome) if most_bytes is not None else 0
    if most_bytes is not None and size > most_bytes:
        return _exceeded(tool, "bytes", size, most_bytes)
    return outcome


def _items(outcome: Ok) -> int:
    """The length of a list, or of all the lists an object holds at its top."""
    if isinstance(outcome.encoded, list):
        return len(outcome.encoded)
    if isinstance(outcome.encoded, dict):
        return sum(len(value) for value in outcome.encoded.values() if isinstance(value, list))
    return 0


def _size(outcome: Ok) -> int:
    if outcome.blocks is not None:
        return len(
            msgspec.json.encode([outcome.blocks, None if outcome.structured is msgspec.UNSET else outcome.structured])
        )
    if outcome.written is not None:
        return len(outcome.written)
    return len(outcome.encoded.encode() if isinstance(outcome.encoded, str) else msgspec.json.encode(outcome.encoded))


def _exceeded(tool: Tool, what: str, found: int, most: int) -> Failed:
    from accord.gate.refusal import failure  # noqa: PLC0415 - only failures pay for it

    text = f"Error: the result of {tool.name} has {found} {what}, and at most {most} are allowed; ask for less"
    return failure(tool.name, "cap_exceeded", text, cap={"what": what, "found": found, "most": most})
