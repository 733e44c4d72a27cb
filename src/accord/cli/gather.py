"""The texts given for each argument -> JSON, put together as the argument's schema says.

A list grows with every text, an object field by field, from ``key=value``, JSON, ``@file`` or ``-``; of anything else
the last text counts. Knows schemas, and no options.
"""

import codecs

import msgspec

from accord._calls import JSON
from accord.cli.arguments import Argument, Arguments, Given, Reader
from accord.texts.kinds import Kinds, Schema, branches, fits, kinds_of
from accord.texts.reading import parsed, read_text

__all__ = ["gather", "is_flag_at"]

Violation = dict[str, JSON]


class _Unreadable(Exception):
    """A text that stands for a file which cannot be read, or is not JSON."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def gather(
    table: Arguments, given: Given, unknown: dict[str, str | bool], read: Reader
) -> tuple[dict[str, JSON], list[Violation]]:
    """The arguments as JSON, in the order of the schema, and what could not be read."""
    arguments: dict[str, JSON] = {}
    problems: list[Violation] = []
    for argument in table.all:
        if argument.name not in given:
            continue
        try:
            if argument.is_text:
                arguments[argument.name] = given[argument.name][-1][1]
            else:
                arguments[argument.name] = _value(argument, given[argument.name], table.definitions, read)
        except _Unreadable as error:
            problems.append(_problem(argument.name, error.message))
    for name, value in unknown.items():
        arguments[name] = read_text(value, {}, {}) if isinstance(value, str) else value
    return arguments, problems


def _problem(name: str, message: str) -> Violation:
    from accord._jsonpatch import short_pointer  # noqa: PLC0415 - only the failure needs it

    return {
        "path": short_pointer((name,)),
        "argument": name,
        "reason": "type_mismatch",
        "keyword": "type",
        "message": message,
    }


def _value(argument: Argument, given: list[tuple[tuple[str, ...], str | bool]], within: Schema, read: Reader) -> JSON:
    value: JSON = msgspec.UNSET
    for path, text in given:
        value = _added(value, argument.schema, path, text, within, read)
    return value


def _added(value: JSON, schema: JSON, path: tuple[str, ...], text: str | bool, within: Schema, read: Reader) -> JSON:
    """What was there, with one more text."""
    if path:
        key, inner = _field(schema, path[0], within)
        there = value if isinstance(value, dict) else {}
        return {**there, key: _added(there.get(key, msgspec.UNSET), inner, path[1:], text, within, read)}
    if isinstance(text, bool):
        return text
    kinds = kinds_of(schema, within)
    is_list = "array" in kinds and (kinds <= {"array", "null"} or value is not msgspec.UNSET)
    document = msgspec.UNSET if _takes_text(schema, kinds, within) else _fetched(text, read)
    if is_list:
        return _longer(value, schema, text, document, within)
    if document is not msgspec.UNSET:
        return {**value, **document} if isinstance(value, dict) and isinstance(document, dict) else document
    if "object" in kinds and "string" not in kinds:
        return _fuller(value, schema, text, within, read)
    return read_text(text, schema, within)


def _takes_text(schema: JSON, kinds: Kinds, within: Schema) -> bool:
    """Whether ``-`` and ``@name`` are texts here, and no files."""
    if "array" in kinds and "string" in kinds_of(_item_schema(schema, 0, within), within):
        return True
    return "string" in kinds or not kinds & {"array", "object"}


def _fetched(text: str, read: Reader) -> JSON:
    """The document in a file or in stdin, where the text names one."""
    if text != "-" and (text[:1] != "@" or len(text) == 1):
        return msgspec.UNSET
    shown = "the standard input" if text == "-" else repr(text[1:][:200])
    try:
        return msgspec.json.decode(_in_utf_8(read(text)))
    except OSError as error:
        raise _Unreadable(f"cannot be read from {shown}: {error.strerror or 'it is not there'}") from error
    except (ValueError, RecursionError) as error:
        problem = str(error).removeprefix("JSON is malformed: ")
        raise _Unreadable(f"needs JSON, and {shown} holds none: {problem[:200]}") from error


def _in_utf_8(data: bytes) -> bytes:
    """The bytes without a mark of their encoding: many programs of Windows write one, and UTF-16 behind it."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16").encode()
    return data.removeprefix(codecs.BOM_UTF8)


def _longer(value: JSON, schema: JSON, text: str, document: JSON, within: Schema) -> JSON:
    """The list with one more item, or with all those of a JSON list."""
    there = value if isinstance(value, list) else [] if value is msgspec.UNSET or value is None else [value]
    items = _item_schema(schema, len(there), within)
    more = _items_in(text, schema, len(there), within) if document is msgspec.UNSET else document
    if more is not None:
        return [*there, *(more if isinstance(more, list) else [more])]
    if text == "null" and not there and "null" in kinds_of(schema, within) - kinds_of(items, within):
        return None
    return [*there, _added(msgspec.UNSET, items, (), text, within, _unread)]


def _items_in(text: str, schema: JSON, place: int, within: Schema) -> list[JSON] | None:
    """The items of a JSON list, unless it rather is one item itself: ``[1]`` in a list of lists, ``[a-z]`` in texts."""
    if text[:1] != "[":
        return None
    items = _item_schema(schema, place, within)
    is_text = "string" in kinds_of(items, within)
    document = parsed(text) if is_text else _document(text)
    if not isinstance(document, list):
        return None
    is_item = is_text or fits(document, items, within)
    are_items = all(
        fits(item, _item_schema(schema, place + index, within), within) for index, item in enumerate(document)
    )
    return None if is_item and not are_items else document


def _unread(text: str) -> bytes:
    raise OSError(0, f"{text} is not read inside a list")


def _item_schema(schema: JSON, index: int, within: Schema) -> JSON:
    for branch in branches(schema, within):
        if "array" in kinds_of(branch, within):
            first = branch.get("prefixItems", [])
            return first[index] if index < len(first) else branch.get("items", {}) or {}
    return {}


def _fuller(value: JSON, schema: JSON, text: str, within: Schema, read: Reader) -> JSON:
    """The object with the entries of a JSON object, or with one ``key=value``."""
    document = _document(text) if text[:1] in ("{", "[") else None if text == "null" else msgspec.UNSET
    if isinstance(document, dict):
        return {**value, **document} if isinstance(value, dict) else document
    key, equals, entry = text.partition("=")
    if document is not msgspec.UNSET or not equals:
        return read_text(text, schema, within)
    return _added(value, schema, (key,), entry, within, read)


def _document(text: str) -> JSON:
    """The JSON a text can only be meant as."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        problem = str(error).removeprefix("JSON is malformed: ")
        raise _Unreadable(f"is not JSON: {problem[:200]}") from error


def _field(schema: JSON, name: str, within: Schema) -> tuple[str, JSON]:
    """The key a field's name stands for, and its schema: dashes may stand for underscores."""
    objects = [branch for branch in branches(schema, within) if "object" in kinds_of(branch, within)]
    for key in (name, name.replace("-", "_")):
        for branch in objects:
            if key in branch.get("properties", {}):
                return key, branch["properties"][key]
    extra = next((branch.get("additionalProperties") for branch in objects), None)
    return name, extra if isinstance(extra, dict) else {}


def is_flag_at(schema: JSON, path: tuple[str, ...], within: Schema) -> bool:
    """Whether the field at a path takes no text."""
    for name in path:
        _, schema = _field(schema, name, within)
    return kinds_of(schema, within) - {"null"} == {"boolean"}
