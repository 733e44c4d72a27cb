"""Asking without a request: an ``input_required`` result, and the repeated request that brings the answers.

Each round is a request of its own, which any replica may serve: what must be remembered travels with the client, sealed
and bound to the request it arose in. Knows no keys: sealing is two functions given from outside.
"""

from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_PARAMS, Refused, Undeclared
from accord.protocol.events import JSON, CallTool, GetPrompt, Peer, ReadResource, Request, Retry
from accord.protocol.profile import Sealing
from accord.protocol.questions import Question, lacking, params_at
from accord.protocol.versions import Version

__all__ = ["asked", "binding", "demand", "take_up"]

#: one sentence for every reason: which check failed is nobody's business
STATE_REFUSED: Final = "The requestState is not valid for this request"

_ordered = msgspec.json.Encoder(order="deterministic").encode


def take_up(method: str, params: dict[str, JSON], sealing: Sealing | None) -> Retry:
    """What a request brings along from an earlier round.

    Raises:
        Refused: the answers are no object of objects, or the state does not open.
    """
    try:
        answers = msgspec.convert(params.get("inputResponses", {}), dict[str, dict[str, Any]])
    except msgspec.ValidationError as error:
        raise Refused(INVALID_PARAMS, f"Invalid params: inputResponses: {error}") from None
    state = params.get("requestState")
    if state is None:
        return Retry(answers)
    try:
        if sealing is None or not isinstance(state, str):
            raise ValueError(STATE_REFUSED)
        return Retry(answers, sealing.open(state, _bound(method, params)))
    except ValueError:
        raise Refused(INVALID_PARAMS, STATE_REFUSED) from None


def binding(request: Request) -> bytes:
    """What a state is bound to: the request, without its id and whatever else differs from round to round."""
    match request:
        case CallTool(name=name, arguments=arguments):
            return _bound("tools/call", {"name": name, "arguments": arguments})
        case GetPrompt(name=name, arguments=arguments):
            return _bound("prompts/get", {"name": name, "arguments": arguments})
        case ReadResource(uri=uri):
            return _bound("resources/read", {"uri": uri})
    raise TypeError(f"{type(request).__name__} is never repeated with answers")


def demand(question: Question, peer: Peer) -> None:
    """Raises Undeclared where the client did not say that it can be asked this."""
    required = lacking(question, peer)
    if required is not None:
        raise Undeclared(f"The client did not declare {'.'.join(question.needs())}", required)


def asked(question: Question, version: Version) -> dict[str, JSON]:
    """A question as an entry of ``inputRequests``: a request without its envelope."""
    params = params_at(question, version)
    return {"method": question.method} if params is None else {"method": question.method, "params": params}


def _bound(method: str, params: dict[str, JSON]) -> bytes:
    return _ordered((method, params.get("name"), params.get("uri"), params.get("arguments") or {}))
