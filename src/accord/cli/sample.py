"""A schema -> arguments that keep it, for the example of a command whose author gave none.

Knows schemas; guesses, and lets the gate decide whether the guess is good. No guess is better than a wrong one.
"""

from typing import Any

from accord._calls import JSON
from accord._tool import Tool
from accord.texts.kinds import Schema, branches

__all__ = ["sample_of"]

_TEXTS = {
    "date-time": "2030-01-31T12:00:00Z",
    "date": "2030-01-31",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "email": "name@example.com",
    "uri": "https://example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "regex": "^a",
}
_DEEPEST = 6


def sample_of(tool: Tool) -> dict[str, Any] | None:
    """Arguments for a call with all that is required and nothing else; None where no guess passes the gate."""
    schema = tool.compiled.input
    guess = _guess(schema, schema.get("$defs", {}), "", 0)
    return guess if isinstance(guess, dict) and tool.gate.is_valid(guess) else None


def _guess(schema: JSON, definitions: Schema, name: str, depth: int) -> JSON:
    leaf = next(iter(branches(schema, definitions)), {})
    for known in ("const", "default"):
        if known in leaf:
            return leaf[known]
    for listed in ("examples", "enum"):
        if leaf.get(listed):
            return leaf[listed][0]
    kind = leaf.get("type", "string")
    if kind == "object":
        inner = leaf.get("properties", {})
        wanted = leaf.get("required", ()) if depth < _DEEPEST else ()
        return {key: _guess(inner.get(key, {}), definitions, key, depth + 1) for key in wanted}
    if kind == "array":
        first = leaf.get("prefixItems") or [leaf.get("items", {})] * max(1, min(leaf.get("minItems", 1), 3))
        return [_guess(item, definitions, name, depth + 1) for item in first] if depth < _DEEPEST else []
    return (
        _text(leaf, name) if kind == "string" else _number(leaf) if kind in ("integer", "number") else kind == "boolean"
    )


def _text(leaf: Schema, name: str) -> str:
    text = _TEXTS.get(leaf.get("format", ""), "" if leaf.get("contentEncoding") else name.upper() or "TEXT")
    return text.ljust(leaf.get("minLength", 0), "x")[: leaf.get("maxLength")]


def _number(leaf: Schema) -> JSON:
    step = leaf.get("multipleOf", 1)
    above, below = leaf.get("exclusiveMinimum"), leaf.get("exclusiveMaximum")
    low = leaf.get("minimum", above + step if above is not None else None)
    if low is not None:
        return low
    high = leaf.get("maximum", below - step if below is not None else step)
    return min(step, high)
