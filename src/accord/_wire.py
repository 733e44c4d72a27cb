"""The wire forms of a tool and of an outcome, per protocol version.

2026-07-28 knows any JSON value as a structured result. Earlier versions know only objects, so there
anything else is boxed; schema and value by the same test, so that they can never disagree.
"""

from typing import Any

import msgspec

from accord._calls import JSON, Failed, Ok
from accord._compile import Compiled
from accord._wording import text_of_result
from accord.policy import Policy
from accord.schema.boxing import BOX, boxed_schema, is_object, object_schema

__all__ = ["OBJECTS_ONLY_BEFORE", "wire_failure", "wire_result", "wire_tool"]

#: the first protocol version whose structured results may be any JSON value
OBJECTS_ONLY_BEFORE = "2026-07-28"

_MARKER = "x-accord-box"


def wire_tool(
    name: str, description: str | None, annotations: dict[str, JSON], compiled: Compiled, protocol: str
) -> dict[str, JSON]:
    """The entry of ``tools/list``."""
    wired: dict[str, JSON] = {"name": name}
    if description:
        wired["description"] = description
    wired["inputSchema"] = compiled.published_input
    output = _output_schema(compiled, protocol)
    if output is not None:
        wired["outputSchema"] = output
    if annotations:
        wired["annotations"] = annotations
    copy: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(wired))
    return copy


def wire_result(outcome: Ok | Failed, compiled: Compiled | None, policy: Policy, protocol: str) -> dict[str, JSON]:
    """The ``tools/call`` result of an outcome; ``isError`` is always there."""
    if isinstance(outcome, Failed):
        return wire_failure(outcome)
    blocks = outcome.blocks
    if blocks is None:
        blocks = [{"type": "text", "text": text_of_result(outcome, policy)}]
    result: dict[str, JSON] = {"content": blocks}
    structured = _structured(outcome, compiled, protocol)
    if structured is not msgspec.UNSET:
        result["structuredContent"] = structured
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


def _output_schema(compiled: Compiled, protocol: str) -> dict[str, JSON] | None:
    if compiled.published_output is None or compiled.output is None or compiled.dialect.box:
        return compiled.published_output
    if protocol >= OBJECTS_ONLY_BEFORE:
        return compiled.published_output
    if is_object(compiled.output):
        return object_schema(compiled.published_output)
    return boxed_schema(compiled.published_output, _MARKER)


def _structured(outcome: Ok, compiled: Compiled | None, protocol: str) -> Any:
    if outcome.structured is msgspec.UNSET:
        return msgspec.UNSET
    schema = compiled.output if compiled is not None else None
    always = compiled is not None and compiled.dialect.box is not None
    if protocol >= OBJECTS_ONLY_BEFORE and not always:
        return outcome.structured
    stays = is_object(schema) if schema is not None else isinstance(outcome.structured, dict)
    return outcome.structured if stays else {BOX: outcome.structured}
