"""``--llms-txt``: what a language model needs to use these commands, as Markdown in the manner of llms.txt.

Short on purpose: what is exact is in the manifest, which it names.
"""

from collections.abc import Iterator

from accord._calls import KINDS
from accord._tool import Tool
from accord.app import App
from accord.cli.address import FORM
from accord.cli.arguments import described_arguments_of
from accord.cli.help_command import sections
from accord.cli.help_layout import safe
from accord.cli.listing import commands_below, program_words
from accord.cli.manifest import EXIT_CODES
from accord.cli.sample import sample_of
from accord.cli.terminal import Look
from accord.cli.usage import example_line, usage_words
from accord.errors import RegistrationError

__all__ = ["llms_text"]


def llms_text(app: App, program: str, path: tuple[str, ...], look: Look) -> str:
    """The text for an app, or for the commands below ``path``."""
    called = program_words(program)
    tools = commands_below(app._registry, path)
    lines = [f"# {app.name}", ""]
    if app.description:
        lines += [f"> {' '.join(app.description.split())}", ""]
    lines += [*_calling(called), ""]
    if app.instructions:
        lines += [*app.instructions.strip().splitlines(), ""]
    lines += ["## Commands", ""]
    for tool in tools:
        lines += _command(program, tool)
    lines += ["", "## Failures", "", *_failures()]
    return "".join(f"{safe(line, look)}\n" for line in lines)


def _calling(called: str) -> Iterator[str]:
    yield f"Call a command as `{called} --format json COMMAND [OPTIONS]`: built-in options stand before the command."
    yield "The result is one JSON value on stdout; everything else is on stderr."
    yield ""
    yield "- A failure is one JSON object (errorData) on the last line of stderr, beside an exit code other than 0."
    yield "  Read its `violations`; where it has a `patch`, apply it to the arguments and call again."
    yield "- `--no-input` never waits for an answer; `--yes` consents to commands that ask."
    yield "- A list: repeat the option, or give JSON. An object: JSON, `@FILE`, or `--name.field VALUE` for each field."
    yield "  A dict: JSON, or KEY=VALUE again and again."
    yield f"- `{called} --manifest` is every command, option, JSON Schema and error as one JSON document;"
    yield f"  `{called} COMMAND --help` explains one command."
    yield f"- `{called} --mcp` serves the commands as MCP tools over stdin and stdout, `--mcp-http {FORM}` over HTTP;"
    yield "  at a HOST that others can reach, it wants `--insecure` as well."


def _command(program: str, tool: Tool) -> Iterator[str]:
    try:
        table = described_arguments_of(tool)
    except RegistrationError:
        yield f"- `{' '.join(tool.path)}` cannot be used: `--manifest` says why."
        return
    about = " ".join((tool.description or "").split())
    marks = [
        mark
        for mark, is_set in (("deprecated", tool.options.deprecated), ("asks for consent", tool.options.confirm))
        if is_set
    ]
    usage = " ".join([program_words(program), *tool.path, *usage_words(table)])
    yield f"- `{usage}`{': ' if about else ''}{about}{''.join(f' [{mark}]' for mark in marks)}"
    for _, rows in sections(table, {}):
        for row in rows:
            said = " ".join([*row.text.split(), *(f"[{fact}]" for fact in row.facts)])
            yield f"  - `{row.term.strip()}`{': ' if said else ''}{said}"
    needs_one = any(argument.required for argument in table.all)
    example = next(iter(tool.options.examples), None) or (sample_of(tool) if needs_one else None)
    if example is not None:
        yield f"  - Example: `{example_line(program, tool, table, example)}`"


def _failures() -> Iterator[str]:
    yield "| exit code | code | reasons |"
    yield "|---|---|---|"
    for exit_code, codes in sorted(EXIT_CODES.items()):
        reasons = ", ".join(kind.reason for kind in KINDS.values() if kind.exit_code == exit_code)
        yield f"| {exit_code} | {', '.join(codes)} | {reasons} |"
