"""Servers over HTTP as people start them: what they say, what they answer, and how they end."""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.interop._servers import Server, started

APP = """
from accord import App

app = App("fleet", version="1.0.0")

@app.command
def deploy(service: str, copies: int = 1) -> dict[str, str | int]:
    "Deploy a service."
    return {"service": service, "copies": copies}

if __name__ == "__main__":
    app.run()
"""
#: a folder to find modules in before any other: there, uvicorn is not installed
NO_UVICORN = "raise ModuleNotFoundError(\"No module named 'uvicorn'\", name='uvicorn')"

#: the ways to start one; what follows is where
WAYS = {"app.py --mcp-http": ["app.py", "--mcp-http"], "accord serve": ["-m", "accord", "serve", "app.py", "--http"]}
STATELESS = ["-m", "accord", "serve", "app.py", "--stateless", "--http"]
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking them")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "app.py").write_text(APP)
    return tmp_path


@pytest.mark.parametrize("words", [*WAYS.values(), STATELESS], ids=[*WAYS, "stateless"])
def test_a_tool_is_called_in_both_eras(folder: Path, words: list[str]) -> None:
    with started(folder, *words, "0") as server:
        assert server.get("/healthz") == (200, b'{"status":"ok"}')
        call = {"name": "deploy", "arguments": {"service": "api"}}
        for ask in (server.ask, server.ask_in_a_session):
            assert ask("tools/call", **call)["structuredContent"] == {"service": "api", "copies": 1}
        assert server.greeted_with_a_session() == (words is not STATELESS)


def test_it_answers_at_its_path_and_under_its_names_only(folder: Path) -> None:
    options = ["--path", "/tools", "--host-name=fleet.example", "--origin", "https://fleet.example"]
    with started(folder, *WAYS["accord serve"], "0", *options) as server:
        assert server.url.endswith("/tools")
        assert server.get("/mcp")[0] == 404
        assert server.get("/tools")[0] == 421  # as 127.0.0.1, which is not among its names
        assert server.get("/healthz")[0] == 200


@posix
@each_way
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_cleanly(folder: Path, way: list[str], number: signal.Signals) -> None:
    with started(folder, *way, "127.0.0.1:0") as server:
        assert server.url  # it may not even have begun to accept: that is soon enough
        assert server.ends(number) == 0
        assert server.said.count("\n") == 1


