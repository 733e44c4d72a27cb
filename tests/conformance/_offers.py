"""Resources, prompts and completions."""

from __future__ import annotations

from accord import App
from accord.content import EmbeddedResource, Image, Message
from tests.conformance._tools import PIXEL

app = App("fixture-offers")


@app.resource("test://static-text", mime_type="text/plain")
def static_text() -> str:
    """A text."""
    return "A text that never changes."


@app.resource("test://static-binary", mime_type="image/png")
def static_binary() -> bytes:
    """A picture."""
    return PIXEL


@app.resource("test://watched-resource", mime_type="text/plain")
def watched_resource() -> str:
    """A text that clients watch."""
    return "Nothing has happened yet."


@app.resource("test://template/{id}/data", mime_type="application/json")
def template_data(id: str) -> dict[str, str]:
    """What is known of one id."""
    return {"id": id, "data": f"All about {id}"}


@app.prompt
def test_simple_prompt() -> str:
    """Begin simply."""
    return "Where shall we begin?"


@app.prompt
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """Begin with two words.

    Args:
        arg1: The first.
        arg2: The second.
    """
    return f"Compare {arg1} with {arg2}."


@app.completion(test_prompt_with_arguments, "arg1")
def complete_arg1(value: str) -> list[str]:
    return [word for word in ("testing", "tested", "other") if word.startswith(value)]


@app.prompt
def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:
    """Begin with a resource.

    Args:
        resourceUri: Where it is.
    """
    resource = EmbeddedResource(resourceUri, text="What is there.", mime_type="text/plain")
    return [Message(resource), Message("What does it say?")]


@app.prompt
def test_prompt_with_image() -> list[Message]:
    """Begin with a picture."""
    return [Message(Image(PIXEL)), Message("What is to be seen?")]
