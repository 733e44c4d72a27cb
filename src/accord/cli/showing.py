"""What is shown instead of running a command: help, the version, and descriptions for programs."""

from accord.app import App
from accord.cli.builtin import Wishes
from accord.cli.console import Console
from accord.cli.route import Route

__all__ = ["show"]


def show(app: App, found: Route, wishes: Wishes, console: Console) -> tuple[str, int]:
    """The text, and the exit code it comes with."""
    del found, console
    if wishes.action == "version":
        return f"{app.name} {app.version}\n", 0
    return "help\n", 0
