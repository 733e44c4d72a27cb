"""``accord install APP --client CLIENT``: an app's server in the configuration of an MCP client, or out of it again.

Puts the pieces of ``cli/clients`` together and says what became of it.
"""

import os
import re
import sys
from pathlib import Path
from typing import Annotated, Literal

from accord.cli.clients.catalog import CLIENTS, Client, Entry, Name, entry_for
from accord.cli.clients.entries import Change, Unusable, pasted, put_in, taken_out
from accord.cli.clients.files import Changed, Document, read_document, write_document
from accord.cli.clients.places import Machine, config_file
from accord.cli.own import run_command
from accord.cli.target import load_app
from accord.context import Context
from accord.errors import ToolError
from accord.markers import Description, Pattern, Positional
from accord.settings.places import current_directory, home_directory, project_of

__all__ = ["run"]

_NAME = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"  # what every client takes, and leaves room for the names of tools


def install(
    app: Annotated[str, Positional, Description("path/to/app.py, path/to/app.py:attr or module:attr")],
    client: Name,
    name: Annotated[str, Pattern(_NAME)] | None = None,
    scope: Literal["user", "project"] = "user",
    env: dict[Annotated[str, Pattern("^[A-Za-z_][A-Za-z0-9_]*$")], str] = {},  # noqa: B006 - only read
    print: bool = False,
    dry_run: bool = False,
    remove: bool = False,
    replace: bool = False,
    ctx: Context = Context(),  # noqa: B008 - inert
) -> dict[str, str] | str:
    """Put an app into the configuration of an MCP client.

    The client will start the app with this very Python, wherever it is. Other servers in the file, its comments and
    its layout stay as they are, and a copy of the old file is kept beside it.

    Args:
        client: Which client.
        name: What the client calls the server; the app's own name unless given.
        scope: For the user everywhere, or for whoever works in the project around this directory.
        env: Environment variables for the server, KEY=VALUE.
        print: Print what belongs into the file, and write nothing.
        dry_run: Say what would happen, and write nothing.
        remove: Take the server out again; with a name, even if the app is gone.
        replace: Replace or remove a server of that name even if it is not one of Accord's.
    """
    row = CLIENTS[client]
    file = _file(client, scope)
    if remove:
        server = name or _default_name(load_app(app).app.name)
        entry: Entry | None = None
    else:
        loaded = load_app(app)
        server = name or _default_name(loaded.app.name)
        entry = entry_for(row, _interpreter(), loaded.anywhere, env)
        if print:
            ctx.info(f"This belongs into {file}:")
            return pasted(row, server, entry)
    if entry is not None and scope == "user" and not file.parent.is_dir():
        ctx.warning(f"{file.parent} is not there: has {row.title} ever been started here?")
    change, backup = _edit(row, file, server, entry, replace=replace, dry_run=dry_run)
    if change.action in ("added", "updated", "replaced") and not dry_run:
        ctx.info(row.then)
    told = {"client": client, "server": server, "file": str(file), "action": change.action}
    if dry_run:
        told["written"] = "nothing, as this is a dry run"
    return {**told, "backup": str(backup)} if backup else told


def _default_name(app: str) -> str:
    """The app's name with nothing in it that a client would stumble over."""
    return re.sub(r"[^A-Za-z0-9]+", "-", app).strip("-")[:40] or "accord"


def _interpreter() -> str:
    """This Python: not what its link leads to, which would be outside the virtual environment."""
    if not sys.executable:
        raise ToolError("this Python does not know where it is itself, so no client can be told to start it.")
    return os.path.abspath(sys.executable)  # noqa: PTH100 - as pathlib would, but without following links


def _file(client: str, scope: str) -> Path:
    place = config_file(client, scope, _this_machine())
    if place is None:
        raise ToolError(f"{CLIENTS[client].title} has no servers for a project: leave --scope out.")
    return Path(place)


def _this_machine() -> Machine:
    home, here = home_directory(), current_directory()
    if home is None:
        raise ToolError("this user has no home directory. Set HOME to a directory.")
    packages: tuple[str, ...] = ()
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
        packages = tuple(each.name for each in (local / "Packages").glob("Claude_*"))
    return Machine(sys.platform, os.environ, str(home), str(project_of(here) or here), packages)


def _edit(
    client: Client, file: Path, name: str, entry: Entry | None, *, replace: bool, dry_run: bool
) -> tuple[Change, Path | None]:
    """Change the file, and say what became of it and of the copy."""
    try:
        document = read_document(file)
        text = document.text
        if entry is None:
            change = taken_out(client, text, name, replace=replace)
        else:
            change = put_in(client, text, name, entry, replace=replace)
        return change, None if dry_run else _write(document, change)
    except UnicodeError:
        problem = "it cannot be read, or written, as UTF-8"
    except Unusable as error:
        problem = str(error)
    except Changed:
        problem = "another program has just written it. Try again"
    except OSError as error:
        problem = error.strerror or str(error)
    instead = "" if entry is None else f" Or put this into it yourself:\n\n{pasted(client, name, entry)}"
    raise ToolError(f"nothing was changed in {file}: {problem}.{instead}")


def _write(document: Document, change: Change) -> Path | None:
    return None if change.action in ("unchanged", "absent") else write_document(document, change.text)


def run(arguments: list[str]) -> int:
    """Install it, or take it out."""
    return run_command("install", install, arguments)
