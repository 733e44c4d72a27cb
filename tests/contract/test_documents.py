"""Every schema the source documents print comes out as printed, in the dialect of its document.

The ids name the promises (`reference/checklist.md`). What else a promise says is
in test_documents_milo.py, test_documents_openmcp.py and test_documents_omni.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accord import App, Policy, function_to_schema, return_to_schema
from tests.contract.documents import milo, omni, openmcp
from tests.contract.documents.later import LATER

DOCUMENTS = (milo, openmcp, omni)
HERE = Path(__file__).parent
PROMISED = {
    *(f"000-{line}" for line in range(1, 68)),
    *(f"001-{line}" for line in range(121, 199)),
    *(f"003-{line}" for line in range(68, 121)),
    *(f"004-{line}" for line in (*range(248, 284), *range(313, 321))),
}


def rows(table: str) -> list[Any]:
    return [
        pytest.param(document.DIALECT, function, *expected, id=f"{promises} {function.__name__}")
        for document in DOCUMENTS
        for promises, function, *expected in getattr(document, table, ())
    ]


def whole_inputs() -> list[Any]:
    return [
        pytest.param(document.DIALECT, function, printed, id=f"{promises} {function.__name__}")
        for document in (openmcp, omni)
        for promises, function, printed in document.INPUTS
    ]


@pytest.mark.parametrize(("dialect", "function", "printed"), whole_inputs())
def test_a_printed_input_schema_comes_out_exactly(
    dialect: str, function: Callable[..., Any], printed: dict[str, Any]
) -> None:
    schema = function_to_schema(function, dialect=dialect)
    assert schema == printed
    assert list(schema.get("properties", ())) == list(printed.get("properties", ()))


@pytest.mark.parametrize(
    ("function", "properties", "required"), [pytest.param(*row[1:], id=row[0]) for row in milo.INPUTS]
)
def test_the_parameters_of_document_000_come_out_exactly(
    function: Callable[..., Any], properties: dict[str, Any], required: list[str]
) -> None:
    schema = function_to_schema(function, dialect="milo")
    assert schema["properties"] == properties
    assert list(schema["properties"]) == list(properties)
    assert schema.get("required", []) == required
    assert schema["type"] == "object"


@pytest.mark.parametrize(("dialect", "function", "printed"), rows("OUTPUTS"))
def test_a_printed_output_schema_comes_out_exactly(
    dialect: str, function: Callable[..., Any], printed: dict[str, Any] | None
) -> None:
    schema = return_to_schema(function, dialect=dialect)
    if printed is not None and dialect == "milo" and "type" not in printed:
        assert schema is not None
        assert {key: schema[key] for key in printed} == printed
    else:
        assert schema == printed


@pytest.mark.parametrize(("dialect", "function", "printed"), rows("PROPERTIES"))
def test_the_printed_keys_of_a_property_come_out(
    dialect: str, function: Callable[..., Any], printed: dict[str, dict[str, Any]]
) -> None:
    properties = function_to_schema(function, dialect=dialect)["properties"]
    assert {name: {key: properties[name].get(key) for key in keys} for name, keys in printed.items()} == printed
    beside = {key for name, keys in printed.items() for key in properties[name].keys() - keys.keys()}
    assert beside <= {"description", "default", "additionalProperties", "items"}


@pytest.mark.parametrize(("dialect", "function", "names"), rows("REQUIRED"))
def test_the_required_names_come_out_in_order(dialect: str, function: Callable[..., Any], names: list[str]) -> None:
    assert function_to_schema(function, dialect=dialect)["required"] == names


@pytest.mark.parametrize(
    ("dialect", "function"),
    [
        pytest.param(document.DIALECT, row[1], id=f"{document.DIALECT} {row[1].__name__}")
        for document in DOCUMENTS
        for row in document.INPUTS
        if row[1].__name__ not in {"variadic_keywords", "variadic_positional"}
    ],
)
def test_the_registry_publishes_what_the_functions_derive(dialect: str, function: Callable[..., Any]) -> None:
    """000-1. 001-121. There is one producer of input schemas, and the registry uses it."""
    app = App("one", policy=Policy(dialect=dialect))
    app.command(function)
    tool = app.tools[function.__name__]
    assert tool.input_schema == function_to_schema(function, dialect=dialect)
    assert tool.output_schema == return_to_schema(function, dialect=dialect)


def test_every_promise_is_tested_or_listed_for_later() -> None:
    """No promise of the ranges this suite answers for may vanish."""
    texts = [path.read_text(encoding="utf-8") for path in HERE.glob("test_documents*.py")]
    texts += [path.read_text(encoding="utf-8") for path in HERE.glob("documents/*.py") if path.stem != "later"]
    tested = {name for text in texts for name in re.findall(r"\b00\d-\d+\b", text)}
    later = {name for name, _ in LATER}
    assert sorted(PROMISED - tested - later) == []
    assert sorted(later - PROMISED) == []
    assert all(reason for _, reason in LATER)
