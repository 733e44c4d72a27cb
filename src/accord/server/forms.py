"""What a question asks for -> the form MCP can show, and the filled-in form -> what the question reads.

A form is flat: texts, numbers, yes or no, and choices among texts. What it cannot say (a pattern, a format of ours, an
open bound) stands in the description and is enforced when the answer is read; what it cannot hold is an error. Pure.
"""

import math
from typing import Any

import msgspec

from accord._calls import JSON
from accord.errors import ToolError
from accord.protocol.versions import Version

__all__ = ["CANNOT_ASK", "Form", "form_of"]

CANNOT_ASK = "CANNOT_ASK"

Schema = dict[str, JSON]

_CHOICE = frozenset({"const", "title", "type"})
_FORMATS = ("email", "uri", "date", "date-time")
#: what says nothing about the value
_NOTES = frozenset({"title", "description", "default", "examples", "deprecated"})


class Form(msgspec.Struct, frozen=True):
    """``schema`` is the ``requestedSchema``. ``choices`` are the values behind the texts of a choice, by field;
    ``nullable`` are the fields that are null when they are left empty."""

    schema: Schema
    choices: dict[str, dict[str, JSON]]
    nullable: tuple[str, ...]

    def content(self, filled_in: Schema) -> Schema:
        """What was filled in, as the question reads it."""
        content = {name: self._chosen(name, value) for name, value in filled_in.items() if value is not None}
        return {**dict.fromkeys(self.nullable), **content}

    def _chosen(self, name: str, value: JSON) -> JSON:
        meant = self.choices.get(name)
        if meant is None:
            return value
        if isinstance(value, list):
            return [meant.get(each, each) if isinstance(each, str) else each for each in value]
        return meant.get(value, value) if isinstance(value, str) else value


def form_of(schema: Schema, version: Version) -> Form:
    """The form that asks for an object of this schema.

    Raises:
        ToolError: a field cannot be asked for over MCP; its text says which, and what to do.
    """
    required = schema.get("required", ())
    properties: Schema = {}
    choices: dict[str, dict[str, JSON]] = {}
    nullable: list[str] = []
    for name, wanted in schema.get("properties", {}).items():
        field = _Field(name, wanted, version.rich_forms)
        properties[name] = field.shown()
        if field.choices:
            choices[name] = field.choices
        if field.is_nullable and name in required:
            nullable.append(name)
    form: Schema = {"type": "object", "properties": properties}
    demanded = [name for name in required if name not in nullable]
    return Form({**form, "required": demanded} if demanded else form, choices, tuple(nullable))


class _Unshowable(Exception):
    """No form of this version has a field for it: what it is, and what to do instead."""


