"""Help of an app and of groups: what there is, found without compiling any of it."""

import re
import subprocess
import sys

import pytest

from accord import App
from accord._tool import Tool
from accord.cli.terminal import cells
from tests.unit.cli._showing import section, shown, text_of
from tests.unit.cli._workshop import app


def test_an_app_alone_shows_its_help_and_succeeds() -> None:
    alone = shown(app, "")
    assert alone.code == 0
    assert alone.err == ""
    assert alone == shown(app, "--help") == shown(app, "-h")


def test_it_begins_with_the_description_and_the_usage() -> None:
    assert shown(app, "").out.startswith("Makes things.\n\nAnd sends them.\n\nUsage: app.py COMMAND [OPTIONS]\n\n")


def test_commands_stand_below_their_category_and_groups_are_one_line_each() -> None:
    out = shown(app, "", width=100).out
    assert section(out, "Commands") == text_of(
        """
        deploy  Deploy a service
        send    Send it
        copy    Copy files
        report  Report
        wipe    Wipe it all
        """
    )
    assert section(out, "Looks").splitlines()[0] == "paint  [deprecated]"
    assert section(out, "Groups") == "site  All about the site [2 commands]"


def test_what_is_hidden_or_not_for_command_lines_is_not_listed() -> None:
    assert not re.search("secret|elsewhere|empty", shown(app, "").out)


def test_every_built_in_option_is_explained() -> None:
    explained = section(shown(app, "").out, "Built-in options")
    for option in (
        "-h, --help",
        "--format {plain,json,table}",
        "-v, --verbose",
        "--manifest",
        "--completions {bash,",
        "--mcp-http [HOST:]PORT",
    ):
        assert option in explained


def test_a_group_alone_lacks_a_command_and_says_what_it_holds() -> None:
    alone = shown(app, "site")
    assert alone.code == 2
    assert alone.out == ""
    assert (
        alone.err
        == text_of(
            """
        Error: site needs a command after it.

        All about the site

        Usage: app.py site COMMAND [OPTIONS]

        Commands:
          build  Build the site

        Groups:
          pages  Single pages [1 command]

        app.py site COMMAND --help shows the options of a command, app.py --help the
        built-in ones.
        """
        )
        + "\n"
    )


@pytest.mark.parametrize("line", ["site --help", "--help site", "site -h", "--format json site --help"])
def test_help_of_a_group_succeeds_wherever_it_is_asked_for(line: str) -> None:
    asked = shown(app, line)
    assert (asked.code, asked.err) == (0, "")
    assert asked.out == shown(app, "site").err.partition("\n\n")[2]


def test_a_group_inside_a_group_is_named_in_full() -> None:
    out = shown(app, "site pages --help").out
    assert "Usage: app.py site pages COMMAND [OPTIONS]" in out
    assert section(out, "Commands") == "add  Add a page"
    assert shown(app, "site.pages --help").out == out


def test_a_group_alone_is_a_failure_for_programs_too() -> None:
    alone = shown(app, "--format json site")
    assert alone.code == 2
    assert alone.err.startswith('{"tool":"site","argument":null,"reason":"unknown_tool"')
    assert alone.err.count("\n") == 1


def test_the_version_is_the_app_s_name_and_version() -> None:
    assert shown(app, "--version") == ("workshop 2.1.0\n", "", 0)


def test_without_a_program_s_name_the_app_s_stands_for_it() -> None:
    assert "Usage: workshop COMMAND [OPTIONS]" in shown(app, "", program="").out


@pytest.mark.parametrize("width", [30, 40, 60, 80, 100, 300])
@pytest.mark.parametrize("line", ["", "site --help", "deploy --help", "paint --help", "send --help", "odd --help"])
def test_no_line_is_wider_than_the_terminal_or_than_is_good_to_read(line: str, width: int) -> None:
    for text in shown(app, line, width=width, program="a").out.splitlines():
        # What cannot be broken may stick out: one word, or what is to be typed.
        can_break = len(text.split()) > 1 and not text.lstrip().startswith(("-", "Usage:", "a "))
        assert len(text) <= min(width, 100) or not can_break, text


def test_wide_characters_take_two_cells() -> None:
    wide = App("wide", description="中文 " * 60)
    lengths = [cells(line) for line in shown(wide, "").out.splitlines() if "中" in line]
    assert len(lengths) > 2
    assert 75 <= max(lengths) <= 80


def test_colour_marks_headings_and_what_is_typed() -> None:
    out = shown(app, "", colour=True).out
    assert "\x1b[1mCommands:\x1b[0m\n" in out
    assert "  \x1b[36mdeploy\x1b[0m  Deploy a service\n" in out
    assert "\x1b" not in shown(app, "--no-color --help", colour=True).out


@pytest.mark.parametrize("line", ["", "odd --help", "paint --help", "--llms-txt", "--manifest"])
def test_nothing_shown_can_steer_a_terminal(line: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown(app, line).out)


def test_listing_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Tool) -> None:
        raise AssertionError("compiled for a listing")

    monkeypatch.setattr(Tool, "compiled", property(refuse))
    for line in ("", "--help", "site --help", "--version"):
        shown(app, line)


def test_a_listing_imports_neither_the_help_of_commands_nor_what_it_needs() -> None:
    program = (
        "import sys; from accord import App; app = App('x'); app.group('g')\n"
        "result = app.invoke(['--help'])\nassert result.exit_code == 0, result\n"
        "print(*[name for name in sys.modules if name in "
        "('accord.cli.help_command', 'accord.cli.usage', 'accord.cli.manifest', 'shlex', 'argparse')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_a_thousand_commands_are_listed_once_each() -> None:
    many = App("many")

    def work() -> None:
        """Work."""

    for number in range(1000):
        many.command(f"work{number}")(work)
    assert len(section(shown(many, "").out, "Commands").splitlines()) == 1000
