"""Our string formats: one table for the gate, the converters, the tests' oracle and, later, containment.

Each row is a pair: ``parse`` turns text into the Python value and raises ValueError on anything
else; the checker in ``FORMATS`` is "does it parse", so that a string the gate lets through can
always be converted. Formats follow RFC 3339 (date-time, date, time: offset optional, year 1 to
9999, second at most 59), the days-and-time part of ISO 8601 durations with an optional leading
``-``, RFC 4122, RFC 4291, RFC 3986 and RFC 5321 in their everyday forms.
"""

import datetime
import re
import uuid
import warnings
from collections.abc import Callable
from typing import Any

__all__ = ["FORMATS", "PARSERS"]

_DATE = r"\d{4}-\d{2}-\d{2}"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
_OFFSET = r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?"
_is_date = re.compile(_DATE, re.ASCII).fullmatch
_is_time = re.compile(_TIME + _OFFSET, re.ASCII).fullmatch
_is_datetime = re.compile(f"{_DATE}[Tt]{_TIME}{_OFFSET}", re.ASCII).fullmatch
_is_uuid = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch
_is_uri = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+").fullmatch
_ATOM = r"[^\s@\"(),:;<>\[\\\]\x00-\x1f\x7f.]+"
_LABEL = r"[^\W_](?:[^\W_]|-(?=[^.]))*"
_is_email = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*").fullmatch
_match_duration = re.compile(
    r"(-)?P(?=\d|T)(?:(\d{1,15})D)?(?:T(?=\d)(?:(\d{1,15})H)?(?:(\d{1,15})M)?(?:(\d{1,15})(?:\.(\d+))?S)?)?",
    re.ASCII,
).fullmatch


def _parse_datetime(text: str) -> datetime.datetime:
    """RFC 3339 date-time, offset optional."""
    if not _is_datetime(text):
        raise ValueError("not an RFC 3339 date-time")
    return datetime.datetime.fromisoformat(text.upper())


def _parse_date(text: str) -> datetime.date:
    """RFC 3339 full-date."""
    if not _is_date(text):
        raise ValueError("not an RFC 3339 date")
    return datetime.date.fromisoformat(text)


def _parse_time(text: str) -> datetime.time:
    """RFC 3339 time of day, offset optional."""
    if not _is_time(text):
        raise ValueError("not an RFC 3339 time")
    return datetime.time.fromisoformat(text.upper())


def _parse_duration(text: str) -> datetime.timedelta:
    """``P1DT2H3M4.5S``: days and time only, because a month has no fixed length."""
    match = _match_duration(text)
    if not match:
        raise ValueError("not a duration of days, hours, minutes and seconds")
    sign, days, hours, minutes, seconds, fraction = match.groups()
    try:
        length = datetime.timedelta(
            days=int(days or 0),
            hours=int(hours or 0),
            minutes=int(minutes or 0),
            seconds=int(seconds or 0),
            microseconds=int((fraction or "0")[:6].ljust(6, "0")),
        )
        return -length if sign else length
    except OverflowError as error:
        raise ValueError("a duration this long cannot be represented") from error


def _parse_uuid(text: str) -> uuid.UUID:
    """The hyphenated form of RFC 4122."""
    if not _is_uuid(text):
        raise ValueError("not a hyphenated UUID")
    return uuid.UUID(text)


def _parse_ipv4(text: str) -> Any:
    """Dotted quad, no leading zeros."""
    import ipaddress  # noqa: PLC0415 - only tools with addresses pay for it

    return ipaddress.IPv4Address(text)


def _parse_ipv6(text: str) -> Any:
    """RFC 4291 text form, without a zone."""
    import ipaddress  # noqa: PLC0415 - only tools with addresses pay for it

    if "%" in text:
        raise ValueError("a zone is not part of the address")
    return ipaddress.IPv6Address(text)


def _parse_regex(text: str) -> re.Pattern[str]:
    """A regular expression Python can compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError("not a regular expression") from error


def _parse_email(text: str) -> str:
    """One ``@``, a dot-atom before it and a host name after it."""
    if not _is_email(text) or len(text) > 320:
        raise ValueError("not an e-mail address")
    return text


def _parse_uri(text: str) -> str:
    """A scheme, a colon, and RFC 3986 characters."""
    if not _is_uri(text):
        raise ValueError("not a URI with a scheme")
    return text


PARSERS: dict[str, Callable[[str], Any]] = {
    "date": _parse_date,
    "date-time": _parse_datetime,
    "duration": _parse_duration,
    "email": _parse_email,
    "ipv4": _parse_ipv4,
    "ipv6": _parse_ipv6,
    "regex": _parse_regex,
    "time": _parse_time,
    "uri": _parse_uri,
    "uuid": _parse_uuid,
}


def _checker(parse: Callable[[str], Any]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return check


FORMATS: dict[str, Callable[[str], bool]] = {name: _checker(parse) for name, parse in PARSERS.items()}
