"""What a client sees of resources, prompts and completions is what the official schema of its protocol allows.

The fixtures are those the official conformance suite asks for. The judge is `jsonschema`, on the official schemas as
published.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

from accord import App, Icon, UiPage
from accord.content import EmbeddedResource, Image, Message
from accord.errors import ResourceNotFound
from accord.testing import Client

SCHEMAS = Path(__file__).resolve().parents[1] / "data" / "mcp-schema"
PROTOCOLS = sorted(path.name for path in SCHEMAS.iterdir())

app = App("fixtures")
client = Client(app)


@app.resource("test://static-text", mime_type="text/plain", size=47, annotations={"audience": ["user"]})
def static_text() -> str:
    """A text that never changes."""
    return "This is the content of the static text resource."


@app.resource("test://static-binary", title="A picture", icons=[{"src": "https://example.com/icon.png"}])
def static_binary() -> Image:
    return Image(b"\x89PNG")


@app.resource("test://template/{id}/data", mime_type="application/json", meta={"example": True})
def template_data(id: str) -> dict[str, object]:
    return {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}


@app.resource("ui://fixtures/page.html", ui=UiPage(connect_domains="https://api.example.com", prefers_border=True))
def page() -> str:
    """A page that a host shows."""
    return "<!DOCTYPE html>"


@app.prompt("test_simple_prompt", icons=[Icon("data:image/png;base64,AAAA", sizes="any")], meta={"example.com/a": 1})
def simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@app.prompt("test_prompt_with_arguments")
def prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt with two arguments.

    Args:
        arg1: The first.
        arg2: The second.
    """
    return f"Prompt with arguments: arg1={arg1!r}, arg2={arg2!r}"


@app.prompt("test_prompt_with_embedded_resource")
def prompt_with_embedded_resource(resourceUri: str) -> list[Message]:
    """A prompt with a resource in it."""
    resource = EmbeddedResource(resourceUri, "Embedded resource content.", mime_type="text/plain")
    return [Message(resource), Message("Please process the resource above.", "assistant")]


@app.prompt("test_prompt_with_image")
def prompt_with_image() -> list[Image | str]:
    """A prompt with a picture in it."""
    return [Image(b"\x89PNG"), "Please look at the picture above."]


RESULTS: dict[str, tuple[str, Any]] = {
    "resources": ("ListResourcesResult", {"resources": client.list_resources()}),
    "templates": ("ListResourceTemplatesResult", {"resourceTemplates": client.list_resource_templates()}),
    "prompts": ("ListPromptsResult", {"prompts": client.list_prompts()}),
    **{
        uri: ("ReadResourceResult", {"contents": client.read_resource(uri)})
        for uri in ("test://static-text", "test://static-binary", "test://template/123/data", "ui://fixtures/page.html")
    },
    **{
        name: ("GetPromptResult", client.get_prompt(name, arguments))
        for name, arguments in {
            "test_simple_prompt": {},
            "test_prompt_with_arguments": {"arg1": "testValue1", "arg2": "testValue2"},
            "test_prompt_with_embedded_resource": {"resourceUri": "test://example-resource"},
            "test_prompt_with_image": {},
        }.items()
    },
    "completion": (
        "CompleteResult",
        {"completion": {"values": client.complete("test_prompt_with_arguments", "arg1", "test"), "hasMore": False}},
    ),
}


@cache
def judge_of(protocol: str, name: str) -> Validator:
    whole = json.loads((SCHEMAS / protocol / "schema.json").read_text(encoding="utf-8"))
    key = "$defs" if "$defs" in whole else "definitions"
    kind = validator_for(whole, default=Draft202012Validator)
    return kind({"$schema": whole.get("$schema"), "$ref": f"#/{key}/{name}", key: whole[key]})


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("what", RESULTS)
def test_the_official_schema_accepts_it(what: str, protocol: str) -> None:
    name, result = RESULTS[what]
    # What every result of that version has besides is the server's to say.
    envelope = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if protocol >= "2026" else {}
    judge_of(protocol, name).validate({**envelope, **result})


def test_the_fixtures_say_what_the_suite_looks_for() -> None:
    assert "123" in client.read_resource("test://template/123/data")[0]["text"]
    assert all(entry["name"] and entry["description"] for entry in client.list_prompts())
    said = client.get_prompt("test_prompt_with_arguments", {"arg1": "testValue1", "arg2": "testValue2"})["messages"]
    assert "testValue1" in said[0]["content"]["text"]
    assert "testValue2" in said[0]["content"]["text"]


def test_a_missing_resource_is_an_error_with_its_uri() -> None:
    uri = "test://nonexistent-resource-for-conformance-testing"
    with pytest.raises(ResourceNotFound) as raised:
        client.read_resource(uri)
    assert (raised.value.code, raised.value.data["uri"]) == (-32602, uri)
