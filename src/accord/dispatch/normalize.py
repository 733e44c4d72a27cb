"""Value -> Outcome -> result object: the only place that looks at results.

A value becomes JSON, is held against the output schema, and comes out with the structured value for
programs. A result that breaks its contract is a failure that names the path, never a silent success.
``wire_result`` writes what came out as a client of a protocol version reads it.
"""

from typing import TYPE_CHECKING, Any

import msgspec

from accord._calls import JSON, Failed, Ok, Outcome
from accord._encode import Unencodable, encode
from accord._ready import BOX, BY_VALUE
from accord._tool import Tool

if TYPE_CHECKING:
    from accord.content import ToolResult
    from accord.gate.mend import Repair
    from accord.gate.validator import Gate
    from accord.policy import Policy
    from accord.protocol.versions import Version

__all__ = ["finish", "normalize", "wire_failure", "wire_result", "with_repairs"]

#: what most tools return, and no content: told apart by one look-up
_PLAIN = {dict, str, int, float, bool, type(None)}


#: bits of an integer that may be too long to be written
_LONG = 10_000
#: integers that anybody reads as they are written
_SHORT = 2**53


def finish(tool: Tool, value: Any, repairs: "tuple[Repair, ...]" = ()) -> Outcome:
    """The end of a plain call, whose function gave this value or failed."""
    outcome = value if type(value) is Failed else normalize(tool, value)
    return with_repairs(outcome, repairs) if repairs else outcome


def with_repairs(outcome: Outcome, repairs: "tuple[Repair, ...]") -> Outcome:
    """A success that tells what was mended before it."""
    if isinstance(outcome, Failed):
        return outcome
    shown = [{"path": repair.path, "repair": repair.repair} for repair in repairs]
    return msgspec.structs.replace(outcome, meta={**(outcome.meta or {}), "accord/repairs": shown})


def normalize(tool: Tool, value: Any) -> Ok | Failed:
    """The outcome of a call whose function returned ``value``."""
    gate = tool.ready.output_gate
    if value is None and gate is None:
        return Ok(None)
    kind = type(value)
    is_plain = (kind is str and value.isascii()) or kind is bool or (kind is int and -_SHORT < value < _SHORT)
    if is_plain and (gate is None or gate.admits(value)):  # JSON already, and what was promised
        return Ok(value, value, value if gate is not None or kind is not str else msgspec.UNSET)
    try:
        if type(value) not in _PLAIN and not (type(value) is list and _PLAIN.issuperset(map(type, value))):
            if not tool.has_result:
                return Ok(value)
            from accord._blocks import as_result  # noqa: PLC0415 - a plain result needs none of it

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
    except (Exception, SystemExit) as error:  # noqa: BLE001 - boundary: values may compute what they hold
        return _unreadable(tool, error)


def _from_value(tool: Tool, value: Any) -> Ok | Failed:
    encoded = value.copy() if type(value) is dict and _is_flat(value) else encode(value)
    gate = tool.ready.output_gate
    refusal = None if gate is None else _refusal(tool, gate, encoded)
    if refusal is not None:
        return refusal
    has_structure = gate is not None or not (encoded is None or isinstance(encoded, str))
    return Ok(value, encoded, encoded if has_structure else msgspec.UNSET, _written(encoded))


def _unreadable(tool: Tool, error: BaseException) -> Failed:
    import logging  # noqa: PLC0415 - only failures pay for it

    logging.getLogger("accord.tools").info("the result of %s cannot be read", tool.name, exc_info=error)
    return _invalid(tool, "", f"it cannot be read: {type(error).__name__}: {error}")


def _is_flat(value: dict[Any, Any]) -> bool:
    """Whether this is JSON already, as most objects are: names, and scalars that need no second look."""
    for name, item in value.items():
        kind = type(item)
        if type(name) is not str or not (kind is str or kind is int or kind is bool or item is None):
            return False
    return True


