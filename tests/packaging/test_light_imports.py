"""Importing Accord is cheap: what it must not load, and how many modules it may.

Each statement runs in a fresh, isolated interpreter. The time it takes is measured by bench/imports.py.
"""

import subprocess
import sys

import pytest

FORBIDDEN = ("argparse", "asyncio", "jsonschema_rs", "pydantic")

# Modules beyond those of a bare interpreter, as a share of what `import msgspec` loads.
BUDGETS = {
    "import accord": 0.5,
    "from accord import App, Context, MinLen": 2.0,
}

# What a program does that makes one everyday call: registering, calling, and nothing of the engine.
PLAIN_CALL = """
sys.modules["typing_extensions"] = None  # where it is installed, msgspec loads it, and it brings inspect along
from accord import App
app = App("plain")

@app.command
def deploy(environment: str, replicas: int = 1, share: float | None = None, *, dry: bool = False) -> dict[str, str]:
    'Deploy.'
    return {"environment": environment}

@app.command(name="site.build", idempotent=True)
def build(pages: list[str] = []) -> list[str]:
    return pages

assert app.call("deploy", environment="x", share=2) == {"environment": "x"}
assert app.call("site.build", pages=["a"]) == ["a"]
assert all(app.call("site.build", pages=["a"]) for _ in range(500))
"""
CALL_WITH_A_CONTEXT = f"""{PLAIN_CALL}
from accord import Context

@app.command
def look(path: str, ctx: Context = Context()) -> dict[str, int]:
    ctx.log("looking")
    return {{path: 1}}

assert app.call("look", path="x") == {{"x": 1}}
"""
FOREIGN_TO_A_PLAIN_CALL = (
    *FORBIDDEN,
    *("_socket", "ast", "base64", "bisect", "concurrent", "copy", "dataclasses", "difflib", "dis", "email"),
    *("fractions", "hashlib", "heapq", "inspect", "ipaddress", "json", "logging", "pathlib", "random", "selectors"),
    *("socket", "string", "threading", "tokenize", "traceback", "urllib", "weakref"),
)
#: every one of ours costs a tenth of a millisecond
OURS = {PLAIN_CALL: 28, CALL_WITH_A_CONTEXT: 33}

# What a program does that only shows its help: it registers tools of the everyday kinds.
REGISTERING = """
from accord import App, Policy
app = App("many", version="1.2", description="Many things. Short ones.", policy=Policy(timeout=5))

@app.command(category="Shipping", aliases=["ship"], idempotent=True)
def deploy(environment: str, replicas: int = 1, share: float | None = None, *, dry: bool = False) -> dict[str, str]:
    '''Deploy a service.

    Returns:
        What was deployed.
    '''
    return {"environment": environment}

@app.command(deprecated=True)
def look(paths: list[str], ctx) -> None:
    'Look for d\u00e9j\u00e0 vus: on one line.'

site = app.group("site", "Everything about the site")

@site.command("build")
async def build(pages: list[str] = []) -> list[str]:
    'Build the pages.'
    return pages
"""
# The same with what most programs import beside App: theirs is the time that typing takes, and no more.
ANNOTATING = """
from typing import Annotated, Optional
from accord import Context, Description, MinLen, ToolError

@app.command
def greet(name: Annotated[str, MinLen(1), Description("Whom")], title: Optional[str] = None, ctx: Context = Context()):
    'Greet somebody.'
"""
SHOWING = """
import os, sys
sys.stdout, stdout = open(os.devnull, "w", encoding="utf-8"), sys.stdout
try:
    app.run({argv!r})
except SystemExit as ended:
    assert ended.code == 0, ended.code
sys.stdout = stdout
"""
SHOWN = {"help": ["--help"], "help of a group": ["site", "--help"], "version": ["--version"]}
#: what would take longer to import than a listing takes to write
FOREIGN_TO_HELP = (
    *FOREIGN_TO_A_PLAIN_CALL,
    *("_collections", "_typing", "collections", "contextlib", "enum", "functools", "importlib", "itertools", "msgspec"),
    *("operator", "re", "textwrap", "types", "typing", "typing_extensions"),
)
OURS_IN_HELP = 30

