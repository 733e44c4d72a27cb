"""A command line from its words to its ending: to the tool it names, or to what is shown instead of running one.

The one path ``main`` (a process) and ``capture`` (a test) share. Reads and writes through a console only, and
exits nowhere. What running a tool takes is loaded for those who run one: help is not kept waiting for it.
"""

from __future__ import annotations

from accord._surfaces import load
from accord.cli.builtin import Wishes, wishes_in
from accord.cli.console import Ending
from accord.cli.route import Route, route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord.app import App
    from accord.cli.console import Console

__all__ = ["obey"]


def obey(app: App, argv: list[str], console: Console) -> Ending:
    """Do what a command line says."""
    registry = app._registry
    found = route(registry, argv)
    if not isinstance(found, Route):
        from accord.cli.mishap import fail  # noqa: PLC0415 - only failures need it

        return fail(found, wishes_in(argv), console)
    if found.tool is None:
        return _show(app, found, found.wishes, console)
    run_tool = load("accord.cli.running", "run_tool")
    done: Ending | Wishes = run_tool(registry, found.tool, found.rest, found.wishes, console)
    return done if isinstance(done, Ending) else _show(app, found, done, console)


def _show(app: App, found: Route, wishes: Wishes, console: Console) -> Ending:
    if wishes.action in ("mcp", "http"):
        from accord.cli.serving import serve_as_wished  # noqa: PLC0415 - only servers need it

        return serve_as_wished(wishes, console)
    from accord.cli.showing import show  # noqa: PLC0415 - only help and its like need it

    text, exit_code = show(app, found, wishes, console)
    console.write(console.stdout if exit_code == 0 else console.stderr, text)
    return Ending(exit_code)
