"""What a prompt's function returned -> the ``messages`` of a ``prompts/get`` result. Knows no prompt."""

from typing import Any

from accord._blocks import block_of
from accord._calls import JSON
from accord._official import BLOCKS, is_official
from accord.content import Audio, EmbeddedResource, Image, Message, ResourceLink, Text
from accord.dispatch.offered import Unfitting

__all__ = ["messages_of"]

_RESULT = frozenset({"GetPromptResult"})
_MESSAGE = frozenset({"PromptMessage"})
_CONTENT = (str, Text, Image, Audio, ResourceLink, EmbeddedResource)
_ROLES = ("user", "assistant")


def messages_of(value: Any) -> list[dict[str, JSON]]:
    """The messages: text and content are the user's, unless a ``Message`` says otherwise.

    Raises:
        Unfitting: something in it is no message.
    """
    if is_official(type(value), _RESULT):
        value = list(value.messages)
    items = value if isinstance(value, list | tuple) else [value]
    return [message for item in items for message in _messages(item)]


def _messages(item: Any) -> list[dict[str, JSON]]:
    if is_official(type(item), _MESSAGE):
        return [item.model_dump(mode="json", by_alias=True, exclude_none=True)]
    message = item if isinstance(item, Message) else Message(item)
    if message.role not in _ROLES:
        raise Unfitting(f"a message is the user's or the assistant's, and none of role {message.role!r}")
    contents = message.content if isinstance(message.content, list | tuple) else [message.content]
    for content in contents:
        if not isinstance(content, _CONTENT) and not is_official(type(content), BLOCKS):
            raise Unfitting(
                f"a {type(content).__name__} is no message; return text, accord.content.Message, or a list of these"
            )
    return [{"role": message.role, "content": block_of(content)} for content in contents]
