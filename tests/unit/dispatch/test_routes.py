"""From a name to a tool: aliases, spellings, surfaces, added and removed tools, and names nobody has."""

import asyncio
from typing import Any

import pytest

from accord import App, Context, Policy
from accord.errors import AccordWarning, ProtocolError, RegistrationError, UnknownTool
from accord.testing import Client, call_tool
from tests.unit.dispatch._ways import EVERY_WAY, Way, mcp, python


def site(policy: Policy = Policy()) -> App:
    app = App("tests", policy=policy)

    @app.group("site").command("build", aliases=["make"])
    def build(clean: bool = False) -> str:
        return "built"

    @app.command("deploy", aliases=["ship", "send.out"])
    def deploy() -> str:
        return "deployed"

    return app


@pytest.mark.parametrize("names", ["dotted", "underscore"])
@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("site.build", "built"),
        ("site_build", "built"),
        ("site.make", "built"),
        ("site_make", "built"),
        ("deploy", "deployed"),
        ("ship", "deployed"),
        ("send.out", "deployed"),
        ("send_out", "deployed"),
    ],
)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_every_name_and_both_spellings_lead_to_the_tool(way: Way, name: str, result: str, names: Any) -> None:
    assert way(site(Policy(names=names)), name).value == result


@pytest.mark.parametrize("names", ["dotted", "underscore"])
def test_errors_name_the_tool_as_it_is_published(names: Any) -> None:
    app = site(Policy(names=names))
    published = "site.build" if names == "dotted" else "site_build"
    for spelling in ("site.build", "site_build", "site.make"):
        assert mcp(app, spelling, clean=1).data["tool"] == published


# (what was asked for, what was meant)
MISTYPED: tuple[tuple[str, str | None], ...] = (
    ("deplyo", "deploy"),
    ("Deploy", "deploy"),
    ("site.biuld", "site.build"),
    ("something else", None),
    ("", None),
    ("x" * 5000, None),
)


@pytest.mark.parametrize(("name", "meant"), MISTYPED)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_an_unknown_name_is_unknown_on_every_surface_and_says_what_was_meant(
    way: Way, name: str, meant: str | None
) -> None:
    answer = way(site(), name)
    assert answer.reason == "unknown_tool"
    assert isinstance(answer.exception, UnknownTool)
    assert answer.exception.code == -32602
    assert answer.data["code"] == "UNKNOWN_TOOL"
    assert answer.data.get("suggestion") == meant
    assert len(str(answer.exception)) < 400
    assert answer.data["tool"] == name[:100]


def test_an_unknown_tool_is_a_protocol_error_whatever_the_policy() -> None:
    for errors in ("result", "protocol"):
        with pytest.raises(UnknownTool):
            call_tool(site(Policy(errors=errors)), {"name": "nothing", "arguments": {}})


def selective() -> App:
    app = App("tests")
    for surface in ("cli", "python", "mcp"):
        app.command(f"only_{surface}", surfaces=[surface])(lambda: "yes")
    return app


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_tool_is_there_on_its_surfaces_and_unknown_elsewhere(way: Way) -> None:
    app = selective()
    own = "mcp" if way is mcp else "python"
    for surface in ("cli", "python", "mcp"):
        answer = way(app, f"only_{surface}")
        assert answer.value == ("yes" if surface == own else None)
        assert answer.reason == (None if surface == own else "unknown_tool")
        if answer.data is not None:
            assert answer.data.get("suggestion") in (None, f"only_{own}"), "what cannot be called is not suggested"


def test_clients_see_what_they_can_call() -> None:
    assert [tool["name"] for tool in Client(selective()).list_tools()] == ["only_mcp"]


