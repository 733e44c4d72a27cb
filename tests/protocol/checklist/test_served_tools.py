"""Checklist, tools: what the real server lists and what calls come to, at every version."""

from __future__ import annotations

import base64
import json
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from accord import App, Policy
from accord._calls import Ok
from accord.errors import RegistrationError, ToolError
from tests.protocol._checklist import covers
from tests.protocol._served import GIVEN, Served, everything
from tests.protocol._wire import EVERY, HANDSHAKES, STATELESS

#: the calls of which every one succeeds: tool, arguments
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("nothing", {}),
    ("add", {"a": 1}),
    ("named", {"keys": ["a", "bc"]}),
    ("place", {"place": {"city": "Ulm", "inner": {"city": "Bonn"}}}),
    ("maybe", {}),
    ("maybe", {"text": "\u2028 é\n"}),
    ("anything", {"value": [None, {"a": 1.5}]}),
    ("anything", {}),
    ("either", {"number": 0}),
    ("either", {"number": 1}),
    ("later", {"text": "x"}),
    ("steps", {"number": 2}),
    ("tells", {}),
    ("blocks", {}),
    ("whole", {}),
    ("given", {"unit": "m", "size": 1}),
    ("site.build", {}),
]


def listed(pipe: Served) -> dict[str, dict[str, Any]]:
    return {tool["name"]: tool for tool in pipe.result("tools/list")["tools"]}


@covers(40)
@pytest.mark.parametrize("policy", [Policy(), Policy.governed(), Policy(dialect="openmcp", names="underscore")])
@pytest.mark.parametrize("version", EVERY)
def test_the_list_is_valid_at_every_version(version: str, policy: Policy) -> None:
    tools = listed(Served(everything(policy), version))  # judged as it was read
    assert len(tools) == len(everything().tools)
    for tool in tools.values():
        for schema in ("inputSchema", "outputSchema"):
            Draft202012Validator.check_schema(tool.get(schema, {}))


@covers(41)
@pytest.mark.parametrize("version", EVERY)
def test_every_input_schema_is_one_of_an_object(version: str) -> None:
    tools = listed(Served(everything(), version))
    assert {tool["inputSchema"]["type"] for tool in tools.values()} == {"object"}
    assert tools["nothing"]["inputSchema"] == {"type": "object", "properties": {}, "additionalProperties": False}


@covers(42, 51)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_result_keeps_the_schema_that_was_listed(name: str, arguments: dict[str, Any], version: str) -> None:
    pipe = Served(everything(), version)
    schema, result = listed(pipe)[name].get("outputSchema"), pipe.call(name, **arguments)
    assert not result["isError"]
    if version in HANDSHAKES:
        assert (schema or {"type": "object"})["type"] == "object"
        assert isinstance(result.get("structuredContent", {}), dict)
    if schema is None:
        return
    structured = result["structuredContent"]
    Draft202012Validator(schema).validate(structured)
    plain = structured["result"] if "x-accord-box" in schema else structured
    (block,) = result["content"]
    assert block["text"] == ("" if plain is None else plain) if isinstance(plain, str | None) else True
    assert isinstance(plain, str | None) or json.loads(block["text"]) == plain


@covers(42)
def test_a_value_that_is_no_object_is_bare_since_the_stateless_era_and_boxed_before() -> None:
    for version in EVERY:
        pipe = Served(everything(), version)
        schema, result = listed(pipe)["add"]["outputSchema"], pipe.call("add", a=1)
        if version == STATELESS:
            assert (schema, result["structuredContent"]) == ({"type": "integer"}, 1)
        else:
            assert (schema["properties"], result["structuredContent"]) == (
                {"result": {"type": "integer"}},
                {"result": 1},
            )


