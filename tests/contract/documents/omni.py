"""Document 004: what it prints of its schemas, in dialect `omni`."""

from __future__ import annotations

from typing import Literal

from tests.contract.documents import takes

DIALECT = "omni"


def read(path: str, encoding: Literal["utf-8", "gbk", "ascii"] = "utf-8") -> str:
    """Give back what a file holds.

    Args:
        path: File path
    """
    return ""


def search_code(
    query: str,
    file_pattern: str = "*.py",
    case_sensitive: bool = False,
    max_results: int = 100,
    encoding: Literal["utf-8", "gbk"] = "utf-8",
    exclude_patterns: list[str] | None = None,
) -> str:
    """Find lines in a tree.

    Args:
        query: Search query string
        file_pattern: File match pattern
        case_sensitive: Whether to be case-sensitive
        max_results: Maximum number of results
        encoding: File encoding
        exclude_patterns: List of exclude patterns
    """
    return ""


def run_command(cmd: str, ensure_structured: bool | None = None) -> str:
    """Run one line.

    Args:
        cmd: Nushell command to execute
        ensure_structured: Force JSON output for observation commands
    """
    return ""


def example(
    required_param: str,
    optional_param: str = "default",
    optional_list: list[str] | None = None,
) -> str:
    return ""


def hints(
    name: str,
    count: int,
    price: float,
    enabled: bool,
    tags: list[str],
    metadata: dict[str, str],
    status: Literal["pending", "done"],
    optional: str | None = None,
) -> str:
    return ""


def variadic(name: str, *args: str, **kwargs: str) -> str:
    return ""


# (promises, function, whole input schema)
INPUTS = [
    (
        "004-267",
        read,
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "File path"},
                "encoding": {"type": "string", "enum": ["utf-8", "gbk", "ascii"], "default": "utf-8"},
            },
            "required": ["path"],
        },
    ),
    (
        "004-267",
        run_command,
        {
            "type": "object",
            "properties": {
                "cmd": {"type": "string", "description": "Nushell command to execute"},
                "ensure_structured": {
                    "type": "boolean",
                    "description": "Force JSON output for observation commands",
                },
            },
            "required": ["cmd"],
        },
    ),
    (
        "004-314",
        example,
        {
            "type": "object",
            "properties": {
                "required_param": {"type": "string"},
                "optional_param": {"type": "string", "default": "default"},
                "optional_list": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["required_param"],
        },
    ),
    (
        "004-318",
        variadic,
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    ),
]

OUTPUTS: list[tuple[object, ...]] = []

# (promises, function, printed keys of each property)
PROPERTIES = [
    (
        "004-278 004-279 004-280 004-281 004-283",
        search_code,
        {
            "query": {"type": "string", "description": "Search query string"},
            "file_pattern": {"type": "string", "description": "File match pattern", "default": "*.py"},
            "case_sensitive": {
                "type": "boolean",
                "description": "Whether to be case-sensitive",
                "default": False,
            },
            "max_results": {
                "type": "integer",
                "description": "Maximum number of results",
                "default": 100,
            },
            "encoding": {"type": "string", "enum": ["utf-8", "gbk"], "description": "File encoding"},
            "exclude_patterns": {
                "type": "array",
                "items": {"type": "string"},
                "description": "List of exclude patterns",
            },
        },
    ),
    (
        "004-268 004-269 004-270 004-271 004-274 004-275 004-276",
        hints,
        {
            "name": {"type": "string"},
            "count": {"type": "integer"},
            "price": {"type": "number"},
            "enabled": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "metadata": {"type": "object"},
            "status": {"type": "string", "enum": ["pending", "done"]},
        },
    ),
    ("004-272", takes(list), {"x": {"type": "array"}}),
    ("004-273", takes(dict), {"x": {"type": "object"}}),
]

# (promises, function, names of the required parameters)
REQUIRED = [
    ("004-282", search_code, ["query"]),
    ("004-277", hints, ["name", "count", "price", "enabled", "tags", "metadata", "status"]),
]