def test_a_removed_tool_is_gone_with_all_its_names() -> None:
    app = site()
    app.remove("deploy")
    for name in ("deploy", "ship", "send.out"):
        assert python(app, name).reason == "unknown_tool"
    app.command("ship")(lambda: "a new one")
    assert app.call("ship") == "a new one"
    with pytest.raises(UnknownTool):
        app.remove("deploy")


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_replaced_tool_is_the_new_one_on_every_surface(way: Way) -> None:
    app = site()

    def deploy(where: str) -> str:
        return where

    with pytest.raises(RegistrationError, match="registered already"):
        app.add(deploy)
    app.add(deploy, replace=True)
    assert way(app, "deploy", where="there").value == "there"
    assert way(app, "deploy").reason == "missing_required_argument"
    assert way(app, "ship").reason == "unknown_tool", "the old one's aliases went with it"


class Database:
    def __init__(self, name: str) -> None:
        self.name = name


def library(name: str) -> App:
    app = App(name)

    @app.provide(Database)
    def database() -> Database:
        return Database(name)

    @app.command
    def where(database: Database) -> str:
        return database.name

    @app.command
    def twice(database: Database, ctx: Context) -> list[str]:
        return [database.name, ctx.surface]

    return app


@pytest.mark.parametrize("way", EVERY_WAY)
def test_an_added_apps_tools_keep_their_own_providers(way: Way) -> None:
    outer = library("outer")
    outer.add(library("inner"), prefix="in")
    assert way(outer, "where").value == "outer"
    assert way(outer, "in.where").value == "inner"
    assert way(outer, "in_where").value == "inner"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_what_the_inner_app_lacks_the_outer_one_provides(way: Way) -> None:
    inner, outer = App("inner"), App("outer")

    @outer.provide(Database)
    def database() -> Database:
        return Database("outer")

    def where(database: Database) -> str:
        return database.name

    with pytest.warns(AccordWarning, match="no JSON Schema"):  # nobody provides it there
        inner.command(where)
    outer.add(inner)
    assert way(outer, "where").value == "outer"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_apps_are_added_to_apps_that_are_added(way: Way) -> None:
    top, middle = App("top"), App("middle")
    middle.add(library("bottom"), prefix="low")
    top.add(middle, prefix="mid")
    assert way(top, "mid.low.where").value == "bottom"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_the_policy_of_the_app_that_is_called_holds(way: Way) -> None:
    inner = App("inner", policy=Policy(repair="report"))

    @inner.command
    def count(numbers: list[int]) -> int:
        return len(numbers)

    outer = App("outer")
    outer.add(inner)
    assert way(inner, "count", numbers="[1]").value == 1
    assert way(outer, "count", numbers="[1]").reason == "type_mismatch"


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_tool_that_names_what_is_not_defined_fails_alone(way: Way) -> None:
    app = site()

    def lost(x: "Nowhere") -> None:  # noqa: F821 - what is tested
        """Takes what nobody defined."""

    app.command(lost)
    answer = way(app, "lost", x=1)
    assert answer.reason == "tool_error"
    assert way(app, "deploy").value == "deployed"
    if way is not mcp:
        assert "Nowhere" in str(answer.exception)


def test_a_name_that_is_no_text_is_unknown() -> None:
    for name in (None, 5, ["deploy"], {}):
        with pytest.raises(UnknownTool):
            call_tool(site(), {"name": name, "arguments": {}})


@pytest.mark.parametrize("arguments", [[], "x", 5, [1]])
def test_arguments_that_are_no_object_are_no_call(arguments: Any) -> None:
    with pytest.raises(ProtocolError, match="arguments") as raised:
        call_tool(site(), {"name": "deploy", "arguments": arguments})
    assert raised.value.code == -32602


def test_no_arguments_at_all_are_none() -> None:
    for params in ({"name": "deploy"}, {"name": "deploy", "arguments": None}, {"name": "deploy", "arguments": {}}):
        assert call_tool(site(), params)["structuredContent"] == "deployed"


def test_arguments_may_have_the_names_of_the_calls_own() -> None:
    app = App("tests")

    @app.command
    def odd(name: str, self: str, app: str, registry: str, arguments: str, call: str) -> list[str]:
        return [name, self, app, registry, arguments, call]

    given = {name: name for name in ("name", "self", "app", "registry", "arguments", "call")}
    assert app.call("odd", **given) == list(given)
    assert asyncio.run(app.acall("odd", **given)) == list(given)
