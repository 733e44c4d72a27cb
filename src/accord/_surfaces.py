"""The table through which App reaches what stands above it: the only arrows that point up.

An import string each, so that an app that never serves never loads a server, and none of them is imported by
the modules below.
"""

from importlib import import_module
from typing import Any

__all__ = ["reach"]

_SURFACES = {
    "run": "accord.cli.main:run",
    "invoke": "accord.cli.capture:invoke",
    "call": "accord._python:call",
    "acall": "accord._python:acall",
    "dispatch_async": "accord.dispatch.awaiting:dispatch",
    "add": "accord._adding:add",
    "register": "accord._adding:register",
    "close": "accord.dispatch.closing:close_all",
    "settings": "accord.settings:Settings",
    "paths": "accord.settings:ConfigPaths",
}

_reached: dict[str, Any] = {}


def reach(name: str) -> Any:
    """The function or class that stands for a surface, imported when first asked for."""
    if name not in _reached:
        module, _, attribute = _SURFACES[name].partition(":")
        _reached[name] = getattr(import_module(module), attribute)
    return _reached[name]
