"""What is shown instead of running a command: help, the version, and descriptions for programs.

Decides which text, its exit code and the stream it is laid out for; each text has a module of its own.
"""

from __future__ import annotations

from accord._values import Value
from accord.cli.terminal import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.app import App
    from accord.cli.builtin import Action, Wishes
    from accord.cli.console import Console
    from accord.cli.route import Route
    from accord.cli.terminal import Look

__all__ = ["show"]


class _Subject(Value):
    """What is to be shown of an app: all of it, or the part that is named; and to whom."""

    app: App
    program: str
    found: Route
    wishes: Wishes
    console: Console

    @property
    def look(self) -> Look:
        """What stdout can show."""
        return self.console.look(self.console.stdout, colour=self.wishes.colour)


def show(app: App, found: Route, wishes: Wishes, console: Console) -> tuple[str, int]:
    """The text, and the exit code it comes with: of a text with exit code 0 the place is stdout."""
    subject = _Subject(app, console.program or app.name, found, wishes, console)
    if wishes.action is None and found.path:
        return _command_missing(subject), 2
    return _SHOW[wishes.action or "help"](subject), 0


def _help(subject: _Subject) -> str:
    return _help_for(subject, subject.look)


def _help_for(subject: _Subject, look: Look) -> str:
    found = subject.found
    if found.tool is not None:
        from accord.cli.help_command import command_help  # noqa: PLC0415 - a listing shall not wait for it

        return command_help(subject.program, found.tool, subject.console.environ, look)
    from accord.cli.help import app_help, group_help  # noqa: PLC0415 - as above

    if found.path:
        return group_help(subject.app, subject.program, found.path, look)
    return app_help(subject.app, subject.program, look)


def _command_missing(subject: _Subject) -> str:
    """A group alone: what it holds, headed by what is wrong."""
    words, console = " ".join(subject.found.path), subject.console
    problem = f"Error: {words} needs a command after it."
    if subject.wishes.form == "json":
        from accord.cli.jsontext import json_line  # noqa: PLC0415 - only programs want it
        from accord.gate.refusal import failure  # noqa: PLC0415 - as above

        failed = failure(".".join(subject.found.path), "unknown_tool", problem)
        return json_line(failed.error_data, console.look(console.stderr)) + "\n"
    return f"{problem}\n\n{_help_for(subject, console.look(console.stderr, colour=subject.wishes.colour))}"


def _version(subject: _Subject) -> str:
    return f"{subject.app.name} {subject.app.version}\n"


def _manifest(subject: _Subject) -> str:
    from accord.cli.jsontext import json_line, json_text  # noqa: PLC0415 - each text loads what it needs, and no more
    from accord.cli.manifest import manifest_of  # noqa: PLC0415 - as above

    # A person wants lines; a model that reads it pays for every blank.
    write = json_text if subject.look.tty else json_line
    return write(manifest_of(subject.app, subject.program, subject.found.path), subject.look) + "\n"


def _llms(subject: _Subject) -> str:
    from accord.cli.llms import llms_text  # noqa: PLC0415 - as above

    return llms_text(subject.app, subject.program, subject.found.path, subject.look)


def _completions(subject: _Subject) -> str:
    from accord.cli.completions import completion_script  # noqa: PLC0415 - as above

    return shown(completion_script(subject.app, subject.program, subject.wishes.shell), subject.look)


_SHOW: dict[Action, Callable[[_Subject], str]] = {
    "help": _help,
    "version": _version,
    "manifest": _manifest,
    "llms": _llms,
    "completions": _completions,
}
