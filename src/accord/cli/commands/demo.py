"""``accord demo``: one function, and everything its contract does, in half a minute of reading."""

import inspect
import textwrap
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import msgspec

from accord._jsonpatch import apply_patch
from accord.app import App
from accord.markers import Description, Ge, Le, MinLen
from accord.testing import call_tool

__all__ = ["run"]


class Size(Enum):
    """How large a machine is."""

    SMALL = "small"
    LARGE = "large"


@dataclass
class Plan:
    """What will happen."""

    service: str
    size: Size
    copies: int
    hosts: set[str]


def plan(
    service: Annotated[str, MinLen(1), Description("Service name")],
    size: Size = Size.SMALL,
    copies: Annotated[int, Ge(1), Le(9)] = 1,
) -> Plan:
    """Plan a deployment.

    Args:
        size: How large each copy is.
        copies: How many copies to start.
    """
    return Plan(service, size, copies, {f"{service}-{number}" for number in range(copies)})


def run(_arguments: list[str]) -> int:
    """Show it."""
    app = App("demo")
    app.command(plan)
    _heading("1. A typed function")
    print(textwrap.indent(inspect.getsource(plan).rstrip(), "    "))
    _heading("2. Its contract, inferred: what it takes, what it returns")
    _show(app.tools["plan"].input_schema)
    _show(app.tools["plan"].output_schema)
    _heading("3. A call: the function receives a Size and an int, the result is held against the contract")
    _call(app, {"service": "api", "size": "large", "copies": 2.0})
    _heading("4. A call that breaks the contract: every mistake, and a patch that repairs it")
    broken = {"servise": "api", "size": "LARGE", "copies": "12"}
    error = _call(app, broken)["errorData"]
    _heading("5. The same call with the patch applied")
    _call(app, apply_patch(broken, error["patch"]))
    return 0


def _heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def _call(app: App, arguments: Any) -> dict[str, Any]:
    print("    arguments", msgspec.json.encode(arguments).decode())
    result = call_tool(app, {"name": "plan", "arguments": arguments})
    print(textwrap.indent(result["content"][0]["text"], "    "))
    return result


def _show(schema: Any) -> None:
    text = msgspec.json.format(msgspec.json.encode(schema), indent=2).decode()
    print(textwrap.indent(text, "    "))
