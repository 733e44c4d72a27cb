"""From the start of a command-line program to its output, beside argparse, click, Cyclopts and Typer, in one run.

Each library has an environment of its own that holds what installing it brings, as its users have it. In a shared
one they would pay for each other: where typing_extensions is installed, msgspec imports it, and with it inspect,
which is a fifth of a start; nobody who installs Accord alone has it. All contestants take turns, so that a busy moment
of the machine hits all alike, in isolated interpreters with the bytecode written beforehand. Everybody's output is
compared before anything is timed.

`app.call` is held against `msgspec.convert` of the same three arguments into a Struct, the fastest it can do. What a
TypedDict would take, which like a call's arguments is a dict, is printed beside it.

Exits 1 when a bar is missed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from environments import make_environment
from programs import LIBRARIES, MAIN, many, one

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 25
HELP_OF = 200
START_OF = 1000
OPTIONS = ["--name", "x", "--count", "3", "--dry"]
OUTPUT = "x 3 True"

BARS = {
    "one command, ratio to click": 1.0,
    f"--help of {HELP_OF} commands, ratio to click": 0.5,
    f"{START_OF} commands less one command, ms": 100.0,
    "app.call of three scalars, ratio to msgspec.convert": 15.0,
}

CALL = """
import json
import timeit
from typing import TypedDict

import msgspec
from accord import App

app = App("bench")

@app.command
def add(name: str, count: int, share: float) -> None: ...

@app.command
def number(name: str, count: int, share: float) -> int:
    return count

class Arguments(TypedDict):
    name: str
    count: int
    share: float

class Record(msgspec.Struct):
    name: str
    count: int
    share: float

given = {"name": "x", "count": 3, "share": 0.5}
for _ in range(2000):
    app.call("add", **given)
    app.call("number", **given)

def best(statement):
    return min(timeit.repeat(statement, repeat=300, number=1_000)) / 1_000

print(json.dumps([best(lambda: app.call("add", name="x", count=3, share=0.5)),
                  best(lambda: msgspec.convert(given, Arguments)),
                  best(lambda: msgspec.convert(given, Record)),
                  best(lambda: app.call("number", name="x", count=3, share=0.5))]))
"""

Command = list[str]


def run(command: Command) -> tuple[float, str]:
    """Wall time of a program that must succeed, in milliseconds, and its output."""
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    return (time.perf_counter() - start) * 1000, done.stdout


#: bytecode is kept, and help is laid out for the same terminal everywhere
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {"COLUMNS": "100"}


def programs_of(library: str, python: Path, folder: Path) -> dict[str, Command]:
    """The programs that are timed, as command lines."""
    folder.mkdir()
    words = LIBRARIES[library][2]
    (folder / "one.py").write_text(one(library), encoding="utf-8")
    commands = {"one": [str(python), "-I", str(folder / "one.py"), *words, *OPTIONS]}
    for count, arguments in ((HELP_OF, ["--help"]), (START_OF, ["say0", *OPTIONS])):
        module = f"many{count}"
        (folder / f"{module}.py").write_text(many(library, count), encoding="utf-8")
        main = folder / f"main{count}.py"
        main.write_text(MAIN.format(folder=str(folder), module=module), encoding="utf-8")
        commands[module] = [str(python), "-I", str(main), *arguments]
    return commands


def check(library: str, commands: dict[str, Command]) -> None:
    """Everybody does the same, and the bytecode is written."""
    for name, command in commands.items():
        output = run(command)[1]
        if name == f"many{HELP_OF}":
            assert f"say{HELP_OF - 1}" in output, f"{library}: not all commands are in its help"
        else:
            assert output.strip() == OUTPUT, f"{library}: {output!r}"


def measure(programs: dict[str, dict[str, Command]]) -> dict[tuple[str, str], list[float]]:
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        for library, commands in programs.items():
            for name, command in commands.items():
                times.setdefault((library, name), []).append(run(command)[0])
    return times


def report(best: dict[tuple[str, str], float], middle: dict[tuple[str, str], float], calls: list[float]) -> bool:
    """Print the table and the bars; whether all are kept."""
    columns = {
        "one": "one command",
        f"many{HELP_OF}": f"--help of {HELP_OF}",
        f"many{START_OF}": f"one of {START_OF}",
    }
    print(f"Python {sys.version.split()[0]}, {ROUNDS} rounds, ms: best (median)\n")
    print(f"{'':<10}" + "".join(f"{title:>20}" for title in columns.values()))
    for library in LIBRARIES:
        cells = (f"{best[library, name]:.1f} ({middle[library, name]:.1f})" for name in columns)
        print(f"{library:<10}" + "".join(f"{cell:>20}" for cell in cells))
    call, convert, record, number = (seconds * 1e6 for seconds in calls)
    print(f"\napp.call {call:.2f} us; msgspec.convert {record:.3f} us to a Struct, {convert:.3f} us to a TypedDict")
    print(f"app.call that holds an int result against its contract, too: {number:.2f} us, {number / record:.1f}x\n")
    found = (
        best["Accord", "one"] / best["click", "one"],
        best["Accord", f"many{HELP_OF}"] / best["click", f"many{HELP_OF}"],
        best["Accord", f"many{START_OF}"] - best["Accord", "one"],
        call / record,
    )
    for (title, bar), value in zip(BARS.items(), found, strict=True):
        print(f"{title:<54}{value:>8.2f}   at most {bar:g}{'' if value <= bar else '   MISSED'}")
    return all(value <= bar for bar, value in zip(BARS.values(), found, strict=True))


def main() -> int:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        folder = Path(directory)
        pythons = {library: make_environment(library, folder / f"env-{library}") for library in LIBRARIES}
        programs = {library: programs_of(library, pythons[library], folder / library) for library in LIBRARIES}
        for library, commands in programs.items():
            check(library, commands)
        times = measure(programs)
        calls = json.loads(run([str(pythons["Accord"]), "-I", "-c", CALL])[1])
    best = {key: min(values) for key, values in times.items()}
    middle = {key: median(values) for key, values in times.items()}
    return 0 if report(best, middle, calls) else 1


if __name__ == "__main__":
    sys.exit(main())
