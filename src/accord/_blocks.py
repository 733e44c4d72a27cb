"""Returned content -> the blocks of a tools/call result.

Recognises our own content types and the official ``mcp.types`` objects. A dict is data, whatever its
keys are called.
"""

import base64
from typing import Any

import msgspec

from accord._calls import JSON
from accord._official import BLOCKS, ENVELOPES, RESULTS, is_official
from accord.content import Audio, EmbeddedResource, Image, ResourceLink, Text, ToolResult

__all__ = ["as_result", "block_of"]

Block = dict[str, JSON]

#: what most tools return, and no content: told apart by one look-up
_PLAIN = {dict, str, int, float, bool, type(None)}


def as_result(value: Any) -> ToolResult | None:
    """The ToolResult a value is or stands for: content, a list of content, an official result."""
    if type(value) in _PLAIN:
        return None
    if isinstance(value, ToolResult):
        return value
    if is_official(type(value), ENVELOPES):
        value = value.root
    if is_official(type(value), RESULTS):
        structured = getattr(value, "structuredContent", getattr(value, "structured_content", None))
        failed = getattr(value, "isError", getattr(value, "is_error", False))
        kept = msgspec.UNSET if structured is None else structured
        return ToolResult(value.content, kept, bool(failed), getattr(value, "meta", None))
    if _is_content(value):
        return ToolResult([value])
    if isinstance(value, list | tuple) and value and any(map(_is_content, value)):
        return ToolResult(value)
    return None


def _is_content(value: object) -> bool:
    """Whether a value is one content block, ours or the official SDK's."""
    kind = type(value)
    return kind not in _PLAIN and (isinstance(value, tuple(_BLOCKS)) or is_official(kind, BLOCKS))


def block_of(item: Any) -> Block:
    """The wire form of one content item.

    Raises:
        TypeError: the item is no content.
    """
    if isinstance(item, str):
        return {"type": "text", "text": item}
    make = next((_BLOCKS[base] for base in type(item).__mro__ if base in _BLOCKS), None)
    if make is not None:
        made: Block = make(item)
        return made
    if is_official(type(item), BLOCKS):
        block: Block = item.model_dump(mode="json", by_alias=True, exclude_none=True)
        return block
    raise TypeError(f"a {type(item).__name__} is no content block")


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
