"""JSON -> bytes that are alike for values that are equal to a schema. Knows nothing of what they are compared for."""

import msgspec

from accord._calls import JSON

__all__ = ["canonical"]


def canonical(value: JSON) -> bytes:
    """The same text for the same value: keys in order, and 1.0 is 1.

    Raises:
        RecursionError: the value is nested too deeply to be compared.
    """
    return msgspec.json.encode(_plain(value), order="sorted")


def _plain(value: JSON) -> JSON:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, dict) else value
