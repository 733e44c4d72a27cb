"""`accord install`: a client's file is written, and nothing in it is lost."""

import json
import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from accord.cli.clients import files
from accord.cli.clients.catalog import CLIENTS
from tests.unit.cli.commands._programs import Program

CURSOR = Path(".cursor/mcp.json")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory for clients, and no variable that leads out of it."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, place in (("HOME", "home"), ("USERPROFILE", "home"), ("APPDATA", "home/r"), ("LOCALAPPDATA", "home/l")):
        monkeypatch.setenv(name, str(tmp_path / place))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def told(out: str) -> dict[str, str]:
    """What a plain object says."""
    return {key: value.strip() for key, _, value in (line.partition(":") for line in out.splitlines())}


def installed(program: Program, *more: str, client: str = "cursor") -> dict[str, str]:
    ran = program("install", "fleet.py", "--client", client, *more)
    assert ran.code == 0, ran.err
    return told(ran.out)


def refused(program: Program, *more: str, client: str = "cursor") -> str:
    ran = program("install", "fleet.py", "--client", client, *more)
    assert (ran.code, ran.out) == (1, "")
    return ran.err


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_finds_the_server_in_its_file(accord: Program, home: Path, client: str, scope: str) -> None:
    if client == "claude-desktop" and scope == "project":
        assert "Claude Desktop has no servers for a project" in refused(accord, "--scope", scope, client=client)
        return
    said = installed(accord, "--scope", scope, "--env", "KEY=a=b", "--env", "OTHER=c", client=client)
    assert (said["client"], said["server"], said["action"]) == (client, "fleet", "added")
    file = Path(said["file"])
    assert file.is_relative_to(home if scope == "user" else accord.directory)
    text = file.read_text(encoding="utf-8")
    row = CLIENTS[client]
    entry = (tomllib.loads(text) if row.toml else json.loads(text))[row.key]["fleet"]
    assert entry["env"] == {"KEY": "a=b", "OTHER": "c"}
    assert Path(entry["command"]).samefile(sys.executable)
    assert installed(accord, "--scope", scope, client=client)["action"] == "unchanged"
    assert installed(accord, "--scope", scope, "--remove", client=client)["action"] == "removed"


@pytest.mark.parametrize("typed", ["deep/fleet.py", "package.fleet", "package.fleet:app", "package/fleet.py"])
def test_what_is_written_works_from_anywhere(accord: Program, home: Path, typed: str) -> None:
    accord.write("deep/fleet.py")
    accord.write("package/__init__.py", "NAME = 'fleet'")
    accord.write("package/fleet.py", "from . import NAME\nfrom accord import App\napp = App(NAME)")
    assert accord("install", typed, "--client", "cursor").code == 0
    entry = json.loads((home / CURSOR).read_text())["mcpServers"]["fleet"]
    # A client's own directory may hold anything.
    (home / "json.py").write_text("raise SystemExit('not ours')")
    command = [entry["command"], *(word if word != "serve" else "list" for word in entry["args"])]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_what_could_work_from_here_only_is_refused(accord: Program) -> None:
    accord.write("deep/fleet.py")
    ran = accord("install", "deep.fleet:app", "--client", "cursor")
    assert ran.code == 1
    assert "deep.fleet is found from this directory only" in ran.err


def test_the_interpreter_is_that_of_the_virtual_environment(accord: Program, home: Path) -> None:
    installed(accord)
    command = json.loads((home / CURSOR).read_text())["mcpServers"]["fleet"]["command"]
    assert command == str(Path(sys.executable).absolute())


def test_print_writes_what_to_paste_and_no_file(accord: Program, home: Path) -> None:
    ran = accord("install", "fleet.py", "--client", "vscode", "--print", "--name", "mine")
    assert json.loads(ran.out)["servers"]["mine"]["args"][-1] == f"{accord.directory / 'fleet.py'}:app"
    assert "mcp.json" in ran.err
    assert not list(home.rglob("*.json"))


def test_a_dry_run_says_what_would_happen_and_writes_nothing(accord: Program, home: Path) -> None:
    said = installed(accord, "--dry-run")
    assert (said["action"], said["written"]) == ("added", "nothing, as this is a dry run")
    assert not list(home.rglob("*.json"))


