"""Value -> Outcome: the only place that looks at results.

A value becomes JSON, is held against the output schema, and comes out as content for people and a
structured value for programs. A result that breaks its contract is a failure that names the path,
never a silent success.
"""

from typing import Any

import msgspec

from accord._blocks import as_result, block_of
from accord._calls import JSON, Failed, Ok
from accord._encode import Unencodable, encode
from accord._jsonpatch import short_pointer
from accord._tool import Tool
from accord.content import ToolResult
from accord.gate.explain import explain
from accord.gate.refusal import failure
from accord.gate.validator import Gate

__all__ = ["normalize"]

_SUMMARY = 200


def normalize(tool: Tool, value: Any) -> Ok | Failed:
    """The outcome of a call whose function returned ``value``."""
    try:
        result = as_result(value)
        if result is not None:
            return _from_content(tool, value, result)
        return _from_value(tool, value)
    except Unencodable as error:
        return _invalid(tool, error.pointer, f"{error.problem}")
    except RecursionError:
        return _invalid(tool, "", "it contains itself, or is nested too deeply")
    except UnicodeEncodeError:
        return _invalid(tool, "", "it holds text that is not Unicode (a lone surrogate)")


def _from_value(tool: Tool, value: Any) -> Ok | Failed:
    encoded = encode(value)
    gate = tool.compiled.output_gate
    refusal = _refusal(tool, gate, encoded)
    if refusal is not None:
        return refusal
    text = _text(tool, encoded)
    text.encode()
    has_structure = gate is not None or not (encoded is None or isinstance(encoded, str))
    return Ok(value, [{"type": "text", "text": text}], encoded if has_structure else msgspec.UNSET)


def _from_content(tool: Tool, value: Any, result: ToolResult) -> Ok | Failed:
    blocks = []
    for index, item in enumerate(result.content):
        try:
            blocks.append(block_of(item))
        except TypeError as error:
            return _invalid(tool, f"/{index}", str(error))
    structured = result.structured if result.structured is msgspec.UNSET else encode(result.structured)
    refusal = _refusal(tool, tool.compiled.output_gate, structured)
    if refusal is not None and not result.is_error:
        return refusal
    if refusal is not None:
        # Clients hold even an error's structured value against the output schema, and would hide the error.
        structured = msgspec.UNSET
    meta = None if result.meta is None else encode(result.meta)
    msgspec.json.encode(blocks)
    return Ok(value, blocks, structured, meta, result.is_error)


def _refusal(tool: Tool, gate: Gate | None, encoded: JSON) -> Failed | None:
    if gate is None:
        return None
    if encoded is msgspec.UNSET:
        return _invalid(tool, "", "it has no structured value, and the output schema asks for one")
    if gate.is_valid(encoded):
        return None
    first = explain(gate, encoded)[0]
    return _invalid(tool, short_pointer(first.path), first.message)


def _invalid(tool: Tool, pointer: str, problem: str) -> Failed:
    where = f"the result of {tool.name}" + (f" at {pointer}" if pointer else "")
    violations = [{"path": pointer, "reason": "output_invalid", "message": problem}]
    return failure(tool.name, "output_invalid", f"Error: {where}: {problem}", violations=violations)


def _text(tool: Tool, encoded: JSON) -> str:
    if isinstance(encoded, str):
        return encoded
    if encoded is None:
        return "null" if tool.policy.dialect == "milo" else ""
    if tool.policy.content == "summary":
        return _summary(encoded)
    return msgspec.json.encode(encoded).decode()


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
