"""Accord: one typed function becomes a command, a Python call and an MCP tool, under one contract.

Everything public is importable from here and loaded on first access, so that ``import accord``
costs next to nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord._calls import Progress
    from accord.app import App
    from accord.context import Context
    from accord.errors import AccordError, AccordWarning, ToolError
    from accord.markers import Description, Examples, Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern
    from accord.policy import Policy
    from accord.schema.infer import function_to_schema, return_to_schema

__version__ = "0.1.0"

__all__ = [
    "AccordError",
    "AccordWarning",
    "App",
    "Context",
    "Description",
    "Examples",
    "Ge",
    "Gt",
    "Le",
    "Lt",
    "MaxLen",
    "MinLen",
    "MultipleOf",
    "Pattern",
    "Policy",
    "Progress",
    "ToolError",
    "function_to_schema",
    "return_to_schema",
]

_HOMES = {
    "AccordError": "accord.errors",
    "AccordWarning": "accord.errors",
    "App": "accord.app",
    "Context": "accord.context",
    "Description": "accord.markers",
    "Examples": "accord.markers",
    "Ge": "accord.markers",
    "Gt": "accord.markers",
    "Le": "accord.markers",
    "Lt": "accord.markers",
    "MaxLen": "accord.markers",
    "MinLen": "accord.markers",
    "MultipleOf": "accord.markers",
    "Pattern": "accord.markers",
    "Policy": "accord.policy",
    "Progress": "accord._calls",
    "ToolError": "accord.errors",
    "function_to_schema": "accord.schema.infer",
    "return_to_schema": "accord.schema.infer",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import gc  # noqa: PLC0415 - only a first access needs it
    from importlib import import_module  # noqa: PLC0415 - as above

    # What an import makes stays: looking for garbage in it finds none, and takes a millisecond of every start.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    finally:
        if was_enabled:
            gc.enable()
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
