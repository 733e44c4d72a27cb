"""Accord: one typed function becomes a command, a Python call and an MCP tool, under one contract.

Everything public is importable from here and loaded on first access, so that ``import accord``
costs next to nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord._calls import Call, Failed, Ok, Outcome, Progress
    from accord._marks import prompt, resource, tool
    from accord.app import App
    from accord.auth import Bearer, Principal
    from accord.context import Context
    from accord.door.rate import RateLimit
    from accord.errors import AccordError, AccordWarning, ToolError
    from accord.markers import (
        Description,
        Examples,
        Ge,
        Gt,
        Header,
        Le,
        Lt,
        MaxLen,
        MinLen,
        MultipleOf,
        Option,
        Pattern,
        Positional,
    )
    from accord.policy import Policy
    from accord.schema.infer import function_to_schema, return_to_schema
    from accord.settings import ConfigPaths, Settings
    from accord.ui import Icon, Ui, UiPage

__version__ = "0.1.0"

__all__ = [
    "AccordError",
    "AccordWarning",
    "App",
    "Bearer",
    "Call",
    "ConfigPaths",
    "Context",
    "Description",
    "Examples",
    "Failed",
    "Ge",
    "Gt",
    "Header",
    "Icon",
    "Le",
    "Lt",
    "MaxLen",
    "MinLen",
    "MultipleOf",
    "Ok",
    "Option",
    "Outcome",
    "Pattern",
    "Policy",
    "Positional",
    "Principal",
    "Progress",
    "RateLimit",
    "Settings",
    "ToolError",
    "Ui",
    "UiPage",
    "function_to_schema",
    "prompt",
    "resource",
    "return_to_schema",
    "tool",
]

_HOMES = {
    "AccordError": "accord.errors",
    "AccordWarning": "accord.errors",
    "App": "accord.app",
    "Bearer": "accord.auth",
    "Call": "accord._calls",
    "ConfigPaths": "accord.settings",
    "Context": "accord.context",
    "Description": "accord.markers",
    "Examples": "accord.markers",
    "Failed": "accord._calls",
    "Ge": "accord.markers",
    "Gt": "accord.markers",
    "Header": "accord.markers",
    "Icon": "accord.ui",
    "Le": "accord.markers",
    "Lt": "accord.markers",
    "MaxLen": "accord.markers",
    "MinLen": "accord.markers",
    "MultipleOf": "accord.markers",
    "Ok": "accord._calls",
    "Option": "accord.markers",
    "Outcome": "accord._calls",
    "Pattern": "accord.markers",
    "Policy": "accord.policy",
    "Positional": "accord.markers",
    "Principal": "accord.auth",
    "Progress": "accord._calls",
    "RateLimit": "accord.door.rate",
    "Settings": "accord.settings",
    "ToolError": "accord.errors",
    "Ui": "accord.ui",
    "UiPage": "accord.ui",
    "function_to_schema": "accord.schema.infer",
    "prompt": "accord._marks",
    "resource": "accord._marks",
    "return_to_schema": "accord.schema.infer",
    "tool": "accord._marks",
}


if not TYPE_CHECKING:  # or every name would seem to be here

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from accord._surfaces import load  # noqa: PLC0415 - only a first access needs it

        value = globals()[name] = load(_HOMES[name], name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
