"""Docstring -> summary and parameter descriptions, in the Google, NumPy and Sphinx styles.

Reads indentation, never executes anything, and prefers saying nothing to guessing.
"""

from __future__ import annotations

from accord._values import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

__all__ = ["parameter_descriptions", "summary_of", "unindented"]

Match: TypeAlias = "Callable[[str], re.Match[str] | None]"

_SECTIONS = {
    "args",
    "arguments",
    "parameters",
    "params",
    "attributes",
    "keyword args",
    "keyword arguments",
    "other parameters",
}


class _Pattern:
    """A pattern that is compiled when first used: most docstrings are a line or two, and have no entries."""

    def __init__(self, text: str) -> None:
        self._text = text

    @lazy
    def match(self) -> Match:
        """What ``re.compile(text).match`` does."""
        import re  # noqa: PLC0415 - takes longer to import than a listing of commands to write

        return re.compile(self._text).match


_GOOGLE_ENTRY = _Pattern(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY = _Pattern(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_SPHINX_ENTRY = _Pattern(r":(?:param|parameter|arg|argument|key|ivar|var|cvar)\s+(?:[^:]*?\s)?\*{0,2}(\w+)\s*:\s*(.*)")


def unindented(text: str) -> str:
    """A docstring as its author sees it: without the indentation of the code around it."""
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    lines = [first.lstrip(), *(line[margin:] for line in rest)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def summary_of(docstring: str) -> str:
    """Everything before the first section, as paragraphs: the description of the whole."""
    if "\n" not in docstring and ":" not in docstring:
        return " ".join(docstring.split())
    kept: list[str] = []
    lines = unindented(docstring).splitlines()
    for index, line in enumerate(lines):
        if _starts_section(lines, index):
            break
        kept.append(line)
    paragraphs = "\n".join(kept).strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).strip()


def _starts_section(lines: list[str], index: int) -> bool:
    line = lines[index]
    underlined = index + 1 < len(lines) and bool(line.strip()) and set(lines[index + 1].strip()) in ({"-"}, {"="})
    return underlined or _is_header(line) or _is_field(line)


def _is_header(line: str) -> bool:
    """Whether a line is the title of a Google section, ``Args:``."""
    title, colon, rest = line.partition(":")
    if not colon or rest.strip() or not "A" <= title[:1] <= "Z":
        return False
    return title.lower() in _SECTIONS or title.lower() in _OTHER_SECTIONS


def _is_field(line: str) -> bool:
    """Whether a line begins with a Sphinx field, ``:name:`` or ``:name what it is about:``."""
    if not line.startswith(":"):
        return False
    field, colon, _ = line[1:].partition(":")
    words = field.split(maxsplit=1)
    return bool(colon and words) and field.startswith(words[0]) and words[0].replace("_", "a").isalnum()


_OTHER_SECTIONS = {
    "returns",
    "return",
    "yields",
    "raises",
    "example",
    "examples",
    "note",
    "notes",
    "warning",
    "warnings",
    "see also",
    "todo",
}


def parameter_descriptions(docstring: str) -> dict[str, str]:
    """What the docstring says of each parameter, one line each."""
    if ":" not in docstring and "\n" not in docstring:
        return {}
    lines = unindented(docstring).splitlines()
    found: dict[str, str] = {}
    for index, line in enumerate(lines):
        title = line.strip().rstrip(":").lower()
        if title in _SECTIONS and line == line.lstrip():
            underlined = index + 1 < len(lines) and set(lines[index + 1].strip()) in ({"-"}, {"="})
            if underlined:
                found.update(_numpy_entries(lines[index + 2 :]))
            elif line.rstrip().endswith(":"):
                found.update(_google_entries(lines[index + 1 :]))
    found.update(_sphinx_entries(lines))
    return {name: text for name, text in found.items() if text}


def _google_entries(lines: list[str]) -> Iterator[tuple[str, str]]:
    block = _indented_block(lines)
    depth = min((_indent(line) for line in block if line.strip()), default=0)
    name, parts = "", [""]
    for line in block:
        entry = _GOOGLE_ENTRY.match(line.strip()) if _indent(line) == depth else None
        if entry:
            yield name, _joined(parts)
            name, parts = entry.group(1), [entry.group(2)]
        else:
            parts.append(line)
    yield name, _joined(parts)


def _indented_block(lines: list[str]) -> list[str]:
    block = []
    for line in lines:
        if line.strip() and not line.startswith((" ", "\t")):
            break
        block.append(line)
    return block


def _numpy_entries(lines: list[str]) -> Iterator[tuple[str, str]]:
    names: list[str] = []
    parts: list[str] = []
    for index, line in enumerate(lines):
        if index + 1 < len(lines) and line.strip() and set(lines[index + 1].strip()) in ({"-"}, {"="}):
            break
        entry = _NUMPY_ENTRY.match(line) if line.strip() and not line.startswith((" ", "\t")) else None
        if entry:
            yield from ((name, _joined(parts)) for name in names)
            names = [name.strip().lstrip("*") for name in entry.group(1).split(",")]
            parts = []
        else:
            parts.append(line)
    yield from ((name, _joined(parts)) for name in names)


def _sphinx_entries(lines: list[str]) -> Iterator[tuple[str, str]]:
    name, parts = "", [""]
    for line in lines:
        entry = _SPHINX_ENTRY.match(line)
        if entry:
            yield name, _joined(parts)
            name, parts = entry.group(1), [entry.group(2)]
        elif _is_field(line) or not line.strip():
            yield name, _joined(parts)
            name, parts = "", [""]
        else:
            parts.append(line)
    yield name, _joined(parts)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(parts: list[str]) -> str:
    return " ".join(" ".join(parts).split())
