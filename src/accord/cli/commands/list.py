"""``accord list APP``: the tools of an app, a line each."""

from typing import Annotated

from accord.cli.listing import first_sentence
from accord.cli.own import run_command
from accord.cli.target import load_app
from accord.markers import Description, Positional

__all__ = ["run"]


def list_tools(
    app: Annotated[str, Positional, Description("path/to/app.py, path/to/app.py:attr or module:attr")],
) -> list[dict[str, str]]:
    """List the tools of an app.

    A tool's arguments follow its name, those that may be left out with a question mark.
    """
    return [
        {"name": name, "arguments": _arguments(tool.input_schema), "description": first_sentence(tool.description)}
        for name, tool in load_app(app).app.tools.items()
    ]


def _arguments(schema: dict[str, object]) -> str:
    properties, required = schema.get("properties"), schema.get("required")
    names = list(properties) if isinstance(properties, dict) else []
    needed = required if isinstance(required, list) else []
    return " ".join(name if name in needed else f"{name}?" for name in names)


def run(arguments: list[str]) -> int:
    """List them, as a table unless another form is asked for."""
    return run_command("list", list_tools, ["--format=table", *arguments])
