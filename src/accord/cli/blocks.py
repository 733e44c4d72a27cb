"""Content a tool made itself -> text: a terminal shows text, and names what it cannot show."""

import msgspec

from accord._calls import JSON, Ok
from accord.cli.jsontext import json_text
from accord.cli.render import Form, render
from accord.cli.terminal import Look, one_line

__all__ = ["render_blocks"]


def render_blocks(outcome: Ok, form: Form, look: Look) -> str:
    """The text to write for a result that is content: its structured value for programs, its blocks for people."""
    structured = outcome.structured
    if form == "json":
        return json_text(outcome.blocks if structured is msgspec.UNSET else structured, look) + "\n"
    if form == "table" and structured is not msgspec.UNSET:
        return render(structured, form, look)
    return "".join(render(_text_of(block), "plain", look) for block in outcome.blocks or [])


def _text_of(block: dict[str, JSON]) -> str:
    kind = block.get("type")
    if kind == "text":
        return str(block.get("text", ""))
    if kind == "resource" and isinstance(block.get("resource", {}).get("text"), str):
        return str(block["resource"]["text"])
    about = block.get("resource", block)
    said = [str(kind), about.get("mimeType"), about.get("uri"), _size(about.get("data") or about.get("blob"))]
    return f"[{' '.join(one_line(str(part)) for part in said if part)}]"


def _size(data: JSON) -> str | None:
    return f"{len(data) * 3 // 4 - data[-2:].count('=')} bytes" if isinstance(data, str) else None
