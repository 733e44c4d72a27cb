"""Our string formats: one table for the gate, the converters, the tests' oracle and, later, containment.

A text is of a format when it looks right and when converting it works, so that a string the gate lets
through can always be converted. Formats follow RFC 3339 (date-time, date, time: offset optional, year 1 to
9999, second at most 59), the days-and-time part of ISO 8601 durations with an optional leading
``-``, RFC 4122, RFC 4291, RFC 3986 and RFC 5321 in their everyday forms.
"""

import datetime
import functools
import re
import uuid
import warnings
from collections.abc import Callable
from typing import Any

import msgspec

__all__ = ["CONVERTERS", "FORMATS", "SAME_IN_ENGINE"]


@functools.cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def _matcher(pattern: str, flags: int = 0) -> Callable[[str], re.Match[str] | None]:
    """``fullmatch`` of a pattern that is compiled when first used: most tools take no formats."""
    return lambda text: _compiled(pattern, flags).fullmatch(text)


# Which days a month has, leap years included, so that the pattern alone decides and nothing is parsed twice.
_DATE = (
    r"(?!0000)(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)"
    r"|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
)
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
_OFFSET = r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?"
_is_date = _matcher(_DATE, re.ASCII)
_is_time = _matcher(_TIME + _OFFSET, re.ASCII)
_is_datetime = _matcher(f"{_DATE}[Tt]{_TIME}{_OFFSET}", re.ASCII)
_is_uuid = _matcher(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_is_uri = _matcher(r"[A-Za-z][A-Za-z0-9+.\-]*:(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+")
_ATOM = r"[^\s@\"(),:;<>\[\\\]\x00-\x1f\x7f.]+"
_LABEL = r"[^\W_](?:[^\W_]|-(?=[^.]))*"
_is_email = _matcher(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_match_duration = _matcher(
    r"(-)?P(?=\d|T)(?:(\d{1,15})D)?(?:T(?=\d)(?:(\d{1,15})H)?(?:(\d{1,15})M)?(?:(\d{1,15})(?:\.(\d+))?S)?)?",
    re.ASCII,
)


def _datetime(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text if text[-1] != "z" else f"{text[:-1]}Z")


def _time(text: str) -> datetime.time:
    return datetime.time.fromisoformat(text if text[-1] != "z" else f"{text[:-1]}Z")


def _duration(text: str) -> datetime.timedelta:
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


def _ipv4(text: str) -> Any:
    import ipaddress  # noqa: PLC0415 - few tools take addresses

    return ipaddress.IPv4Address(text)


def _ipv6(text: str) -> Any:
    import ipaddress  # noqa: PLC0415 - as above

    return ipaddress.IPv6Address(text)


def _regex(text: str) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError("not a regular expression") from error


#: format -> (what the text looks like, the conversion that may still refuse it)
_ROWS: dict[str, tuple[Callable[[str], object], Callable[[str], Any] | None]] = {
    "date": (_is_date, None),
    "date-time": (_is_datetime, None),
    "duration": (_match_duration, _duration),
    "email": (lambda text: len(text) <= 320 and _is_email(text), None),
    "ipv4": (lambda _text: True, _ipv4),
    "ipv6": (lambda text: "%" not in text, _ipv6),
    "regex": (lambda _text: True, _regex),
    "time": (_is_time, None),
    "uri": (_is_uri, None),
    "uuid": (_is_uuid, None),
}

#: format -> converter of text that passed the check; formats without one are text in Python too
CONVERTERS: dict[str, Callable[[str], Any]] = {
    "date": datetime.date.fromisoformat,
    "date-time": _datetime,
    "duration": _duration,
    "ipv4": _ipv4,
    "ipv6": _ipv6,
    "regex": _regex,
    "time": _time,
    "uuid": functools.partial(msgspec.convert, type=uuid.UUID),
}


def _checker(looks_right: Callable[[str], object], convert: Callable[[str], Any] | None) -> Callable[[str], bool]:
    if convert is None:
        return lambda text: bool(looks_right(text))

    def check(text: str) -> bool:
        try:
            return bool(looks_right(text)) and convert(text) is not None
        except ValueError:
            return False

    return check


#: format -> whether a text is of it: it looks right, and converting it works
FORMATS: dict[str, Callable[[str], bool]] = {name: _checker(*row) for name, row in _ROWS.items()}

#: formats the compiled engine checks exactly as we do, and faster
SAME_IN_ENGINE = frozenset({"ipv4", "ipv6", "uuid"})
