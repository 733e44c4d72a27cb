"""Where an app keeps its files, on every platform."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord import ConfigPaths
from accord.errors import SettingsError
from accord.settings.places import directories
from tests.unit.settings._files import write

HOME = Path("home")
XDG = {
    name: str(Path(name.lower()).absolute())
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
}
RULES = {
    "linux": ("linux", {}, [".config/app", ".local/share/app", ".cache/app", ".local/state/app"]),
    "other systems": ("freebsd14", {}, [".config/app", ".local/share/app", ".cache/app", ".local/state/app"]),
    "macOS": (
        "darwin",
        {},
        [
            "Library/Application Support/app",
            "Library/Application Support/app",
            "Library/Caches/app",
            "Library/Application Support/app",
        ],
    ),
    "Windows": (
        "win32",
        {},
        ["AppData/Roaming/app", "AppData/Local/app", "AppData/Local/app/Cache", "AppData/Local/app/State"],
    ),
    "Windows, elsewhere": (
        "win32",
        {"APPDATA": "home/r", "LOCALAPPDATA": "home/l", **XDG},
        ["r/app", "l/app", "l/app/Cache", "l/app/State"],
    ),
    "relative XDG": (
        "linux",
        dict.fromkeys(XDG, "relative"),
        [".config/app", ".local/share/app", ".cache/app", ".local/state/app"],
    ),
    "empty XDG": (
        "linux",
        dict.fromkeys(XDG, ""),
        [".config/app", ".local/share/app", ".cache/app", ".local/state/app"],
    ),
}


@pytest.mark.parametrize(("platform", "environment", "wanted"), RULES.values(), ids=RULES)
def test_each_platform_has_its_own_directories(platform: str, environment: dict[str, str], wanted: list[str]) -> None:
    found = directories("app", platform, environment, HOME)
    assert list(found) == ["config", "data", "cache", "state"]
    assert list(found.values()) == [HOME / path for path in wanted]


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_xdg_variables_count_wherever_they_are_usual(platform: str) -> None:
    assert list(directories("app", platform, XDG, HOME).values()) == [Path(path) / "app" for path in XDG.values()]


def test_paths_are_found_from_the_current_directory_and_none_is_made(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = project.parent / "home/.config/deploy/deploy.toml"
    for path in (project / "pyproject.toml", project / "a/deploy.toml", users):
        write(path, "")
    (project / "a/b").mkdir()
    monkeypatch.chdir(project / "a/b")
    found = ConfigPaths.find("deploy")
    assert found.project == project
    assert found.files == (project / "a/deploy.toml", project / "pyproject.toml", users)
    assert found.config == users.parent
    assert not any(path.exists() for path in (found.data, found.cache, found.state))


def test_paths_cannot_be_changed_and_are_equal_when_the_same(project: Path) -> None:
    found = ConfigPaths.find("deploy")
    with pytest.raises(AttributeError):
        found.config = project  # type: ignore[misc]  # that is the point
    assert found == ConfigPaths.find("deploy")
    assert hash(found) == hash(ConfigPaths.find("deploy"))


def test_without_a_project_the_current_directory_stands_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if any((above / name).exists() for above in tmp_path.parents for name in ("pyproject.toml", ".git")):
        pytest.skip("the directory for temporary files lies inside a project")
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert ConfigPaths.find("deploy").project == tmp_path / "plain"


def run(program: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True, **options
    )


def test_importing_settings_reads_nothing_and_loads_no_parser() -> None:
    loaded = "import sys; print({'pathlib', 'tomllib', 'jsonschema_rs'} & {*sys.modules})"
    assert run(f"from accord import ConfigPaths, Settings; {loaded}").stdout == run(loaded).stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows does not let go of a current directory")
def test_a_current_directory_that_is_gone_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SettingsError, match="the current directory does not exist"):
        ConfigPaths.find("deploy")


@pytest.mark.skipif(os.name == "nt", reason="Windows asks no password database")
def test_a_user_without_a_home_has_settings_but_no_paths() -> None:
    program = """
import os, pwd
del os.environ["HOME"]
pwd.getpwuid = {}.__getitem__  # as for a container's user without a name
from accord import ConfigPaths, Settings
print(Settings.load("deploy"))
try:
    ConfigPaths.find("deploy")
except Exception as error:
    print(error)
"""
    assert run(program).stdout.splitlines() == [
        "<Settings: none>",
        "settings: this user has no home directory. Set HOME to a directory.",
    ]
