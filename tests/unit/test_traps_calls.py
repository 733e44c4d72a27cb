"""Bugs the peers have with calls (`reference/traps.md`); each id names the trap it would fail on.

Every case is a call as Python makes it and as words on a command line, and what each surface must answer.
"""

import datetime
import functools
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import pytest

from accord import App, Context, Option, Policy, Progress, ToolError
from accord._calls import Call, Outcome
from accord._encode import encode
from accord.errors import RegistrationError
from accord.testing import Client, call_tool
from tests.unit.dispatch._ways import Answer, Way, mcp, python


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Place:
    city: str = "Oslo"
    zip: int = 150


TOOLS: list[tuple[str, Callable[..., Any], dict[str, Any]]] = []


def tool(name: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        TOOLS.append((name, function, options))
        return function

    return note


# -- what runs, and what it is given -----------------------------------------------------------------------------


@tool("exits")
def exits(code: Any = None) -> int:
    sys.exit(code)


@tool("exits-later")
def exits_later() -> Iterator[Progress | int]:
    yield Progress("on it")
    raise SystemExit("API_KEY not set")


@tool("delete", confirm="Really delete?")
def delete() -> str:
    return "deleted"


@tool("prints")
def prints() -> dict[str, int]:
    print("not the result")
    print('{"jsonrpc": "2.0"}')
    return {"a": 1}


@tool("defaults")
def defaults(
    path: Path = Path(),
    color: Color = Color.RED,
    day: datetime.date = datetime.date(2024, 1, 2),
    place: Place = Place(),
    timeout: datetime.timedelta = datetime.timedelta(hours=1),
) -> list[str]:
    return [type(value).__name__ for value in (path, color, day, place, timeout)] + [place.city, color.value]


@tool("bools")
def bools(clean: bool, cache: bool = True, force: bool | None = None) -> list[bool | None]:
    return [clean, cache, force]


@tool("names")
def names(
    format: str = "",
    h: str = "",
    he: str = "",
    verbose: bool = False,
    force: bool = False,
    dry_run: bool = False,
    quiet: bool = False,
    no_color: bool = False,
    version: str = "",
    help: str = "",
    command_name: str = "",
    self: str = "",
    cls: str = "",
    name: str = "",
    arguments: str = "",
    kwargs: str = "",
) -> list[Any]:
    return [value for value in locals().values() if value not in ("", False)]


@tool("wrong-inside")
def wrong_inside(x: int) -> int:
    return wrong_inside()


@tool("concatenates")
def concatenates(x: int) -> int:
    return x + "1"


@tool("raises")
def raises(key: str) -> int:
    return {"known": 1}[key]


@tool("says-no")
def says_no() -> int:
    raise ToolError("no", code="NO", data={"why": "because"})


@tool("site.site")
def nested_like_its_parent() -> str:
    return "nested"


@tool("x.y")
def dotted() -> str:
    return "dotted"


@tool("nothing")
def nothing() -> None:
    return None


@tool("numbers")
def numbers(low: float, text: str = "", xs: list[int] = []) -> list[Any]:
    return [low, text, xs]


for each in ("tools", "validate", "run", "name", "call", "add", "policy", "_registry", "__init__"):
    tool(each)(functools.partial(lambda answer: answer, f"{each} was called"))


class Reason(NamedTuple):
    """A failure for this reason."""

    reason: str


class Case(NamedTuple):
    trap: str
    name: str
    arguments: dict[str, Any]
    argv: list[str]
    expected: Any


EVERYTHING_ODD = {name: name for name in ("format", "h", "he", "version", "help", "command_name", "self", "cls")}

CASES: tuple[Case, ...] = (
    Case("M-14 exit code", "exits", {"code": 3}, ["--code=3"], Reason("tool_error")),
    Case("M-14 exit text", "exits", {"code": "API_KEY not set"}, ["--code=API_KEY not set"], Reason("tool_error")),
    Case("M-14 exit 0", "exits", {"code": 0}, ["--code=0"], Reason("tool_error")),
    Case("M-14 plain exit", "exits", {}, [], Reason("tool_error")),
    Case("M-14 in a generator", "exits-later", {}, [], Reason("tool_error")),
    Case("M-15 confirm", "delete", {}, [], Reason("confirmation_required")),
    Case("M-16 print", "prints", {}, [], {"a": 1}),
    Case("M-18 defaults", "defaults", {}, [], ["PosixPath", "Color", "date", "Place", "timedelta", "Oslo", "red"]),
    Case(
        "M-18 given",
        "defaults",
        {"path": "x", "color": "blue", "day": "2024-02-03", "place": {"city": "Rome"}, "timeout": "PT5S"},
        ["--path=x", "--color=blue", "--day=2024-02-03", '--place={"city":"Rome"}', "--timeout=PT5S"],
        ["PosixPath", "Color", "date", "Place", "timedelta", "Rome", "blue"],
    ),
    Case("M-20 false", "bools", {"clean": False}, ["--no-clean"], [False, True, None]),
    Case("M-20 true", "bools", {"clean": True, "cache": True}, ["--clean", "--cache"], [True, True, None]),
    Case(
        "M-20 all false",
        "bools",
        {"clean": False, "cache": False, "force": False},
        ["--no-clean", "--no-cache", "--no-force"],
        [False, False, False],
    ),
    Case("M-20 missing", "bools", {}, [], Reason("missing_required_argument")),
    Case(
        "M-21 text",
        "names",
        {**EVERYTHING_ODD, "name": "name", "arguments": "arguments", "kwargs": "kwargs"},
        [f"--{name}={name}" for name in (*EVERYTHING_ODD, "name", "arguments", "kwargs")],
        [*EVERYTHING_ODD, "name", "arguments", "kwargs"],
    ),
    Case(
        "M-21 flags",
        "names",
        {"verbose": True, "force": True, "dry_run": True, "quiet": True, "no_color": True},
        ["--verbose", "--force", "--dry-run", "--quiet", "--no_color"],
        [True] * 5,
    ),
    Case("M-23 a call too few", "wrong-inside", {"x": 1}, ["--x=1"], Reason("tool_error")),
    Case("D-18 adding text", "concatenates", {"x": 1}, ["--x=1"], Reason("tool_error")),
    Case("D-18 but a missing one", "concatenates", {}, [], Reason("missing_required_argument")),
    Case("M-25 an exception", "raises", {"key": "unknown"}, ["--key=unknown"], Reason("tool_error")),
    Case("M-25 no exception", "raises", {"key": "known"}, ["--key=known"], 1),
    Case("M-25 on purpose", "says-no", {}, [], Reason("tool_error")),
    Case("M-28 like its parent", "site.site", {}, [], "nested"),
    Case("M-28 dotted", "x.y", {}, [], "dotted"),
    Case("M-36 None", "nothing", {}, [], None),
    Case("M-36 a negative exponent", "numbers", {"low": -1e3}, ["--low", "-1e3"], [-1000.0, "", []]),
    Case("M-36 a dash", "numbers", {"low": -1, "text": "-foo"}, ["--low=-1", "--text", "-foo"], [-1.0, "-foo", []]),
    Case(
        "M-36 repeated",
        "numbers",
        {"low": 0, "xs": [1, 2, -3]},
        ["--low=0", "--xs=1", "--xs=2", "--xs", "-3"],
        [0.0, "", [1, 2, -3]],
    ),
    *(Case(f"D-06 {each}", each, {}, [], f"{each} was called") for each in ("tools", "validate", "run", "name")),
    *(Case(f"D-06 {each}", each, {}, [], f"{each} was called") for each in ("call", "add", "policy", "_registry")),
)


def cli(app: App, name: str, /, *argv: str) -> Answer:
    """``app.invoke`` with ``--format json``."""
    result = app.invoke(["--format", "json", "--no-input", *name.split("."), *argv])
    if result.exit_code == 0:
        assert result.exception is None
        return Answer(json.loads(result.output))
    assert result.exception is not None, "M-25"
    data = json.loads(result.stderr.splitlines()[-1])
    return Answer(reason=data["reason"], data=data, exception=result.exception)


def by_python(app: App, case: Case) -> Answer:
    return python(app, case.name, **case.arguments)


def by_mcp(app: App, case: Case) -> Answer:
    return mcp(app, case.name, **case.arguments)


def by_cli(app: App, case: Case) -> Answer:
    return cli(app, case.name, *case.argv)


SURFACES = (by_python, by_mcp, by_cli)


@pytest.fixture(scope="module")
def app() -> App:
    """One app for all cases: what one call breaks, the next one shows."""
    app = App("tests")
    for name, function, options in TOOLS:
        app.command(name, **options)(function)
    return app


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.trap)
def test_every_surface_answers_alike(app: App, surface: Callable[[App, Case], Answer], case: Case) -> None:
    answer = surface(app, case)
    if isinstance(case.expected, Reason):
        assert answer.reason == case.expected.reason
    else:
        expected = [
            "WindowsPath" if sys.platform == "win32" and x == "PosixPath" else x for x in _listed(case.expected)
        ]
        assert _listed(answer.value) == expected


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# -- what only one surface could get wrong, or registration ------------------------------------------------------