@each_way
def test_an_address_that_is_taken_is_one_line(folder: Path, way: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started(folder, *way, str(port)) as server:
            assert server.ends() == 2
            assert server.said.startswith(f"Error: cannot serve at 127.0.0.1:{port}: ")
            assert server.said.endswith("Choose another port; 0 is any that is free\n")
            assert server.said.count("\n") == 1


@each_way
def test_without_uvicorn_it_says_what_to_install(folder: Path, way: list[str]) -> None:
    (folder / "lacking").mkdir()
    (folder / "lacking" / "uvicorn.py").write_text(NO_UVICORN)
    with started(folder, *way, "0", PYTHONPATH=str(folder / "lacking")) as server:
        assert server.ends() == 2
        assert server.said == "Error: serving over HTTP needs uvicorn: pip install 'accord[http]'\n"


@each_way
def test_a_host_that_others_reach_has_to_be_meant(folder: Path, way: list[str]) -> None:
    with started(folder, *way, "0.0.0.0:0") as server:
        assert server.ends() == 2
        assert "--insecure" in server.said
    with started(folder, *way, "0.0.0.0:0", "--insecure") as server:
        assert server.url.startswith("http://0.0.0.0:")


def test_a_host_that_is_none_is_one_line(folder: Path) -> None:
    with started(folder, "app.py", "--mcp-http", "no such host:80") as server:
        assert server.ends() == 2
        assert "--mcp-http cannot be 'no such host:80'" in server.said
    with started(folder, *WAYS["accord serve"], "0", "--host-name", "https://x") as server:
        assert server.ends() == 2
        assert server.said.startswith("Error: 'https://x' is no host")


SLOW = """
import asyncio, sys, time
from accord import App

app = App("slow")

@app.command
def sleeps() -> str:
    print("sleeping", file=sys.stderr, flush=True)
    time.sleep(3600)

@app.command
async def waits() -> str:
    print("waiting", file=sys.stderr, flush=True)
    await asyncio.sleep(3600)

@app.command
async def ends() -> str:
    print("ending", file=sys.stderr, flush=True)
    await asyncio.sleep(0.5)
    return "ended"

app.serve("http", port=0, grace=1)
"""


@posix
def test_calls_that_end_in_time_are_answered_and_the_others_are_told(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor
    from urllib.error import HTTPError

    (tmp_path / "slow.py").write_text(SLOW)
    with started(tmp_path, "slow.py") as server, ThreadPoolExecutor(3) as threads:
        assert server.url
        calls = [threads.submit(server.ask, "tools/call", name=name, arguments={}) for name in ("sleeps", "waits")]
        server.waits_for("sleeping")
        server.waits_for("waiting")
        last = threads.submit(server.ask, "tools/call", name="ends", arguments={})
        server.waits_for("ending")
        assert server.ends(signal.SIGTERM) == 0
        assert last.result()["content"][0]["text"] == "ended"
        for call in calls:
            with pytest.raises(HTTPError, match="503") as caught:
                call.result()
            caught.value.close()


# -- reloading -----------------------------------------------------------------------------------------------------


def reloading(folder: Path, name: str = "app.py") -> list[str]:
    return ["-m", "accord", "serve", name, "--http", "0", "--reload"]


def add_tool(file: Path, name: str) -> None:
    """Written beside and put in place, so that nobody reads half of it."""
    fresh = file.with_suffix(".new")
    fresh.write_text(f"{file.read_text()}\n@app.command\ndef {name}() -> str:\n    return ''\n")
    fresh.replace(file)


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_tool_that_is_written_is_listed_at_the_same_address(folder: Path, number: signal.Signals) -> None:
    with started(folder, *reloading(folder)) as server:
        assert server.tools() == ["deploy"]
        add_tool(folder / "app.py", "undo")
        until_listed(server, ["deploy", "undo"])
        assert "app.py has changed.\n" in server.said
        add_tool(folder / "app.py", "redo")
        until_listed(server, ["deploy", "undo", "redo"])
        assert server.ends(number) == 0
        with pytest.raises(OSError, match="refused"):
            server.tools()


def until_listed(server: Server, tools: list[str]) -> None:
    """Once it says that it has changed, clients wait for the new one."""
    from tests.interop._servers import until

    until(lambda: _listed(server) == tools)


def _listed(server: Server) -> list[str]:
    try:
        return server.tools()
    except OSError:  # a connection of the one that has just ended
        return []


@posix
def test_source_that_cannot_be_loaded_is_told_and_waited_for(folder: Path) -> None:
    (folder / "parts.py").write_text("VALUE = 1\n")
    (folder / "app.py").write_text(f"from parts import VALUE\n{APP}")
    with started(folder, *reloading(folder)) as server:
        assert server.tools() == ["deploy"]
        (folder / "parts.py").write_text("VALUE = (\n")
        server.waits_for(r"Error: app\.py cannot be loaded: \S*parts\.py, line 1")
        server.waits_for("Waiting until it changes")
        (folder / "parts.py").write_text("VALUE = 2\n")
        until_listed(server, ["deploy"])
        (folder / "app.py").write_text("raise ValueError('not yet')")
        server.waits_for("cannot be loaded: ValueError: not yet")
        (folder / "app.py").write_text(APP)
        until_listed(server, ["deploy"])
        (folder / "app.py").write_text(f"import to_come\n{APP}")
        server.waits_for("No module named 'to_come'")
        (folder / "to_come.py").write_text("")
        until_listed(server, ["deploy"])
        (folder / "app.py").write_text("never = (")
        server.waits_for("(?s)(Waiting.*){4}")
        assert server.ends(signal.SIGINT) == 0


@posix
def test_a_module_of_a_package_is_reloaded_with_its_package(tmp_path: Path) -> None:
    (tmp_path / "shop" / "parts").mkdir(parents=True)
    (tmp_path / "shop" / "__init__.py").write_text("")
    (tmp_path / "shop" / "parts" / "__init__.py").write_text("NAME = 'one'\n")
    (tmp_path / "shop" / "server.py").write_text(
        "from accord import App\nfrom shop.parts import NAME\napp = App('shop')\n"
        "@app.command(NAME)\ndef tool() -> str: return ''\n"
    )
    with started(tmp_path, *reloading(tmp_path, "shop.server:app")) as server:
        assert server.tools() == ["one"]
        (tmp_path / "shop" / "parts" / "__init__.py").write_text("NAME = 'two'\n")
        until_listed(server, ["two"])


@posix
def test_a_server_that_nobody_keeps_ends(folder: Path) -> None:
    with started(folder, *reloading(folder)) as server:
        assert server.tools() == ["deploy"]
        assert server.ends(signal.SIGKILL) == -signal.SIGKILL
        # The test would wait here for the end of stderr, were there anybody left to write on it.


# (what follows `serve`, the exit code, what is said)
NEVER_STARTED = [
    (["missing.py", "--http", "0", "--reload"], 1, "Error: there is no file 'missing.py'"),
    (["app.py", "--http", "0.0.0.0:0", "--reload"], 2, "Error: at 0.0.0.0 everybody"),
    (["app.py", "--http", "0", "--reload", "--host-name=https://x"], 2, "Error: 'https://x' is no host"),
    (["app.py", "--stdio", "--reload"], 2, "Error: --reload is for --http."),
]


@pytest.mark.parametrize(("words", "code", "said"), NEVER_STARTED)
def test_what_can_never_be_served_is_not_waited_for(folder: Path, words: list[str], code: int, said: str) -> None:
    with started(folder, "-m", "accord", "serve", *words) as server:
        assert server.ends() == code
        assert server.said.startswith(said)


def test_reloading_a_port_that_is_taken_is_one_line(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with started(folder, "-m", "accord", "serve", "app.py", "--reload", "--http", port) as server:
            assert server.ends() == 2
            assert server.said.count("\n") == 1
