"""What an exception may tell the caller: its type and message, without paths and without a traceback."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accord._records import shape_of
from accord.errors import ToolError

__all__ = ["secrets_in", "text_of"]

_LONGEST = 2000
#: of a group of exceptions
_MOST_TOLD = 5
_FILE_URI = r"""\bfile:[^\s'"<>]+"""
_FILE_PATH = r"""(?<![\w:/.])(?:~|[A-Za-z]:(?=[\\/]))?(?:[\\/][^\\/\s'":;,()<>|*?]+){2,}[\\/]?"""
_PATH = re.compile(f"{_FILE_URI}|{_FILE_PATH}")


def text_of(error: BaseException, *, secrets: Iterable[str] = (), masked: bool = False) -> str:
    """The message of an exception for the caller: verbatim for ToolError, redacted for all others."""
    if masked and not isinstance(error, ToolError):
        return "the tool failed"
    return _told(error, tuple(secrets))


def _told(error: BaseException, secrets: tuple[str, ...], depth: int = 3) -> str:
    if isinstance(error, ToolError):
        return _message(error)
    message = _message(error)
    for secret in secrets:
        message = message.replace(secret, "<secret>")
    message = _PATH.sub("<path>", message)[:_LONGEST]
    name = type(error).__name__
    told = f"{name}: {message}" if message else name
    if not isinstance(error, BaseExceptionGroup) or not depth:
        return told
    # A group's own message only says how many there are.
    inside = [_told(each, secrets, depth - 1) for each in error.exceptions[:_MOST_TOLD]]
    return f"{told}: {'; '.join(inside)}"[:_LONGEST]


def secrets_in(value: Any, *, write_only: bool = False, depth: int = 20) -> Iterator[str]:
    """The secret texts inside a value: those of secret types, and every text where ``write_only``."""
    if hasattr(value, "get_secret_value"):
        value, write_only = value.get_secret_value(), True
        value = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        if write_only and str(value):
            yield str(value)
    elif depth:
        for item in _parts(value):
            yield from secrets_in(item, write_only=write_only, depth=depth - 1)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple | set | frozenset):
        return value
    shape = shape_of(type(value))
    return [getattr(value, field.attribute, None) for field in shape.fields] if shape else ()


def _message(error: BaseException) -> str:
    try:
        # A file's name may hold bytes that are no text, and no JSON could carry them.
        return str(error).encode("utf-8", "backslashreplace").decode("utf-8")
    except Exception:  # noqa: BLE001 - boundary: __str__ is the user's code
        return "(its message cannot be read)"
