"""Failed -> the exception a Python caller sees: the tool's own, or the class its reason belongs to."""

from accord._calls import Failed
from accord.errors import (
    AccordError,
    CapExceeded,
    ConfirmationRequired,
    InvalidParams,
    OutputInvalid,
    ProtocolError,
    ResourceNotFound,
    ToolCancelled,
    ToolError,
    ToolTimeout,
    UnknownPrompt,
    UnknownTool,
)

__all__ = ["error_on_purpose", "exception_of", "protocol_error"]

_CLASSES: dict[str, type[AccordError]] = {
    "missing_required_argument": InvalidParams,
    "unexpected_argument": InvalidParams,
    "type_mismatch": InvalidParams,
    "constraint_violation": InvalidParams,
    "cap_exceeded": CapExceeded,
    "timeout": ToolTimeout,
    "confirmation_required": ConfirmationRequired,
    "output_invalid": OutputInvalid,
    "tool_error": ToolError,
    "cancelled": ToolCancelled,
}


#: what was asked for is not there
_MISSING: dict[str, type[UnknownTool | UnknownPrompt | ResourceNotFound]] = {
    "unknown_tool": UnknownTool,
    "unknown_prompt": UnknownPrompt,
    "unknown_resource": ResourceNotFound,
}
_OF_OURS = tuple(_MISSING.values())


def exception_of(failed: Failed) -> BaseException:
    """The exception of a failure, with its data in ``error_data``."""
    if failed.reason in _MISSING:
        return _MISSING[failed.reason](_message(failed), data=failed.error_data)
    if failed.exception is None:
        made = _CLASSES[failed.reason](_message(failed))
        made.error_data = failed.error_data
        return made
    if isinstance(failed.exception, AccordError) and failed.exception.error_data is None:
        failed.exception.error_data = failed.error_data
    return failed.exception


def error_on_purpose(failed: Failed) -> ProtocolError | None:
    """The JSON-RPC error that the author's code raised as one; None for any other failure.

    What says that something is missing is none: it may come from a call inside of this one.
    """
    error = failed.exception
    if failed.reason != "tool_error" or not isinstance(error, ProtocolError) or isinstance(error, _OF_OURS):
        return None
    return error if type(error.code) is int else None


def protocol_error(failed: Failed) -> ProtocolError:
    """The JSON-RPC error of a failure, for servers that answer failures that way."""
    said = error_on_purpose(failed)
    if said is not None:
        return said
    if failed.reason in _MISSING:
        return _MISSING[failed.reason](_message(failed), data=failed.error_data)
    return ProtocolError(failed.text, code=failed.kind.rpc_code, data=failed.error_data)


def _message(failed: Failed) -> str:
    """An exception's class says that it is an error."""
    return failed.text.removeprefix("Error: ")
