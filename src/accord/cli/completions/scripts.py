"""What the scripts of all shells share: an engine's text, its names and its data put in."""

import re
from pathlib import Path

__all__ = ["filled", "function_name"]


def filled(engine: str, **parts: str) -> str:
    """An engine with its parts: ``@NAME@`` stands for the part ``name``."""
    text = Path(__file__).with_name(engine).read_text(encoding="utf-8")
    return re.sub(r"@([A-Z]+)@", lambda found: parts[found[1].lower()], text)


def function_name(program: str) -> str:
    """A name for the shell function, a different one for every program."""
    safe = re.sub(r"[^A-Za-z0-9]", lambda found: f"_{ord(found[0]):x}_", program)
    return f"_accord_{safe}"
