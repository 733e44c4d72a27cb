"""What a call needs of a tool, and what converting arguments comes down to.

All that a call has to load: how it was made is the business of ``_glance`` and ``_compile``.
"""

from __future__ import annotations

from accord._values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from accord._calls import JSON
    from accord.gate.validator import Gate

__all__ = [
    "BOX",
    "BY_VALUE",
    "Boxing",
    "Converter",
    "Given",
    "Injected",
    "Ready",
    "Rejection",
    "floating",
    "whole_number",
]

#: JSON that passed the gate -> what the annotation promises
Converter: TypeAlias = "Callable[[Any], Any]"


class Injected(Value):
    """A parameter Accord fills in: with what ``kind`` provides, or with the call's context.

    A context's ``kind`` is None, or the subclass of Context that was asked for.
    """

    name: str
    kind: Any
    is_context: bool


#: the property that holds a boxed result
BOX = "result"


class Boxing(Value):
    """Whether a tool's structured results travel in a box to clients that know only objects, or ``always``.

    ``is_boxed`` None: whatever is no object does.
    """

    is_boxed: bool | None
    always: bool


#: nothing is promised
BY_VALUE = Boxing(is_boxed=None, always=False)


class Ready:
    """What a call needs of a tool. Written out, for every call reads all of it.

    ``defaults`` stand in for absent arguments. ``converters`` are those of the arguments that need one,
    with the type that needs none: a JSON int is an int already, and only ``1.0`` has to become one.
    ``injected`` are the parameters Accord fills in, ``positional_order`` names those that can only be given by
    position. ``types`` is a second gate behind an explicit schema.
    """

    __slots__ = (
        "converters",
        "defaults",
        "flattened",
        "gate",
        "injected",
        "output_gate",
        "positional_order",
        "types",
    )

    def __init__(
        self,
        *,
        defaults: dict[str, Any],
        converters: tuple[tuple[str, type | None, Converter], ...],
        gate: Gate,
        output_gate: Gate | None,
        flattened: Converter | None = None,
        types: Gate | None = None,
        injected: tuple[Injected, ...] = (),
        positional_order: tuple[str, ...] = (),
    ) -> None:
        self.defaults = defaults
        self.converters = converters
        self.gate = gate
        self.output_gate = output_gate
        self.flattened = flattened
        self.types = types
        self.injected = injected
        self.positional_order = positional_order


class Given(dict[str, "JSON"]):
    """Arguments in JSON that were instances of annotated types; ``chosen`` are the same with their branches told."""

    __slots__ = ("chosen",)
    chosen: dict[str, Any]


class Rejection(Exception):
    """The user's own type code refused a value. ``path`` is innermost step first while it travels up."""

    def __init__(self, reasons: list[tuple[tuple[str | int, ...], str]]) -> None:
        super().__init__("; ".join(message for _, message in reasons))
        self.reasons = reasons
        self.path: list[str | int] = []

    @classmethod
    def of(cls, error: BaseException) -> Rejection:
        """The rejection an exception from user code stands for."""
        details = getattr(error, "errors", None)
        if callable(details) and type(error).__module__.startswith("pydantic"):
            return cls([(tuple(item["loc"]), str(item["msg"])) for item in details(include_input=False)[:20]])
        return cls([((), str(error) or type(error).__name__)])


def whole_number(value: Any) -> int:
    """The int an integral JSON number is."""
    return value if type(value) is int else int(value)


def floating(value: Any) -> float:
    """The float a JSON number is."""
    try:
        return float(value)
    except OverflowError:  # an integer beyond every float: handing it on whole loses nothing
        return value  # type: ignore[no-any-return]  # typed code may treat int as float
