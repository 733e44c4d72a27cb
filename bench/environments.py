"""An environment for each library, holding what installing it brings: in a shared one they would pay for each other."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

__all__ = ["ROOT", "make_environment"]

ROOT = Path(__file__).resolve().parents[1]


def requirement(library: str) -> list[str]:
    """What is installed for a library: the checkout, what the bench group says, nothing for the standard library."""
    if library == "Accord":
        return [f"{ROOT}[http]"]
    group = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]["bench"]
    return [line for line in group if line.startswith(library.lower())]


def make_environment(library: str, folder: Path) -> Path:
    """The Python of a new environment with one library in it."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    assert uv, "uv is part of the environment `make bench` sets up"
    wanted = requirement(library)
    if wanted:
        command = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python), *wanted]
        subprocess.run(command, check=True)
    return python