def test_the_old_file_is_kept_and_its_copies_too(accord: Program, home: Path) -> None:
    file = home / CURSOR
    file.parent.mkdir()
    file.write_text('{"mcpServers": {}}')
    assert installed(accord)["backup"] == f"{file}.bak"
    assert installed(accord, "--env", "A=b")["backup"] == f"{file}.bak1"
    assert "backup" not in installed(accord)
    assert Path(f"{file}.bak").read_text() == '{"mcpServers": {}}'
    assert {each.name for each in file.parent.iterdir()} == {"mcp.json", "mcp.json.bak", "mcp.json.bak1"}


def test_a_broken_file_is_refused_with_the_place_and_what_to_paste(accord: Program, home: Path) -> None:
    file = home / CURSOR
    file.parent.mkdir()
    file.write_text('{\n  "mcpServers": {\n')
    said = refused(accord)
    assert f"nothing was changed in {file}: line 3, column 1: the text ends" in said
    assert '"command":' in said
    assert file.read_text() == '{\n  "mcpServers": {\n'
    assert [each.name for each in file.parent.iterdir()] == ["mcp.json"]


def test_a_file_that_is_no_text_is_refused(accord: Program, home: Path) -> None:
    file = home / CURSOR
    file.parent.mkdir()
    file.write_bytes("{}".encode("utf-16"))
    assert "as UTF-8" in refused(accord)


def test_the_mark_of_some_editors_stays(accord: Program, home: Path) -> None:
    file = home / CURSOR
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf{}\r\n")
    installed(accord)
    data = file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")


def test_what_another_program_writes_meanwhile_is_not_lost(
    accord: Program, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / CURSOR
    file.parent.mkdir()
    file.write_text("{}")
    real = os.fsync
    monkeypatch.setattr(files.os, "fsync", lambda number: (real(number), file.write_text('{"new": 1}')))
    assert "another program has just written it" in refused(accord)
    assert file.read_text() == '{"new": 1}'
    assert [each.name for each in file.parent.iterdir()] == ["mcp.json"]


def test_a_place_that_cannot_be_written_is_said(accord: Program, home: Path) -> None:
    (home / ".cursor").write_text("a file where a directory should be")
    assert "nothing was changed in" in refused(accord)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there, and files have no such modes")
def test_a_link_stays_a_link_and_a_mode_a_mode(accord: Program, home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o640)
    (home / ".cursor").mkdir()
    (home / CURSOR).symlink_to(real)
    installed(accord)
    assert (home / CURSOR).is_symlink()
    assert "fleet" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert installed(accord, client="gemini")["action"] == "added"
    assert stat.S_IMODE((home / ".gemini/settings.json").stat().st_mode) == 0o600


def test_a_server_is_called_like_its_app(accord: Program, home: Path) -> None:
    accord.write("odd.py", "from accord import App\napp = App('My  odd_app!')")
    assert told(accord("install", "odd.py", "--client", "cursor").out)["server"] == "My-odd-app"
    assert accord("install", "odd.py", "--client", "cursor", "--name", "not this").code == 2


def test_an_app_that_is_gone_can_be_taken_out_by_its_name(accord: Program) -> None:
    installed(accord)
    (accord.directory / "fleet.py").unlink()
    assert accord("install", "fleet.py", "--client", "cursor", "--remove").code == 1
    assert installed(accord, "--remove", "--name", "fleet")["action"] == "removed"
    assert installed(accord, "--remove", "--name", "fleet")["action"] == "absent"


def test_the_server_of_somebody_else_needs_a_word_more(accord: Program, home: Path) -> None:
    file = home / CURSOR
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"fleet": {"url": "https://example.com"}}}')
    assert "it has a server 'fleet' already" in refused(accord)
    assert installed(accord, "--replace")["action"] == "replaced"


def test_a_client_that_was_never_started_here_is_doubted(accord: Program) -> None:
    ran = accord("install", "fleet.py", "--client", "claude-desktop")
    assert "has Claude Desktop ever been started here?" in ran.err
    assert "Quit Claude Desktop and start it again." in ran.err
