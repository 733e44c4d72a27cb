"""A command line and what is read from it, without running anything."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any

from accord._registry import Registry
from accord._tool import Tool
from accord.app import App
from accord.cli.builtin import Wishes
from accord.cli.parse import Parsed, parse
from accord.cli.route import Route, route


def read_line(
    function: Callable[..., Any],
    line: str | list[str],
    environ: Mapping[str, str] | None = None,
    files: Mapping[str, str | bytes] | None = None,
    **options: Any,
) -> Parsed:
    """What the words after a command's name say; `files` are what `@name` and `-` hold."""

    def read(source: str) -> bytes:
        try:
            held = (files or {})[source]
            return held.encode() if isinstance(held, str) else held
        except KeyError:
            raise FileNotFoundError(2, "No such file") from None

    app = App("line")
    app.command("tool", **options)(function)
    words = shlex.split(line) if isinstance(line, str) else line
    return parse(app.tools["tool"], words, Wishes(), environ or {}, read)


def arguments(function: Callable[..., Any], line: str | list[str], **context: Any) -> dict[str, Any]:
    """The arguments of the call, as JSON."""
    parsed = read_line(function, line, **context)
    assert parsed.refusal is None, parsed.refusal.text
    return parsed.arguments


def takes(annotation: Any) -> Callable[..., Any]:
    """A function with the one parameter `x`."""

    def tool(x):
        return x

    tool.__annotations__ = {"x": annotation}
    return tool


def routed(app: App, line: str) -> Any:
    """Where a command line leads: the tool's name and the rest, the group's words, or the failure."""
    registry: Registry = app._registry
    found = route(registry, shlex.split(line))
    if not isinstance(found, Route):
        return found
    tool: Tool | None = found.tool
    return found.path if tool is None else (tool.name, found.rest)
