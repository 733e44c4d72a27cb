"""The official SDK's own objects, returned by tools: each becomes the content it is, and survives whole."""

from __future__ import annotations

from typing import Any

import mcp.types
import pytest
from pydantic import RootModel

from tests.unit._tools import returns, run

TEXT = mcp.types.TextContent(type="text", text="hello")
BLOCKS = {
    "text": (TEXT, {"type": "text", "text": "hello"}),
    "image": (
        mcp.types.ImageContent(type="image", data="aGk=", mime_type="image/png"),
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    ),
    "audio": (
        mcp.types.AudioContent(type="audio", data="aGk=", mime_type="audio/wav"),
        {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
    ),
    "link": (
        mcp.types.ResourceLink(type="resource_link", uri="file:///a", name="a"),
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
    ),
    "resource": (
        mcp.types.EmbeddedResource(
            type="resource", resource=mcp.types.TextResourceContents(uri="file:///a", text="b", mime_type="text/plain")
        ),
        {"type": "resource", "resource": {"uri": "file:///a", "text": "b", "mimeType": "text/plain"}},
    ),
}


class Greeting(mcp.types.TextContent):
    """An author's own kind of text."""


class ServerResult(RootModel[Any]):
    """The first major version's envelope, which the installed one no longer has."""

    __module__ = "mcp.types"


def test_the_classes_are_those_of_the_official_package() -> None:
    assert all(type(block).__module__.partition(".")[0] in ("mcp", "mcp_types") for block, _ in BLOCKS.values())


@pytest.mark.parametrize("name", BLOCKS)
def test_one_official_block_is_the_content(name: str) -> None:
    block, wire = BLOCKS[name]
    result = run(returns(type(block), block))
    assert result["content"] == [wire]
    assert "structuredContent" not in result


def test_a_list_of_official_blocks_is_the_content_in_order() -> None:
    result = run(returns(list[mcp.types.ContentBlock], [block for block, _ in BLOCKS.values()]))
    assert result["content"] == [wire for _, wire in BLOCKS.values()]


def test_a_subclass_of_an_official_class_counts() -> None:
    assert run(returns(Greeting, Greeting(type="text", text="hi")))["content"] == [{"type": "text", "text": "hi"}]


def test_an_official_result_keeps_its_structured_value_its_error_flag_and_its_meta() -> None:
    given = mcp.types.CallToolResult(content=[TEXT], structured_content={"n": 1}, is_error=True, _meta={"k": "v"})
    result = run(returns(mcp.types.CallToolResult, given))
    assert result == {
        "content": [{"type": "text", "text": "hello"}],
        "structuredContent": {"n": 1},
        "isError": True,
        "_meta": {"k": "v"},
    }


def test_the_envelope_of_the_first_major_version_is_opened() -> None:
    result = run(returns(ServerResult, ServerResult(mcp.types.CallToolResult(content=[TEXT]))))
    assert result == {"content": [{"type": "text", "text": "hello"}], "isError": False}
