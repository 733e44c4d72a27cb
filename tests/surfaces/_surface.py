"""The surfaces a call can come in by, each with what came out of it, in one form.

Another transport is another row of `SURFACES`.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from accord.errors import AccordError, ProtocolError
from accord.testing import call_tool
from tests.surfaces._case import Case


@dataclass(frozen=True)
class Seen:
    """What a surface shows of an outcome.

    `value` is the Python value and `raised` the exception, where the surface has them; `result` and `error` are JSON.
    """

    result: Any = ...
    value: Any = ...
    error: dict[str, Any] | None = None
    raised: BaseException | None = None

    @property
    def failed(self) -> bool:
        return self.error is not None or self.raised is not None


def _raised(error: BaseException) -> Seen:
    """A tool's own exception reaches Python as it was raised: it is what carries no error data."""
    data = error.error_data if isinstance(error, AccordError) else None
    return Seen(error=None if data is None else dict(data), raised=error)


def call(case: Case) -> Seen:
    arguments = case.arguments if case.values is None else case.values
    try:
        return Seen(value=case.app.call(case.tool, **arguments))
    except BaseException as error:
        return _raised(error)


def call_with_json(case: Case) -> Seen:
    try:
        return Seen(value=case.app.call(case.tool, **copy.deepcopy(case.arguments)))
    except BaseException as error:
        return _raised(error)


def acall(case: Case) -> Seen:
    arguments = case.arguments if case.values is None else case.values
    caught: list[BaseException] = []

    async def main() -> Any:
        try:
            return await case.app.acall(case.tool, **arguments)
        except BaseException as error:
            # Kept here: an event loop has ideas of its own about KeyboardInterrupt.
            caught.append(error)

    value = asyncio.run(main())
    return _raised(caught[0]) if caught else Seen(value=value)


def command_line(case: Case) -> Seen:
    ended = case.app.invoke(["--format", "json", *case.words])
    if ended.exit_code == 0:
        return Seen(result=json.loads(ended.output), value=ended.result)
    assert ended.output == ""
    if ended.exception is None:  # an error the tool described itself: a result, on stderr
        return Seen(result=json.loads(ended.stderr), value=ended.result)
    return Seen(error=json.loads(ended.stderr.splitlines()[-1]), raised=ended.exception)


def _memory(protocol: str) -> Callable[[Case], Seen]:
    def surface(case: Case) -> Seen:
        params = {"name": case.tool, "arguments": copy.deepcopy(case.arguments)}
        try:
            answer = call_tool(case.app, params, protocol=protocol)
        except ProtocolError as error:
            return Seen(error=error.data)
        if "errorData" in answer:
            assert answer["_meta"]["accord/errorData"] == answer["errorData"]
            assert answer["content"][0]["text"].startswith("Error: ")
            assert "structuredContent" not in answer
            return Seen(error=answer["errorData"])
        return Seen(result=_result(answer, case, protocol))

    return surface


def _result(answer: dict[str, Any], case: Case, protocol: str) -> Any:
    if "structuredContent" in answer:
        structured = answer["structuredContent"]
        boxed = protocol < "2026-07-28" and list(structured) == ["result"]
        return structured["result"] if boxed else structured
    if case.is_content:
        return answer["content"]
    (block,) = answer["content"]
    return block["text"] or (None if case.result is None else "")


SURFACES: dict[str, Callable[[Case], Seen]] = {
    "call": call,
    "call with JSON": call_with_json,
    "acall": acall,
    "command line": command_line,
    "memory 2026-07-28": _memory("2026-07-28"),
    "memory 2025-11-25": _memory("2025-11-25"),
    "memory 2025-06-18": _memory("2025-06-18"),
}
