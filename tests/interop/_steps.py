"""What a conversation is made of: steps, and the words for what a client sees at each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.interop.example import app

HANDSHAKE, STATELESS = "handshake", "stateless"
ERAS = {HANDSHAKE: "2025-11-25", STATELESS: "2026-07-28"}


class Holding(dict[str, Any]):
    """Equal to every mapping that holds at least these values."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and all(key in other and other[key] == value for key, value in self.items())

    __hash__ = None  # type: ignore[assignment]  # as of every dict


@dataclass(frozen=True)
class Step:
    """One thing a client does. `sees` names the eras where they differ in what is seen."""

    says: str
    verb: str
    given: dict[str, Any] = field(default_factory=dict)
    sees: Any = None
    user: bool = True  # whether somebody sits at the client, who can be asked

    def seen_in(self, era: str) -> Any:
        return self.sees[era] if isinstance(self.sees, dict) and self.sees.keys() == ERAS.keys() else self.sees


def structured(value: Any) -> dict[str, Any]:
    """A result's value as each era carries it: the handshake era knows objects only, and others travel in a box."""
    return {STATELESS: value, HANDSHAKE: value if value is None or isinstance(value, dict) else {"result": value}}


def result(text: str, value: Any, **more: Any) -> dict[str, Any]:
    """What a call that succeeds shows in each era."""
    shared = {"text": text, "error": False, "data": None, "asked": [], **more}
    return {era: {**shared, "value": value} for era, value in structured(value).items()}


def failure(data: dict[str, Any], asked: list[str] | None = None) -> dict[str, Any]:
    """What a call shows that fails: `data` is what stands under `_meta["accord/errorData"]`, among other things."""
    return Holding(error=True, data=Holding(data), value=None, asked=asked or [])


def outputs(era: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A tool's output schema as the era lists it."""
    if era == STATELESS or schema.get("type") == "object":
        return schema
    box = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    return {**box, "x-accord-box": {"field": "result"}}


def listed(era: str) -> list[dict[str, Any]]:
    """The tools of the example as the era lists them."""
    tools = []
    for tool in app.tools.values():
        entry = Holding(name=tool.name, inputSchema=tool.input_schema)
        if tool.output_schema is not None:
            entry["outputSchema"] = outputs(era, tool.output_schema)
        tools.append(entry)
    tools[0] |= {"description": "Say it again.", "annotations": Holding(readOnlyHint=True)}
    return tools


def call(
    says: str, name: str, arguments: dict[str, Any], sees: Any, *, answers: list[Any] | None = None, user: bool = True
) -> Step:
    """A step that calls a tool; `answers` is what the user says to its questions, in order."""
    return Step(says, "call", {"name": name, "arguments": arguments, "answers": answers or []}, sees, user)


def accepts(**content: Any) -> dict[str, Any]:
    return {"action": "accept", "content": content}


DECLINES = {"action": "decline"}
CANCELS = {"action": "cancel"}
NO_CONSENT = {"code": "CONFIRMATION_REQUIRED", "reason": "confirmation_required"}
