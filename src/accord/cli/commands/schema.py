"""``accord schema APP [TOOL]``: what is published of an app's tools, as JSON."""

import os
import sys
from typing import Annotated, Literal

from accord._calls import JSON
from accord.cli.own import run_command
from accord.cli.render import render
from accord.cli.target import load_app
from accord.cli.terminal import look_at
from accord.errors import ToolError
from accord.gate.resemblance import nearest
from accord.markers import Description, Positional

__all__ = ["run"]


def show_schema(
    app: Annotated[str, Positional, Description("path/to/app.py, path/to/app.py:attr or module:attr")],
    tool: Annotated[str | None, Positional, Description("Name of the tool; all of them without one.")] = None,
    format: Annotated[Literal["json", "plain"], Description("How they are written.")] = "json",
) -> str:
    """Show the published schemas of an app's tools, as `tools/list` does."""
    # JSON unless asked otherwise, and still a sentence where something is wrong: so the text is made here.
    return render(_published(app, tool), format, look_at(sys.stdout, os.environ))


def _published(app: str, tool: str | None) -> JSON:
    loaded = load_app(app).app
    if tool is None:
        return [each.wire() for each in loaded.tools.values()]
    found = loaded.find(tool)
    if found is None:
        meant = nearest(tool, list(loaded.tools))
        hint = f" Did you mean {meant!r}?" if meant else f" `accord list {app}` shows what there is."
        raise ToolError(f"{app} has no tool {tool!r}.{hint}")
    return found.wire()


def run(arguments: list[str]) -> int:
    """Show them."""
    return run_command("schema", show_schema, arguments)
