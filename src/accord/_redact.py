"""What an exception may tell the caller: its type and message, without paths and without a traceback."""

import re

from accord.errors import ToolError

__all__ = ["text_of"]

_LONGEST = 2000
_PATH = re.compile(r"""(?<![\w:/.])(?:~|[A-Za-z]:(?=[\\/]))?(?:[\\/][^\\/\s'":;,()<>|*?]+){2,}[\\/]?""")


def text_of(error: BaseException, *, masked: bool = False) -> str:
    """The message of an exception for the caller: verbatim for ToolError, redacted for all others."""
    if isinstance(error, ToolError):
        return _message(error)
    if masked:
        return "the tool failed"
    message = _PATH.sub("<path>", _message(error))[:_LONGEST]
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - boundary: __str__ is the user's code
        return "(its message cannot be read)"
