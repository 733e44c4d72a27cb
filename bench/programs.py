"""The same command-line program, written as each library's own documentation would.

`one` is a program of a single command; `many` is a module of so many commands, which `main` imports, because Python
keeps the bytecode of modules and compiles a script at every start.
"""

from collections.abc import Callable

__all__ = ["LIBRARIES", "MAIN", "many", "one"]

MAIN = """
import sys
sys.path.insert(0, {folder!r})
from {module} import run
run()
"""

_BODY = """    \"\"\"Say something, number {index}.\"\"\"
    {say}(f"{{name}} {{count}} {{dry}}")
"""


def _argparse(count: int) -> str:
    head = "import argparse\n\nparser = argparse.ArgumentParser()\n"
    into = "parser"
    lines = []
    if count > 1:
        head += "commands = parser.add_subparsers(required=True)\n"
    for index in range(count):
        if count > 1:
            into = f"parser{index}"
            lines.append(f"{into} = commands.add_parser('say{index}', help='Say something, number {index}.')\n")
        lines.append(
            f"def say{index}(name, count, dry):\n{_BODY.format(index=index, say='print')}\n"
            f"{into}.add_argument('--name', required=True)\n"
            f"{into}.add_argument('--count', type=int, default=1)\n"
            f"{into}.add_argument('--dry', action=argparse.BooleanOptionalAction, default=False)\n"
            f"{into}.set_defaults(command=say{index})\n"
        )
    tail = "def run():\n    given = vars(parser.parse_args())\n    given.pop('command')(**given)\n"
    return head + "".join(lines) + tail


def _click(count: int) -> str:
    head = "import click\n\n"
    if count > 1:
        head += "@click.group()\ndef cli():\n    pass\n\n"
    decorator = "@cli.command()" if count > 1 else "@click.command()"
    commands = "".join(
        f"{decorator}\n@click.option('--name', required=True)\n@click.option('--count', type=int, default=1)\n"
        f"@click.option('--dry/--no-dry', default=False)\n"
        f"def say{index}(name, count, dry):\n{_BODY.format(index=index, say='click.echo')}\n"
        for index in range(count)
    )
    return f"{head}{commands}\ndef run():\n    {'cli' if count > 1 else 'say0'}()\n"


def _typed(head: str, decorator: str, tail: str, keyword_only: str = "*, ") -> Callable[[int], str]:
    def write(count: int) -> str:
        commands = "".join(
            f"{decorator}\ndef say{index}({keyword_only}name: str, count: int = 1, dry: bool = False):\n"
            f"{_BODY.format(index=index, say='print')}\n"
            for index in range(count)
        )
        return f"{head}\n\n{commands}\ndef run():\n    {tail}\n"

    return write


def _typer(count: int) -> str:
    commands = "".join(
        f"@app.command()\ndef say{index}(name: str = typer.Option(...), count: int = 1, dry: bool = False):\n"
        f"{_BODY.format(index=index, say='print')}\n"
        for index in range(count)
    )
    return f"import typer\n\napp = typer.Typer()\n\n{commands}\ndef run():\n    app()\n"


_accord = _typed("from accord import App\n\napp = App('bench')", "@app.command", "app.run()", "")
_cyclopts = _typed("from cyclopts import App\n\napp = App()", "@app.command", "app()")
_cyclopts_one = _typed("from cyclopts import App\n\napp = App()", "@app.default", "app()")

#: library -> (its program of so many commands, its program of one, the words before the options of the only command)
LIBRARIES: dict[str, tuple[Callable[[int], str], Callable[[int], str], list[str]]] = {
    "Accord": (_accord, _accord, ["say0"]),
    "argparse": (_argparse, _argparse, []),
    "click": (_click, _click, []),
    "Cyclopts": (_cyclopts, _cyclopts_one, []),
    "Typer": (_typer, _typer, []),
}


def one(library: str) -> str:
    """A whole program of one command."""
    return LIBRARIES[library][1](1) + "\n\nrun()\n"


def many(library: str, count: int) -> str:
    """A module of so many commands, with a `run`."""
    return LIBRARIES[library][0](count)
