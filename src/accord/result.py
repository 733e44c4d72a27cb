"""The tools/call result contract: text blocks and a flag, described by one schema in the package.

For code that builds or checks results by hand. The contract admits no unknown key and never null, so
a result that satisfies it satisfies every client.
"""

from pathlib import Path
from typing import Any

import msgspec

from accord._calls import JSON
from accord._encode import Unencodable, encode
from accord._jsonpatch import pointer_of
from accord.errors import OutputInvalid
from accord.gate.explain import explain
from accord.gate.validator import Gate

__all__ = ["build", "is_canonical", "normalize", "schema_path", "validate", "validator"]

_gates: dict[str, Gate] = {}


def schema_path() -> Path:
    """Where the schema of the contract lies in the installed package."""
    return Path(__file__).with_name("accord.tool_result.v1.schema.json")


def validator() -> Gate:
    """The compiled contract: ``validator().is_valid(payload)``."""
    if "v1" not in _gates:
        _gates["v1"] = Gate(msgspec.json.decode(schema_path().read_bytes()))
    return _gates["v1"]


def validate(payload: Any) -> None:
    """Check a result against the contract.

    Raises:
        OutputInvalid: it breaks the contract; the message says where and how.
    """
    gate = validator()
    if not gate.is_valid(payload):
        first = explain(gate, payload)[0]
        raise OutputInvalid(f"not a tool result: {pointer_of(first.path) or 'it'} {first.message}")


def build(text: str, is_error: bool = False) -> dict[str, JSON]:
    """The result that says ``text``."""
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def is_canonical(value: Any) -> bool:
    """Whether a value already is a result of the contract."""
    return validator().is_valid(value)


def normalize(value: Any) -> dict[str, JSON]:
    """The result a value stands for: itself when canonical, its text or JSON otherwise, "" for None.

    Raises:
        OutputInvalid: the value has no JSON form.
    """
    if is_canonical(value):
        canonical: dict[str, JSON] = value
        return canonical
    if value is None:
        return build("")
    try:
        encoded = encode(value)
    except Unencodable as error:
        raise OutputInvalid(f"the result has no JSON form: {error.pointer or 'it'}: {error.problem}") from error
    return build(encoded if isinstance(encoded, str) else msgspec.json.encode(encoded).decode())
