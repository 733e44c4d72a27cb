"""A command line from its words to its ending: argv -> Call, Outcome -> text and exit code.

The one path ``main`` (a process) and ``capture`` (a test) share. Reads and writes through a console only, and
exits nowhere.
"""

from typing import Any, TextIO

import msgspec

from accord._calls import Call, Failed, Ok
from accord._registry import Registry
from accord._tool import Tool
from accord.app import App
from accord.cli.attendant import Attendant
from accord.cli.builtin import Wishes
from accord.cli.console import Console, is_read
from accord.cli.parse import Parsed, parse
from accord.cli.render import render
from accord.cli.route import Route, route
from accord.dispatch.blocking import dispatch
from accord.errors import RegistrationError

__all__ = ["Ending", "obey"]


class Ending(msgspec.Struct, frozen=True):
    """How a command line ended."""

    exit_code: int
    result: Any = None
    exception: BaseException | None = None


def obey(app: App, argv: list[str], console: Console) -> Ending:
    """Do what a command line says."""
    registry = app._registry
    found = route(registry, argv)
    if isinstance(found, Failed):
        return _fail(found, _wishes_in(argv), console)
    if found.tool is None:
        return _show(app, found, found.wishes, console)
    try:
        parsed = parse(found.tool, found.rest, found.wishes, console.environ, console.read)
    except RegistrationError as error:  # put off at registration, and still not possible
        return _fail(_faulty(found.tool, error), _wishes_in(argv), console)
    if parsed.wishes.action is not None:
        return _show(app, found, parsed.wishes, console)
    if parsed.refusal is not None:
        return _fail(parsed.refusal, parsed.wishes, console, parsed)
    return _run(registry, found.tool, parsed, console)


def _run(registry: Registry, tool: Tool, parsed: Parsed, console: Console) -> Ending:
    if parsed.wishes.form == "json":
        with console.diverted() as stdout:
            return _run_on(registry, tool, parsed, msgspec.structs.replace(console, stdout=stdout))
    return _run_on(registry, tool, parsed, console)


def _run_on(registry: Registry, tool: Tool, parsed: Parsed, console: Console) -> Ending:
    attendant = Attendant(console, parsed.wishes)
    try:
        outcome = dispatch(registry, Call(tool.name, parsed.arguments, "cli", attendant))
    except KeyboardInterrupt as error:  # between two steps, or while somebody was asked for consent
        outcome = _faulty(tool, error)
    finally:
        attendant.finish()
    if isinstance(outcome, Failed):
        return _fail(outcome, parsed.wishes, console, parsed)
    return _succeed(outcome, parsed.wishes, console)


def _succeed(outcome: Ok, wishes: Wishes, console: Console) -> Ending:
    stream = console.stderr if outcome.is_error else console.stdout
    look = console.look(stream, colour=wishes.colour)
    if outcome.blocks is None:
        text = render(outcome.encoded, wishes.form, look)
    else:
        from accord.cli.blocks import render_blocks  # noqa: PLC0415 - only tools that make their own content need it

        text = render_blocks(outcome, wishes.form, look)
    _write(stream, text)
    return Ending(1 if outcome.is_error else 0, outcome.value)


def _fail(failed: Failed, wishes: Wishes, console: Console, parsed: Parsed | None = None) -> Ending:
    from accord.cli.mishap import explain  # noqa: PLC0415 - only failures need it

    if isinstance(failed.exception, BrokenPipeError) and not is_read(console.stdout):
        raise failed.exception  # a print that nobody reads: not the tool's own affair
    _write(console.stderr, explain(failed, wishes, console, parsed))
    from accord.dispatch.exceptions import exception_of  # noqa: PLC0415 - as above

    return Ending(failed.kind.exit_code, None, exception_of(failed))


def _show(app: App, found: Route, wishes: Wishes, console: Console) -> Ending:
    from accord.cli.showing import show  # noqa: PLC0415 - only help and its like need it

    text, exit_code = show(app, found, wishes, console)
    _write(console.stdout if exit_code == 0 else console.stderr, text)
    return Ending(exit_code)


def _faulty(tool: Tool, error: BaseException) -> Failed:
    from accord.dispatch.fault import fault  # noqa: PLC0415 - only the failure needs it

    return fault(tool, error)


def _wishes_in(argv: list[str]) -> Wishes:
    """What the caller wished for, as far as a line tells that cannot be read."""
    wants_json = " --format json " in f" {' '.join(argv).replace('--format=', '--format ')} "
    return Wishes(form="json" if wants_json else "plain", colour="--no-color" not in argv)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None and text:
        stream.write(text)
        stream.flush()
