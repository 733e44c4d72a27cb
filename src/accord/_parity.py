"""One call, several surfaces: whether they answered alike, and what the difference is.

Knows how each surface is asked and what of its answer counts; which surfaces there are is decided by ``testing``.
"""

import difflib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from accord._calls import JSON, KINDS
from accord._canonical import canonical
from accord._encode import encode
from accord._tool import Tool
from accord.app import App
from accord.cli.builtin import Wishes
from accord.cli.parse import parse
from accord.errors import ProtocolError

__all__ = ["Answer", "Ask", "Case", "answered", "argv_of", "ask_cli", "ask_python", "differences", "refused"]

#: arguments, and the result or the reason of the failure
Case = tuple[Mapping[str, Any], Any]


class Answer(msgspec.Struct, frozen=True):
    """What a surface answered: a result, or why there is none. ``data`` is None where a surface says no more."""

    result: JSON = None
    reason: str | None = None
    data: JSON = None

    @property
    def shown(self) -> list[str]:
        """The answer as lines to compare."""
        seen = {"result": self.result} if self.reason is None else {"reason": self.reason, "errorData": self.data}
        return msgspec.json.format(msgspec.json.encode(seen, order="sorted"), indent=2).decode().splitlines()


#: asks one surface; None where it has no way to say these arguments
Ask = Callable[[App, str, Mapping[str, Any]], Answer | None]


def differences(app: App, name: str, cases: Iterable[Case], surfaces: Mapping[str, Ask]) -> Iterator[str]:
    """What is wrong with the answers of some surfaces, in words, case by case."""
    for arguments, expected in cases:
        asked = {surface: ask(app, name, arguments) for surface, ask in surfaces.items()}
        answers = {surface: answer for surface, answer in asked.items() if answer is not None}
        head = f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
        wrong = [surface for surface, answer in answers.items() if not _is_expected(answer, expected)]
        if wrong:
            shown = "\n".join(answers[wrong[0]].shown)
            yield f"{head}: expected {expected!r}, and {' and '.join(wrong)} answered\n{shown}"
        else:
            yield from _disagreements(head, answers)


def _disagreements(head: str, answers: dict[str, Answer]) -> Iterator[str]:
    # An exception of the tool's own carries no error data in Python, so who says most is compared with the others.
    standard = next((surface for surface, answer in answers.items() if answer.data is not None), next(iter(answers)))
    for surface, answer in answers.items():
        if not _is_alike(answers[standard], answer):
            lines = difflib.unified_diff(answers[standard].shown, answer.shown, standard, surface, lineterm="")
            yield f"{head}: {standard} and {surface} differ\n" + "\n".join(lines)


def _is_expected(answer: Answer, expected: Any) -> bool:
    if answer.reason is not None:
        return bool(expected == answer.reason)
    return canonical(answer.result) == canonical(encode(expected))


def _is_alike(standard: Answer, answer: Answer) -> bool:
    if standard.reason != answer.reason:
        return False
    if standard.reason is None:
        return canonical(standard.result) == canonical(answer.result)
    return answer.data is None or canonical(standard.data) == canonical(answer.data)


def answered(result: JSON) -> Answer:
    """The answer of a surface that gave a result. Empty text is no result: on some wires they are one."""
    return Answer(None if result == "" else result)


def refused(data: Any) -> Answer:
    """The answer of a surface that shows its error data."""
    plain = msgspec.json.decode(msgspec.json.encode(data))
    if not isinstance(plain, dict) or plain.get("reason") not in KINDS:
        return Answer(reason="tool_error")  # a JSON-RPC error of the tool's own making, with data of its own
    return Answer(reason=plain["reason"], data=plain)


# -- asking ------------------------------------------------------------------------------------------------------


def ask_python(app: App, name: str, arguments: Mapping[str, Any]) -> Answer | None:
    """``app.call``."""
    if not _is_on(app, name, "python"):
        return None
    try:
        value = app.call(name, **arguments)
    except BaseException as error:  # noqa: BLE001 - whatever a tool raises is what is looked at
        data = getattr(error, "error_data", None) or (error.data if isinstance(error, ProtocolError) else None)
        if data is not None:
            return refused(data)
        return Answer(reason="cancelled" if isinstance(error, KeyboardInterrupt) else "tool_error")
    return answered(encode(value))


def ask_cli(app: App, name: str, arguments: Mapping[str, Any]) -> Answer | None:
    """``app.invoke`` with ``--format json``."""
    tool = app.find(name)
    if not _is_on(app, name, "cli"):
        return None
    words = tool.path if tool is not None else tuple(name.split("."))
    options = argv_of(tool, arguments)
    if tool is not None and not _can_be_said(tool, arguments, options):
        return None
    result = app.invoke(["--format", "json", "--no-input", *words, *options])
    if result.exit_code == 0:
        return answered(msgspec.json.decode(result.output))
    return refused(_last_object(result.stderr))


def argv_of(tool: Tool | None, arguments: Mapping[str, Any]) -> list[str]:
    """The options that say these arguments: ``--name=VALUE``, text as it is and everything else as JSON."""
    written = {name: encode(value) for name, value in arguments.items()}
    return [f"--{name}={_text_of(tool, name, value)}" for name, value in written.items()]


def _text_of(tool: Tool | None, name: str, value: JSON) -> str:
    as_json = msgspec.json.encode(value).decode()
    if not isinstance(value, str):
        return as_json
    place = f"/properties/{name}"
    meaning = _read(value)
    if tool is None or name not in tool.canonical_input.get("properties", {}) or isinstance(meaning, str):
        return value
    # Where the text would be read as the number it spells, quotes say that it is text.
    return as_json if tool.gate.is_valid_at(place, value) and tool.gate.is_valid_at(place, meaning) else value


def _can_be_said(tool: Tool, arguments: Mapping[str, Any], options: list[str]) -> bool:
    """Whether a command line can be as wrong as the arguments: text for a number is read as the number it spells."""
    written = {name: encode(value) for name, value in arguments.items()}
    if tool.gate.is_valid(written):
        return True
    parsed = parse(tool, options, Wishes(form="json"), os.environ, lambda _source: b"")
    return canonical(parsed.arguments) == canonical(written)


def _is_on(app: App, name: str, surface: str) -> bool:
    """Whether a tool is there; a tool that does not exist is missing everywhere alike."""
    tool = app.find(name)
    return tool is None or surface in tool.options.surfaces


def _read(text: str) -> JSON:
    """The JSON a text is; the text itself where it is none."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return text


def _last_object(text: str) -> JSON:
    """The error data among what a command wrote: its last line."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    data = _read(lines[-1]) if lines else None
    if not isinstance(data, dict) or data.get("reason") not in KINDS:
        raise AssertionError(f"the command line failed without error data: {text!r}")
    return data
