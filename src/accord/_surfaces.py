"""The table through which App reaches what stands above it: the only arrows that point up.

An import string each, so that an app that never serves never loads a server, and none of them is imported by
the modules below.
"""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["load", "reach", "reached"]

_SURFACES = {
    "run": "accord.cli.main:run",
    "invoke": "accord.cli.capture:invoke",
    "call": "accord._python:call",
    "acall": "accord._python:acall",
    "dispatch_async": "accord.dispatch.awaiting:dispatch",
    "add": "accord._adding:add",
    "register": "accord._adding:register",
    "resource": "accord.offers.registering:resource",
    "prompt": "accord.offers.registering:prompt",
    "completion": "accord.offers.registering:completion",
    "confirmed": "accord._consent:confirmed",
    "close": "accord.dispatch.closing:close_all",
    "stdio": "accord.transports.stdio:serve",
    "http": "accord.transports.asgi.serving:serve",
    "asgi": "accord.transports.asgi.endpoint:Endpoint",
    "tasks": "accord._keeping:tasks_of",
    "settings": "accord.settings:Settings",
    "paths": "accord.settings:ConfigPaths",
}

#: what was asked for before: for callers in a hurry
reached: dict[str, Any] = {}


def reach(name: str) -> Any:
    """The function or class that stands for a surface, imported when first asked for."""
    found = reached.get(name)
    if found is None:
        module, _, attribute = _SURFACES[name].partition(":")
        found = reached[name] = load(module, attribute)
    return found


def load(module: str, attribute: str) -> Any:
    """An attribute of a module, imported without looking for garbage meanwhile.

    What an import makes stays: the search finds nothing, and takes a millisecond or two of every start.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        __import__(module)  # what import_module does, without a package to import first
        return getattr(sys.modules[module], attribute)
    finally:
        if was_enabled:
            gc.enable()
