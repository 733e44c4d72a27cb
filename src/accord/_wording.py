"""A result -> the text that stands for it in its content.

Knows the policy's two ways of saying it, whole or as a summary; knows no tool.
"""

import msgspec

from accord._calls import JSON, Ok
from accord.policy import Policy

__all__ = ["text_of_result"]

_SUMMARY = 200


def text_of_result(result: Ok, policy: Policy) -> str:
    """The text beside a structured value: text as it is, anything else as JSON or as a summary."""
    encoded = result.encoded
    if isinstance(encoded, str):
        return encoded
    if encoded is None:
        return "null" if policy.dialect == "milo" else ""
    if policy.content == "summary":
        return _summary(encoded)
    return (result.written or msgspec.json.encode(encoded)).decode()


def _summary(encoded: JSON) -> str:
    """A short text that depends on the structured value and on nothing else."""
    if isinstance(encoded, dict):
        if isinstance(encoded.get("summary"), str):
            return str(encoded["summary"])[:_SUMMARY]
        text = ", ".join(f"{name}: {_glance(item)}" for name, item in encoded.items())
    elif isinstance(encoded, list):
        text = f"{len(encoded)} items"
    else:
        text = msgspec.json.encode(encoded).decode()
    return text if len(text) <= _SUMMARY else f"{text[: _SUMMARY - 3]}..."


def _glance(item: JSON) -> str:
    if isinstance(item, list):
        return f"{len(item)} items"
    if isinstance(item, dict):
        return f"{len(item)} entries"
    text = item if isinstance(item, str) else msgspec.json.encode(item).decode()
    return text if len(text) <= 40 else f"{text[:37]}..."
