"""Questions to the person at a terminal: consent, and values field by field.

What was typed is read as on a command line; an answer that does not fit is asked for again. Questions go to stderr, for
stdout holds results.
"""

from typing import Any

import msgspec

from accord._calls import JSON
from accord.cli.keyboard import Keyboard
from accord.cli.terminal import Look, one_line, paint, shown
from accord.gate.explain import explain
from accord.gate.validator import Gate
from accord.texts.kinds import Schema, kinds_of
from accord.texts.reading import read_text

__all__ = ["ask", "confirm"]

_YES, _NO = ("y", "yes"), ("n", "no", "")


def confirm(question: str, keyboard: Keyboard, look: Look) -> bool:
    """Whether the person says yes; the end of the input says no."""
    while True:
        answer = keyboard.line(f"{shown(one_line(question), look)} [y/N] ")
        if answer is None or answer.strip().lower() in _NO:
            return False
        if answer.strip().lower() in _YES:
            return True
        keyboard.say("Please answer y or n.")


def ask(message: str, schema: Schema, keyboard: Keyboard, look: Look) -> dict[str, Any] | None:
    """An object that satisfies the schema, or None at the end of the input."""
    keyboard.say(paint(shown(message, look), "bold", look))
    answers: dict[str, Any] = {}
    for name, field in schema.get("properties", {}).items():
        asked = _Field(name, field, schema, name in schema.get("required", ()))
        answer = asked.answer(keyboard, look)
        if answer is None:
            return None
        answers.update(answer)
    return answers


class _Field(msgspec.Struct, frozen=True):
    """One field of the answer."""

    name: str
    schema: Schema
    whole: Schema
    required: bool

    def answer(self, keyboard: Keyboard, look: Look) -> dict[str, JSON] | None:
        """The field's value under its name, nothing where it may be left out and was, None at the end of the input."""
        gate = Gate({**self.schema, "$defs": self.whole.get("$defs", {})})
        while True:
            text = keyboard.line(self._prompt(look), secret=bool(self.schema.get("writeOnly")))
            if text is None:
                return None
            if text == "" and not self.required:
                return {}
            value = self._read(text)
            if gate.is_valid(value):
                return {self.name: value}
            if text == "" and self._is_text():
                keyboard.say(f"  {self.name} is required.")
                continue
            problem = explain(gate, value)[0].message
            keyboard.say(f"  {shown(f'{self.name} {problem}', look)}")

    def _read(self, text: str) -> JSON:
        if kinds_of(self.schema, self.whole.get("$defs", {})) <= {"boolean", "null"} and text.lower() in ("y", "n"):
            return text.lower() == "y"
        return read_text(text, self.schema, self.whole.get("$defs", {}))

    def _is_text(self) -> bool:
        return "string" in kinds_of(self.schema, self.whole.get("$defs", {}))

    def _prompt(self, look: Look) -> str:
        hints = []
        choices = _choices(self.schema)
        if choices:
            hints.append("/".join(choices))
        elif kinds_of(self.schema, self.whole.get("$defs", {})) == {"boolean"}:
            hints.append("y/n")
        if self.schema.get("default") is not None:
            hints.append(f"default {_written(self.schema['default'])}")
        hint = f" [{', '.join(hints)}]" if hints else ""
        return f"{shown(one_line(f'{self.name}{self._described()}{hint}'), look)}: "

    def _described(self) -> str:
        description = self.schema.get("description")
        return f" ({description})" if isinstance(description, str) else ""


def _choices(schema: Schema) -> list[str]:
    """What there is to choose from, with the title of a choice that has one."""
    if isinstance(schema.get("enum"), list):
        return [_written(value) for value in schema["enum"]]
    titled = schema.get("oneOf")
    if not isinstance(titled, list) or not all(isinstance(each, dict) and "const" in each for each in titled):
        return []
    return [
        " = ".join([_written(each["const"]), *([str(each["title"])] if "title" in each else [])]) for each in titled
    ]


def _written(value: JSON) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
