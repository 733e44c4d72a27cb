"""From annotations to JSON Schema: annotation -> small typed tree -> canonical schema -> dialect.

``function_to_schema`` and ``return_to_schema`` are the single source of truth for what a tool takes
and returns; ``type_to_schema`` does the same for one annotation. Loaded on first use, because
importing Accord must not cost what only registering a tool needs.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from accord.schema.formats import FORMATS
    from accord.schema.infer import function_to_schema, return_to_schema, type_to_schema

__all__ = ["FORMATS", "function_to_schema", "return_to_schema", "type_to_schema"]

_HOMES = {
    "FORMATS": "accord.schema.formats",
    "function_to_schema": "accord.schema.infer",
    "return_to_schema": "accord.schema.infer",
    "type_to_schema": "accord.schema.infer",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only a first access needs it

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
