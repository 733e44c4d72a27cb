"""The compiled engine: jsonschema-rs with our formats, our ``multipleOf`` and exact bounds, offline.

Loaded when the first gate asks for it, because it costs more than everything else a short program does here.
"""

from typing import Any

import jsonschema_rs

from accord._calls import JSON
from accord.gate.bounds import exact_bounds
from accord.gate.equality import exact_equality
from accord.gate.multiples import MultipleOf
from accord.schema.formats import FORMATS, SAME_IN_ENGINE
from accord.schema.patterns import engine_pointer, with_engine_patterns
from accord.schema.walk import map_subschemas, subschemas

__all__ = ["compile_schema", "part_of", "schema_problem", "whole_of"]

Schema = dict[str, JSON]

_ROOT = "urn:accord:schema"
#: known to the engine: naming it fetches nothing
_METASCHEMA = "https://json-schema.org/draft/2020-12/schema"


def schema_problem(schema: Schema) -> str | None:
    """What is wrong with a schema somebody wrote by hand, or None."""
    try:
        jsonschema_rs.Draft202012Validator({"$ref": _METASCHEMA}, offline=True).validate(schema)
        compile_schema(schema)
    except ValueError as error:
        place = "".join(f"/{step}" for step in getattr(error, "instance_path", []))
        reason = getattr(error, "message", None) or str(error)
        return f"{reason[:300]} (at {place or 'its root'})"
    return None


def compile_schema(schema: Schema, *, root: Schema | None = None, **options: Any) -> Any:
    """The engine's validator of a schema; ``root`` is the whole that a part refers to.

    Raises:
        ValueError: this is no schema.
    """
    parts = [part for _, part in subschemas(root or schema)]
    return jsonschema_rs.Draft202012Validator(
        _engine_form(schema),
        formats={name: check for name, check in FORMATS.items() if name not in SAME_IN_ENGINE},
        validate_formats=True,
        offline=True,
        keywords={"multipleOf": MultipleOf, **exact_bounds(parts), **exact_equality(parts)},
        **options,
    )


def _engine_form(schema: Schema) -> Schema:
    """The schema as the engine has to be given it: it reads patterns its own way, and knows formats that we do not."""
    return _with_our_formats(with_engine_patterns(schema))


def _with_our_formats(schema: Schema) -> Schema:
    """Without the formats that are not in our table, which only say what a text is for."""
    ours = map_subschemas(schema, _with_our_formats)
    if ours.get("format", "date") not in FORMATS:
        del ours["format"]
    return ours


def whole_of(schema: Schema) -> Any:
    """What the parts of a schema are looked up in."""
    return jsonschema_rs.Registry([(_ROOT, _engine_form(schema))], draft=jsonschema_rs.Draft202012)


def part_of(schema: Schema, whole: Any, pointer: str, *, each: bool = False) -> Any:
    """The validator of the subschema at a JSON Pointer, or of lists of what it takes."""
    from urllib.parse import quote  # noqa: PLC0415 - only failures are explained

    # A reference into the whole, so that the part's own references keep their meaning.
    part: Schema = {"$ref": f"{_ROOT}#{quote(engine_pointer(pointer), safe='/~')}"}
    return compile_schema({"items": part} if each else part, root=schema, registry=whole)
