"""Tools that answer in every way a tool can, and tools that tell something while they run."""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any

from accord import App, Context, Header, ToolError
from accord.content import Audio, EmbeddedResource, Image, Text
from accord.errors import ConfirmationRequired, ProtocolError

#: the smallest of their kind: one dark pixel, and a sound of one sample
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
CLICK = base64.b64decode("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAAA==")

#: every keyword of JSON Schema that the suite wants to find again in ``tools/list``
CONTACT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

app = App("fixture-tools")


@app.command
def test_simple_text() -> str:
    """Say one sentence."""
    return "This is all there is to say."


@app.command
def test_image_content() -> Image:
    """Show a picture."""
    return Image(PIXEL)


@app.command
def test_audio_content() -> Audio:
    """Play a sound."""
    return Audio(CLICK)


@app.command
def test_embedded_resource() -> EmbeddedResource:
    """Hand over a resource."""
    return EmbeddedResource("test://embedded-resource", text="What was embedded.", mime_type="text/plain")


@app.command
def test_multiple_content_types() -> list[Text | Image | EmbeddedResource]:
    """Give a text, a picture and a resource."""
    return [
        Text("A pixel, and where it comes from:"),
        Image(PIXEL),
        EmbeddedResource("test://mixed-content-resource", text='{"pixels":1}', mime_type="application/json"),
    ]


@app.command
def test_error_handling() -> str:
    """Fail on purpose."""
    raise ToolError("This tool always fails.")


@app.command
async def test_tool_with_logging(ctx: Context) -> str:
    """Tell what it does, step by step."""
    for step in ("started", "in the middle of it", "done"):
        ctx.log(f"The tool is {step}")
        await asyncio.sleep(0.05)
    return "Logged three messages."


@app.command
def test_logging_tool(ctx: Context) -> str:
    """Log at every level it has: who did not ask to hear it must not."""
    ctx.log("details", level=2)
    ctx.info("news")
    ctx.warning("a doubt")
    ctx.error("a problem")
    return "Logged four messages."


@app.command
async def test_tool_with_progress(ctx: Context) -> str:
    """Report how far it is."""
    for step in (0, 50, 100):
        ctx.progress(f"{step} of 100", step, 100)
        await asyncio.sleep(0.05)
    return "Came to the end."


@app.command
async def test_reconnection(ctx: Context) -> str:
    """Send its client away, and have the answer ready when it comes back."""
    ctx.hang_up(retry=0.1)
    await asyncio.sleep(0.2)
    return "Here is the rest."


@app.command(input_schema=CONTACT)
def json_schema_2020_12_tool(**contact: Any) -> str:
    """Take arguments under a schema with every keyword."""
    return f"{len(contact)} arguments"


@app.command
def test_x_mcp_header(region: Annotated[str, Header("Region")]) -> str:
    """Take an argument that is repeated in a header."""
    return f"region {region}"


@app.command
def test_missing_capability(ctx: Context) -> str:
    """Do nothing without the client's model."""
    try:
        said = ctx.sample("Say hello", maxTokens=10)
    except ConfirmationRequired as nobody:
        required = {"requiredCapabilities": {"sampling": {}}}
        raise ProtocolError("This tool needs sampling", code=-32021, data=required) from nobody
    return str(said["content"])
