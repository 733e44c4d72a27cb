"""Returned content -> the blocks of a tools/call result.

Recognises our own content types and, by name and package, the official ``mcp.types`` objects, which
are never imported. A dict is data, whatever its keys are called.
"""

import base64
from typing import Any

import msgspec

from accord._calls import JSON
from accord.content import Audio, EmbeddedResource, Image, ResourceLink, Text, ToolResult

__all__ = ["as_result", "block_of"]

Block = dict[str, JSON]


def _is_content(value: object) -> bool:
    """Whether a value is one content block, ours or the official SDK's."""
    return isinstance(value, Text | Image | Audio | ResourceLink | EmbeddedResource) or _official(value, _OFFICIAL)


def as_result(value: Any) -> ToolResult | None:
    """The ToolResult a value is or stands for: content, a list of content, an official result."""
    if isinstance(value, ToolResult):
        return value
    if _official(value, {"CallToolResult"}):
        structured = getattr(value, "structuredContent", getattr(value, "structured_content", None))
        failed = getattr(value, "isError", getattr(value, "is_error", False))
        kept = msgspec.UNSET if structured is None else structured
        return ToolResult(value.content, kept, bool(failed), getattr(value, "meta", None))
    if _is_content(value):
        return ToolResult([value])
    if isinstance(value, list | tuple) and value and any(map(_is_content, value)):
        return ToolResult(value)
    return None


def block_of(item: Any) -> Block:
    """The wire form of one content item.

    Raises:
        TypeError: the item is no content.
    """
    if isinstance(item, str):
        return {"type": "text", "text": item}
    make = _BLOCKS.get(type(item))
    if make is not None:
        made: Block = make(item)
        return made
    if _official(item, _OFFICIAL):
        block: Block = item.model_dump(mode="json", by_alias=True, exclude_none=True)
        return block
    raise TypeError(f"a {type(item).__name__} is no content block")


_OFFICIAL = {"TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource"}


def _official(value: object, names: set[str]) -> bool:
    kind = type(value)
    return kind.__name__ in names and kind.__module__.partition(".")[0] in ("mcp", "mcp_types")


def _base64(data: bytes | str) -> str:
    return data if isinstance(data, str) else base64.b64encode(data).decode("ascii")


def _present(**entries: JSON) -> Block:
    return {key: value for key, value in entries.items() if value is not None}


def _embedded(item: EmbeddedResource) -> Block:
    blob = _base64(item.blob) if item.blob is not None else None
    text = item.text if blob is not None or item.text is not None else ""
    return {"type": "resource", "resource": _present(uri=item.uri, mimeType=item.mime_type, text=text, blob=blob)}


def _link(item: ResourceLink) -> Block:
    rest = _present(title=item.title, description=item.description, mimeType=item.mime_type, size=item.size)
    return {"type": "resource_link", "uri": item.uri, "name": item.name, **rest}


_BLOCKS: dict[type, Any] = {
    Text: lambda item: {"type": "text", "text": item.text},
    Image: lambda item: {"type": "image", "data": _base64(item.data), "mimeType": item.mime_type},
    Audio: lambda item: {"type": "audio", "data": _base64(item.data), "mimeType": item.mime_type},
    ResourceLink: _link,
    EmbeddedResource: _embedded,
}
