"""The frozen values that cross every boundary: Call in, Outcome out.

Knows the kinds of failure and their four spellings (DESIGN's error table); knows no tool, no
transport and no JSON Schema.
"""

from typing import Any, Literal, TypeAlias, final

import msgspec

from accord._caller import Caller, Cancellation

__all__ = [
    "INPUT_REQUIRED",
    "JSON",
    "KINDS",
    "NOBODY",
    "Bound",
    "Call",
    "Failed",
    "Kind",
    "Ok",
    "Outcome",
    "Progress",
    "Surface",
]

Surface = Literal["cli", "python", "mcp"]

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

#: no way to fail: the tool asked what only its next run will find answered. Servers turn it into the question, so it
#: is in no table that callers see.
INPUT_REQUIRED = Kind("input_required", "INPUT_REQUIRED", 4, -32603)


#: the caller of a plain Python call
NOBODY = Caller()


class Call(msgspec.Struct, frozen=True, gc=False):
    """Somebody asks for a tool by name.

    ``arguments`` are JSON on every surface but Python, where they may be the annotated values.
    ``principal`` is who asks, once somebody has checked; ``cancellation`` is set where a call can be
    withdrawn.
    """

    name: str
    arguments: dict[str, Any]
    surface: Surface = "python"
    caller: Caller = NOBODY
    principal: str | None = None
    request_id: str | int | None = None
    cancellation: Cancellation | None = None


class Bound(msgspec.Struct, frozen=True, gc=False):
    """Arguments that passed the gate, as the values the function is called with."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Progress(msgspec.Struct, frozen=True):
    """One step of a long call, yielded by a generator tool. ``total`` is 0 when it is not known."""

    status: str
    step: int | float = 0
    total: int | float = 0


@final
class Ok(msgspec.Struct, frozen=True, gc=False):
    """A result that kept its contract.

    ``value`` is what the function returned, ``encoded`` its JSON form, ``structured`` the part of it that
    is for programs: ``msgspec.UNSET`` when there is none, because None is a value. ``written`` is an
    encoded object or list as JSON text. ``blocks`` is the content the tool made itself; where it is None,
    the text is made of the value at the edge. ``meta`` is the result's ``_meta``.
    """

    value: Any
    encoded: JSON = None
    structured: JSON = msgspec.UNSET
    written: bytes | None = None
    blocks: list[dict[str, JSON]] | None = None
    meta: dict[str, JSON] | None = None
    is_error: bool = False


@final
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
