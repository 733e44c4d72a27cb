"""``accord run APP ...``: an app's own command line, without a file that calls ``app.run()``."""

import sys

from accord.cli.main import run as run_app
from accord.cli.target import load_app
from accord.errors import ToolError

__all__ = ["run"]

_USAGE = """usage: accord run APP [COMMAND ...]

Run a command of an app. What follows APP goes to the app as it is: `accord run APP --help` lists its commands.

  APP  path/to/app.py, path/to/app.py:attr or module:attr"""


def run(arguments: list[str]) -> int:
    """Run it."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    try:
        app = load_app(arguments[0]).app
    except ToolError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return run_app(app, arguments[1:])