class _Field:
    """One field on its way into the form."""

    def __init__(self, name: str, schema: Schema, rich: bool) -> None:
        self._name = name
        self._schema = schema
        self._rich = rich
        self.choices: dict[str, JSON] = {}
        self.is_nullable = False

    def shown(self) -> Schema:
        """The field in the form."""
        if _is_secret(self._schema):
            raise self._refusal("it is a secret, and a form never asks for one. Take it from the settings instead")
        notes = {name: value for name, value in self._schema.items() if name in _NOTES}
        problem = "it is nothing that could be filled in. Leave it out"
        for branch in self._branches():
            try:
                return self._annotated(self._kind({**branch, **notes}), {**branch, **notes})
            except _Unshowable as unshowable:
                problem = str(unshowable)
        raise self._refusal(problem)

    def _refusal(self, problem: str) -> ToolError:
        return ToolError(f"{self._name!r} cannot be asked for over MCP: {problem}.", code=CANNOT_ASK)

    def _branches(self) -> list[Schema]:
        """What the value may be, null aside."""
        kind = self._schema.get("type")
        if isinstance(kind, list):
            branches: list[Schema] = [{**self._schema, "type": each} for each in kind]
        else:
            branches = self._schema.get("anyOf") or [self._schema]
        self.is_nullable = any(each.get("type") == "null" for each in branches)
        return [each for each in branches if each.get("type") != "null"]

    def _kind(self, branch: Schema) -> Schema:
        titles = _titles(branch, "oneOf")
        if titles is not None:
            return {"type": "string", **self._titled(titles, "oneOf")}
        if "enum" in branch or "const" in branch:
            if "enumNames" in branch and _are_texts(branch.get("enum")):
                return {"type": "string", "enum": branch["enum"], "enumNames": branch["enumNames"]}
            return {"type": "string", "enum": self._labels(branch.get("enum", [branch.get("const")]))}
        kind = branch.get("type")
        if kind == "array":
            return self._many(branch)
        if kind == "string" or branch.keys() <= _NOTES:
            return _picked(branch, "minLength", "maxLength") | _format(branch) | {"type": "string"}
        if kind in ("integer", "number"):
            return {"type": kind, **_bounds(branch, whole=kind == "integer")}
        if kind == "boolean":
            return {"type": "boolean"}
        raise _Unshowable("it has parts of its own, and a form is flat. Ask for each part by itself")

    def _many(self, branch: Schema) -> Schema:
        items = branch.get("items")
        titles = _titles(items, "anyOf") if isinstance(items, dict) else None
        if not isinstance(items, dict) or not ("enum" in items or titles):
            raise _Unshowable("a form has no lists of values that are not given. Ask for one at a time, or for a text")
        if not self._rich:
            raise _Unshowable("clients of this version know no multiple choice. Ask about one choice at a time")
        shown = {"type": "array", **_picked(branch, "minItems", "maxItems")}
        if titles is not None:
            return {**shown, "items": self._titled(titles, "anyOf")}
        return {**shown, "items": {"type": "string", "enum": self._labels(items["enum"])}}

    def _titled(self, titles: dict[str, str], word: str) -> Schema:
        """A choice among texts that are shown as others."""
        if self._rich:
            return {word: [{"const": value, "title": title} for value, title in titles.items()]}
        return {"enum": list(titles), "enumNames": list(titles.values())}

    def _labels(self, values: list[JSON]) -> list[str]:
        """The texts that stand for these values: texts for themselves, anything else as JSON."""
        self.is_nullable = self.is_nullable or None in values
        values = [value for value in values if value is not None]
        labels = [value if isinstance(value, str) else _json(value) for value in values]
        if len(set(labels)) < len(labels):  # 1 and "1"
            labels = [_json(value) for value in values]
        if labels != values:
            self.choices = dict(zip(labels, values, strict=True))
        return labels

    def _annotated(self, shown: Schema, branch: Schema) -> Schema:
        hints = list(_unsaid(shown, branch))
        default = self._default(shown, branch.get("default"))
        if default is not None and (self._rich or shown["type"] == "boolean"):
            shown["default"] = default
        elif default is not None:
            hints.append(f"default: {default if isinstance(default, str) else _json(default)}")
        said = [text for text in (branch.get("description"), f"({'; '.join(hints)})" if hints else "") if text]
        return {**_picked(branch, "title"), **shown, **({"description": " ".join(said)} if said else {})}

    def _default(self, shown: Schema, value: JSON) -> JSON:
        """The default as a client would fill it in; None where there is none it could."""
        if "enum" not in shown and "items" not in shown:
            return value if type(value) in _PLAIN[shown["type"]] else None
        known = shown.get("enum") or shown["items"].get("enum") or [each["const"] for each in shown["items"]["anyOf"]]
        labels = {_json(self.choices.get(label, label)): label for label in known}
        if "enum" in shown:
            return labels.get(_json(value))
        if not isinstance(value, list):
            return None
        chosen = [labels.get(_json(each)) for each in value]
        return None if None in chosen else chosen


_PLAIN: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def _is_secret(schema: Schema) -> bool:
    """Whether a value, or one of its branches or parts, must not be shown."""
    if schema.get("writeOnly") or schema.get("format") == "password":
        return True
    inner = [*schema.get("anyOf", ()), *schema.get("prefixItems", ()), schema.get("items")]
    inner += schema.get("properties", {}).values()
    return any(isinstance(each, dict) and _is_secret(each) for each in inner)


def _titles(schema: Schema, word: str) -> dict[str, str] | None:
    """The texts to choose from, with how each is shown; None where it is no such choice."""
    choices = schema.get(word)
    if not isinstance(choices, list) or not choices:
        return None
    if not all(isinstance(each, dict) and {"const", "title"} <= each.keys() <= _CHOICE for each in choices):
        return None
    titles = {each["const"]: each["title"] for each in choices if _are_texts([each["const"], each["title"]])}
    return titles if len(titles) == len(choices) else None


def _are_texts(values: JSON) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _picked(schema: Schema, *names: str) -> Schema:
    return {name: schema[name] for name in names if name in schema}


def _format(schema: Schema) -> Schema:
    return _picked(schema, "format") if schema.get("format") in _FORMATS else {}


def _bounds(schema: Schema, *, whole: bool) -> Schema:
    """The bounds a form has words for: an open one of whole numbers is a closed one further in."""
    bounds = _picked(schema, "minimum", "maximum")
    if whole and "exclusiveMinimum" in schema:
        least = math.floor(schema["exclusiveMinimum"]) + 1
        bounds["minimum"] = max(least, bounds.get("minimum", least))
    if whole and "exclusiveMaximum" in schema:
        most = math.ceil(schema["exclusiveMaximum"]) - 1
        bounds["maximum"] = min(most, bounds.get("maximum", most))
    return bounds


def _unsaid(shown: Schema, branch: Schema) -> Any:
    """What the form cannot say and the answer is held against, for the reader."""
    if "format" in branch and "format" not in shown:
        yield f"format: {branch['format']}"
    if "contentEncoding" in branch:
        yield f"in {branch['contentEncoding']}"
    elif "pattern" in branch:
        yield f"pattern: {branch['pattern']}"
    if "multipleOf" in branch:
        yield f"a multiple of {_json(branch['multipleOf'])}"
    if shown["type"] == "number":
        for keyword, word in (("exclusiveMinimum", "more than"), ("exclusiveMaximum", "less than")):
            if keyword in branch:
                yield f"{word} {_json(branch[keyword])}"


def _json(value: JSON) -> str:
    return msgspec.json.encode(value).decode()
