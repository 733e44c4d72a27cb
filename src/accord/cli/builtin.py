"""The options every command line has, as data, and what they ask for.

Knows no app and no command. Whether a command's own option of the same name comes first is decided by ``parse``.
"""

from __future__ import annotations

from accord._values import Value, replace
from accord.cli.address import FORM, Address, address_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from accord.cli.render import Form

__all__ = ["BUILTINS", "FORMS", "Action", "Builtin", "Wishes", "builtin_named", "wish", "wishes_in"]

#: what is done instead of running a command
Action: TypeAlias = "Literal['help', 'version', 'manifest', 'llms', 'completions', 'mcp', 'http']"

FORMS = ("plain", "json", "table")
SHELLS = ("bash", "zsh", "fish", "powershell")


class Wishes(Value, kw_only=True):
    """How the caller wants the command run. ``verbosity`` is 1 unless ``-v`` raised it or ``-q`` lowered it.

    ``address`` is where to serve over HTTP, ``insecure`` whether everybody who can reach it may come.
    """

    form: Form = "plain"
    verbosity: int = 1
    colour: bool = True
    consents: bool = False
    may_ask: bool = True
    action: Action | None = None
    shell: str = ""
    address: Address | None = None
    insecure: bool = False


class Builtin(Value):
    """One such option: its spellings, what it says in help, and the values it takes, if it takes one.

    With a ``metavar`` it takes one; without ``values`` that is an address.
    """

    spellings: tuple[str, ...]
    says: str
    values: tuple[str, ...] = ()
    metavar: str = ""


BUILTINS = (
    Builtin(("--help", "-h"), "Show this help, or that of the command, and exit."),
    Builtin(("--format",), "How results are written.", FORMS, "FORM"),
    Builtin(("--verbose", "-v"), "Say more; twice for still more, tracebacks included."),
    Builtin(("--quiet", "-q"), "Say less; twice for nothing but the result."),
    Builtin(("--no-color",), "Write without colours; so does NO_COLOR in the environment."),
    Builtin(("--yes",), "Say yes to every question for consent."),
    Builtin(("--no-input",), "Never ask; what needs an answer fails."),
    Builtin(("--version",), "Show the version and exit."),
    Builtin(("--manifest",), "Show every command, option, schema, exit code and error as one JSON document."),
    Builtin(("--llms-txt",), "Show what a language model needs to use these commands."),
    Builtin(("--completions",), "Show a completion script for a shell.", SHELLS, "SHELL"),
    Builtin(("--mcp",), "Serve the commands as MCP tools, over stdin and stdout."),
    Builtin(("--mcp-http",), "Serve them over HTTP; HOST is 127.0.0.1 unless given.", (), FORM),
    Builtin(("--insecure",), "With --mcp-http: let in everybody who reaches a HOST that is not this machine alone."),
)

_NAMED = {spelling: builtin for builtin in BUILTINS for spelling in builtin.spellings}


def builtin_named(spelling: str) -> Builtin | None:
    """The built-in option of that spelling; ``-vv`` is ``-v``."""
    found = _NAMED.get(spelling)
    if found is None and len(spelling) > 2 and (not spelling.strip("-v") or not spelling.strip("-q")):
        return _NAMED[spelling[:2]] if spelling[0] == "-" != spelling[1] else None
    return found


def wish(wishes: Wishes, builtin: Builtin, spelling: str, value: str) -> Wishes:
    """The wishes with what one option adds."""
    name = builtin.spellings[0]
    change = _CHANGES.get(name)
    if change is not None:
        return replace(wishes, **change)
    if name == "--format":
        return replace(wishes, form=value)
    if name == "--completions":
        return replace(wishes, action="completions", shell=value)
    if name == "--mcp-http":
        return replace(wishes, action="http", address=address_of(value))
    step = 1 if name == "--verbose" else -1
    times = 1 if spelling.startswith("--") else len(spelling) - 1
    return replace(wishes, verbosity=wishes.verbosity + step * times)


_CHANGES: dict[str, dict[str, object]] = {
    "--help": {"action": "help"},
    "--version": {"action": "version"},
    "--manifest": {"action": "manifest"},
    "--llms-txt": {"action": "llms"},
    "--mcp": {"action": "mcp", "address": None},
    "--insecure": {"insecure": True},
    "--no-color": {"colour": False},
    "--yes": {"consents": True},
    "--no-input": {"may_ask": False},
}


def wishes_in(argv: list[str]) -> Wishes:
    """What the caller wished for, as far as a line tells that cannot be read."""
    wants_json = " --format json " in f" {' '.join(argv).replace('--format=', '--format ')} "
    return Wishes(form="json" if wants_json else "plain", colour="--no-color" not in argv)