# A finder that refuses, so that the traceback shows who asked. What an `except` swallows counts too.
PROBE = """
import sys
before = set(sys.modules)
asked = []

class Tripwire:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {forbidden!r}:
            asked.append(name)
            raise ImportError("forbidden here: " + name)

sys.meta_path.insert(0, Tripwire())
{statement}
assert not asked, "asked for " + ", ".join(asked)
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def loaded_by(statement: str, forbidden: tuple[str, ...] = ()) -> list[str]:
    """The modules that `statement` loads; fails when it asks for a forbidden one."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE.format(statement=statement, forbidden=forbidden)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"`{statement}` loads what it must not:\n{done.stderr}"
    return done.stdout.split()


@pytest.mark.parametrize("statement", BUDGETS)
def test_an_import_loads_nothing_heavy(statement: str) -> None:
    loaded_by(statement, FORBIDDEN)


@pytest.mark.parametrize(("statement", "budget"), BUDGETS.items())
def test_an_import_stays_within_its_number_of_modules(statement: str, budget: float) -> None:
    limit = budget * len(loaded_by("import msgspec"))
    loaded = loaded_by(statement)
    assert len(loaded) <= limit, f"`{statement}` loads {len(loaded)} modules, {limit:.0f} allowed: {' '.join(loaded)}"


@pytest.mark.parametrize("calls", OURS, ids=["plain", "with a context"])
def test_a_plain_call_loads_neither_the_engine_nor_what_only_the_engine_needs(calls: str) -> None:
    loaded_by(calls, FOREIGN_TO_A_PLAIN_CALL)


@pytest.mark.parametrize("calls", OURS, ids=["plain", "with a context"])
def test_a_plain_call_loads_nothing_of_what_is_no_tool(calls: str) -> None:
    foreign = ("accord.offers", "accord.texts", "accord._marks")
    assert [name for name in loaded_by(calls) if name.startswith(foreign)] == []


@pytest.mark.parametrize(("calls", "limit"), OURS.items(), ids=["plain", "with a context"])
def test_a_plain_call_loads_few_of_our_modules_and_no_other_but_those_of_msgspec(calls: str, limit: int) -> None:
    loaded = set(loaded_by(calls))
    ours = sorted(name for name in loaded if name.partition(".")[0] == "accord")
    assert len(ours) <= limit, f"{len(ours)} modules, {limit} allowed: {' '.join(ours)}"
    others = loaded - set(ours) - {*loaded_by("import msgspec"), *sys.builtin_module_names, "math", "typing_extensions"}
    assert not others, f"not needed: {' '.join(sorted(others))}"


@pytest.mark.parametrize("argv", SHOWN.values(), ids=SHOWN)
def test_help_loads_few_of_our_modules_and_nothing_else(argv: list[str]) -> None:
    loaded = set(loaded_by(REGISTERING + SHOWING.format(argv=argv), FOREIGN_TO_HELP))
    ours = sorted(name for name in loaded if name.partition(".")[0] == "accord")
    assert len(ours) <= OURS_IN_HELP, f"{len(ours)} modules, {OURS_IN_HELP} allowed: {' '.join(ours)}"
    others = loaded - set(ours) - {*sys.builtin_module_names, "__future__", "math", "unicodedata"}
    assert not others, f"not needed: {' '.join(sorted(others))}"


def test_help_of_an_annotated_app_loads_what_its_author_imported_and_no_engine() -> None:
    loaded_by(REGISTERING + ANNOTATING + SHOWING.format(argv=["--help"]), (*FOREIGN_TO_A_PLAIN_CALL, "msgspec"))


def test_the_tripwire_notices_an_import_that_is_swallowed() -> None:
    with pytest.raises(AssertionError, match="asked for argparse"):
        loaded_by("try:\n    import argparse\nexcept ImportError:\n    pass", FORBIDDEN)
