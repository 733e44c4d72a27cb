"""JSON-ready value -> the text of a result, in the form that was asked for.

Knows the three forms and what they share; ``plain`` and ``table`` lay out lists and objects. Knows
no tool and no stream.
"""

from typing import Literal

from accord._calls import JSON
from accord.cli.terminal import Look, shown

__all__ = ["Form", "render"]

Form = Literal["plain", "json", "table"]


def render(value: JSON, form: Form, look: Look) -> str:
    """The text to write for a result: nothing at all, or complete lines, the last one ended too.

    ``plain`` loses nothing, ``json`` is valid JSON, ``table`` may cut cells on a terminal. The text can be
    written to the stream ``look`` was taken from, and cannot steer a terminal.
    """
    if value is None and form != "json":
        return ""
    if isinstance(value, str) and form != "json":
        text = shown(value, look)
        return text if not text or text.endswith("\n") else f"{text}\n"
    return _laid_out(value, form, look)


def _laid_out(value: JSON, form: Form, look: Look) -> str:
    # Imported here because text, the commonest result, needs none of it.
    if form == "json":
        from accord.cli.jsontext import json_text  # noqa: PLC0415 - as above

        return json_text(value, look) + "\n"
    if not isinstance(value, dict | list):
        from accord.cli.jsontext import number_text  # noqa: PLC0415 - as above

        return number_text(value) + "\n"
    if form == "table":
        from accord.cli.table import table_lines as lines_of  # noqa: PLC0415 - as above
    else:
        from accord.cli.plain import plain_lines as lines_of  # noqa: PLC0415 - as above
    return "".join(f"{line}\n" for line in lines_of(value, look))
