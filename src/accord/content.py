"""Content a tool, a resource or a prompt may return when a plain value is not enough.

A returned ``Text``, ``Image``, ``Audio``, ``ResourceLink`` or ``EmbeddedResource`` (or a list of them)
becomes the result's ``content``; a ``ToolResult`` sets every part of the result. A prompt returns ``Message``s.
The official ``mcp.types`` objects are recognised too, without importing their package.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Union

import msgspec

__all__ = ["Audio", "Content", "EmbeddedResource", "Image", "Message", "ResourceLink", "Text", "ToolResult"]


class Text(msgspec.Struct, frozen=True):
    """A piece of text."""

    text: str


class Image(msgspec.Struct, frozen=True):
    """A picture: its bytes, or their base64 text."""

    data: bytes | str
    mime_type: str = "image/png"


class Audio(msgspec.Struct, frozen=True):
    """A sound: its bytes, or their base64 text."""

    data: bytes | str
    mime_type: str = "audio/wav"


class ResourceLink(msgspec.Struct, frozen=True):
    """A resource the caller may read later."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None


class EmbeddedResource(msgspec.Struct, frozen=True):
    """A resource inside the result: ``text``, or the bytes in ``blob``."""

    uri: str
    text: str | None = None
    blob: bytes | str | None = None
    mime_type: str | None = None


Content: TypeAlias = Union[str, Text, Image, Audio, ResourceLink, EmbeddedResource]  # noqa: UP007 - read at run time


class Message(msgspec.Struct, frozen=True):
    """What a prompt puts into the conversation: text or other content, or several of them in a list, in a role."""

    content: Content | Sequence[Content]
    role: Literal["user", "assistant"] = "user"


class ToolResult(msgspec.Struct, frozen=True):
    """A whole result: content, and the structured value and ``_meta`` beside it."""

    content: Sequence[Any] = ()
    structured: Any = msgspec.UNSET
    is_error: bool = False
    meta: dict[str, Any] | None = None
