"""The words in front of a command's options: names of groups and tools, in every spelling, and built-in options."""

from __future__ import annotations

from typing import Any

import pytest

from accord import App
from accord._calls import Failed
from accord.cli.builtin import BUILTINS, builtin_named
from accord.cli.route import beside
from accord.errors import RegistrationError
from tests.unit.cli._line import routed

app = App("routes")
site = app.group("site")
site_site = site.group("site")  # a nested group of its parent's name (M-28)


def _register(where: Any, name: str, **options: Any) -> None:
    @where.command(name, **options)
    def tool(x: int = 0) -> int:
        return x


_register(app, "deploy", aliases=("ship",))
_register(app, "dotted.name.here")
_register(app, "under_score")
_register(app, "with-dash")
_register(app, "hidden", hidden=True)
_register(app, "elsewhere", surfaces=("python", "mcp"))
_register(app, "format")
_register(app, "help")
_register(site, "build", aliases=("make",))
_register(site_site, "build")
_register(site_site, "site")

# (what is typed, the tool and what is left for it, or the words of the group)
ROUTES: list[tuple[str, Any]] = [
    ("", ()),
    ("deploy", ("deploy", [])),
    ("deploy --x 1 site build", ("deploy", ["--x", "1", "site", "build"])),
    ("--format json deploy --format plain", ("deploy", ["--format", "plain"])),
    ("-v --no-color deploy", ("deploy", [])),
    ("ship", ("deploy", [])),
    ("site", ("site",)),
    ("site build", ("site.build", [])),
    ("site make -x", ("site.build", ["-x"])),
    ("site.build", ("site.build", [])),
    ("site_build", ("site.build", [])),
    ("site --format json build", ("site.build", [])),
    ("site site", ("site", "site")),
    ("site site build", ("site.site.build", [])),
    ("site.site build", ("site.site.build", [])),
    ("site site site", ("site.site.site", [])),
    ("site.site.site site", ("site.site.site", ["site"])),
    ("dotted", ("dotted",)),
    ("dotted.name.here", ("dotted.name.here", [])),
    ("dotted name here", ("dotted.name.here", [])),
    ("dotted.name here", ("dotted.name.here", [])),
    ("under_score", ("under_score", [])),
    ("under.score", ("under_score", [])),
    ("with-dash", ("with-dash", [])),
    ("hidden", ("hidden", [])),
    ("format --x 1", ("format", ["--x", "1"])),
    ("help help", ("help", ["help"])),
]


@pytest.mark.parametrize(("line", "place"), ROUTES)
def test_words_lead_to_a_tool_or_a_group(line: str, place: Any) -> None:
    assert routed(app, line) == place


# (what is typed, what is said, what is suggested)
NOWHERE: list[tuple[str, str, str | None]] = [
    ("deplyo", "no command 'deplyo'. Did you mean 'deploy'?", "deploy"),
    ("site biuld", "no command 'biuld' in site. Did you mean 'build'?", "site.build"),
    ("site.biuld", "no command 'biuld' in site", "site.build"),
    ("site site biuld", "no command 'biuld' in site site", "site.site.build"),
    ("zzz", "no command 'zzz'. There are: ", None),
    ("site zzz", "no command 'zzz' in site. There are: build, site.", None),
    ("build", "no command 'build'", None),
    ("hiden", "no command 'hiden'", None),
    ("elsewhere", "no command 'elsewhere'", None),
    ("-", "no command '-'", None),
    ("''", "no command ''", None),
    ("..", "no command", None),
    ("--frmat json deploy", "no option --frmat here. Did you mean --format?", "--format"),
    ("-x deploy", "no option -x here", None),
    ("--x=1 deploy", "no option --x here. A command's own options come after its name.", None),
    ("--format yaml deploy", "--format cannot be 'yaml': it takes plain, json or table", None),
    ("--format", "--format needs a value", None),
    ("--yes=1 deploy", "--yes takes no value", None),
    ("--mcp-http", "--mcp-http needs a value: [HOST:]PORT, like 8000,", None),
    ("--mcp-http 80:", "--mcp-http cannot be '80:': it takes [HOST:]PORT, like 8000,", None),
    ("--mcp-http=::1 deploy", "--mcp-http cannot be '::1': it takes", None),
    ("--mcp-htp 80", "no option --mcp-htp here. Did you mean --mcp-http?", "--mcp-http"),
    ("--insecure", "--insecure says nothing without --mcp-http", None),
    ("--mcp --insecure", "--insecure says nothing without --mcp-http", None),
    ("--insecure site", "--insecure says nothing without --mcp-http", None),
    ("-- deploy", "no option -- here", None),
]


@pytest.mark.parametrize(("line", "said", "suggestion"), NOWHERE)
def test_words_that_lead_nowhere_say_so(line: str, said: str, suggestion: str | None) -> None:
    found = routed(app, line)
    assert isinstance(found, Failed)
    assert said in found.text
    assert found.kind.exit_code == 2
    assert found.error_data.get("suggestion") == suggestion


def test_a_command_that_is_in_a_group_alone_is_found_there() -> None:
    grouped = App("grouped")
    _register(grouped, "stock.list")
    assert "Did you mean 'stock list'?" in routed(grouped, "list").text


def test_many_commands_are_not_named() -> None:
    many = App("many")
    for number in range(9):
        _register(many, f"box.c{number}")
    assert routed(many, "box zzz").text.endswith("in box. box --help lists what there is.")


def test_a_long_word_is_not_repeated() -> None:
    assert len(routed(app, "x" * 10_000).text) < 500


def test_the_words_that_may_come_next_are_those_of_visible_commands() -> None:
    words = ["deploy", "dotted", "under_score", "with-dash", "format", "help", "site"]
    assert sorted(beside(app._registry, ())) == sorted(words)
    assert beside(app._registry, ("site",)) == ["build", "site"]


def test_an_alias_cannot_be_another_commands_name() -> None:
    """M-29."""
    with pytest.raises(RegistrationError, match="deploy"):
        _register(app, "other", aliases=("deploy",))
    assert routed(app, "deploy") == ("deploy", [])
    assert isinstance(routed(app, "other"), Failed)


def test_a_tool_and_a_group_cannot_share_a_name() -> None:
    with pytest.raises(RegistrationError, match="group"):
        _register(app, "site")
    with pytest.raises(RegistrationError, match="tool"):
        app.group("deploy")


@pytest.mark.parametrize("name", ["tools", "validate", "run", "name", "call", "invoke", "version"])
def test_no_name_is_taken_by_the_app_itself(name: str) -> None:
    """D-06."""
    other = App("other")
    _register(other, name)
    assert other.invoke([name, "--x", "3"]).result == 3
    assert other.call(name, x=3) == 3


def test_every_built_in_option_is_found_by_every_spelling() -> None:
    spellings = [spelling for builtin in BUILTINS for spelling in builtin.spellings]
    assert len(set(spellings)) == len(spellings)
    assert all(spelling in builtin_named(spelling).spellings for spelling in spellings)
    assert [builtin_named(text) for text in ("-", "--", "-x", "--v", "-hv", "vv", "", "--qq")] == [None] * 8


@pytest.mark.parametrize("line", ["deploy", "site build", "site.site.build", "dotted.name.here"])
def test_every_tool_is_reached_by_the_name_it_has_elsewhere(line: str) -> None:
    name = line.replace(" ", ".")
    assert app.invoke([name, "--x", "4"]).result == app.call(name, x=4) == app.invoke([*line.split(), "--x=4"]).result
