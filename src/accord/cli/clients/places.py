"""Where each client keeps its list of MCP servers: pure functions of the client, the scope and the machine.

Where a fact comes from is said in docs/install.md.
"""

from collections.abc import Callable, Mapping
from pathlib import PurePath, PurePosixPath, PureWindowsPath

from accord._values import Value

__all__ = ["Machine", "config_file"]


class Machine(Value):
    """What paths depend on. ``platform`` is named as in ``sys.platform``.

    ``packages`` are the directories of %LOCALAPPDATA%\\Packages that belong to Claude Desktop.
    """

    platform: str
    environment: Mapping[str, str]
    home: str
    project: str
    packages: tuple[str, ...] = ()

    def path(self, *parts: str | PurePath) -> PurePath:
        """A path as this platform writes it."""
        return PureWindowsPath(*parts) if self.platform == "win32" else PurePosixPath(*parts)


def config_file(client: str, scope: str, machine: Machine) -> PurePath | None:
    """The file that lists the client's servers, for the user or for the project; None where there is no such scope."""
    place = _PLACES.get((client, scope))
    return None if place is None else place(machine)


def _claude_desktop(machine: Machine) -> PurePath:
    if machine.packages:
        # Installed from a package, Claude sees its own copy of %APPDATA% and never the real one.
        known = "Claude_pzs8sxrjxfjjc"
        package = known if known in machine.packages else min(machine.packages)
        own = machine.path(_local(machine), "Packages", package, "LocalCache", "Roaming")
        return own / "Claude" / "claude_desktop_config.json"
    return _applications(machine) / "Claude" / "claude_desktop_config.json"


def _claude_code(machine: Machine) -> PurePath:
    chosen = machine.environment.get("CLAUDE_CONFIG_DIR", "").strip()
    return machine.path(chosen or machine.home, ".claude.json")


def _codex(machine: Machine) -> PurePath:
    chosen = machine.environment.get("CODEX_HOME", "").strip()
    return machine.path(chosen or machine.path(machine.home, ".codex"), "config.toml")


def _gemini(machine: Machine) -> PurePath:
    chosen = machine.environment.get("GEMINI_CLI_HOME", "").strip()
    return machine.path(chosen or machine.home, ".gemini", "settings.json")


def _local(machine: Machine) -> PurePath:
    return machine.path(machine.environment.get("LOCALAPPDATA") or machine.path(machine.home, "AppData", "Local"))


def _applications(machine: Machine) -> PurePath:
    """The directory in which desktop applications keep what is the user's."""
    if machine.platform == "win32":
        return machine.path(machine.environment.get("APPDATA") or machine.path(machine.home, "AppData", "Roaming"))
    if machine.platform == "darwin":
        return machine.path(machine.home, "Library", "Application Support")
    chosen = machine.path(machine.environment.get("XDG_CONFIG_HOME") or "")
    return chosen if chosen.is_absolute() else machine.path(machine.home, ".config")


_PLACES: dict[tuple[str, str], Callable[[Machine], PurePath]] = {
    ("claude-code", "user"): _claude_code,
    ("claude-code", "project"): lambda machine: machine.path(machine.project, ".mcp.json"),
    ("claude-desktop", "user"): _claude_desktop,
    ("cursor", "user"): lambda machine: machine.path(machine.home, ".cursor", "mcp.json"),
    ("cursor", "project"): lambda machine: machine.path(machine.project, ".cursor", "mcp.json"),
    ("vscode", "user"): lambda machine: _applications(machine) / "Code" / "User" / "mcp.json",
    ("vscode", "project"): lambda machine: machine.path(machine.project, ".vscode", "mcp.json"),
    ("codex", "user"): _codex,
    ("codex", "project"): lambda machine: machine.path(machine.project, ".codex", "config.toml"),
    ("gemini", "user"): _gemini,
    ("gemini", "project"): lambda machine: machine.path(machine.project, ".gemini", "settings.json"),
}
