"""The server the official suite examines, written as any user would: ``python -m tests.conformance.server [PORT]``.

The names are the suite's, the texts ours where it does not look at them. A port of 0 is one that is free.
"""

from __future__ import annotations

import logging
import sys

from accord import App
from tests.conformance import _asking, _offers, _tools, tasks_tools

app = App("conformance-fixture", version="1.0.0", description="Whatever the official suite asks for", tasks=":memory:")
app.add([_tools.app, _asking.app, _offers.app])
tasks_tools.register(app)


@app.command
def test_trigger_tool_change() -> str:
    """Change the list of tools."""
    app.add(short_lived)
    app.remove("short_lived")
    return "There was another tool for a moment."


@app.command
def test_trigger_prompt_change() -> str:
    """Change the list of prompts."""
    app.prompt(f"test_prompt_{len(app.prompts)}")(another_prompt)
    return "There is another prompt."


def short_lived() -> None:
    """Come and go."""


def another_prompt() -> str:
    """Begin in another way."""
    return "Shall we begin in another way?"


if __name__ == "__main__":
    logging.getLogger("accord.audit").setLevel(logging.INFO)  # who runs this wants to know what was called
    app.serve("http", port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
