"""A name no tool has -> the failure that says so, with the name that may have been meant."""

from accord._calls import Call, Failed
from accord._registry import Registry
from accord.gate.refusal import failure
from accord.gate.resemblance import nearest

__all__ = ["unknown"]


def unknown(registry: Registry, call: Call) -> Failed:
    """The failure of a call by a name no tool has, on this surface at least."""
    names = [tool.name for tool in registry.tools.values() if call.surface in tool.options.surfaces]
    shown = str(call.name)[:100]
    meant = nearest(shown, names)
    hint = f"; did you mean {meant!r}?" if meant else ""
    more = {"suggestion": meant} if meant else {}
    return failure(shown, "unknown_tool", f"Error: no tool is called {shown!r}{hint}", **more)
