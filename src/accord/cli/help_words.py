"""A schema -> the words help has for it: the kind of text to type, its limits, its default.

Knows schemas; knows no option, no terminal and no tool.
"""

from collections.abc import Callable, Iterator

import msgspec

from accord._calls import JSON
from accord.schema import tree
from accord.schema.emit import BASE64_PATTERN, NUMERIC_PATTERN
from accord.schema.walk import subschemas
from accord.texts.kinds import Schema, branches, kinds_of

__all__ = [
    "default_text",
    "fields_of",
    "is_secret",
    "item_schemas",
    "limits",
    "listed_values",
    "names_files",
    "type_word",
]

#: patterns that belong to a type, and say nothing to a person
_OWN_PATTERNS = (NUMERIC_PATTERN, BASE64_PATTERN)
_WORDS = {"string": "TEXT", "integer": "INTEGER", "number": "NUMBER", "boolean": "{true,false}", "object": "JSON"}
_LONGEST = 60
_DEEPEST = 4


def type_word(schema: JSON, definitions: Schema) -> str:
    """What kind of text stands for a value: ``TEXT``, ``{a,b}``, ``KEY=VALUE``; alternatives with ``|`` between."""
    if schema in ({}, True):
        return "VALUE"
    words = dict.fromkeys(_branch_word(branch, definitions) for branch in _meant(schema, definitions))
    if "NUMBER" in words:
        words.pop("INTEGER", None)
    return "|".join(words) or "VALUE"


def _meant(schema: JSON, definitions: Schema) -> list[Schema]:
    """The alternatives of a schema, ``null`` aside where there are others, and a Decimal's two forms as one."""
    found = branches(schema, definitions)
    numeric = [{**branch, "type": "number"} if branch.get("pattern") == NUMERIC_PATTERN else branch for branch in found]
    return [branch for branch in numeric if branch.get("type") != "null"] or found


def _branch_word(branch: Schema, definitions: Schema) -> str:
    listed = listed_values(branch)
    if listed:
        return _choice_word(listed)
    if "format" in branch:
        return str(branch["format"]).upper()
    if branch.get("contentEncoding") == "base64":
        return "BASE64"
    kind = branch.get("type")
    if kind == "array":
        words = dict.fromkeys(_item_word(item, definitions) for item in item_schemas(branch))
        return "|".join(words) or "VALUE"
    if kind == "object" and not branch.get("properties"):
        return "KEY=VALUE"
    return _WORDS.get(kind, "VALUE") if isinstance(kind, str) else "VALUE"


def _item_word(schema: JSON, definitions: Schema) -> str:
    return "JSON" if kinds_of(schema, definitions) <= {"array", "object"} else type_word(schema, definitions)


def _choice_word(values: list[JSON]) -> str:
    texts = [value if isinstance(value, str) else _json(value) for value in values]
    word = "{" + ",".join(texts) + "}"
    return word if len(word) <= _LONGEST else "{" + ",".join(texts[:3]) + ",...}"


def item_schemas(branch: Schema) -> list[JSON]:
    """The schemas of an array's items: of each in turn where they differ."""
    return branch.get("prefixItems") or [branch.get("items", {})]


def listed_values(branch: Schema) -> list[JSON]:
    """The values a schema admits, where it lists them."""
    return list(branch["enum"]) if "enum" in branch else [branch["const"]] if "const" in branch else []


def fields_of(schema: JSON, definitions: Schema, depth: int = 0) -> Iterator[tuple[tuple[str, ...], Schema, bool]]:
    """The fields inside an object: the path to each, its schema, and whether the object needs it. Inner ones follow."""
    seen = set()
    for branch in branches(schema, definitions):
        for name, inner in branch.get("properties", {}).items():
            if name in seen or not isinstance(inner, dict):
                continue
            seen.add(name)
            yield (name,), inner, name in branch.get("required", ())
            if depth < _DEEPEST and kinds_of(inner, definitions) - {"null"} == {"object"}:
                for path, field, needed in fields_of(inner, definitions, depth + 1):
                    yield (name, *path), field, needed


def names_files(node: tree.Node) -> bool:
    """Whether a type's text names a file: a Path, alone, in a list, or as one of several alternatives."""
    if isinstance(node, tree.Text):
        return node.codec == "path"
    if isinstance(node, tree.Union):
        return any(names_files(branch) for branch in node.branches)
    return isinstance(node, tree.Array) and names_files(node.items)


# -- limits --------------------------------------------------------------------------------------------------------


def limits(schema: JSON, definitions: Schema) -> list[str]:
    """The limits of a value in words: ``1 to 9``, ``at least 1 character``. Those of a list's items are among them."""
    found: list[str] = []
    for branch in _meant(schema, definitions):
        found += [words for say in _SAY if (words := say(branch))]
        if branch.get("type") == "array":
            inner = [words for item in item_schemas(branch) for words in limits(item, definitions)]
            found += [f"each {words}" for words in inner]
    return list(dict.fromkeys(found))


def _range(branch: Schema) -> str:
    low, high = branch.get("minimum"), branch.get("maximum")
    above, below = branch.get("exclusiveMinimum"), branch.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{_json(low)} to {_json(high)}"
    bounds = (("at least", low), ("greater than", above), ("at most", high), ("less than", below))
    return ", ".join(f"{words} {_json(bound)}" for words, bound in bounds if bound is not None)


def _count(keyword: str, one: str, many: str) -> Callable[[Schema], str]:
    def say(branch: Schema) -> str:
        low, high = branch.get(f"min{keyword}"), branch.get(f"max{keyword}")
        if low is None and high is None:
            return ""
        if low == high:
            return f"exactly {low} {one if low == 1 else many}"
        if high is None:
            return f"at least {low} {one if low == 1 else many}"
        at_most = f"{high} {one if high == 1 else many}"
        return f"{low} to {at_most}" if low else f"at most {at_most}"

    return say


def _pattern(branch: Schema) -> str:
    pattern = branch.get("pattern")
    return f"matches {pattern}" if pattern is not None and pattern not in _OWN_PATTERNS else ""


_SAY: tuple[Callable[[Schema], str], ...] = (
    _range,
    lambda branch: f"a multiple of {_json(branch['multipleOf'])}" if "multipleOf" in branch else "",
    _count("Length", "character", "characters"),
    _count("Items", "item", "items"),
    _count("Properties", "entry", "entries"),
    _pattern,
    lambda branch: "no two alike" if branch.get("uniqueItems") else "",
)


# -- defaults ------------------------------------------------------------------------------------------------------


def default_text(schema: Schema, definitions: Schema) -> str:
    """The default as one would type it; nothing where there is none, where it says nothing, or is secret."""
    default = schema.get("default")
    if default in (None, [], {}) or is_secret(schema, definitions):
        return ""
    if isinstance(default, str) and default and default.strip() == default:
        return default
    return _json(default)


def is_secret(schema: JSON, definitions: Schema) -> bool:
    """Whether a value, or a part of it, must not be shown."""
    return any(part.get("writeOnly") is True for part in _parts(schema, definitions, set()))


def _parts(schema: JSON, definitions: Schema, seen: set[str]) -> Iterator[Schema]:
    """Every schema inside a schema, those it refers to included."""
    for _, part in subschemas(schema) if isinstance(schema, dict) else ():
        yield part
        reference = part.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            yield from _parts(definitions.get(reference.rpartition("/")[2]), definitions, seen)


def _json(value: JSON) -> str:
    return msgspec.json.encode(value).decode()
