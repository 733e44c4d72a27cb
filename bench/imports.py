"""What `import accord` costs, in an environment that holds the runtime dependencies and nothing else.

Prints the best of a number of fresh interpreters for each statement, less the start of a bare one, and the
ratio to `import msgspec`. Exits 1 when a ratio is over its limit.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 15
YARDSTICK = "import msgspec"
LIMITS = {
    "import accord": 0.5,
    "from accord import App, Context, MinLen": 3.0,
}


def make_environment(directory: Path) -> Path:
    """The Python of a new environment, with the project installed from this checkout as users get it."""
    subprocess.run([sys.executable, "-m", "venv", str(directory)], check=True)
    python = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    install = (
        [uv, "pip", "install", "--quiet", "--python", str(python)]
        if uv
        else [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    )
    subprocess.run([*install, str(ROOT)], check=True)
    return python


def seconds(python: Path, statement: str) -> float:
    """Wall time of one isolated interpreter that runs `statement`."""
    start = time.perf_counter()
    subprocess.run([str(python), "-I", "-c", statement], check=True, cwd=python.parent)
    return time.perf_counter() - start


def measure(python: Path) -> dict[str, float]:
    """Best time of each statement. They take turns: a busy moment of the machine then hits all alike."""
    statements = ["pass", YARDSTICK, *LIMITS]
    for statement in statements:
        seconds(python, statement)  # writes the bytecode
    best = dict.fromkeys(statements, float("inf"))
    for _ in range(ROUNDS):
        for statement in statements:
            best[statement] = min(best[statement], seconds(python, statement))
    return best


def main() -> int:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        best = measure(make_environment(Path(directory)))
    bare = best.pop("pass")
    unit = best[YARDSTICK] - bare
    print(f"Python {sys.version.split()[0]}, best of {ROUNDS}, bare interpreter {bare * 1000:.1f} ms\n")
    print(f"{'statement':<42}{'cost':>10}{'ratio':>9}{'limit':>7}")
    failed = False
    for statement, total in best.items():
        ratio, limit = (total - bare) / unit, LIMITS.get(statement)
        over = limit is not None and ratio > limit
        failed |= over
        shown = "" if limit is None else f"{limit:.1f}x{'  OVER' if over else ''}"
        print(f"{statement:<42}{(total - bare) * 1000:>7.1f} ms{ratio:>8.2f}x   {shown}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