def test_m14_a_middleware_that_exits_fails_the_call(app: App) -> None:
    guarded = App("guarded")
    guarded.add(app)

    @guarded.use
    def gate(call: Call, next: Callable[[Call], Outcome]) -> Outcome:
        raise SystemExit("API_KEY not set")

    for way in (python, mcp, cli):
        assert way(guarded, "nothing").reason == "tool_error"


def test_m15_consent_is_given_and_not_forgotten(app: App) -> None:
    with app.confirmed():
        assert app.call("delete") == "deleted"
    assert app.invoke(["--yes", "delete"]).output.strip() == "deleted"
    for way in (python, mcp, cli):
        assert way(app, "delete").reason == "confirmation_required"


def test_m16_what_is_printed_is_no_part_of_a_result(app: App, capsys: pytest.CaptureFixture[str]) -> None:
    result = call_tool(app, {"name": "prints", "arguments": {}})
    assert "not the result" not in json.dumps(result)
    invoked = app.invoke(["--format", "json", "prints"])
    assert json.loads(invoked.output) == {"a": 1}
    assert "not the result" in invoked.stderr


def test_m20_a_flag_may_have_other_names() -> None:
    app = App("tests")

    @app.command
    def build(clean: Annotated[bool, Option("-c")] = True) -> bool:
        return clean

    assert cli(app, "build", "--no-clean").value is False
    assert cli(app, "build", "-c").value is True


