"""What a resource's function returned -> the ``contents`` of a ``resources/read`` result.

Text is text, bytes are a blob, content is what it says; any other value is written as JSON. Knows no resource, only
its address and its type.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from accord._blocks import block_of
from accord._calls import JSON
from accord._encode import encode
from accord._official import is_official
from accord._pages import MIME_TYPE
from accord.content import Audio, EmbeddedResource, Image, ResourceLink, Text
from accord.dispatch.offered import Unfitting

__all__ = ["as_page", "contents_of"]

Entry = dict[str, JSON]

_READ = frozenset({"ReadResourceResult"})
_CONTENTS = frozenset({"BlobResourceContents", "ResourceContents", "TextResourceContents"})
_EMBEDDED = frozenset({"EmbeddedResource"})
_BYTES = (bytes, bytearray, memoryview)


def contents_of(value: Any, uri: str, mime_type: str | None) -> dict[str, JSON]:
    """The result object; ``uri`` and ``mime_type`` are those of whatever does not say otherwise.

    Raises:
        Unfitting: the value cannot be read by a client.
        Unencodable: it has no JSON form.
    """
    if is_official(type(value), _READ):
        value = list(value.contents)
    if isinstance(value, list | tuple) and any(map(_is_entry, value)):
        return {"contents": [_entry(item, uri, mime_type) for item in value]}
    return {"contents": [_entry(value, uri, mime_type)]}


def as_page(result: dict[str, JSON], uri: str, meta: Mapping[str, JSON]) -> dict[str, JSON]:
    """The contents of a ``ui://`` address: a page, with what its host has to know of it.

    Raises:
        Unfitting: there is something else.
    """
    for entry in result["contents"]:
        if entry["uri"] != uri:
            continue
        if entry.setdefault("mimeType", MIME_TYPE) != MIME_TYPE:
            raise Unfitting(f"a page is {MIME_TYPE}, and this is {entry['mimeType']}; return its HTML, as str or bytes")
        if "ui" in meta:
            entry["_meta"] = {"ui": meta["ui"], **entry.get("_meta", {})}
    return result


def _is_entry(item: Any) -> bool:
    return isinstance(item, (*_BYTES, Text, Image, Audio, EmbeddedResource, ResourceLink)) or is_official(
        type(item), _CONTENTS | _EMBEDDED
    )


def _entry(item: Any, uri: str, mime_type: str | None) -> Entry:
    if item is None:
        raise Unfitting("it is nothing; raise accord.errors.ResourceNotFound where nothing is to be read")
    if isinstance(item, ResourceLink):
        raise Unfitting("a ResourceLink leads elsewhere and is nothing to read; return what is there")
    if isinstance(item, Text):
        item = item.text
    if isinstance(item, _BYTES):
        # Written as a block, the bytes become base64 where all content does.
        blob = block_of(Image(bytes(item)))["data"]
        return {"uri": uri, "mimeType": mime_type or "application/octet-stream", "blob": blob}
    if isinstance(item, Image | Audio):
        return {"uri": uri, "mimeType": item.mime_type, "blob": block_of(item)["data"]}
    if isinstance(item, EmbeddedResource) or is_official(type(item), _EMBEDDED):
        inside: Entry = block_of(item)["resource"]
        return inside
    if is_official(type(item), _CONTENTS):
        dumped: Entry = item.model_dump(mode="json", by_alias=True, exclude_none=True)
        return dumped
    encoded = encode(item)
    if isinstance(encoded, str):
        return {"uri": uri, "mimeType": mime_type or "text/plain", "text": encoded}
    text = msgspec.json.encode(encoded).decode()
    return {"uri": uri, "mimeType": mime_type or "application/json", "text": text}
