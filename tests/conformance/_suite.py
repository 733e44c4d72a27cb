"""The official suite: its legs, what each of them has to run, and what is known of scenarios that do not pass."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests._programs import ROOT, needed, node_with_packages_of

HERE = Path(__file__).parent
DEADLINE = 100.0

OLD, NEW = "2025-11-25", "2026-07-28"

#: Scenarios that fail, by name, and why. One that passes has to be taken off.
FAILING: dict[str, str] = {}

#: Checks that warn, by scenario and id, and why that is as it should be.
WARNING: dict[tuple[str, str], str] = {
    ("input-required-result-ignore-extra-params", "sep-2322-ignore-unexpected-params"): (
        "it answers a question that was not asked: without the requestState nothing tells which question an answer "
        "is for, and a name alone must not consent to whatever a later version of the tool asks under it"
    ),
}


#: What no scenario calls: it is looked for in the list.
LISTED = {"json_schema_2020_12_tool"}

#: How calls must have ended for their scenarios to mean anything, by the version they are made in.
ENDINGS = [
    *((version, "test_simple_text", "ok") for version in (OLD, NEW)),
    *((version, "test_error_handling", "tool_error") for version in (OLD, NEW)),
    (OLD, "test_elicitation", "ok"),
    (OLD, "test_sampling", "ok"),
    (OLD, "test_tool_with_logging", "ok"),
    (NEW, "test_logging_tool", "ok"),
    (NEW, "test_streaming_elicitation", "input_required"),
    (NEW, "test_missing_capability", "tool_error"),
    (NEW, "test_trigger_tool_change", "ok"),
    (NEW, "test_trigger_prompt_change", "ok"),
    (NEW, "test_input_required_result_elicitation", "ok"),
    (NEW, "test_input_required_result_capabilities", "input_required"),
    (NEW, "test_input_required_result_tampered_state", "input_required"),
]

#: The same for the legs that have the scenarios of extensions.
ENDINGS_OF_TASKS = [
    *((name, "ok") for name in ("greet", "slow_compute", "confirm_delete", "multi_input", "test_tool_with_task")),
    *((name, "tool_error") for name in ("failing_job", "protocol_error_job")),
    ("slow_compute", "cancelled"),
]


@dataclass(frozen=True)
class Leg:
    """One run of the suite. ``scenarios`` is how many there are: fewer would pass as easily."""

    package: str
    words: tuple[str, ...]
    scenarios: int
    speaks: tuple[str, ...]
    has_extensions: bool = False

    def __str__(self) -> str:
        return "-".join((self.package, *(word.lstrip("-") for word in self.words)))


LEGS = (
    Leg("conformance-0.1", ("--suite", "all"), 32, (OLD,)),
    Leg("conformance-0.2", ("--requirements", OLD), 33, (OLD,)),
    Leg("conformance-0.2", ("--requirements", NEW), 50, (NEW,), has_extensions=True),
    Leg("conformance-0.2", ("--suite", "all", "--spec-version", OLD), 33, (OLD,)),
    Leg("conformance-0.2", ("--suite", "all", "--spec-version", NEW), 40, (NEW,)),
    Leg("conformance-0.2", ("--suite", "all"), 65, (OLD, NEW), has_extensions=True),
)

Check = dict[str, Any]


def suite() -> Path:
    """A Node, with both versions of the suite."""
    return node_with_packages_of(HERE)


@contextmanager
def served(calls: set[tuple[str, str]]) -> Iterator[str]:
    """The fixture in a process of its own; its address. What is called there, and how it ends, is put into `calls`."""
    command = [sys.executable, "-m", "tests.conformance.server", "0"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        rest = threading.Thread(target=hear, args=(process.stderr, calls), daemon=True)
        rest.start()
        try:
            address = re.search(r"http://\S+", said)
            assert address is not None, said
            yield address[0]
        finally:
            process.terminate()
            process.wait(DEADLINE)
            rest.join(DEADLINE)
        assert process.returncode == 0 or os.name == "nt"  # where a process is not told to stop, but stopped


def hear(stderr: Iterable[str], calls: set[tuple[str, str]]) -> None:
    for line in stderr:
        said = line.partition("accord.audit: ")[2]
        if said:
            call = json.loads(said)
            if call["event"] == "call":
                calls.add((call["tool"], call["outcome"]))


def run(leg: Leg, address: str, out: Path) -> dict[str, list[Check]]:
    """The checks of every scenario of a leg."""
    program = HERE / "node_modules" / leg.package / "dist" / "index.js"
    command = [str(needed(suite)), str(program), "server", "--url", address, *leg.words, "-o", str(out)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=DEADLINE, check=False)
    found = {}
    for file in sorted(out.glob("*/checks.json")):
        name = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$", "", file.parent.name)
        found[name] = json.loads(file.read_text())
    assert found, done.stdout + done.stderr
    return found
