"""How a call is made and what surrounds it: names, defaults, kinds of function, injection, content, repair."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from typing import Annotated, Any

from accord import App, Context, Option, Policy, Positional, Progress
from accord.settings import ConfigPaths, Settings
from tests.surfaces._case import Case

app = App("calls")
mending = App("mending", policy=Policy(repair="report"))
site = app.group("site", description="Pages")
deep = site.group("deep").group("site")


class Database:
    """What a tool works on."""

    def __init__(self) -> None:
        self.log: list[str] = ["opened"]


database: list[Database] = []


@app.provide(Database)
def open_database(ctx: Context) -> Iterator[Database]:
    made = Database()
    made.log.append(type(ctx).__name__)
    database.append(made)
    yield made
    made.log.append("closed")


class Clock:
    """What an async factory makes."""

    now = 12


@app.provide(Clock)
async def make_clock() -> AsyncIterator[Clock]:
    await asyncio.sleep(0)
    yield Clock()


@app.command
def deploy(environment: str, service: str = "api", count: int = 1, dry: bool = False) -> dict[str, Any]:
    return {"environment": environment, "service": service, "count": count, "dry": dry}


@app.command
def nothing() -> None:
    return None


@app.command
def bare():
    return {"any": "thing"}


@app.command
def loose(value, other="b"):
    return f"{value!r} {other!r}"


@site.command("build", aliases=("make",))
def build(output: str = "_site", clean: bool = False) -> dict[str, str | bool]:
    return {"output": output, "clean": clean}


@deep.command
def purge(all: bool = True) -> bool:
    return all


@app.command("dotted.at.top", aliases=("short",))
def dotted(n: int) -> int:
    return n


@app.command
async def later(n: int) -> int:
    await asyncio.sleep(0)
    return n


@app.command
def steps(count: int) -> Generator[Progress, None, str]:
    for number in range(count):
        yield Progress("going", number, count)
    return f"{count} steps"


@app.command
def either(count: int) -> Iterator[Progress | int]:
    yield Progress("going")
    yield count


@app.command
async def asteps(count: int) -> AsyncIterator[Progress | dict[str, int]]:
    yield Progress("going", 1, 2)
    yield {"count": count}


@app.command
def keywords(*, first: int, second: int = 2) -> list[int]:
    return [first, second]


@app.command
def places(a: int, b: int = 2, /, c: int = 3) -> list[int]:
    return [a, b, c]


@app.command
def copy(
    source: Annotated[str, Positional],
    targets: Annotated[list[str], Positional()],
    mode: Annotated[int, Option("-m", "--how")] = 0,
    force: Annotated[bool, Option("-f")] = False,
) -> list[Any]:
    return [source, targets, mode, force]


@app.command
def shadows(format: str = "f", version: str = "v", help: str = "h", yes: bool = False, v: int = 0) -> list[Any]:
    return [format, version, help, yes, v]


@app.command
def odd(title: str, self: int = 1, command_name: str = "c", type: str = "t", default: int = 0) -> list[Any]:
    return [title, self, command_name, type, default]


@app.command
def both(clean: bool = False, no_clean: bool = False) -> list[bool]:
    return [clean, no_clean]


@app.command
def hears(n: int, ctx: Context) -> int:
    ctx.log("said")
    ctx.progress("half", 1, 2)
    return n + ctx.once("key", lambda: 1)


@app.command
def quiet(run: Context | None = None, n: int = 1) -> list[Any]:
    return [run is not None, n]


@app.command
def stored(key: str, base: Database) -> list[str]:
    return [key, *base.log]


@app.command
def configured(settings: Settings, paths: ConfigPaths, n: int = 1) -> list[Any]:
    return [isinstance(settings, Settings), isinstance(paths, ConfigPaths), n]


@app.command
async def timed(clock: Clock, base: Database) -> int:
    return clock.now + len(base.log)


@app.command(
    input_schema={
        "type": "object",
        "properties": {"size": {"type": "integer", "maximum": 9}, "name": {"type": "string"}},
        "required": ["size"],
        "additionalProperties": {"type": "string"},
    }
)
def given(**kwargs: Any) -> dict[str, Any]:
    return kwargs


@app.command
def variadic(a: int, *args: int, **kwargs: int) -> int:
    return a + len(args) + len(kwargs)


@app.command
def silent() -> str:
    return ""


@app.command
def tiny() -> float:
    return -0.0


@app.command
def talk(times: int) -> int:
    return times


@mending.command
def mended(options: dict[str, int] | None = None, n: int = 1, name: str = "x") -> list[Any]:
    return [options, n, name]


def _is_closed() -> None:
    assert database[-1].log[-1] == "closed"
    database.clear()


BUILT = {"output": "public", "clean": True}
STAGING = {"environment": "staging", "service": "api", "count": 1, "dry": False}

CASES = [
    Case(
        "defaults",
        app,
        "deploy",
        "deploy --environment staging",
        {"environment": "staging"},
        STAGING,
        plain="environment: staging\nservice:     api\ncount:       1\ndry:         false\n",
    ),
    Case(
        "everything given",
        app,
        "deploy",
        "deploy --count 3 --dry --service=web --environment 'the other one'",
        {"count": 3, "dry": True, "service": "web", "environment": "the other one"},
        {"environment": "the other one", "service": "web", "count": 3, "dry": True},
    ),
    Case(
        "the last of two counts",
        app,
        "deploy",
        "deploy --environment a --environment staging",
        {"environment": "staging"},
        STAGING,
    ),
    Case("no result", app, "nothing", "nothing", {}, None, plain=""),
    Case("no annotations", app, "bare", "bare", {}, {"any": "thing"}, plain="any: thing\n"),
    Case("an unannotated parameter is text on argv", app, "loose", "loose --value 1", {"value": "1"}, "'1' 'b'"),
    Case("a group", app, "site.build", "site build --output public --clean", BUILT, BUILT),
    Case("a group with dots", app, "site.build", "site.build --output public --clean", BUILT, BUILT),
    Case("a group with underscores", app, "site_build", "site_build --output public --clean", BUILT, BUILT),
    Case("an alias in a group", app, "site.make", "site make --output public --clean", BUILT, BUILT),
    Case("a group named as its parent's parent", app, "site.deep.site.purge", "site deep site purge", {}, True),
    Case("no in a nested group", app, "site.deep.site.purge", "site deep site purge --no-all", {"all": False}, False),
    Case("a dotted name at the top", app, "dotted.at.top", "dotted.at.top --n 1", {"n": 1}, 1, plain="1\n"),
    Case("a dotted name in words", app, "dotted.at.top", "dotted at top --n 1", {"n": 1}, 1),
    Case("an alias of a dotted name", app, "short", "short --n 1", {"n": 1}, 1),
    Case("an async tool", app, "later", "later --n 4", {"n": 4}, 4),
    Case("a generator's return value", app, "steps", "steps --count 2", {"count": 2}, "2 steps", plain="2 steps\n"),
    Case("a generator of no steps", app, "steps", "steps --count 0", {"count": 0}, "0 steps"),
    Case("a generator's last item", app, "either", "either --count 3", {"count": 3}, 3),
    Case("an async generator's last item", app, "asteps", "asteps --count 3", {"count": 3}, {"count": 3}),
    Case("keyword-only", app, "keywords", "keywords --first 1", {"first": 1}, [1, 2], plain="1\n2\n"),
    Case("positional-only", app, "places", "places --a 1 --c 9", {"a": 1, "c": 9}, [1, 2, 9]),
    Case(
        "words in their places",
        app,
        "copy",
        "copy a b c -m 7 -f",
        {"source": "a", "targets": ["b", "c"], "mode": 7, "force": True},
        ["a", ["b", "c"], 7, True],
    ),
    Case(
        "words that look like options",
        app,
        "copy",
        "copy -fm7 -- --a -b",
        {"source": "--a", "targets": ["-b"], "mode": 7, "force": True},
        ["--a", ["-b"], 7, True],
    ),
    Case(
        "positional ones by name",
        app,
        "copy",
        "copy --source a --targets b --how 1",
        {"source": "a", "targets": ["b"], "mode": 1},
        ["a", ["b"], 1, False],
    ),
    Case(
        "names of built-in options",
        app,
        "shadows",
        "shadows --format x --version 1 --help me --yes --v 3",
        {"format": "x", "version": "1", "help": "me", "yes": True, "v": 3},
        ["x", "1", "me", True, 3],
    ),
    Case(
        "names that trip others",
        app,
        "odd",
        "odd --title a --self 2 --command-name d --type u --default 3",
        {"title": "a", "self": 2, "command_name": "d", "type": "u", "default": 3},
        ["a", 2, "d", "u", 3],
    ),
    Case("a parameter that spells a no", app, "both", "both --no-clean", {"no_clean": True}, [False, True]),
    Case("the no of a parameter that spells one", app, "both", "both --no-no-clean", {"no_clean": False}, [False] * 2),
    Case(
        "a flag beside its spelled no",
        app,
        "both",
        "both --clean --no_clean",
        {"clean": True, "no_clean": True},
        [True, True],
    ),
    Case("the context", app, "hears", "hears --n 1", {"n": 1}, 2, plain="2\n"),
    Case("the context by annotation", app, "quiet", "quiet", {}, [True, 1]),
    Case(
        "a provided value",
        app,
        "stored",
        "stored --key k",
        {"key": "k"},
        ["k", "opened", "Context"],
        after=_is_closed,
    ),
    Case("settings and paths", app, "configured", "configured --n 2", {"n": 2}, [True, True, 2]),
    Case("a provided value of an async tool", app, "timed", "timed", {}, 14, after=_is_closed),
    Case(
        "a given schema",
        app,
        "given",
        "given --size 3 --name n --colour red",
        {"size": 3, "name": "n", "colour": "red"},
        {"size": 3, "name": "n", "colour": "red"},
    ),
    Case("stars are left out", app, "variadic", "variadic --a 1", {"a": 1}, 1),
    Case("an empty text", app, "silent", "silent", {}, "", plain=""),
    Case("a negative zero", app, "tiny", "tiny", {}, -0.0),
    Case("nothing to repair", mending, "mended", "mended --n 2", {"n": 2}, [None, 2, "x"]),
    Case("null for an optional, repaired", mending, "mended", "mended --n null", {"n": None}, [None, 1, "x"]),
    Case("nothing for an optional, repaired", mending, "mended", "mended --n ''", {"n": ""}, [None, 1, "x"]),
    Case(
        "JSON in a string, repaired",
        mending,
        "mended",
        """mended --options '{"a": 1}'""",
        {"options": '{"a": 1}'},
        [{"a": 1}, 1, "x"],
    ),
    Case("text that stays text", mending, "mended", "mended --name null", {"name": "null"}, [None, 1, "null"]),
]
