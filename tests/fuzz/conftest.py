"""Shows, at the end of a pytest run, what the agreement test has tried: without `-s`, in green runs too."""

from __future__ import annotations

from typing import Any

from tests.fuzz.histogram import SHOWN


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for title, lines in SHOWN.items():
        terminalreporter.section(title)
        for line in lines:
            terminalreporter.write_line(line)
