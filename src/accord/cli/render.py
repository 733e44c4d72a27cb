"""JSON-ready value -> the text of a result, in the form that was asked for.

Knows the three forms and what they share; ``plain`` and ``table`` lay out lists and objects. Knows
no tool and no stream.
"""

from typing import Literal

from accord._calls import JSON
from accord.cli.jsontext import json_text, number_text
from accord.cli.plain import plain_lines
from accord.cli.table import table_lines
from accord.cli.terminal import Look, shown

__all__ = ["Form", "render"]

Form = Literal["plain", "json", "table"]


def render(value: JSON, form: Form, look: Look) -> str:
    """The text to write for a result: nothing at all, or complete lines, the last one ended too.

    ``plain`` loses nothing, ``json`` is valid JSON, ``table`` may cut cells on a terminal. The text can be
    written to the stream ``look`` was taken from, and cannot steer a terminal.
    """
    if form == "json":
        return json_text(value, look) + "\n"
    if value is None:
        return ""
    if isinstance(value, dict | list):
        lines = (table_lines if form == "table" else plain_lines)(value, look)
        return "".join(f"{line}\n" for line in lines)
    text = shown(value, look) if isinstance(value, str) else number_text(value)
    return text if not text or text.endswith("\n") else f"{text}\n"
