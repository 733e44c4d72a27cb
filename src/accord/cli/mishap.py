"""A failure -> what goes to stderr, and the exit code: its error data as JSON, or lines for a person.

Knows how a command line spells an argument, so that people read ``--service`` where error data says ``/service``.
"""

import traceback
from collections.abc import Callable

from accord._calls import Failed
from accord._jsonpatch import steps_of
from accord.cli.builtin import Wishes
from accord.cli.console import Console, Ending, is_read
from accord.cli.failures import failure_text
from accord.cli.jsontext import json_line
from accord.cli.parse import Parsed
from accord.cli.terminal import neutral
from accord.dispatch.exceptions import exception_of

__all__ = ["fail"]


def fail(failed: Failed, wishes: Wishes, console: Console, parsed: Parsed | None = None) -> Ending:
    """Say what failed. Raises what it was where nobody is left to hear it."""
    if isinstance(failed.exception, BrokenPipeError) and not is_read(console.stdout):
        raise failed.exception  # a print that nobody reads: not the tool's own affair
    console.write(console.stderr, _explained(failed, wishes, console, parsed))
    return Ending(failed.kind.exit_code, None, exception_of(failed))


def _explained(failed: Failed, wishes: Wishes, console: Console, parsed: Parsed | None) -> str:
    """The lines to write. ``-v`` adds the traceback of what a tool raised."""
    look = console.look(console.stderr, colour=wishes.colour)
    if wishes.form == "json":
        return json_line(failed.error_data, look) + "\n"
    if failed.reason == "cancelled":
        return ("\n" if look.tty else "") + "Cancelled.\n"
    text = failure_text(failed.error_data, failed.text, _speller(parsed), look)
    if wishes.verbosity > 1 and failed.exception is not None:
        text = neutral("".join(traceback.format_exception(failed.exception))) + text
    return text


def _speller(parsed: Parsed | None) -> Callable[[str], str]:
    known = {argument.name: argument for argument in parsed.table.all} if parsed else {}
    sources = parsed.sources if parsed else {}

    def spell(pointer: str) -> str:
        name, *inner = steps_of(pointer)
        argument = known.get(name)
        shown = argument.shown if argument is not None else f"--{name.replace('_', '-')}"
        within = "".join(f"[{step}]" if step.isdecimal() else f".{step}" for step in inner)
        source = f" (from ${sources[name]})" if name in sources else ""
        return f"{shown}{within}{source}"

    return spell
