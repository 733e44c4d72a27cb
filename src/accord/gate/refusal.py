"""Violations -> the Failed outcome an agent can repair from: ``errorData`` and the text beside it."""

from typing import Any

import msgspec

from accord._calls import JSON, KINDS, Failed
from accord._jsonpatch import short_pointer, steps_of
from accord.gate.explain import MOST, Violation, explain
from accord.gate.repair import patch_for, suggestion_for
from accord.gate.validator import Gate

__all__ = ["SHOWN", "failure", "refuse", "refuse_arguments"]

Schema = dict[str, JSON]

#: how many violations are reported; the total says how many there were
SHOWN = 20


def refuse_arguments(tool: str, gate: Gate, arguments: JSON, schema: Schema) -> Failed:
    """The failure of arguments the gate did not let through. ``schema`` is the one that was published."""
    violations = explain(gate, arguments)
    shown = [_described(violation, suggestion_for(gate, arguments, violation)) for violation in violations[:SHOWN]]
    patch = patch_for(gate, arguments, violations)
    return refuse(tool, shown, schema, total=len(violations), patch=patch)


def refuse(
    tool: str,
    violations: list[dict[str, JSON]],
    schema: Schema,
    *,
    total: int | None = None,
    patch: list[dict[str, JSON]] | None = None,
) -> Failed:
    """The failure that reports these violations, first one first."""
    first = violations[0]
    data: dict[str, JSON] = {
        "tool": tool,
        "argument": _top_level(first, schema),
        "reason": first["reason"],
        "code": KINDS[first["reason"]].code,
        "retryable": False,
        "violations": violations,
    }
    if total is not None and total > len(violations):
        data["total"] = total
    if patch:
        data["patch"] = patch
    data["schema"] = schema
    return Failed(KINDS[first["reason"]], _text(tool, violations, total or len(violations), patch), data)


def failure(tool: str, reason: str, text: str, **more: Any) -> Failed:
    """A failure that is not about arguments."""
    exception = more.pop("exception", None)
    data = {
        "tool": tool,
        "argument": None,
        "reason": reason,
        "code": KINDS[reason].code,
        "retryable": False,
    }
    if reason != "unknown_tool":  # how that is told differs from surface to surface, and its data does not
        data["message"] = text.removeprefix("Error: ")
    return Failed(KINDS[reason], text, {**data, **more}, exception)


def _described(violation: Violation, suggestion: str | None) -> dict[str, JSON]:
    described: dict[str, JSON] = {
        "path": short_pointer(violation.path),
        "argument": steps_of(short_pointer(violation.path[:1]))[0] if violation.path else None,
        "reason": violation.reason,
        "keyword": violation.keyword,
        "message": violation.message,
    }
    return {**described, "suggestion": suggestion} if suggestion is not None else described


def _top_level(first: dict[str, JSON], schema: Schema) -> JSON:
    """The parameter the first violation is about: the one that was meant, for a misspelt key."""
    if first["argument"] in schema.get("properties", {}):
        return first["argument"]
    return first["suggestion"] if first["path"].count("/") == 1 and "suggestion" in first else first["argument"]


def _text(tool: str, violations: list[dict[str, JSON]], total: int, patch: list[dict[str, JSON]] | None) -> str:
    lines = [f"- {_sentence(violation)}" for violation in violations]
    if total > len(violations):
        lines.append(f"- ... {f'{MOST} or more' if total >= MOST else total} problems in all")
    if patch:
        encoded = msgspec.json.encode(patch).decode()
        lines.append(f"This JSON Patch on the arguments repairs the call: {encoded}")
    return f"Error: invalid arguments for {tool}:\n" + "\n".join(lines)


def _sentence(violation: dict[str, JSON]) -> str:
    where = violation["path"].removeprefix("/") or "the arguments"
    hint = f" (did you mean {violation['suggestion']!r}?)" if "suggestion" in violation else ""
    return f"{where}: {violation['message']}{hint}"