@covers(43)
@pytest.mark.parametrize("version", EVERY)
def test_a_schema_that_was_given_is_listed_as_it_is_and_enforced(version: str) -> None:
    pipe = Served(everything(), version)
    assert listed(pipe)["given"]["inputSchema"] == GIVEN
    assert pipe.call("given", unit="m", size=1)["structuredContent"] == {"unit": "m", "size": 1}
    for wrong in ({"unit": "m"}, {"size": 1}, {"unit": "m", "size": 0}, {"x": 3}, {"y": 1}):
        assert pipe.call("given", **wrong)["isError"]


@covers(48)
@pytest.mark.parametrize("version", EVERY)
def test_arguments_against_the_schema_are_a_result_that_says_where_and_why(version: str) -> None:
    pipe = Served(everything(), version)
    result = pipe.call("place", place={"city": "", "town": 1})
    assert result["isError"]
    assert "structuredContent" not in result
    text = result["content"][0]["text"]
    assert "place/city: must have at least 1" in text
    assert "place/town: is not an argument" in text
    violations = result["_meta"]["accord/errorData"]["violations"]
    assert [violation["path"] for violation in violations] == ["/place/town", "/place/city"]
    assert all(violation["reason"] and violation["message"] for violation in violations)


@covers(49)
@pytest.mark.parametrize("version", EVERY)
def test_an_exception_is_a_result_without_traceback_or_path(version: str) -> None:
    pipe = Served(everything(), version)
    for name, said in (("breaks", "KeyError"), ("sells_out", "sold out")):
        result = pipe.call(name)
        assert result["isError"]
        assert said in result["content"][0]["text"]
        written = json.dumps(result)
        assert not any(word in written for word in ("Traceback", "/home/", "File ", ".py"))


@covers(52)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize(("name", "where"), [("lies", "/0"), ("cannot", "/x")])
def test_a_result_against_its_schema_never_leaves_as_a_success(name: str, where: str, version: str) -> None:
    result = Served(everything(), version).call(name)
    assert result["isError"]
    assert "structuredContent" not in result
    assert result["_meta"]["accord/errorData"]["reason"] == "output_invalid"
    assert where in result["content"][0]["text"]


@covers(53)
def test_a_null_is_a_value_since_the_stateless_era() -> None:
    pipe = Served(everything(), STATELESS)
    for name, arguments in (("maybe", {}), ("anything", {"value": None}), ("either", {"number": 0})):
        result = pipe.call(name, **arguments)
        if "outputSchema" in listed(pipe)[name]:
            assert "structuredContent" in result
            assert result["structuredContent"] is None
    assert pipe.call("whole")["structuredContent"] == {"done": None}
    assert "structuredContent" not in pipe.call("nothing"), "it promised no value, and null would be one"
    assert Served(everything(), HANDSHAKES[0]).call("maybe")["structuredContent"] == {"result": None}


@covers(54)
@pytest.mark.parametrize("version", EVERY)
def test_content_of_all_five_types_is_valid(version: str) -> None:
    blocks = Served(everything(), version).call("blocks")["content"]
    assert [block["type"] for block in blocks] == ["text", "image", "audio", "resource_link", "resource", "resource"]
    assert base64.b64decode(blocks[1]["data"], validate=True) == b"\x89PNG\x00"
    assert base64.b64decode(blocks[2]["data"], validate=True) == b"RIFF\xff"
    assert base64.b64decode(blocks[5]["resource"]["blob"], validate=True) == b"\x00\xff"
    assert (blocks[1]["mimeType"], blocks[2]["mimeType"]) == ("image/png", "audio/wav")


#: where null is a value: the author's, or that no single argument is to blame
VALUES = ("structuredContent", "default", "enum", "const", "examples", "errorData", "accord/errorData", "data")


def nulls(value: Any, path: str = "") -> list[str]:
    if isinstance(value, dict):
        return [each for key, item in value.items() if key not in VALUES for each in nulls(item, f"{path}/{key}")]
    if isinstance(value, list):
        return [each for index, item in enumerate(value) for each in nulls(item, f"{path}/{index}")]
    return [path] if value is None else []


