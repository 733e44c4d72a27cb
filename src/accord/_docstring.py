"""Docstring -> summary and parameter descriptions, in the Google, NumPy and Sphinx styles.

Reads indentation, never executes anything, and prefers saying nothing to guessing.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

__all__ = ["parameter_descriptions", "summary_of", "unindented"]

Match = Callable[[str], re.Match[str] | None]

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


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _matcher(pattern: str) -> Match:
    """``re.match`` with a pattern that is compiled when first used: docstrings of one line have no sections."""
    return lambda text: _compiled(pattern).match(text)


_GOOGLE_ENTRY = _matcher(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY = _matcher(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")
_SPHINX_ENTRY = _matcher(r":(?:param|parameter|arg|argument|key|ivar|var|cvar)\s+(?:[^:]*?\s)?\*{0,2}(\w+)\s*:\s*(.*)")
_SPHINX_OTHER = _matcher(r":\w+(?:\s+[^:]*)?:")
_HEADER = _matcher(r"[A-Z][A-Za-z ]*:\s*$")


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
    known = _HEADER(line) and line.strip()[:-1].lower() in _SECTIONS | _OTHER_SECTIONS
    return bool(known or underlined or _SPHINX_OTHER(line))


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
        entry = _GOOGLE_ENTRY(line.strip()) if _indent(line) == depth else None
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
        entry = _NUMPY_ENTRY(line) if line.strip() and not line.startswith((" ", "\t")) else None
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
        entry = _SPHINX_ENTRY(line)
        if entry:
            yield name, _joined(parts)
            name, parts = entry.group(1), [entry.group(2)]
        elif _SPHINX_OTHER(line) or not line.strip():
            yield name, _joined(parts)
            name, parts = "", [""]
        else:
            parts.append(line)
    yield name, _joined(parts)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(parts: list[str]) -> str:
    return " ".join(" ".join(parts).split())
