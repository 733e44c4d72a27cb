"""The beginning of an argument -> how it may go on, for a server.

``complete`` works on the caller's thread, ``acomplete`` in an event loop.

``call.name`` is the prompt's name, or a resource's URI or template, as ``kind`` says; ``call.arguments`` are the other
arguments so far, as texts. The outcome is ``Ok``, whose ``structured`` is the result of ``completion/complete``
(``{"completion": {"values", "total", "hasMore"}}``, at most 100 values), or ``Failed``.

Where no function is registered for it, an argument of a type with few values (an Enum, a Literal, a bool) is
completed by its schema: what begins with the text, then what contains it. Any other argument has no completions.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import msgspec

from accord._calls import JSON, KINDS, Call, Failed, Ok, Outcome
from accord._encode import encode
from accord._registry import Registry
from accord.dispatch import blocking
from accord.dispatch.fault import fault
from accord.dispatch.offered import Unfitting, told, wired
from accord.dispatch.prompting import no_prompt
from accord.dispatch.reading import not_found
from accord.errors import RegistrationError
from accord.offers.contract import Contract
from accord.offers.registering import key_of
from accord.offers.shelf import Offers, Target, offers_of
from accord.offers.uri_templates import is_uri
from accord.offers.values import Resource
from accord.texts.kinds import branches

__all__ = ["MOST", "acomplete", "complete"]

#: values in one answer: the protocol's limit
MOST = 100


class _Completing(msgspec.Struct, frozen=True):
    """An argument that a function is about to complete, and the call of that function."""

    offers: Offers
    contract: Contract
    call: Call
    label: str
    name: str


def complete(
    registry: Registry, call: Call, *, kind: Literal["prompt", "resource"], argument: str, value: str
) -> Outcome:
    """How ``value`` may go on as this argument of the target. Never raises for what a completion does."""
    completing = _found(registry, call, kind, argument, value)
    if not isinstance(completing, _Completing):
        return completing
    return _answer(completing, blocking.dispatch(completing.offers.completing, completing.call))


async def acomplete(
    registry: Registry,
    call: Call,
    pool: ThreadPoolExecutor,
    *,
    kind: Literal["prompt", "resource"],
    argument: str,
    value: str,
) -> Outcome:
    """The same inside an event loop; sync functions run on a thread of ``pool``. Raises only CancelledError."""
    from accord.dispatch import awaiting  # noqa: PLC0415 - it loads asyncio

    completing = _found(registry, call, kind, argument, value)
    if not isinstance(completing, _Completing):
        return completing
    return _answer(completing, await awaiting.dispatch(completing.offers.completing, completing.call, pool))


def _found(registry: Registry, call: Call, kind: str, argument: str, value: str) -> _Completing | Outcome:
    """The call that completes the argument, the answer that needs none, or why there is none."""
    offers = offers_of(registry)
    target = _target(offers, kind, call.name)
    if isinstance(target, Failed):
        return target
    label = "prompt" if kind == "prompt" else "uri"
    try:
        known = [] if isinstance(target, Resource) else list(target.contract.properties)
        if argument not in known:
            return _no_argument(label, call.name, argument, known)
        completion = offers.completions.get(key_of(target, argument))
        if completion is None:
            return _from_schema(target.contract, argument, value)
        names = [parameter.name for parameter in completion.compiled.signature.parameters]
    except RegistrationError as error:  # put off at registration, and still not possible
        return told(fault(target.contract, error), label, call.name)
    given = dict(zip(names, (value, call.arguments or {}), strict=False))
    made = msgspec.structs.replace(call, name=completion.name, arguments=given)
    return _Completing(offers, completion, made, label, call.name)


def _target(offers: Offers, kind: str, name: str) -> Target | Failed:
    if kind == "prompt":
        return offers.find_prompt(name) or no_prompt(offers, name)
    template = offers.templates.get(name)
    if template is not None:
        return template
    found = offers.find_resource(name) if is_uri(name) else None
    return not_found(offers, name) if found is None else found[0]


def _no_argument(label: str, name: str, argument: str, known: list[str]) -> Failed:
    kind = KINDS["unexpected_argument"]
    has = f"it has {', '.join(known)}" if known else "it has none"
    text = f"Error: {name} has no argument {argument[:200]!r}; {has}"
    return Failed(
        kind, text, {label: name, "argument": argument, "reason": kind.reason, "code": kind.code, "retryable": False}
    )


def _answer(completing: _Completing, outcome: Outcome) -> Outcome:
    contract = completing.contract
    if isinstance(outcome, Ok):
        outcome = wired(contract, contract.policy, outcome.value, lambda value: _result(_texts(value)))
    return outcome if isinstance(outcome, Ok) else told(outcome, completing.label, completing.name)


def _result(texts: list[str]) -> dict[str, JSON]:
    return {"completion": {"values": texts[:MOST], "total": len(texts), "hasMore": len(texts) > MOST}}


def _texts(value: Any) -> list[str]:
    if value is None:
        return []
    encoded = encode(value)
    if not isinstance(encoded, list):
        raise Unfitting("it is no list of texts")
    return [_text(item) for item in encoded]


def _text(item: JSON) -> str:
    return item if isinstance(item, str) else msgspec.json.encode(item).decode()


def _from_schema(contract: Contract, argument: str, value: str) -> Ok:
    begun = value.casefold()
    known = [_text(item) for item in _listed(contract, argument)]
    fitting = [text for text in known if begun in text.casefold()]
    fitting.sort(key=lambda text: not text.casefold().startswith(begun))
    result = _result(list(dict.fromkeys(fitting)))
    return Ok(fitting, result, result, msgspec.json.encode(result))


def _listed(contract: Contract, argument: str) -> Iterator[JSON]:
    """The values an argument's schema lists, null left out: there is nothing to type for it."""
    for branch in branches(contract.properties[argument], contract.definitions):
        values = branch.get("enum") or ([branch["const"]] if "const" in branch else [])
        if branch.get("type") == "boolean" and not values:
            values = [True, False]
        yield from (value for value in values if value is not None)