@covers(55)
@pytest.mark.parametrize("version", EVERY)
def test_what_is_absent_is_left_out_and_never_null(version: str) -> None:
    pipe = Served(everything(), version)
    said = [pipe.ask("tools/call", name=name, arguments=arguments) for name, arguments in CALLS]
    said += [pipe.ask("tools/call", name=name, arguments={}) for name in ("add", "breaks", "lies", "nobody")]
    said += [pipe.ask(f"{kind}/list") for kind in ("tools", "resources", "resources/templates", "prompts")]
    said += [pipe.ask("resources/read", uri=uri) for uri in ("file:///about", "file:///raw", "file:///none")]
    said += [pipe.ask("prompts/get", name="review", arguments=given) for given in ({"code": "x"}, {})]
    assert [nulls(message) for message in said] == [[]] * len(said)


@covers(56)
@pytest.mark.parametrize("version", EVERY)
def test_names_are_well_formed_and_unique(version: str) -> None:
    names = [tool["name"] for tool in Served(everything(), version).result("tools/list")["tools"]]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", name) for name in names)
    assert len(set(names)) == len(names)
    app = everything()
    for bad in ("", "a b", "a/b", "ä", "x" * 129, "a,b", "a\n", "add", "site_build"):
        with pytest.raises(RegistrationError):
            app.command(bad)(lambda: None)
    assert [tool["name"] for tool in Served(app, version).result("tools/list")["tools"]] == names


@covers(57)
@pytest.mark.parametrize("version", EVERY)
def test_inputs_are_validated_and_access_rate_and_output_have_a_hook(version: str) -> None:
    app, called = everything(), []

    def guard(call: Any, following: Any) -> Any:
        called.append(call.name)
        if call.name == "nothing":
            raise ToolError("not you", code="FORBIDDEN")
        if called.count(call.name) > 2:
            raise ToolError("slower", code="RATE_LIMITED", retryable=True)
        outcome = following(call)
        return Ok("[removed]", "[removed]", "[removed]") if call.name == "later" else outcome

    app.use(guard)
    pipe = Served(app, version)
    assert pipe.call("add", a="1")["isError"]
    assert pipe.call("nothing")["_meta"]["accord/errorData"]["code"] == "FORBIDDEN"
    assert pipe.call("add", a=1)["isError"] is False
    assert pipe.call("add", a=1)["_meta"]["accord/errorData"]["code"] == "RATE_LIMITED"
    assert pipe.call("later", text="a secret")["content"][0]["text"] == "[removed]"
    assert called == ["add", "nothing", "add", "add", "later"]


@pytest.fixture
def door() -> Iterator[socket.socket]:
    """A listening socket nobody should knock at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


@covers(58)
def test_no_schema_is_fetched_and_an_odd_dialect_or_an_endless_schema_is_refused(door: socket.socket) -> None:
    url = f"http://127.0.0.1:{door.getsockname()[1]}/schema.json"
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(100_000):
        deep = {"type": "object", "properties": {"a": deep}}
    refused: list[tuple[dict[str, Any], str]] = [
        ({"type": "object", "properties": {"a": {"$ref": url}}}, re.escape(url)),
        ({"$schema": url, "type": "object"}, "dialect"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}, "dialect"),
        ({"$schema": 7, "type": "object"}, "input_schema"),
        (deep, "input_schema"),
    ]
    app = App("schemas")
    for schema, said in refused:
        with pytest.raises(RegistrationError, match=said):
            app.command("bad", input_schema=schema)(lambda **kwargs: None)
    assert listed(Served(app, STATELESS)) == {}
    with pytest.raises(BlockingIOError):
        door.accept()


@covers(58)
@pytest.mark.parametrize("version", EVERY)
def test_a_value_nested_without_end_is_refused_by_a_schema_that_is(version: str) -> None:
    pipe = Served(everything(), version)
    place: dict[str, Any] = {"city": "Ulm"}
    for _ in range(260):
        place = {"city": "Ulm", "inner": place}
    answer = pipe.ask("tools/call", name="place", arguments={"place": place})
    assert answer["result"]["isError"]