def test_m25_what_a_tool_raised_is_the_very_exception(app: App) -> None:
    error = LookupError("mine")
    own = App("own")

    @own.command
    def fails() -> None:
        raise error

    assert own.invoke(["fails"]).exception is error
    assert python(own, "fails").exception is error


def test_m27_tools_of_a_group_carry_hints() -> None:
    app = App("tests")
    group = app.group("site")

    @group.command(read_only=True, destructive=False, title="Build it", idempotent=True, open_world=False)
    def build() -> None:
        """Build."""

    @group.group("docs").command("build", destructive=True)
    def build_docs() -> None:
        """Build the docs."""

    hints = {entry["name"]: entry["annotations"] for entry in Client(app).list_tools()}
    assert hints == {
        "site.build": {
            "title": "Build it",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "site.docs.build": {"destructiveHint": True},
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"name": "deploy"}, {"name": "ship", "aliases": ["deploy"]}),
        ({"name": "ship", "aliases": ["deploy"]}, {"name": "deploy"}),
        ({"name": "ship", "aliases": ["go"]}, {"name": "run", "aliases": ["go"]}),
        ({"name": "site.build"}, {"name": "make", "aliases": ["site_build"]}),
        ({"name": "deploy"}, {"name": "deploy"}),
        ({"name": "site.build"}, {"name": "site_build"}),
    ],
    ids=["M-29 alias of a name", "M-29 name of an alias", "M-29 two aliases", "M-29 spelling", "D-22", "D-22 spelling"],
)
def test_two_tools_cannot_have_one_name(first: dict[str, Any], second: dict[str, Any]) -> None:
    app = App("tests")
    app.command(**first)(lambda: "first")
    with pytest.raises(RegistrationError, match="registered already"):
        app.command(**second)(lambda: "second")
    assert list(app.tools) == [first["name"]]
    assert app.call(first["name"]) == "first"
    for name in (second["name"], *second.get("aliases", ())):
        answer = python(app, name)
        assert answer.value == "first" or answer.reason == "unknown_tool"


def test_d22_a_replacement_is_asked_for() -> None:
    app = App("tests")
    app.command("deploy")(lambda: "first")
    app.add(lambda: "second", name="deploy", replace=True)
    for way in (python, mcp, cli):
        assert way(app, "deploy").value == "second"


def test_m37_an_added_app_keeps_its_middleware_providers_and_groups() -> None:
    log: list[str] = []
    inner = App("inner")

    @inner.provide(Place)
    def place() -> Iterator[Place]:
        yield Place("Rome")
        log.append("closed")

    @inner.use
    def note(call: Call, next: Callable[[Call], Outcome]) -> Outcome:
        log.append("before")
        return next(call)

    @inner.group("site", "All about sites").command
    def where(place: Place, ctx: Context) -> str:
        return place.city

    outer = App("outer")
    outer.add(inner, prefix="in")
    for way in (python, mcp, cli):
        log.clear()
        assert way(outer, "in.site.where").value == "Rome"
        assert log == ["before", "closed"]
    assert outer._registry.groups["in", "site"] == "All about sites"


def test_d06_a_tools_name_is_no_attribute_of_the_app(app: App) -> None:
    assert callable(app.call)
    assert isinstance(app.tools, Mapping)
    assert app.name == "tests"
    assert isinstance(app.policy, Policy)
    assert app.tools["tools"].name == "tools"


@pytest.mark.parametrize("way", [python, mcp])
def test_d18_a_type_error_in_a_default_factory_is_refused_as_what_it_is(way: Way) -> None:
    class Strict(msgspec.Struct):
        n: int

        def __post_init__(self) -> None:
            raise TypeError("never good enough")

    app = App("tests")

    @app.command
    def take(strict: Strict) -> str:
        return encode(strict)

    answer = way(app, "take", strict={"n": 1})
    assert answer.reason == "constraint_violation", "the caller's value was rejected by the type's own check"
    assert answer.data["violations"][0]["path"] == "/strict"
