"""What a server may ask of a client's user, model or folders, in both eras the same. Knows no ids and no state.

In the handshake era a question is a request to the client, in the stateless era an entry of an
``input_required`` result; either way it has a method and params, needs a capability, and its answer is read here.
"""

from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

import msgspec

from accord.protocol.errors import INVALID_PARAMS, Refused
from accord.protocol.events import JSON, Peer
from accord.protocol.versions import Version

__all__ = [
    "Elicit",
    "ElicitUrl",
    "Elicited",
    "ListRoots",
    "Question",
    "Root",
    "Roots",
    "Sample",
    "Sampled",
    "lacking",
    "params_at",
]


class Elicited(msgspec.Struct, frozen=True):
    """What the user did: ``content`` is there where a form was accepted, and is not yet held against its schema."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, JSON] | None = None


class Sampled(msgspec.Struct, frozen=True, rename="camel"):
    """What the client's model said."""

    role: Literal["user", "assistant"]
    content: dict[str, JSON] | list[dict[str, JSON]]
    model: str
    stop_reason: str | None = None


class Root(msgspec.Struct, frozen=True):
    """A folder the client works in."""

    uri: str
    name: str | None = None


class Roots(msgspec.Struct, frozen=True):
    roots: list[Root]


class Elicit(msgspec.Struct, frozen=True):
    """A form for the user, never for secrets. ``schema`` is a flat object: strings, numbers, booleans and choices."""

    method: ClassVar[str] = "elicitation/create"

    message: str
    schema: dict[str, JSON]

    @property
    def params(self) -> dict[str, JSON]:
        return {"message": self.message, "requestedSchema": self.schema}

    def needs(self) -> tuple[str, ...]:
        return ("elicitation", "form")

    def read(self, answer: JSON) -> Elicited:
        """Raises Refused where this is no answer."""
        elicited = _read(answer, Elicited)
        if elicited.action == "accept" and elicited.content is None:
            raise Refused(INVALID_PARAMS, "A form was accepted without its content")
        return elicited


class ElicitUrl(msgspec.Struct, frozen=True):
    """A page for the user to visit. ``accept`` is the consent to open it, not that anything was done there."""

    method: ClassVar[str] = "elicitation/create"

    message: str
    url: str
    id: str = ""
    """Where the version has one: what ``notifications/elicitation/complete`` will name."""

    @property
    def params(self) -> dict[str, JSON]:
        return {"mode": "url", "message": self.message, "url": self.url, "elicitationId": self.id}

    def needs(self) -> tuple[str, ...]:
        return ("elicitation", "url")

    def read(self, answer: JSON) -> Elicited:
        """Raises Refused where this is no answer."""
        return _read(answer, Elicited)


class Sample(msgspec.Struct, frozen=True):
    """Something for the client's model to say. ``request`` holds ``messages``, ``maxTokens`` and what else it takes."""

    method: ClassVar[str] = "sampling/createMessage"

    request: dict[str, JSON]

    @property
    def params(self) -> dict[str, JSON]:
        return self.request

    def needs(self) -> tuple[str, ...]:
        return ("sampling", "tools") if {"tools", "toolChoice"} & self.request.keys() else ("sampling",)

    def read(self, answer: JSON) -> Sampled:
        """Raises Refused where this is no answer."""
        return _read(answer, Sampled)


class ListRoots(msgspec.Struct, frozen=True):
    """Which folders does the client work in?"""

    method: ClassVar[str] = "roots/list"
    params: ClassVar[None] = None

    def needs(self) -> tuple[str, ...]:
        return ("roots",)

    def read(self, answer: JSON) -> Roots:
        """Raises Refused where this is no answer."""
        return _read(answer, Roots)


Question: TypeAlias = Elicit | ElicitUrl | Sample | ListRoots


def lacking(question: Question, peer: Peer) -> dict[str, JSON] | None:
    """The capabilities the client would have to declare to be asked this; None where it did."""
    needs = question.needs()
    # A client that says no more than `elicitation` means forms: the word is older than the choice.
    if needs == ("elicitation", "form") and peer.declares("elicitation") and not peer.declares("elicitation", "url"):
        return None
    if peer.declares(*needs):
        return None
    required: dict[str, Any] = {}
    for name in reversed(needs):
        required = {name: required}
    return required


def params_at(question: Question, version: Version) -> dict[str, JSON] | None:
    """The params of a question as this version has them."""
    params = question.params
    if params is not None and not version.elicitation_id:
        return {name: value for name, value in params.items() if name != "elicitationId"}
    return params


_AnswerType = TypeVar("_AnswerType")


def _read(answer: JSON, kind: type[_AnswerType]) -> _AnswerType:
    try:
        return msgspec.convert(answer, kind)
    except msgspec.ValidationError as error:
        raise Refused(INVALID_PARAMS, f"Not an answer to what was asked: {error}") from None
