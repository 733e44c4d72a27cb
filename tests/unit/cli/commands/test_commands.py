"""The commands of the `accord` program that look at an app, call it and serve it."""

import json
import subprocess
import sys
from typing import Any

import pytest

from accord import App
from accord.__main__ import COMMANDS
from accord.errors import SettingsError
from tests.unit.cli.commands._programs import Program


def test_the_program_lists_its_commands(accord: Program) -> None:
    ran = accord("--help")
    assert (ran.code, ran.err) == (0, "")
    assert all(f"  {name} " in ran.out for name in COMMANDS)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "demo"])
def test_every_command_explains_itself(accord: Program, command: str) -> None:
    ran = accord(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert " APP" in ran.out


@pytest.mark.parametrize("command", ["list", "schema", "call", "run", "serve"])
def test_every_command_says_that_an_app_is_missing(accord: Program, command: str) -> None:
    more = {"call": ["deploy"]}.get(command, [])
    ran = accord(command, "missing.py", *more)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: there is no file 'missing.py'")


@pytest.mark.parametrize("command", ["list", "schema", "call", "run", "serve"])
def test_every_command_needs_an_app(accord: Program, command: str) -> None:
    ran = accord(command)
    assert (ran.code, ran.out) == (2, "")
    assert "APP" in ran.err


def test_list_shows_tools_and_what_they_take(accord: Program) -> None:
    assert accord("list", "fleet.py").out.splitlines() == [
        "name        arguments              description",
        "deploy      service copies? tags?  Deploy a service",
        "site.build  clean?                 Build it",
        "hidden",
    ]


def test_list_writes_json(accord: Program) -> None:
    assert json.loads(accord("list", "fleet.py", "--format", "json").out)[1] == {
        "name": "site.build",
        "arguments": "clean?",
        "description": "Build it",
    }


def test_schema_shows_one_tool_as_clients_see_it(accord: Program) -> None:
    shown = json.loads(accord("schema", "fleet:app", "deploy").out)
    assert shown["name"] == "deploy"
    assert shown["inputSchema"]["required"] == ["service"]
    assert shown["annotations"] == {"idempotentHint": True}


def test_schema_shows_all_tools(accord: Program) -> None:
    assert [each["name"] for each in json.loads(accord("schema", "fleet.py").out)] == ["deploy", "site.build", "hidden"]


def test_schema_guesses_the_tool_that_was_meant(accord: Program) -> None:
    ran = accord("schema", "fleet.py", "deply")
    assert (ran.code, ran.err) == (1, "Error: fleet.py has no tool 'deply'. Did you mean 'deploy'?\n")


# (what follows `call fleet.py`, the result)
CALLS: list[tuple[list[str], Any]] = [
    (["deploy", "service=api"], {"service": "api", "copies": 1, "tags": []}),
    (["deploy", "service=7", "copies=3"], {"service": "7", "copies": 3, "tags": []}),
    (["deploy", "service=a=b", "tags=x", "tags=y"], {"service": "a=b", "copies": 1, "tags": ["x", "y"]}),
    (["deploy", "service=", 'tags=["x"]', "copies=-1"], {"service": "", "copies": -1, "tags": ["x"]}),
    (["deploy", '{"service": "api", "copies": 2}'], {"service": "api", "copies": 2, "tags": []}),
    (["deploy", '{"service": "api", "copies": 2}', "copies=4"], {"service": "api", "copies": 4, "tags": []}),
    (["deploy", "@arguments.json"], {"service": "file", "copies": 1, "tags": []}),
    (["site.build"], "built"),
    (["site_build", "clean=no"], "built"),
]


@pytest.mark.parametrize(("words", "result"), CALLS)
def test_call_calls_a_tool(accord: Program, words: list[str], result: Any) -> None:
    (accord.directory / "arguments.json").write_text('{"service": "file"}')
    ran = accord("call", "fleet.py", *words, "--format", "json")
    assert (ran.code, ran.err, json.loads(ran.out)) == (0, "", result)


# (what follows `call fleet.py`, the exit code, what is said)
FAILED_CALLS: list[tuple[list[str], int, str]] = [
    (["deploy"], 2, "Error: invalid arguments for deploy:\n  service: is required"),
    (
        ["deploy", "servic=x"],
        2,
        "servic: is not an option here (there are: service, copies, tags) (did you mean service?)",
    ),
    (["deploy", "service=x", "copies=y"], 2, "  copies: must be an integer, is a string"),
    (["deploy", '{"service": 1}'], 2, "  service: must be a string"),
    (["deploy", "service"], 2, "Error: 'service' is no argument: write key=value, or one JSON object."),
    (["deploy", "{service"], 2, "Error: {service is not JSON"),
    (["deploy", "@missing.json"], 2, "Error: @missing.json cannot be read: No such file"),
    (["deploy", "@list.json"], 2, "Error: @list.json holds no JSON object."),
    (["deploy", "service=x", "copies={"], 2, "  copies: must be"),
    (["deplo"], 2, "Error: there is no command 'deplo'. Did you mean 'deploy'?"),
    (["hidden"], 2, "Error: there is no command 'hidden'."),
    (["site.build", "clean=true"], 1, "Error: ValueError: nothing to clean"),
    (["site.build", "--nope"], 2, "Error: there is no option --nope here."),
    (["site.build", "--format", "xml"], 2, "Error: --format cannot be 'xml'"),
    (["site.build", "--insecure"], 2, "Error: --insecure says nothing"),
    ([], 2, "Error: APP and TOOL are needed."),
]


@pytest.mark.parametrize(("words", "code", "said"), FAILED_CALLS)
def test_a_call_that_fails_ends_as_the_tools_own_command_would(
    accord: Program, words: list[str], code: int, said: str
) -> None:
    (accord.directory / "list.json").write_text("[1]")
    ran = accord("call", "fleet.py", *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_a_failed_call_is_data_where_json_is_asked_for(accord: Program) -> None:
    ran = accord("call", "fleet.py", "--format=json", "deploy", "copies=2")
    assert json.loads(ran.err)["violations"][0]["path"] == "/service"


def test_run_hands_everything_after_the_app_on(accord: Program) -> None:
    assert accord("run", "fleet.py", "site", "build").out == "built\n"
    assert accord("run", "fleet.py", "--version").out == "fleet 1.0.0\n"
    assert "deploy" in accord("run", "fleet.py", "--help").out
    assert accord("run", "fleet.py", "site", "build", "--clean").code == 1


# (what follows `serve fleet.py`, what the app is asked to do)
SERVED: list[tuple[list[str], Any]] = [
    ([], (("stdio",), {})),
    (["--stdio"], (("stdio",), {})),
    (["--http", "8000"], (("http",), {"host": "127.0.0.1", "port": 8000})),
    (["--http=0.0.0.0:9"], (("http",), {"host": "0.0.0.0", "port": 9})),
    (["--http", "[::1]:80"], (("http",), {"host": "::1", "port": 80})),
    (
        ["--http", "0", "--path=/tools", "--stateless", "--insecure"],
        (("http",), {"host": "127.0.0.1", "port": 0, "path": "/tools", "stateless": True, "insecure": True}),
    ),
    (
        ["--host-name", "a.example", "--host-name=b.example:8443", "--origin", "https://a.example", "--http", "80"],
        (
            ("http",),
            {
                "host": "127.0.0.1",
                "port": 80,
                "hosts": ["a.example", "b.example:8443"],
                "origins": ["https://a.example"],
            },
        ),
    ),
]


@pytest.mark.parametrize(("words", "asked"), SERVED)
def test_serve_asks_the_app_to_serve(
    accord: Program, monkeypatch: pytest.MonkeyPatch, words: list[str], asked: Any
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(App, "serve", lambda self, *args, **options: seen.append((args, options)), raising=False)
    assert accord("serve", *words, "fleet.py") == (0, "", "")
    assert seen == [asked]


def test_serve_says_what_is_wrong_with_the_key(accord: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(self: App, *args: object, **options: object) -> None:
        raise SettingsError("the environment variable ACCORD_SEAL_KEY", "it is too short", "Make one")

    monkeypatch.setattr(App, "serve", serve)
    ran = accord("serve", "fleet.py")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "Error: the environment variable ACCORD_SEAL_KEY: it is too short. Make one\n"


# (what follows `serve`, what is said of it)
MISUSED: list[tuple[list[str], str]] = [
    ([], "one APP is needed, none was given."),
    (["a.py", "b.py"], "one APP is needed, 2 was given."),
    (["a.py", "--http"], "--http needs a value."),
    (["a.py", "--http", "x"], "--http cannot be 'x': it takes [HOST:]PORT, like 8000,"),
    (["a.py", "--http=70000"], "--http cannot be '70000'"),
    (["a.py", "--http", "80", "--path", "mcp"], "--path cannot be 'mcp': a path begins with a slash"),
    (["a.py", "--http", "80", "--origin="], "--origin needs a value."),
    (["a.py", "--http", "80", "--stateless=no"], "--stateless takes no value."),
    (["a.py", "--reload"], "--reload is for --http."),
    (["a.py", "--stdio", "--host-name=x"], "--host-name is for --http."),
    (["--sse", "a.py"], "there is no option --sse here."),
]


@pytest.mark.parametrize(("words", "said"), MISUSED)
def test_serve_says_what_it_takes(accord: Program, words: list[str], said: str) -> None:
    ran = accord("serve", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"Error: {said}")
    assert "usage: accord serve APP" in ran.err


def test_the_help_of_serve_names_every_option(accord: Program) -> None:
    helped = accord("serve", "-h")
    assert helped.code == 0
    for option in ("--stdio", "--http", "--path", "--host-name", "--origin", "--stateless", "--insecure", "--reload"):
        assert f"  {option}" in helped.out


def test_serve_cleans_up_what_lives_as_long_as_the_app(accord: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(App, "serve", lambda self, transport: None)
    accord.write("closes.py", "from accord import App\napp = App('x')\napp.close = lambda: print('closed')")
    assert accord("serve", "closes.py").out == "closed\n"


def test_one_transport_at_a_time(accord: Program) -> None:
    assert "one transport" in accord("serve", "fleet.py", "--stdio", "--http", "80").err


def test_what_an_app_prints_while_it_is_loaded_does_not_reach_the_client(accord: Program) -> None:
    loud = "import os\nprint('loud')\nos.system('echo louder')\nfrom accord import App\n"
    accord.write("loud.py", loud + "App.serve = lambda self, transport: print('serving')\napp = App('x')")
    # In a process of its own: a test's stdout is not file descriptor 1.
    command = [sys.executable, "-m", "accord", "serve", "loud.py"]
    done = subprocess.run(command, cwd=accord.directory, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["serving"]
    assert {*done.stderr.split()} == {"loud", "louder"}
