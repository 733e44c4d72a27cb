"""Document 000: what it prints of its schemas, in dialect `milo`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Literal, TypedDict

from accord import Context, Description, Ge, Gt, Le, Lt, MaxLen, MinLen, Pattern
from tests.contract.documents import returns, takes

DIALECT = "milo"


class Color(Enum):
    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass
class Point:
    x: int
    label: str


class Options(TypedDict):
    path: str
    depth: int


def deploy(
    environment: Annotated[str, MinLen(1), Description("Target environment")],
    service: Annotated[str, MinLen(1)],
    version: str = "latest",
    ctx: Context = None,
) -> dict[str, str]:
    """Put a service live.

    Args:
        service: Which service.
        version: Which image.
    """
    ctx.log(f"{service} goes live", level=1)
    return {"environment": environment, "service": service, "version": version}


def required(name: str) -> None: ...


def defaulted(name: str = "World") -> None: ...


def nullable(name: str | None) -> None: ...


def nullable_defaulted(name: str | None = None) -> None: ...


def unencodable_default(name: str = "World", hook: object = object()) -> None: ...


def with_context(output: str = "_site", ctx: Context = None) -> dict[str, str]:
    return {"output": output}


def renamed_context(output: str, run: Context) -> None: ...


def named_context(output: str, ctx=None) -> None: ...


def status(service: str) -> dict[str, str]:
    return {"service": service, "state": "ok"}


def unannotated(service: str):
    return service


def returns_none(service: str) -> None: ...


# (promises, function, properties, names of the required parameters)
INPUTS = [
    (
        "000-1 000-2 000-5 000-6 000-7 000-8 000-9",
        deploy,
        {
            "environment": {"type": "string", "minLength": 1, "description": "Target environment"},
            "service": {"type": "string", "minLength": 1, "description": "Which service."},
            "version": {"type": "string", "description": "Which image.", "default": "latest"},
        },
        ["environment", "service"],
    ),
    ("000-12", required, {"name": {"type": "string"}}, ["name"]),
    ("000-13", defaulted, {"name": {"type": "string", "default": "World"}}, []),
    ("000-14", nullable, {"name": {"type": "string"}}, ["name"]),
    ("000-15", nullable_defaulted, {"name": {"type": "string", "default": None}}, []),
    ("000-18", unencodable_default, {"name": {"type": "string", "default": "World"}, "hook": {}}, []),
    ("000-17 000-65", with_context, {"output": {"type": "string", "default": "_site"}}, []),
    ("000-61", renamed_context, {"output": {"type": "string"}}, ["output"]),
    ("000-60", named_context, {"output": {"type": "string"}}, ["output"]),
]

# (promises, function, output schema)
OUTPUTS = [
    ("000-50 000-53", status, {"type": "object", "additionalProperties": {"type": "string"}}),
    ("000-51", unannotated, None),
    ("000-52", returns_none, None),
    ("000-50", returns(Point), {"properties": {"x": {"type": "integer"}, "label": {"type": "string"}}}),
]

# (promises, function, printed keys of each property)
PROPERTIES = [
    ("000-19", takes(str), {"x": {"type": "string"}}),
    ("000-20", takes(int), {"x": {"type": "integer"}}),
    ("000-21", takes(float), {"x": {"type": "number"}}),
    ("000-22", takes(bool), {"x": {"type": "boolean"}}),
    ("000-23", takes(list[int]), {"x": {"type": "array", "items": {"type": "integer"}}}),
    ("000-24", takes(tuple[str, ...]), {"x": {"type": "array", "items": {"type": "string"}}}),
    ("000-25", takes(set[str]), {"x": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}}),
    (
        "000-26",
        takes(frozenset[int]),
        {"x": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}},
    ),
    ("000-27", takes(dict), {"x": {"type": "object"}}),
    ("000-28", takes(dict[str, int]), {"x": {"type": "object", "additionalProperties": {"type": "integer"}}}),
    ("000-29", takes(Color), {"x": {"type": "string", "enum": ["red", "green"]}}),
    ("000-30", takes(Level), {"x": {"type": "integer", "enum": [1, 3]}}),
    ("000-31", takes(Literal["b", "a"]), {"x": {"type": "string", "enum": ["b", "a"]}}),
    ("000-31", takes(Literal[2, 1]), {"x": {"type": "integer", "enum": [2, 1]}}),
    ("000-32", takes(Literal[1, "a"]), {"x": {"enum": [1, "a"]}}),
    ("000-33", takes(int | str), {"x": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}),
    (
        "000-34",
        takes(Point),
        {
            "x": {
                "type": "object",
                "properties": {"x": {"type": "integer"}, "label": {"type": "string"}},
                "required": ["x", "label"],
            }
        },
    ),
    (
        "000-35",
        takes(Options),
        {
            "x": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "depth": {"type": "integer"}},
                "required": ["path", "depth"],
            }
        },
    ),
    ("000-38", takes(Annotated[str, MinLen(2)]), {"x": {"type": "string", "minLength": 2}}),
    ("000-39", takes(Annotated[list[int], MinLen(2)]), {"x": {"type": "array", "minItems": 2}}),
    ("000-40", takes(Annotated[str, MaxLen(9)]), {"x": {"type": "string", "maxLength": 9}}),
    ("000-41", takes(Annotated[list[int], MaxLen(9)]), {"x": {"type": "array", "maxItems": 9}}),
    ("000-42", takes(Annotated[int, Gt(0)]), {"x": {"type": "integer", "exclusiveMinimum": 0}}),
    ("000-43", takes(Annotated[float, Lt(0.5)]), {"x": {"type": "number", "exclusiveMaximum": 0.5}}),
    ("000-44", takes(Annotated[int, Ge(1)]), {"x": {"type": "integer", "minimum": 1}}),
    ("000-45", takes(Annotated[int, Le(7)]), {"x": {"type": "integer", "maximum": 7}}),
    (
        "000-46",
        takes(Annotated[str, Pattern("^v[0-9]+$")]),
        {"x": {"type": "string", "pattern": "^v[0-9]+$"}},
    ),
    (
        "000-47",
        takes(Annotated[int, Description("How many")]),
        {"x": {"type": "integer", "description": "How many"}},
    ),
]
