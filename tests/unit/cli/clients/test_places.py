"""Where each client's file stands, on each platform, with and without what moves it."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from accord.cli.clients.catalog import CLIENTS
from accord.cli.clients.places import Machine, config_file

LINUX = Machine("linux", {}, "/home/ada", "/home/ada/fleet")
MAC = Machine("darwin", {}, "/Users/ada", "/Users/ada/fleet")
WINDOWS = Machine(
    "win32",
    {"APPDATA": r"C:\Users\ada\AppData\Roaming", "LOCALAPPDATA": r"C:\Users\ada\AppData\Local"},
    r"C:\Users\ada",
    r"D:\fleet",
)

USER = {
    "claude-code": ("/home/ada/.claude.json", "/Users/ada/.claude.json", r"C:\Users\ada\.claude.json"),
    "claude-desktop": (
        "/home/ada/.config/Claude/claude_desktop_config.json",
        "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
        r"C:\Users\ada\AppData\Roaming\Claude\claude_desktop_config.json",
    ),
    "cursor": ("/home/ada/.cursor/mcp.json", "/Users/ada/.cursor/mcp.json", r"C:\Users\ada\.cursor\mcp.json"),
    "vscode": (
        "/home/ada/.config/Code/User/mcp.json",
        "/Users/ada/Library/Application Support/Code/User/mcp.json",
        r"C:\Users\ada\AppData\Roaming\Code\User\mcp.json",
    ),
    "codex": ("/home/ada/.codex/config.toml", "/Users/ada/.codex/config.toml", r"C:\Users\ada\.codex\config.toml"),
    "gemini": (
        "/home/ada/.gemini/settings.json",
        "/Users/ada/.gemini/settings.json",
        r"C:\Users\ada\.gemini\settings.json",
    ),
}

PROJECT = {
    "claude-code": ("/home/ada/fleet/.mcp.json", "/Users/ada/fleet/.mcp.json", r"D:\fleet\.mcp.json"),
    "claude-desktop": (None, None, None),
    "cursor": ("/home/ada/fleet/.cursor/mcp.json", "/Users/ada/fleet/.cursor/mcp.json", r"D:\fleet\.cursor\mcp.json"),
    "vscode": ("/home/ada/fleet/.vscode/mcp.json", "/Users/ada/fleet/.vscode/mcp.json", r"D:\fleet\.vscode\mcp.json"),
    "codex": (
        "/home/ada/fleet/.codex/config.toml",
        "/Users/ada/fleet/.codex/config.toml",
        r"D:\fleet\.codex\config.toml",
    ),
    "gemini": (
        "/home/ada/fleet/.gemini/settings.json",
        "/Users/ada/fleet/.gemini/settings.json",
        r"D:\fleet\.gemini\settings.json",
    ),
}

CASES = [
    pytest.param(client, scope, machine, path, id=f"{client}-{scope}-{machine.platform}")
    for scope, table in (("user", USER), ("project", PROJECT))
    for client, paths in table.items()
    for machine, path in zip((LINUX, MAC, WINDOWS), paths, strict=True)
]

# (client, platform, what its environment says, where its file is then)
MOVED = [
    ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/etc/claude"}, "/etc/claude/.claude.json"),
    ("claude-code", "win32", {"CLAUDE_CONFIG_DIR": r"E:\claude"}, r"E:\claude\.claude.json"),
    ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": " "}, "/home/ada/.claude.json"),
    ("codex", "darwin", {"CODEX_HOME": "/opt/codex"}, "/opt/codex/config.toml"),
    ("codex", "linux", {"CODEX_HOME": ""}, "/home/ada/.codex/config.toml"),
    ("gemini", "linux", {"GEMINI_CLI_HOME": "/opt/gemini"}, "/opt/gemini/.gemini/settings.json"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Code/User/mcp.json"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": "relative"}, "/home/ada/.config/Code/User/mcp.json"),
    (
        "vscode",
        "darwin",
        {"XDG_CONFIG_HOME": "/cfg"},
        "/home/ada/Library/Application Support/Code/User/mcp.json",
    ),
    ("vscode", "win32", {}, r"\home\ada\AppData\Roaming\Code\User\mcp.json"),
    ("claude-desktop", "linux", {"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Claude/claude_desktop_config.json"),
]

# (the packages of Claude Desktop that are there, the one whose file it is)
PACKAGES = [
    (("Claude_abc",), "Claude_abc"),
    (("Claude_abc", "Claude_pzs8sxrjxfjjc"), "Claude_pzs8sxrjxfjjc"),
    (("Claude_b", "Claude_a"), "Claude_a"),
]


@pytest.mark.parametrize(("client", "scope", "machine", "path"), CASES)
def test_every_client_has_its_file_on_every_platform(
    client: str, scope: str, machine: Machine, path: str | None
) -> None:
    found = config_file(client, scope, machine)
    assert (found if found is None else str(found)) == path
    assert found is None or isinstance(found, PureWindowsPath if machine is WINDOWS else PurePosixPath)


def test_every_client_of_the_catalog_has_a_place() -> None:
    assert {*CLIENTS} == {*USER} == {*PROJECT}


@pytest.mark.parametrize(("client", "platform", "environment", "path"), MOVED)
def test_the_environment_may_move_a_file(client: str, platform: str, environment: dict[str, str], path: str) -> None:
    assert str(config_file(client, "user", Machine(platform, environment, "/home/ada", "/p"))) == path


@pytest.mark.parametrize(("packages", "package"), PACKAGES)
def test_claude_desktop_from_a_package_reads_its_own_copy(packages: tuple[str, ...], package: str) -> None:
    machine = Machine("win32", WINDOWS.environment, WINDOWS.home, WINDOWS.project, packages)
    own = rf"C:\Users\ada\AppData\Local\Packages\{package}\LocalCache\Roaming"
    assert str(config_file("claude-desktop", "user", machine)) == rf"{own}\Claude\claude_desktop_config.json"
