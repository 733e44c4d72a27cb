"""The environments the official clients run in, made from pinned versions when they are first needed, and kept.

Each Python client has its own in `build/interop`, the packages of npm are in `clients/node_modules`. They are made
anew when what is pinned changes, and `make clean` removes them.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tests._programs import ROOT, Missing, install, needed, node_with_packages_of

__all__ = ["CLIENTS", "ROOT", "Missing", "needed", "node", "python_with"]

BUILD = ROOT / "build" / "interop"
CLIENTS = Path(__file__).parent / "clients"


def python_with(requirement: str) -> Path:
    """The Python of an environment that holds this one requirement, and what it needs itself."""
    home = BUILD / f"{requirement.replace('==', '-')}-python{sys.version_info.major}.{sys.version_info.minor}"
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not ((home / ".ready").exists() and python.exists()):
        install([sys.executable, "-m", "venv", "--clear", "--without-pip", str(home)], "venv")
        install([*_installer(str(python)), requirement], requirement)
        (home / ".ready").touch()
    return python


def _installer(python: str) -> list[str]:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", python]
    return [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check"]


def node() -> Path:
    """A Node that runs the clients in TypeScript, with the packages they need."""
    return node_with_packages_of(CLIENTS)
