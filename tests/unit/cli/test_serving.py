"""`--mcp-http` and `--insecure`: what an app is asked to do, and where they stand."""

from __future__ import annotations

import os
from typing import Any

import pytest

from accord import App
from accord.cli.address import Address, address_of
from accord.cli.command import obey
from accord.cli.console import Console
from tests.unit.cli._showing import Shown, shown

app = App("served")


@app.command
def deploy(service: str = "api") -> str:
    return service


@app.command
def probe(mcp_http: str = "", insecure: bool = False) -> list[Any]:
    """Has options that are called like built-in ones."""
    return [mcp_http, insecure]


ADDRESSES = {
    "8000": Address("127.0.0.1", 8000),
    ":8000": Address("127.0.0.1", 8000),
    "0": Address("127.0.0.1", 0),
    "65535": Address("127.0.0.1", 65535),
    "localhost:80": Address("localhost", 80),
    "0.0.0.0:80": Address("0.0.0.0", 80),
    "[::1]:80": Address("::1", 80),
    "[fe80::1%eth0]:80": Address("fe80::1%eth0", 80),
}
NO_ADDRESSES = (
    *("", ":", "x", "-1", "1.5", "65536", "9" * 5000, "٨٠", "80:", "localhost", "localhost:", "localhost:http"),
    *("::1", "::1:80", "[::1]", "[::1", "::1]:80", "[localhost]:80", "[]:80", "http://localhost:80", "a b:80"),
    *("user@host:80", "--insecure"),
)


@pytest.mark.parametrize(("text", "address"), ADDRESSES.items())
def test_an_address_is_a_port_with_or_without_a_host(text: str, address: Address) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", NO_ADDRESSES, ids=lambda text: text[:20])
def test_what_could_be_read_in_two_ways_is_no_address(text: str) -> None:
    assert address_of(text) is None


def asked(line: str) -> tuple[list[Any], int, str]:
    """What the app is asked to do, the exit code, and what is said."""
    import io

    seen: list[Any] = []
    said = io.StringIO()
    console = Console(None, io.StringIO(), said, os.environ, "app.py", None, lambda *a, **o: seen.append((*a, o)))
    ending = obey(app, line.split(), console)
    return seen, ending.exit_code, said.getvalue()


LOCAL = ("http", {"host": "127.0.0.1", "port": 80})
OPEN = ("http", {"host": "0.0.0.0", "port": 80, "insecure": True})
LINES: list[tuple[str, Any]] = [
    ("--mcp", ("stdio", {})),
    ("--mcp-http 80", LOCAL),
    ("--mcp-http=80", LOCAL),
    ("--mcp-http [::1]:0", ("http", {"host": "::1", "port": 0})),
    ("--mcp-http 0.0.0.0:80 --insecure", OPEN),
    ("--insecure --mcp-http 0.0.0.0:80", OPEN),
    ("deploy --mcp-http 80", LOCAL),
    ("deploy --mcp-http 0.0.0.0:80 --insecure", OPEN),
    ("--insecure deploy --mcp-http 0.0.0.0:80", OPEN),
    ("--mcp-http 0.0.0.0:80 deploy --insecure", OPEN),
    ("--mcp-http 80 probe --insecure", LOCAL),
    ("--mcp-http 80 --mcp", ("stdio", {})),
    ("--mcp --mcp-http 80", LOCAL),
]


@pytest.mark.parametrize(("line", "what"), LINES)
def test_the_app_is_asked_to_serve(line: str, what: Any) -> None:
    assert asked(line) == ([what], 0, "")


@pytest.mark.parametrize("line", ["--mcp-http 80 --help", "deploy --mcp-http 80 --help", "--help --insecure"])
def test_help_is_shown_instead(line: str) -> None:
    assert asked(line) == ([], 0, "")


# after the command's name; before it, `test_route` has them
WRONG = {
    "deploy --insecure": "Error: --insecure says nothing without --mcp-http.",
    "--insecure deploy": "Error: --insecure says nothing without --mcp-http.",
    "deploy --mcp --insecure": "Error: --insecure says nothing without --mcp-http.",
    "deploy --mcp-http": "Error: --mcp-http needs a value",
    "deploy --mcp-http 80 --format xml": "Error: --format cannot be 'xml'",
}


@pytest.mark.parametrize(("line", "said"), WRONG.items())
def test_what_cannot_be_meant_is_refused_and_nothing_runs(line: str, said: str) -> None:
    seen, code, written = asked(line)
    assert (seen, code) == ([], 2)
    assert written.startswith(said)


def test_a_commands_own_options_of_these_names_win_after_its_name() -> None:
    assert app.invoke(["probe", "--mcp-http", "x", "--insecure"]).result == ["x", True]
    assert "--mcp-http and --insecure are options of this command" in shown(app, "probe --help", width=120).out


@pytest.mark.parametrize(
    ("option", "line"), [("--mcp", ["--mcp"]), ("--mcp-http", ["--mcp-http", "80"]), ("--mcp", ["deploy", "--mcp"])]
)
def test_in_process_there_is_nothing_to_serve_from(option: str, line: list[str]) -> None:
    result = app.invoke(line)
    assert (result.exit_code, result.output) == (2, "")
    assert result.stderr == f"Error: {option} serves from a process of its own, and this is none.\n"


def test_where_it_cannot_serve_is_one_line_and_exit_code_2() -> None:
    import io

    def serve(*_: str, **__: Any) -> None:
        raise ValueError("cannot serve there")

    said = io.StringIO()
    ending = obey(app, ["--mcp-http", "80"], Console(None, None, said, os.environ, "app.py", None, serve))
    assert (ending.exit_code, said.getvalue()) == (2, "Error: cannot serve there\n")


def test_an_insecure_host_is_named_with_the_option_that_lets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(transport: str, **options: Any) -> None:
        app.serve(transport, **options)

    import io

    said = io.StringIO()
    ending = obey(app, ["--mcp-http", "0.0.0.0:0"], Console(None, None, said, os.environ, "app.py", None, serve))
    assert ending.exit_code == 2
    assert said.getvalue().startswith("Error: at 0.0.0.0 everybody")
    assert "--insecure" in said.getvalue()


def test_shown_is_what_a_person_sees() -> None:
    helped: Shown = shown(app, "--help", width=120)
    assert "--mcp-http [HOST:]PORT" in helped.out
    assert "--insecure" in helped.out
