"""What running a resource, a prompt and a completion have in common: texts in, an object of the protocol out.

Their functions take the same path as tools, in registries of their own; middleware is for tools and stands around none
of them. What fails is told as a tool's failure is, under the name of what was asked for.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from accord._calls import JSON, KINDS, Call, Failed, Kind, Ok, Outcome
from accord._encode import Unencodable
from accord.dispatch.caps import within_caps
from accord.dispatch.fault import fault
from accord.errors import RegistrationError
from accord.gate.refusal import failure
from accord.gate.resemblance import nearest
from accord.offers.contract import Contract
from accord.policy import Policy
from accord.texts.kinds import ALL, kinds_of
from accord.texts.reading import read_text, takes_any_text

__all__ = ["UNKNOWN_PROMPT", "UNKNOWN_RESOURCE", "Unfitting", "call_of", "told", "unknown", "wired"]

UNKNOWN_PROMPT = Kind("unknown_prompt", "UNKNOWN_PROMPT", 2, KINDS["unknown_tool"].rpc_code)
UNKNOWN_RESOURCE = Kind("unknown_resource", "RESOURCE_NOT_FOUND", 2, KINDS["unknown_tool"].rpc_code)

_SHOWN = 200


class Unfitting(TypeError):
    """A function returned something the protocol has no place for."""


def call_of(contract: Contract, given: Any, call: Call) -> Call | Failed:
    """The call of the function, with the texts it was given as JSON; the failure of one that cannot be called yet."""
    try:
        contract.ready  # noqa: B018 - asked for its exception
    except RegistrationError as error:
        return fault(contract, error)
    arguments = {} if given is None else given
    if isinstance(arguments, dict):
        arguments = dict(_read(contract, arguments))
    return msgspec.structs.replace(call, name=contract.name, arguments=arguments)


def _read(contract: Contract, texts: dict[str, Any]) -> Any:
    properties, definitions = contract.properties, contract.definitions
    required = contract.compiled.input.get("required", ())
    for name, text in texts.items():
        schema = properties.get(name)
        if schema is None or not isinstance(text, str):
            yield name, text  # for the gate to judge
        elif text or name in required or _may_be_empty(schema, definitions):
            yield name, read_text(text, schema, definitions)
        # An empty field of a form says nothing: the default stands.


def _may_be_empty(schema: JSON, definitions: dict[str, JSON]) -> bool:
    return takes_any_text(schema, definitions) or kinds_of(schema, definitions) == ALL


def unknown(kind: Kind, label: str, asked: str, known: Any, problem: str = "") -> Failed:
    """The failure of asking for what is not there. ``label`` is what the name is called in the error data."""
    meant = nearest(asked, known)
    shown = asked[:_SHOWN]
    hint = f": {problem}" if problem else f"; did you mean {meant!r}?" if meant else ""
    what = "no prompt is called" if kind is UNKNOWN_PROMPT else "there is no resource at"
    data: dict[str, JSON] = {label: asked, "reason": kind.reason, "code": kind.code, "retryable": False}
    if meant and not problem:
        data["suggestion"] = meant
    return Failed(kind, f"Error: {what} {shown!r}{hint}", data)


def told(failed: Failed, label: str, name: str) -> Failed:
    """The failure of a function, under the name its caller knows; its patch holds texts, as arguments do there."""
    data = {label: name, **{key: value for key, value in failed.error_data.items() if key != "tool"}}
    text = failed.text
    if "patch" in data:
        before, data["patch"] = data["patch"], [_in_text(step) for step in data["patch"]]
        text = text.replace(msgspec.json.encode(before).decode(), msgspec.json.encode(data["patch"]).decode())
    return Failed(failed.kind, text, data, failed.exception)


def _in_text(step: dict[str, JSON]) -> dict[str, JSON]:
    if isinstance(step.get("value", ""), str):
        return step
    return {**step, "value": msgspec.json.encode(step["value"]).decode()}


def wired(contract: Contract, policy: Policy, value: Any, make: Callable[[Any], dict[str, JSON]]) -> Outcome:
    """The outcome of a function that returned ``value``: ``structured`` is the object that ``make`` makes of it."""
    try:
        result = make(value)
        written = msgspec.json.encode(result)
    except Unfitting as error:
        return _unfit(contract, str(error))
    except Unencodable as error:
        return _unfit(contract, f"{error.pointer}: {error.problem}" if error.path else error.problem)
    except RecursionError:
        return _unfit(contract, "it contains itself, or is nested too deeply")
    except UnicodeEncodeError:
        return _unfit(contract, "it holds text that is not Unicode (a lone surrogate)")
    except ValueError:
        return _unfit(contract, "it holds an integer of too many digits")
    return within_caps(contract, policy, Ok(value, result, result, written))


def _unfit(contract: Contract, problem: str) -> Failed:
    return failure(contract.name, "output_invalid", f"Error: the result of {contract.name}: {problem}")
