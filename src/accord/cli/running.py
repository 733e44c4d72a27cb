"""A tool and the words after its name -> its call, and what became of it on the streams.

Where the words ask for something else to be shown, it says so and runs nothing.
"""

from accord._calls import Call, Failed, Ok
from accord._registry import Registry
from accord._tool import Tool
from accord._values import replace
from accord.cli.attendant import Attendant
from accord.cli.builtin import Wishes, wishes_in
from accord.cli.console import Console, Ending
from accord.cli.parse import Parsed, parse
from accord.cli.render import render
from accord.dispatch.blocking import dispatch
from accord.errors import RegistrationError

__all__ = ["run_parsed", "run_tool"]


def run_tool(registry: Registry, tool: Tool, words: list[str], wishes: Wishes, console: Console) -> Ending | Wishes:
    """How running the tool ended; the wishes where one of them is to see something instead."""
    try:
        parsed = parse(tool, words, wishes, console.environ, console.read)
    except RegistrationError as error:  # put off at registration, and still not possible
        return _fail(_faulty(tool, error), wishes if wishes.form == "json" else wishes_in(words), console)
    if parsed.refusal is None and parsed.wishes.action is not None:
        return parsed.wishes
    return run_parsed(registry, tool, parsed, console)


def run_parsed(registry: Registry, tool: Tool, parsed: Parsed, console: Console) -> Ending:
    """How the call that was read ended."""
    if parsed.refusal is not None:
        return _fail(parsed.refusal, parsed.wishes, console, parsed)
    if parsed.wishes.form == "json":
        with console.diverted() as stdout:
            return _run(registry, tool, parsed, replace(console, stdout=stdout))
    return _run(registry, tool, parsed, console)


def _run(registry: Registry, tool: Tool, parsed: Parsed, console: Console) -> Ending:
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
    console.write(stream, text)
    return Ending(1 if outcome.is_error else 0, outcome.value)


def _fail(failed: Failed, wishes: Wishes, console: Console, parsed: Parsed | None = None) -> Ending:
    from accord.cli.mishap import fail  # noqa: PLC0415 - only failures need it

    return fail(failed, wishes, console, parsed)


def _faulty(tool: Tool, error: BaseException) -> Failed:
    from accord.dispatch.fault import fault  # noqa: PLC0415 - only the failure needs it

    return fault(tool, error)
