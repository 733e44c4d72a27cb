"""The completion script for bash, from 3.2 on."""

from accord.cli.completions.cases import script_of_cases
from accord.cli.completions.offers import Place

__all__ = ["script"]


def script(program: str, places: list[Place]) -> str:
    """The script. Bash shows words, and not what they are for."""
    return script_of_cases("engine.bash", program, places, lambda word, _: word)
