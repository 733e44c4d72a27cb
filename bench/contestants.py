"""Who takes part in `schema.py`, and how each of them is asked for the same two things.

`infer` makes a tool of a function: its schemas and what a call needs. `caller` returns the step from JSON-decoded
arguments to the running function, `refuser` the same step for arguments that do not fit, up to the text of the
refusal. A step ends with the call of the function for everybody, because a validator of pydantic's that is made from
a function cannot be parted from its call.

Nobody pays here for the hop to a worker thread that all of them take for a synchronous function.
"""

import functools
import inspect
import types
import typing
from collections.abc import Callable, Coroutine
from typing import Any

import typing_extensions
from fastmcp.exceptions import ValidationError as FastMCPRefusal
from fastmcp.server.dependencies import without_injected_parameters
from fastmcp.tools import function_tool
from fastmcp.utilities.types import get_cached_typeadapter
from mcp.server.mcpserver.tools.base import Tool as SdkTool
from pydantic import TypeAdapter, ValidationError

from accord._calls import Failed
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.dispatch.invoke import invoke

Function = Callable[..., Any]
Step = Callable[[dict[str, Any]], Any]


def copy_of(function: Function) -> Function:
    """The same function as another object, so that no cache by function helps anybody."""
    twin = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    twin.__annotations__ = dict(function.__annotations__)
    twin.__doc__ = function.__doc__
    return twin


class Contestant:
    """One library. `fresh` prepares what `infer` is timed on, and is not timed itself."""

    name: str
    fresh = staticmethod(copy_of)

    def infer(self, subject: Any) -> object: ...

    def caller(self, function: Function) -> Step: ...

    def refuser(self, function: Function) -> Step: ...

    def forget(self) -> None:
        """Drop what was kept of the functions seen so far."""


class Accord(Contestant):
    """Registration, and `bind`."""

    name = "Accord"

    def infer(self, subject: Function) -> object:
        return Tool(subject)

    def caller(self, function: Function) -> Step:
        tool = Tool(function)

        def call(arguments: dict[str, Any]) -> Any:
            bound = bind(tool, arguments)
            return function(*bound.args, **bound.kwargs)

        return call

    def refuser(self, function: Function) -> Step:
        tool = Tool(function)

        def refuse(arguments: dict[str, Any]) -> str:
            failed = bind(tool, arguments)
            assert isinstance(failed, Failed)
            return failed.text

        return refuse


class AccordInFull(Accord):
    """The same with nothing put off: both gates compiled at once, and calls as the engine makes them."""

    name = "Accord in full"

    def infer(self, subject: Function) -> object:
        tool = Tool(subject)
        tool.gate.compile()
        if tool.compiled.output_gate is not None:
            tool.compiled.output_gate.compile()
        return tool

    def caller(self, function: Function) -> Step:
        tool = Tool(function)
        return lambda arguments: invoke(tool, bind(tool, arguments))


class _Unconverted(function_tool.FunctionTool):
    """FastMCP's tool, ending where the function has returned."""

    def convert_result(self, raw_value: Any) -> Any:
        return raw_value


class FastMCP(Contestant):
    """`FunctionTool.from_function`, and what `FunctionTool.run` does up to and including the call.

    `run_in_thread=False` lets `run` go through in one step, without an event loop.
    """

    name = "FastMCP"

    def infer(self, subject: Function) -> object:
        return function_tool.FunctionTool.from_function(subject)

    def caller(self, function: Function) -> Step:
        tool = _Unconverted.from_function(function, run_in_thread=False)
        return lambda arguments: _driven(tool.run(arguments))

    def refuser(self, function: Function) -> Step:
        return _texted(self.caller(function), FastMCPRefusal)

    def forget(self) -> None:
        for cached in (get_cached_typeadapter, without_injected_parameters, function_tool._wrap_body_errors):
            cached.cache_clear()


class FastMCPInner(FastMCP):
    """Only the innermost part of FastMCP's step: its validator, looked up beforehand."""

    name = "FastMCP, inner"

    def caller(self, function: Function) -> Step:
        body = function_tool._wrap_body_errors(function, materialize_generators=True)
        adapter = get_cached_typeadapter(function_tool._wrap_body_errors(without_injected_parameters(body)))
        return lambda arguments: function_tool._validate_input(adapter, arguments, strict=None)

    def refuser(self, function: Function) -> Step:
        return _texted(self.caller(function), ValidationError)


class Sdk(Contestant):
    """`Tool.from_function`, and of `Tool.run` only `validate_arguments`, then the call."""

    name = "mcp SDK"

    def infer(self, subject: Function) -> object:
        return SdkTool.from_function(subject)

    def caller(self, function: Function) -> Step:
        validate = SdkTool.from_function(function).fn_metadata.validate_arguments
        return lambda arguments: function(**validate(arguments))

    def refuser(self, function: Function) -> Step:
        return _texted(self.caller(function), ValidationError)


class SdkRun(Sdk):
    """`Tool.run` up to and including the call; an async handler keeps it in this thread."""

    name = "mcp SDK, run"

    def caller(self, function: Function) -> Step:
        @functools.wraps(function)
        async def handler(**kwargs: Any) -> Any:
            return function(**kwargs)

        tool = SdkTool.from_function(handler)
        return lambda arguments: _driven(tool.run(arguments, context=None))


class Pydantic(Contestant):
    """A `TypeAdapter` of a TypedDict that holds the parameters, and one of the result.

    Less than a tool: no defaults, no descriptions from the docstring, nothing about the function.
    """

    name = "pydantic"

    @staticmethod
    def fresh(function: Function) -> Any:
        hints = typing.get_type_hints(function, include_extras=True)
        result = hints.pop("return")
        for parameter in inspect.signature(function).parameters.values():
            if parameter.default is not parameter.empty:
                hints[parameter.name] = typing_extensions.NotRequired[hints[parameter.name]]
        return typing_extensions.TypedDict(f"{function.__name__}_arguments", hints), result

    def infer(self, subject: Any) -> object:
        arguments, result = (TypeAdapter(annotation) for annotation in subject)
        return arguments, arguments.json_schema(), result.json_schema(mode="serialization")

    def caller(self, function: Function) -> Step:
        validate = TypeAdapter(self.fresh(function)[0]).validate_python
        return lambda arguments: function(**validate(arguments))

    def refuser(self, function: Function) -> Step:
        return _texted(self.caller(function), ValidationError)


def _driven(run: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that never waits."""
    try:
        run.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("this was to go through in one step")


def _texted(call: Step, refusal: type[Exception]) -> Step:
    def refuse(arguments: dict[str, Any]) -> str:
        try:
            call(arguments)
        except refusal as error:
            return str(error)
        raise AssertionError("this call was to be refused")

    return refuse


ACCORD, IN_FULL, PYDANTIC = Accord(), AccordInFull(), Pydantic()
FASTMCP, FASTMCP_INNER, SDK, SDK_RUN = FastMCP(), FastMCPInner(), Sdk(), SdkRun()
