"""A typed function -> a command of the ``accord`` program, by the same way as everybody's commands.

Knows no command. Each is registered alone, so that one does not wait for the others to be imported.
"""

from __future__ import annotations

import sys

from accord.app import App
from accord.cli.main import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["run_command"]


def run_command(name: str, function: Callable[..., Any], arguments: list[str], **options: Any) -> int:
    """Run one command with what was typed after its name, and return the exit code."""
    version = sys.modules["accord"].__version__  # the facade is above us, and loaded before any of us
    app = App("accord", version=version)
    app.command(name, **options)(function)
    return run(app, [name, *arguments])
