"""Asking without a request: an ``input_required`` result, and the repeated request that brings the answers.

Each round is a request of its own, which any replica may serve: what must be remembered travels with the client, sealed
and bound to the request it arose in. Knows no keys: sealing is two functions given from outside.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_PARAMS, NotAllowed, Refused, Undeclared
from accord.protocol.events import JSON, Peer, Request, Retry
from accord.protocol.methods import METHODS
from accord.protocol.profile import Sealing
from accord.protocol.questions import Question, lacking, params_at
from accord.protocol.versions import Version

__all__ = ["as_asked", "bound", "demand", "input_body", "take_up"]

#: one sentence for every reason: which check failed is nobody's business
STATE_REFUSED: Final = "The requestState is not valid for this request"

_BOUND: Final = ("name", "uri", "arguments")
_METHODS: Final = {row.request: row.name for row in METHODS.values() if row.rounds}

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
        return Retry(answers, sealing.open(state, bound(method, params)))
    except (ValueError, RecursionError):
        raise Refused(INVALID_PARAMS, STATE_REFUSED) from None


def input_body(
    request: Request, questions: Mapping[str, Question], state: JSON, sealing: Sealing | None
) -> dict[str, JSON]:
    """The body of an ``input_required`` result. Raises what ``ServerSession.input_required`` does."""
    body: dict[str, JSON] = {}
    for question in questions.values():
        demand(question, request.peer)
    if questions:
        body["inputRequests"] = {key: as_asked(question, request.version) for key, question in questions.items()}
    if state is not None:
        if sealing is None:
            raise NotAllowed("a state travels sealed, and the profile has no sealing")
        body["requestState"] = sealing.seal(state, _binding(request))
    if not body:
        raise NotAllowed("there is neither a question nor a state to come back with")
    return body


def demand(question: Question, peer: Peer) -> None:
    """Raises Undeclared where the client did not say that it can be asked this."""
    required = lacking(question, peer)
    if required is not None:
        raise Undeclared(f"The client did not declare {'.'.join(question.needs())}", required)


def as_asked(question: Question, version: Version) -> dict[str, JSON]:
    """A question as an entry of ``inputRequests``: a request without its envelope."""
    params = params_at(question, version)
    return {"method": question.method} if params is None else {"method": question.method, "params": params}


def _binding(request: Request) -> bytes:
    """What a state is bound to: the request, without its id and whatever else differs from round to round."""
    params = {name: getattr(request, name) for name in _BOUND if hasattr(request, name)}
    try:
        return bound(_METHODS[type(request)], params)
    except RecursionError:
        raise NotAllowed("the arguments are nested too deep for a state to be bound to them") from None


def bound(method: str, params: dict[str, JSON]) -> bytes:
    """The same bytes for equal requests."""
    return _ordered((method, *(params.get(name) or None for name in _BOUND)))
