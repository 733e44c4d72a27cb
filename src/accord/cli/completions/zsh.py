"""The completion script for zsh: to be evaluated, or saved as a file of ``$fpath``."""

import re

from accord.cli.completions.cases import script_of_cases
from accord.cli.completions.offers import Place

__all__ = ["script"]

#: what may stand in a ``#compdef`` line, which has no quoting
_PLAIN = re.compile(r"[\w.+-]+", re.ASCII).fullmatch


def script(program: str, places: list[Place]) -> str:
    """The script."""
    tag = f"#compdef {program}\n" if _PLAIN(program) else ""
    return script_of_cases("engine.zsh", program, places, _described, tag=tag)


def _described(word: str, says: str) -> str:
    """A word and what it is for, as ``_describe`` takes them apart: at the first colon that is not escaped."""
    word, says = (text.replace("\\", "\\\\") for text in (word, says))
    escaped = word.replace(":", "\\:")
    return f"{escaped}:{says}" if says else escaped
