"""The oracle: the `jsonschema` package over the published schema, with the differences listed here and no
others.

Each override is a place where DESIGN is more exact than the package. They are functions with the package's
own signature; OVERRIDES says why each exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
from jsonschema import FormatChecker, ValidationError
from jsonschema.validators import extend

from accord.schema.formats import FORMATS
from tests.fuzz.meaning import is_integer, is_number, json_key
from tests.fuzz.patterns import matches
from tests.fuzz.plain_types import exactly_divides

Errors = Iterator[ValidationError]


def ecma_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Errors:
    if validator.is_type(instance, "string") and not matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def exact_multiple_of(validator: Any, step: Any, instance: Any, schema: Any) -> Errors:
    if is_number(instance) and not exactly_divides(step, instance):
        yield ValidationError(f"{instance!r} is not a multiple of {step!r}")


def exact_enum(validator: Any, constants: Any, instance: Any, schema: Any) -> Errors:
    if json_key(instance) not in {json_key(constant) for constant in constants}:
        yield ValidationError(f"{instance!r} is not one of {constants!r}")


def exact_const(validator: Any, constant: Any, instance: Any, schema: Any) -> Errors:
    yield from exact_enum(validator, [constant], instance, schema)


def exact_unique(validator: Any, unique: bool, instance: Any, schema: Any) -> Errors:
    if unique and validator.is_type(instance, "array") and len(set(map(json_key, instance))) < len(instance):
        yield ValidationError(f"{instance!r} has equal items")


def integer(checker: Any, instance: Any) -> bool:
    return is_integer(instance)


OVERRIDES = {
    "format": "our own table (R1): the package's checkers differ with what is installed beside it",
    "pattern": "ECMA-262: the package searches with Python's `re`, whose `$` `.` `\\d` `\\w` `\\s` differ",
    "multipleOf": "exact decimal: the package divides floats, and finds that 0.1 does not divide 0.3",
    "enum": "true is not 1 and 1.0 is 1 at every depth: the package compares nested values with `==`",
    "const": "as `enum`",
    "uniqueItems": "as `enum`; the package also sorts, and falls back on quadratic comparison",
    "integer": "a float without a fraction is an integer, 1e300 too (as the package finds too)",
}

ExactValidator = extend(
    jsonschema.Draft202012Validator,
    {
        "pattern": ecma_pattern,
        "multipleOf": exact_multiple_of,
        "enum": exact_enum,
        "const": exact_const,
        "uniqueItems": exact_unique,
    },
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", integer),
)


def format_checker() -> FormatChecker:
    """A checker that knows our formats alone. Built per use: a planted bug replaces rows of the table."""
    checker = FormatChecker(formats=())
    checker.checkers = {
        name: (lambda text, check=check: not isinstance(text, str) or bool(check(text)), ())
        for name, check in FORMATS.items()
    }
    return checker


def oracle(schema: dict[str, Any]) -> Any:
    """A validator of `schema` after the package; its metaschema is checked first."""
    ExactValidator.check_schema(schema)
    return ExactValidator(schema, format_checker=format_checker())
