"""Error data -> what a person at a terminal reads.

Knows the shape of the error data (``accord.gate.refusal`` makes it) and nothing of options: how an
argument is typed is asked of ``spell``. Agents read the error data itself.
"""

from collections.abc import Callable

from accord._calls import JSON
from accord._jsonpatch import pointer_of
from accord.cli.terminal import Look, one_line, paint, shown

__all__ = ["failure_text"]

#: counting stops here (``accord.gate.explain.MOST``): from here on a total means "or more"
_COUNTED = 1000
_MARGIN = "  "


def failure_text(error_data: dict[str, JSON], text: str, spell: Callable[[str], str], look: Look) -> str:
    """The failure as complete lines, ready to be written.

    ``text`` is the failure's own text; it stands for failures that are not about arguments. ``spell`` turns the
    JSON Pointer of an argument into what the user types for it.
    """
    violations = error_data.get("violations")
    if error_data.get("code") != "INVALID_PARAMS" or not violations:
        return _headed(text, look) + "\n"
    lines = [_headed(f"Error: invalid arguments for {one_line(str(error_data.get('tool')))}:", look)]
    lines += [_MARGIN + _violation_text(violation, spell, look) for violation in violations]
    total = error_data.get("total", 0)
    if total > len(violations):
        lines.append(f"{_MARGIN}... {f'{_COUNTED} or more' if total >= _COUNTED else total} problems in all")
    return "\n".join(lines) + "\n"


def _headed(text: str, look: Look) -> str:
    text = shown(text.rstrip("\n"), look)
    head, rest = ("Error:", text.removeprefix("Error:")) if text.startswith("Error:") else ("", text)
    return paint(head, "red", look) + rest


def _violation_text(violation: dict[str, JSON], spell: Callable[[str], str], look: Look) -> str:
    pointer = violation["path"]
    where = paint(shown(one_line(spell(pointer)), look), "bold", look) if pointer else "the arguments"
    message = shown(violation["message"], look).replace("\n", f"\n{_MARGIN * 2}")
    return f"{where}: {message}{_hint(violation, spell, look)}"


def _hint(violation: dict[str, JSON], spell: Callable[[str], str], look: Look) -> str:
    suggestion = violation.get("suggestion")
    if suggestion is None:
        return ""
    if violation["reason"] == "unexpected_argument":
        # What is suggested is a key, where the one that was given stands.
        suggestion = spell(violation["path"].rpartition("/")[0] + pointer_of([suggestion]))
    return f" (did you mean {paint(shown(one_line(suggestion), look), 'green', look)}?)"
