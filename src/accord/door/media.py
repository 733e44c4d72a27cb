"""``Content-Type`` and ``Accept``: whether a body is JSON, and whether a client reads a type of answer."""

import re
from functools import lru_cache
from typing import Final

__all__ = ["admits", "is_json"]

_TOKEN: Final = r"[!#$%&'*+\-.^_`|~0-9a-z]+"  # noqa: S105 - a pattern, no secret
_VALUE: Final = rf'(?:{_TOKEN}|"[^"\\]*")'
_TYPE: Final = re.compile(rf"(?P<type>{_TOKEN}/{_TOKEN})[ \t]*(?P<parameters>(?:;[ \t]*(?:{_TOKEN}={_VALUE}[ \t]*)?)*)")
_PARAMETER: Final = re.compile(rf"({_TOKEN})=({_VALUE})")
_NOTHING: Final = re.compile(r"0(?:\.0{0,3})?")
#: what is longer is read every time anew, so that nobody fills the memory with headers
_REMEMBERED: Final = 200


def is_json(content_type: str) -> bool:
    """Whether a ``Content-Type`` says JSON, and says it in UTF-8."""
    return _is_json(content_type) if len(content_type) <= _REMEMBERED else False


def admits(accept: str, kind: str) -> bool:
    """Whether an ``Accept`` header takes answers of this type; of several ranges the closest one decides."""
    return _remembered(accept, kind) if len(accept) <= _REMEMBERED else _admits(accept, kind)


@lru_cache(maxsize=64)
def _is_json(content_type: str) -> bool:
    found = _TYPE.fullmatch(content_type.lower())
    if found is None or found["type"] != "application/json":
        return False
    parameters = _PARAMETER.findall(found["parameters"])
    charsets = [value.strip('"') for name, value in parameters if name == "charset"]
    return set(charsets) <= {"utf-8", "utf8"} and len(charsets) <= 1


def _admits(accept: str, kind: str) -> bool:
    wanted = {kind: 3, f"{kind.partition('/')[0]}/*": 2, "*/*": 1}
    closest, verdict = 0, False
    for part in accept.lower().split(","):
        found = _TYPE.fullmatch(part.strip(" \t"))
        rank = wanted.get(found["type"], 0) if found else 0
        if found and rank > closest:
            quality = dict(_PARAMETER.findall(found["parameters"])).get("q", "1")
            closest, verdict = rank, _NOTHING.fullmatch(quality) is None
    return verdict


_remembered = lru_cache(maxsize=64)(_admits)
