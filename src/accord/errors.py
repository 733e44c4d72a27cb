"""Every exception Accord raises, and the one warning.

::

    Exception
    └── AccordError                 the root: catch this to catch them all; carries ``.error_data``
        ├── RegistrationError       a function that cannot become a tool (also a TypeError)
        ├── SettingsError           a configuration file or an environment variable cannot be used
        ├── ToolError               raised on purpose by a tool: its message reaches the caller verbatim
        ├── InvalidParams           the arguments break the contract
        ├── OutputInvalid           the result breaks the contract
        ├── CapExceeded             a run-time cap: time, bytes, items
        │   └── ToolTimeout
        ├── ConfirmationRequired    consent is needed and nobody gave it
        ├── ToolCancelled           the caller withdrew the call
        └── ProtocolError           a JSON-RPC error; carries ``.code`` and ``.data``
            ├── UnknownTool         no tool has that name
            ├── UnknownPrompt       no prompt has that name
            └── ResourceNotFound    nothing is at that URI; a resource's own function may raise it, too
    UserWarning
    └── AccordWarning               the contract is weaker than the author may think

Whose fault it is, is the class. This module imports nothing of ours.
"""

from __future__ import annotations

from _collections_abc import Mapping  # the same class, without the millisecond that its package takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "AccordError",
    "AccordWarning",
    "CapExceeded",
    "ConfirmationRequired",
    "InvalidParams",
    "OutputInvalid",
    "ProtocolError",
    "RegistrationError",
    "ResourceNotFound",
    "SettingsError",
    "ToolCancelled",
    "ToolError",
    "ToolTimeout",
    "UnknownPrompt",
    "UnknownTool",
]


class AccordError(Exception):
    """The root of every Accord exception.

    ``error_data`` is the machine-readable account of what went wrong (the object MCP clients
    receive as ``errorData``), or None where there is nothing to repair.
    """

    error_data: Mapping[str, Any] | None

    def __init__(self, message: str = "", *, error_data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.error_data = error_data


class RegistrationError(AccordError, TypeError):
    """A function cannot become a tool. The message names the function, the parameter and the remedy."""

    function: str
    parameter: str | None
    problem: str
    remedy: str

    def __init__(self, function: str, parameter: str | None, problem: str, remedy: str) -> None:
        super().__init__(f"{_place_of(function, parameter)}: {problem}. {remedy}")
        self.function = function
        self.parameter = parameter
        self.problem = problem
        self.remedy = remedy


def _place_of(function: str, parameter: str | None) -> str:
    """Where in a function something is: no parameter can be called ``return``, which stands for the result."""
    if not parameter:
        return function
    return f"{function}, its result" if parameter == "return" else f"{function}, parameter {parameter!r}"


class SettingsError(AccordError):
    """Configuration cannot be used. The message names the file or variable and the remedy, and quotes no value."""

    where: str
    problem: str
    remedy: str

    def __init__(self, where: str, problem: str, remedy: str) -> None:
        super().__init__(f"{where}: {problem}. {remedy}")
        self.where = where
        self.problem = problem
        self.remedy = remedy


class ToolError(AccordError):
    """What a tool raises on purpose.

    The message is shown to the caller as it is. ``code`` replaces ``TOOL_ERROR`` in the error
    data, ``data`` is JSON-ready detail for the caller, ``retryable`` says whether the same call
    may succeed later.
    """

    code: str | None
    data: Any
    retryable: bool | None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        data: Any = None,
        retryable: bool | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.data = data
        self.retryable = retryable


class InvalidParams(AccordError):
    """The arguments do not satisfy the tool's input schema."""


class OutputInvalid(AccordError):
    """The tool's result does not satisfy its output schema, or is not JSON."""


class CapExceeded(AccordError):
    """A run-time cap (time, bytes, items) was exceeded."""


class ToolTimeout(CapExceeded):
    """The tool ran longer than its timeout."""


class ConfirmationRequired(AccordError):
    """The tool needs consent and none was given."""


class ToolCancelled(AccordError):
    """The call was withdrawn before it finished."""


class ProtocolError(AccordError):
    """A JSON-RPC error."""

    code: int
    data: Any

    def __init__(self, message: str, *, code: int, data: Any = None) -> None:
        super().__init__(message, error_data=data if isinstance(data, Mapping) else None)
        self.code = code
        self.data = data


class UnknownTool(ProtocolError):
    """No tool has the requested name."""

    def __init__(self, message: str, *, code: int = -32602, data: Any = None) -> None:
        super().__init__(message, code=code, data=data)


class UnknownPrompt(ProtocolError):
    """No prompt has the requested name."""

    def __init__(self, message: str, *, code: int = -32602, data: Any = None) -> None:
        super().__init__(message, code=code, data=data)


class ResourceNotFound(ProtocolError):
    """Nothing is at the requested URI.

    A resource's function raises it where its variables lead nowhere. Up to 2025-11-25 its code on the wire is -32002.
    """

    def __init__(self, message: str = "", *, code: int = -32602, data: Any = None) -> None:
        super().__init__(message, code=code, data=data)


class AccordWarning(UserWarning):
    """Something works, but the contract is weaker than the author may think."""