def _written(encoded: JSON) -> bytes | None:
    """The value as JSON, where it is more than a scalar. Writing it finds lone surrogates, which no gate looks for."""
    if type(encoded) is str:
        if not encoded.isascii():
            encoded.encode()
        return None
    is_long = type(encoded) is int and encoded.bit_length() > _LONG
    if not is_long and type(encoded) is not dict and type(encoded) is not list:
        return None
    try:
        return msgspec.json.encode(encoded)
    except UnicodeEncodeError:
        raise
    except ValueError as error:  # Python writes no integer of more than 4300 digits, and our readers take none
        raise Unencodable("it holds an integer of too many digits") from error


def _from_content(tool: Tool, value: Any, result: "ToolResult") -> Ok | Failed:
    from accord._blocks import block_of  # noqa: PLC0415 - as above

    blocks = []
    for index, item in enumerate(result.content):
        try:
            blocks.append(block_of(item))
        except TypeError as error:
            return _invalid(tool, f"/{index}", str(error))
    structured = result.structured if result.structured is msgspec.UNSET else encode(result.structured)
    refusal = _refusal(tool, tool.ready.output_gate, structured)
    if refusal is not None and not result.is_error:
        return refusal
    if refusal is not None:
        # Clients hold even an error's structured value against the output schema, and would hide the error.
        structured = msgspec.UNSET
    meta = None if result.meta is None else encode(result.meta)
    msgspec.json.encode(blocks)
    encoded = None if structured is msgspec.UNSET else structured
    return Ok(value, encoded, structured, None, blocks, meta, result.is_error)


def _refusal(tool: Tool, gate: "Gate | None", encoded: JSON) -> Failed | None:
    if gate is None:
        return None
    if encoded is msgspec.UNSET:
        return _invalid(tool, "", "it has no structured value, and the output schema asks for one")
    try:
        if gate.admits(encoded):
            return None
    except ValueError:  # the gate's word for a value that is not JSON
        pass
    from accord._jsonpatch import short_pointer  # noqa: PLC0415 - only failures pay for it
    from accord.gate.explain import explain  # noqa: PLC0415 - as above

    first = explain(gate, encoded)[0]
    return _invalid(tool, short_pointer(first.path), first.message)


def _invalid(tool: Tool, pointer: str, problem: str) -> Failed:
    from accord.gate.refusal import failure  # noqa: PLC0415 - only failures pay for it

    where = f"the result of {tool.name}" + (f" at {pointer}" if pointer else "")
    violations = [{"path": pointer, "reason": "output_invalid", "message": problem}]
    return failure(tool.name, "output_invalid", f"Error: {where}: {problem}", violations=violations)


def wire_result(outcome: Outcome, tool: Tool | None, policy: "Policy", version: "Version") -> dict[str, JSON]:
    """The ``tools/call`` result of an outcome; ``isError`` is always there."""
    if type(outcome) is Failed:
        return wire_failure(outcome)
    assert type(outcome) is Ok, "an outcome is one or the other"
    blocks = outcome.blocks
    if blocks is None:
        text = outcome.encoded
        if outcome.written is not None and policy.content == "json":
            text = outcome.written.decode()
        elif type(text) is int and policy.content == "json":
            text = str(text)
        elif type(text) is not str:
            from accord._wording import text_of_result  # noqa: PLC0415 - only servers make text of values

            text = text_of_result(outcome, policy)
        blocks = [{"type": "text", "text": text}]
    result: dict[str, JSON] = {"content": blocks}
    structured = outcome.structured
    if structured is not msgspec.UNSET:
        boxing = BY_VALUE if tool is None else tool.boxing
        is_boxed = boxing.is_boxed
        if version.any_structured and not boxing.always:
            is_boxed = False
        elif is_boxed is None:
            is_boxed = type(structured) is not dict
        if outcome.written is not None and structured is outcome.encoded:
            structured = msgspec.Raw(outcome.written)  # no need to write it twice
        result["structuredContent"] = {BOX: structured} if is_boxed else structured
    result["isError"] = outcome.is_error
    return {**result, "_meta": outcome.meta} if outcome.meta else result


def wire_failure(failed: Failed) -> dict[str, JSON]:
    """An error result. Its data stands twice, because some clients drop keys they do not know."""
    return {
        "content": [{"type": "text", "text": failed.text}],
        "isError": True,
        "errorData": failed.error_data,
        "_meta": {"accord/errorData": failed.error_data},
    }
