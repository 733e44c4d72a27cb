"""The frozen values that cross every boundary: Call in, Outcome out.

Knows the kinds of failure and their four spellings (DESIGN's error table); knows no tool, no
transport and no JSON Schema.
"""

from typing import Any, TypeAlias

import msgspec

__all__ = ["JSON", "KINDS", "Bound", "Call", "Failed", "Kind", "Ok", "Outcome", "Progress"]

#: A JSON value. Deeply recursive aliases cost more than they tell, so it is named, not spelled out.
JSON: TypeAlias = Any


class Kind(msgspec.Struct, frozen=True):
    """One way to fail: its reason, its code, the CLI's exit status and the JSON-RPC error code."""

    reason: str
    code: str
    exit_code: int
    rpc_code: int


def _kinds(*rows: tuple[str, str, int, int]) -> dict[str, Kind]:
    return {row[0]: Kind(*row) for row in rows}


KINDS = _kinds(
    ("missing_required_argument", "INVALID_PARAMS", 2, -32602),
    ("unexpected_argument", "INVALID_PARAMS", 2, -32602),
    ("type_mismatch", "INVALID_PARAMS", 2, -32602),
    ("constraint_violation", "INVALID_PARAMS", 2, -32602),
    ("unknown_tool", "UNKNOWN_TOOL", 2, -32602),
    ("cap_exceeded", "CAP_EXCEEDED", 3, -32603),
    ("timeout", "CAP_EXCEEDED", 3, -32603),
    ("confirmation_required", "CONFIRMATION_REQUIRED", 4, -32603),
    ("output_invalid", "OUTPUT_INVALID", 5, -32603),
    ("tool_error", "TOOL_ERROR", 1, -32603),
    ("cancelled", "CANCELLED", 130, 0),
)


class Call(msgspec.Struct, frozen=True):
    """Somebody asks for a tool by name, with JSON arguments."""

    name: str
    arguments: dict[str, JSON]


class Bound(msgspec.Struct, frozen=True, gc=False):
    """Arguments that passed the gate, as the values the function is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Progress(msgspec.Struct, frozen=True):
    """One step of a long call, yielded by a generator tool. ``total`` is 0 when it is not known."""

    status: str
    step: int | float = 0
    total: int | float = 0


class Ok(msgspec.Struct, frozen=True):
    """A result: content blocks for people, and the structured value when the tool has one.

    ``structured`` is ``msgspec.UNSET`` when there is none, because None is a value. ``value`` is
    what the function returned; ``meta`` is the result's ``_meta``.
    """

    value: Any
    content: list[dict[str, JSON]]
    structured: JSON = msgspec.UNSET
    meta: dict[str, JSON] | None = None
    is_error: bool = False


class Failed(msgspec.Struct, frozen=True):
    """A failure as data; text and exceptions are made from it at the edges."""

    kind: Kind
    text: str
    error_data: dict[str, JSON]
    exception: BaseException | None = None

    @property
    def reason(self) -> str:
        """The machine-readable reason, the first column of the error table."""
        return self.kind.reason


Outcome: TypeAlias = Ok | Failed
