"""Document 000: what it promises beyond the printed schemas (the numbers name the promises)."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest

import accord
import accord.schema
from accord import App, Context, Description, Policy, function_to_schema, return_to_schema
from accord.errors import AccordWarning
from accord.testing import call_tool
from tests.contract.documents import milo


class Handle:
    """A class the schema engine knows nothing of."""

    def __init__(self, number: int) -> None:
        self.number = number


def marked_and_documented(first: Annotated[int, Description("from the marker")], second: int, third: int) -> None:
    """Do something.

    Args:
        first: not this
        second: from the docstring
    """


def undescribed(handle: Handle, name: str) -> None: ...


def test_the_producer_of_input_schemas_is_the_same_object_in_both_modules() -> None:
    """000-1."""
    assert accord.function_to_schema is accord.schema.function_to_schema
    assert accord.return_to_schema is accord.schema.return_to_schema


def test_the_names_the_document_imports_exist() -> None:
    """000-3."""
    assert {"App", "Context", "Description", "MinLen"} <= set(dir(accord))


def test_a_function_is_registered_by_the_decorator_with_name_and_description() -> None:
    """000-4."""
    app = App("deploy")
    given = app.command("deploy", description="Deploy a service")(milo.deploy)
    assert given is milo.deploy
    assert app.tools["deploy"].description == "Deploy a service"


def test_deploy_returns_its_three_keys_and_may_log() -> None:
    """000-10, 000-11, 000-54, 000-64: the context is there, and the dict comes back as structured content."""
    app = App("deploy")
    app.command("deploy", description="Deploy a service")(milo.deploy)
    result = call_tool(app, {"name": "deploy", "arguments": {"environment": "staging", "service": "api"}})
    assert result["isError"] is False
    assert result["structuredContent"] == {"environment": "staging", "service": "api", "version": "latest"}
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_the_context_is_injected_and_cannot_be_given() -> None:
    """000-6, 000-17, 000-60, 000-61, 000-64."""
    app = App("contexts")
    seen: list[Any] = []

    @app.command
    def named(ctx=None) -> int:
        seen.append(ctx)
        return 1

    @app.command
    def annotated(run: Context) -> int:
        seen.append(run)
        return 2

    for name in ("named", "annotated"):
        assert app.tools[name].input_schema["properties"] == {}
        assert call_tool(app, {"name": name, "arguments": {}})["isError"] is False
    assert [isinstance(value, Context) for value in seen] == [True, True]
    refused = call_tool(app, {"name": "named", "arguments": {"ctx": {}}})
    assert refused["errorData"]["reason"] == "unexpected_argument"


def test_the_form_with_an_ordinary_parameter_and_a_context_works_unchanged() -> None:
    """000-65."""
    app = App("site")
    app.command(milo.with_context)
    result = call_tool(app, {"name": "with_context", "arguments": {}})
    assert result["structuredContent"] == {"output": "_site"}


def test_an_unknown_annotation_becomes_a_string_with_a_warning() -> None:
    """000-36."""
    with pytest.warns(AccordWarning, match="handle"):
        schema = function_to_schema(undescribed, dialect="milo")
    assert schema["properties"]["handle"] == {"type": "string"}


def test_an_unknown_annotation_raises_in_strict_mode_naming_the_parameter() -> None:
    """000-37, 000-58, 000-59."""
    with pytest.raises(TypeError, match="handle"):
        function_to_schema(undescribed, strict=True)
    assert function_to_schema(milo.status, strict=True) == function_to_schema(milo.status)


def test_the_marker_wins_over_the_docstring_and_the_docstring_over_nothing() -> None:
    """000-48."""
    properties = function_to_schema(marked_and_documented)["properties"]
    assert properties["first"]["description"] == "from the marker"
    assert properties["second"]["description"] == "from the docstring"
    assert "description" not in properties["third"]


@pytest.mark.parametrize(
    ("promise", "value", "annotation"),
    [
        ("000-54", {"a": 1}, dict[str, int]),
        ("000-55", [1, 2], list[int]),
        ("000-56", 7, int),
        ("000-56", 2.5, float),
        ("000-57", True, bool),
    ],
)
def test_a_structured_return_appears_as_structured_content(promise: str, value: Any, annotation: Any) -> None:
    app = App("results")

    def tool() -> Any:
        return value

    tool.__annotations__ = {"return": annotation}
    app.command(tool)
    result = call_tool(app, {"name": "tool", "arguments": {}})
    assert result["structuredContent"] == value
    assert type(result["structuredContent"]) is type(value)


def test_a_command_without_a_return_annotation_has_no_output_schema() -> None:
    """000-51, 000-52."""
    app = App("outputs", policy=Policy(dialect="milo"))
    app.command(milo.returns_none)
    app.command(milo.unannotated)
    assert app.tools["returns_none"].output_schema is None
    assert app.tools["unannotated"].output_schema is None
    assert return_to_schema(milo.returns_none) is None
