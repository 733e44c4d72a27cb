"""`Header`: the arguments that HTTP clients repeat in headers, what is published of them, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from mcp.shared.inbound import find_invalid_x_mcp_header, x_mcp_header_map
from pydantic import SecretStr

from accord import App, Header, MinLen, Policy, function_to_schema, return_to_schema
from accord._glance import glance
from accord._tool import Tool
from accord.errors import RegistrationError
from accord.protocol.headers import Headers, Mirrored, agree_on_arguments
from accord.schema.dialects import DIALECTS
from accord.testing import Client
from tests.protocol._checklist import covers
from tests.unit._functions import EMPTY, made, nothing


class Colour(Enum):
    RED = "red"


@dataclass
class Place:
    city: Annotated[str, Header("City")]
    zone: int = 0


@dataclass
class Trip:
    start: Place
    tenant_id: Annotated[int, Header()] = 0


@dataclass
class Node:
    name: Annotated[str, Header("Name")]
    children: list[Node] = field(default_factory=list)


@dataclass
class Login:
    user: str
    password: Annotated[SecretStr, Header("Password")]


def routed(
    region: Annotated[str, MinLen(1), Header("Region")],
    max_count: Annotated[int, Header()] = 3,
    dry: Annotated[bool, Header] = False,
    colour: Annotated[Colour, Header()] = Colour.RED,
    size: Annotated[Literal["s", "m"], Header("X-Size")] = "s",
    rest: str = "",
) -> str:
    return f"{region} {max_count} {dry} {colour.value} {size} {rest}"


def travelling(trip: Trip) -> Trip:
    return trip


def tool(function: Callable[..., Any], policy: Policy | None = None, **options: Any) -> Tool:
    app = App("tests", policy=policy or Policy())
    app.command("tool", **options)(function)
    return app.tools["tool"]


def named(schema: Any) -> dict[str, str]:
    return {name: inner["x-mcp-header"] for name, inner in schema["properties"].items() if "x-mcp-header" in inner}


ROUTED = {"region": "Region", "max_count": "Max-Count", "dry": "Dry", "colour": "Colour", "size": "X-Size"}


@covers(38)
@pytest.mark.parametrize("protocol", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_a_header_is_published_in_every_version(protocol: str) -> None:
    app = App("tests")
    app.command(routed)
    (entry,) = Client(app, protocol=protocol).list_tools()
    assert named(entry["inputSchema"]) == ROUTED
    assert named(function_to_schema(routed)) == ROUTED


def test_a_server_is_told_what_to_compare() -> None:
    assert tool(routed).mirrored == tuple(Mirrored(header, (name,)) for name, header in ROUTED.items())
    assert tool(travelling).mirrored == (
        Mirrored("City", ("trip", "start", "city")),
        Mirrored("Tenant-Id", ("trip", "tenant_id")),
    )
    agree_on_arguments(
        Headers(params={"city": "Ulm", "tenant-id": "7"}),
        tool(travelling).mirrored,
        {"trip": {"start": {"city": "Ulm"}, "tenant_id": 7}},
    )


def test_most_tools_have_nothing_to_compare_and_are_not_compiled_to_say_so() -> None:
    plain_tool = tool(made([(str, EMPTY, False)], str))
    assert plain_tool.mirrored == ()
    assert "compiled" not in vars(plain_tool)


def test_a_tool_that_cannot_be_compiled_yet_can_be_later() -> None:
    space: dict[str, Any] = {"Annotated": Annotated, "Header": Header, "__name__": "somewhere"}
    exec("from __future__ import annotations\ndef late(a: Annotated[Later, Header('A')]): ...", space)
    late = tool(space["late"])
    assert late.mirrored == ()
    space["Later"] = str
    assert late.mirrored == (Mirrored("A", ("a",)),)


def test_a_header_is_no_matter_of_one_glance() -> None:
    assert glance(made([(Annotated[str, MinLen(1)], EMPTY, False)], EMPTY), nothing) is not None
    assert glance(made([(Annotated[str, Header("Region")], EMPTY, False)], EMPTY), nothing) is None
    assert glance(made([(Annotated[str, Header], EMPTY, False)], EMPTY), nothing) is None


def test_python_and_the_command_line_know_nothing_of_headers() -> None:
    app = App("tests")
    app.command(routed)
    assert app.call("routed", region="eu", max_count=2) == "eu 2 False red s "
    assert app.invoke(["routed", "--region", "eu", "--dry"]).result == "eu 3 True red s "
    assert app.invoke(["routed", "--help"]).exit_code == 0
    assert "mcp-header" not in app.invoke(["routed", "--help"]).output


def test_results_have_no_headers() -> None:
    assert "x-mcp-header" not in json.dumps(return_to_schema(travelling))

    def texts() -> list[Annotated[str, Header("A")]]:
        return []

    assert return_to_schema(texts) == {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_keeps_headers(dialect: Any) -> None:
    written = tool(routed, Policy(dialect=dialect))
    assert named(written.input_schema) == ROUTED
    assert [each.header for each in written.mirrored] == list(ROUTED.values())


def test_what_is_compared_is_what_was_published() -> None:
    def anything(region: Annotated[str, Header("Region")], **more: Any) -> str:
        return region

    assert len(tool(anything).mirrored) == 1
    # This dialect gives up on **kwargs, and publishes no property.
    assert tool(anything, Policy(dialect="openmcp")).mirrored == ()


def test_lifted_fields_are_compared_where_they_are_lifted_to() -> None:
    assert tool(travelling, flatten=True).mirrored == (
        Mirrored("City", ("start", "city")),
        Mirrored("Tenant-Id", ("tenant_id",)),
    )


def test_a_field_under_another_name_is_compared_under_that_name() -> None:
    class Renamed(msgspec.Struct, rename="camel"):
        tenant_id: Annotated[str, Header()]

    def renamed(order: Renamed) -> str:
        return order.tenant_id

    renamed.__annotations__["order"] = Renamed
    assert tool(renamed).mirrored == (Mirrored("TenantId", ("order", "tenantId")),)


def of(annotation: Any) -> Callable[..., Any]:
    def function(a: Any, b: Any = None) -> None: ...

    function.__annotations__.update(a=annotation, b=Annotated[str, Header("Taken")])
    return function


REFUSED: dict[str, tuple[Any, str]] = {
    "empty": (Annotated[str, Header("")], "'' cannot be the name of a header"),
    "a space": (Annotated[str, Header("My Region")], "cannot be the name"),
    "a colon": (Annotated[str, Header("Region:")], "cannot be the name"),
    "a line": (Annotated[str, Header("Region\r\nX: y")], "cannot be the name"),
    "not ASCII": (Annotated[str, Header("Région")], "cannot be the name"),
    "no text": (Annotated[str, Header(5)], "5 cannot be the name"),  # type: ignore[arg-type]  # that is the point
    "a number": (Annotated[float, Header("A")], "a header cannot hold a value of type number"),
    "a list": (Annotated[list[str], Header("A")], "of type array"),
    "an object": (Annotated[Place, Header("A")], "of type object"),
    "anything": (Annotated[Any, Header("A")], "of more than one type"),
    "a decimal": (Annotated[Decimal, Header("A")], "of more than one type"),
    "a nullable": (Annotated[str | None, Header("A")], r"more than one type.*Instead of T \| None, give it a default"),
    "in a nullable": (Annotated[str, Header("A")] | None, "at /properties/a/anyOf/0, and clients find it below plain"),
    "in a union": (Place | int, "at /properties/a/anyOf/0/properties/city"),
    "in a list": (list[Place], "at /properties/a/items/properties/city"),
    "a bare one in a list": (list[Annotated[str, Header()]], "at /properties/a/items"),
    "in a dict": (dict[str, Place], "at /properties/a/additionalProperties"),
    "a key": (dict[Annotated[str, Header("A")], int], "at /properties/a/propertyNames"),
    "in a tuple": (tuple[Place, int], "at /properties/a/prefixItems/0"),
    "in a recursive type": (Node, r"at /\$defs/Node/properties/name"),
    "a secret": (Annotated[SecretStr, Header("A")], "it is a secret"),
    "a secret field": (Login, "parameter 'a': it is a secret"),
    "twice": (Annotated[str, Header("taken")], "'a' is in the header 'Taken' too"),
}


@covers(38)
@pytest.mark.parametrize(("annotation", "message"), REFUSED.values(), ids=REFUSED)
def test_a_header_that_no_client_would_send_is_refused(annotation: Any, message: str) -> None:
    with pytest.raises(RegistrationError, match=message):
        tool(of(annotation))
    with pytest.raises(TypeError, match=message):
        function_to_schema(of(annotation))


def test_a_name_that_gives_no_header_needs_one_of_its_own() -> None:
    def abroad(größe: Annotated[int, Header()]) -> None: ...  # noqa: PLC2401 - that is the point

    with pytest.raises(RegistrationError, match=r"parameter 'größe': 'Größe' cannot be.*Header\('Region'\)"):
        tool(abroad)
    abroad.__annotations__["größe"] = Annotated[int, Header("Size")]
    assert tool(abroad).mirrored == (Mirrored("Size", ("größe",)),)


HEADER = {"type": "string", "x-mcp-header": "Region"}
OBJECT = {"type": "object"}
EXPLICIT: dict[str, tuple[dict[str, Any], bool]] = {
    "a parameter": ({"properties": {"region": HEADER}}, True),
    "deep below": ({"properties": {"a": {"properties": {"properties": {"properties": {"b": HEADER}}}}}}, True),
    "a property of that name": ({"properties": {"x-mcp-header": {"type": "array"}}}, True),
    "in a value": ({"properties": {"a": {"default": HEADER, "const": HEADER, "examples": [HEADER]}}}, True),
    "an integer": ({"properties": {"a": {"type": "integer", "x-mcp-header": "A"}}}, True),
    "every sign of a token": ({"properties": {"a": {"type": "string", "x-mcp-header": "!#$%&'*+-.^_`|~0aZ"}}}, True),
    "two of them": ({"properties": {"a": HEADER, "b": {**HEADER, "x-mcp-header": "B"}}}, True),
    "the root": ({"x-mcp-header": "A"}, False),
    "null": ({"properties": {"a": {"type": "string", "x-mcp-header": None}}}, False),
    "a list of types": ({"properties": {"a": {"type": ["string", "null"], "x-mcp-header": "A"}}}, False),
    "no type": ({"properties": {"a": {"enum": ["x"], "x-mcp-header": "A"}}}, False),
    "a null": ({"properties": {"a": {"type": "null", "x-mcp-header": "A"}}}, False),
    "a reference": ({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": HEADER}}, False),
    "beside a reference": (
        {"properties": {"a": {"$ref": "#/$defs/a", "x-mcp-header": "A"}}, "$defs": {"a": {}}},
        False,
    ),
    "a condition": ({"if": {"properties": {"a": HEADER}}}, False),
    "a dependent": ({"dependentSchemas": {"a": {"properties": {"a": HEADER}}}}, False),
    "a pattern": ({"patternProperties": {"a": HEADER}}, False),
    "all of": ({"allOf": [{"properties": {"a": HEADER}}]}, False),
    "not": ({"not": {"properties": {"a": HEADER}}}, False),
    "twice": ({"properties": {"a": HEADER, "b": {"properties": {"c": {**HEADER, "x-mcp-header": "rEGION"}}}}}, False),
}


@covers(38)
@pytest.mark.parametrize(("explicit", "allowed"), EXPLICIT.values(), ids=EXPLICIT)
def test_the_rules_hold_for_explicit_schemas_as_the_official_client_reads_them(
    explicit: dict[str, Any], allowed: bool
) -> None:
    def anything(**more: Any) -> None: ...

    schema = {**OBJECT, **explicit}
    assert (find_invalid_x_mcp_header(schema) is None) is allowed, "the official SDK says otherwise"
    if not allowed:
        with pytest.raises(RegistrationError):
            tool(anything, input_schema=schema)
        return
    found = tool(anything, input_schema=schema)
    assert found.input_schema == schema
    assert {each.path: each.header for each in found.mirrored} == x_mcp_header_map(schema)


def test_a_secret_of_an_explicit_schema_is_one_with_everything_in_it() -> None:
    def anything(**more: Any) -> None: ...

    schema = {**OBJECT, "properties": {"login": {**OBJECT, "writeOnly": True, "properties": {"region": HEADER}}}}
    with pytest.raises(RegistrationError, match=r"parameter 'login': it is a secret.*Take its Header away"):
        tool(anything, input_schema=schema)


def test_prompts_have_no_headers_and_take_the_annotation() -> None:
    app = App("tests")

    @app.prompt
    def ask(region: Annotated[str, Header("Region")]) -> str:
        return region

    (entry,) = Client(app).list_prompts()
    assert entry["arguments"] == [{"name": "region", "required": True}]
