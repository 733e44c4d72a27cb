"""A failure -> what goes to stderr, and the exit code: its error data as JSON, or lines for a person.

Knows how a command line spells an argument, so that people read ``--service`` where error data says ``/service``.
"""

import traceback
from collections.abc import Callable

from accord._calls import JSON, Failed
from accord._jsonpatch import steps_of
from accord.cli.builtin import BUILTINS, Wishes
from accord.cli.console import Console, Ending, is_read
from accord.cli.failures import failure_text
from accord.cli.jsontext import json_line
from accord.cli.parse import Parsed
from accord.cli.terminal import neutral
from accord.dispatch.exceptions import exception_of
from accord.gate.resemblance import nearest

__all__ = ["fail"]

#: options that are listed where an unknown one was typed
_MOST = 20


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
    text = failure_text(_reworded(failed.error_data, parsed), failed.text, _speller(parsed), look)
    if wishes.verbosity > 1 and failed.exception is not None:
        text = neutral("".join(traceback.format_exception(failed.exception))) + text
    return text


def _reworded(error_data: dict[str, JSON], parsed: Parsed | None) -> dict[str, JSON]:
    """The error data with what is said of unknown arguments said of options."""
    if parsed is None or not parsed.typed or "violations" not in error_data:
        return error_data
    options = [each.spellings[0] for each in parsed.table.all if not each.hidden]
    shown = ", ".join(options[:_MOST]) + (" ..." if len(options) > _MOST else "")
    message = f"is not an option here (there are: {shown})" if options else "is not an option here (there are none)"
    violations = [
        {**each, "message": message + _built_in_near(parsed.typed[each["argument"]], each)}
        if each["path"].count("/") == 1 and each["argument"] in parsed.typed
        else each
        for each in error_data["violations"]
    ]
    return {**error_data, "violations": violations}


def _built_in_near(spelling: str, violation: dict[str, JSON]) -> str:
    """The hint at a built-in option, where the command has none like it."""
    if "suggestion" in violation:
        return ""
    near = nearest(spelling, [one for builtin in BUILTINS for one in builtin.spellings if len(one) > 2])
    return f" (did you mean {near}?)" if near else ""


def _speller(parsed: Parsed | None) -> Callable[[str], str]:
    known = {argument.name: argument for argument in parsed.table.all} if parsed else {}
    sources = parsed.sources if parsed else {}
    typed = parsed.typed if parsed else {}

    def spell(pointer: str) -> str:
        name, *inner = steps_of(pointer)
        argument = known.get(name)
        shown = argument.shown if argument is not None else typed.get(name) or f"--{name.replace('_', '-')}"
        within = "".join(f"[{step}]" if step.isdecimal() else f".{step}" for step in inner)
        source = f" (from ${sources[name]})" if name in sources else ""
        return f"{shown}{within}{source}"

    return spell
