"""Short ways to a tool, a call and an answer, for the tests of this directory."""

from __future__ import annotations

import inspect
import itertools
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

import jsonschema

from accord import App, Policy
from accord._calls import Failed
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.testing import call_tool

Function = Callable[..., Any]
_numbers = itertools.count()


def takes(annotation: Any, **default: Any) -> Function:
    """`tool(x)` annotated as given, with the default when there is one; it returns nothing."""

    def tool(x):
        return None

    tool.__annotations__ = {"x": annotation}
    if default:
        tool.__defaults__ = (default["default"],)
    return tool


def returns(annotation: Any, value: Any = None) -> Function:
    """`tool()` annotated to return the given type; it returns the value."""

    def tool():
        return value

    tool.__annotations__ = {"return": annotation}
    return tool


def app_of(*functions: Function, policy: Policy | None = None, **options: Any) -> App:
    app = App("tests", policy=policy or Policy())
    for function in functions:
        app.command(**options)(function)
    return app


def send(app: App, name: str, arguments: Any, protocol: str = "2026-07-28") -> dict[str, Any]:
    return call_tool(app, {"name": name, "arguments": arguments}, protocol=protocol)


def run(function: Function, arguments: Any = None, protocol: str = "2026-07-28", **options: Any) -> dict[str, Any]:
    """Registers the function alone and calls it once."""
    app = app_of(function, **options)
    (name,) = app.tools
    return send(app, name, {} if arguments is None else arguments, protocol)


def received(annotation: Any, value: Any) -> Any:
    """What a handler gets for the JSON value, or the Failed."""
    tool = Tool(takes(annotation))
    outcome = bind(tool, {"x": value})
    assert isinstance(outcome, Failed) == (not tool.gate.is_valid({"x": value})), "gate and conversion disagree"
    if isinstance(outcome, Failed):
        return outcome
    return inspect.signature(tool.fn).bind(*outcome.args, **outcome.kwargs).arguments["x"]


def refusal(annotation: Any, value: Any) -> dict[str, Any]:
    """The error data for the value; fails when the value is taken."""
    outcome = received(annotation, value)
    assert isinstance(outcome, Failed), f"{annotation} took {value!r} as {outcome!r}"
    return outcome.error_data


def accepts(schema: dict[str, Any], value: Any) -> bool:
    """What an independent 2020-12 validator says."""
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def module_of(source: str, **names: Any) -> types.ModuleType:
    """A module with the source as its text; `names` are there before it runs."""
    module = types.ModuleType(f"module_under_test_{next(_numbers)}")
    sys.modules[module.__name__] = module
    vars(module).update(names)
    exec(compile(textwrap.dedent(source), f"<{module.__name__}>", "exec", dont_inherit=True), vars(module))
    return module
