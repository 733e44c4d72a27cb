"""A prompt's name and its arguments -> messages, for a server.

``get_prompt`` works on the caller's thread, ``aget_prompt`` in an event loop.

``call.name`` is the prompt's name, ``call.arguments`` are texts. The outcome is ``Ok``, whose ``structured`` is the
result of ``prompts/get`` (``{"description", "messages"}``), or ``Failed``: ``unknown_prompt``, the refusal of the
arguments (as of a tool's, with texts in its patch), or what became of the function.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from accord._calls import JSON, Call, Failed, Ok, Outcome
from accord._registry import Registry
from accord.dispatch import blocking
from accord.dispatch.messages import messages_of
from accord.dispatch.offered import UNKNOWN_PROMPT, call_of, told, unknown, wired
from accord.offers.shelf import Offers, offers_of
from accord.offers.values import Prompt

__all__ = ["aget_prompt", "get_prompt", "no_prompt"]


class _Asking(msgspec.Struct, frozen=True):
    """A prompt that is about to be made: the call of its function."""

    offers: Offers
    prompt: Prompt
    call: Call


def get_prompt(registry: Registry, call: Call) -> Outcome:
    """The messages of the prompt ``call.name``. Never raises for what a prompt does."""
    asking = _found(registry, call)
    if isinstance(asking, Failed):
        return asking
    return _answer(asking, blocking.dispatch(asking.offers.prompting, asking.call))


async def aget_prompt(registry: Registry, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    """The same inside an event loop; sync functions run on a thread of ``pool``. Raises only CancelledError."""
    from accord.dispatch import awaiting  # noqa: PLC0415 - it loads asyncio

    asking = _found(registry, call)
    if isinstance(asking, Failed):
        return asking
    return _answer(asking, await awaiting.dispatch(asking.offers.prompting, asking.call, pool))


def no_prompt(offers: Offers, name: str) -> Failed:
    """The failure of asking for a prompt by a name none has."""
    return unknown(UNKNOWN_PROMPT, "prompt", name, offers.prompts)


def _found(registry: Registry, call: Call) -> _Asking | Failed:
    offers = offers_of(registry)
    prompt = offers.find_prompt(call.name)
    if prompt is None:
        return no_prompt(offers, call.name)
    ready = call_of(prompt.contract, call.arguments, call)
    return told(ready, "prompt", prompt.name) if isinstance(ready, Failed) else _Asking(offers, prompt, ready)


def _answer(asking: _Asking, outcome: Outcome) -> Outcome:
    prompt = asking.prompt

    def result(value: Any) -> dict[str, JSON]:
        said = {"description": prompt.description} if prompt.description else {}
        return {**said, "messages": messages_of(value)}

    if isinstance(outcome, Ok):
        outcome = wired(prompt.contract, prompt.contract.policy, outcome.value, result)
    return outcome if isinstance(outcome, Ok) else told(outcome, "prompt", prompt.name)
