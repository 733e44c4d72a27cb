"""The claim: schema, gate, conversion and DESIGN agree on every instance. One function, `check`, holds it
all.

    oracle      the jsonschema package over the published schema           (oracle.py)
    gate        the compiled validator of the engine                       (accord)
    conversion  bind: the gate, then the annotated Python values           (accord)
    meaning     the annotation read a second time, from DESIGN alone       (meaning.py)

When all four accept, the values must be the right ones, no two calls may share anything mutable, and what is
encoded from them must read back the same. When all four refuse, the error must be one an agent can repair
from.
"""

from __future__ import annotations

import copy
import enum
import inspect
import itertools
import json
import sys
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec

from accord._calls import Bound, Failed, Ok
from accord._jsonpatch import apply_patch
from accord._tool import Tool
from accord.dispatch.arguments import as_json
from accord.dispatch.bind import bind
from accord.dispatch.normalize import normalize
from accord.schema import type_to_schema
from tests.fuzz.annotations import Source
from tests.fuzz.histogram import Histogram
from tests.fuzz.meaning import JSON, json_key, same, shown
from tests.fuzz.oracle import oracle
from tests.fuzz.reading import Reader
from tests.fuzz.structures import Arguments

GENERATED = "generated_"
"""What the modules made here are called; a number follows."""
serial = itertools.count(1)


class Disagreement(AssertionError):
    """Somebody says otherwise. The message says who says what, and how to see it again."""

    def __init__(self, message: str, arguments: dict[str, JSON] | None) -> None:
        super().__init__(message)
        self.arguments = arguments
        """what it is about; None when the signature itself was refused"""


@dataclass
class Subject:
    """A generated signature, registered: everything that has an opinion on its arguments."""

    source: Source
    tool: Any
    schema: dict[str, JSON]
    oracle: Any
    meaning: Arguments
    echo: Any
    """a tool that returns its one argument, annotated as the first parameter of `tool` is"""
    echo_oracle: Any

    def disagree(self, problem: str, arguments: dict[str, JSON]) -> Disagreement:
        shown = json.dumps(arguments, ensure_ascii=False)
        return Disagreement(
            f"{problem}\n\n# arguments: {shown[:2000]}\n# schema: {json.dumps(self.schema)[:4000]}\n"
            + self.source.text,
            arguments,
        )


@contextmanager
def registered(source: Source) -> Iterator[Subject]:
    """Run the module, register its functions. The module stays importable as long as it is looked at."""
    module = types.ModuleType(f"{GENERATED}{next(serial)}")
    sys.modules[module.__name__] = module
    try:
        with warnings.catch_warnings():
            # Discouraged spellings warn, at class creation (pydantic) or at registration (`x: int = None`).
            warnings.simplefilter("ignore")
            exec(compile(source.text, module.__name__, "exec", dont_inherit=True), vars(module))
            yield subject_of(source, module)
    finally:
        del sys.modules[module.__name__]


def subject_of(source: Source, module: Any) -> Subject:
    try:
        tool, echo = Tool(module.tool), Tool(module.echo)
        schema = tool.canonical_input
    except Exception as error:
        problem = f"registration refused it: {type(error).__name__}: {error}\n{source.text}"
        raise Disagreement(problem, None) from error
    meaning = Reader(type_to_schema(bytes)["pattern"], decimal_pattern()).function(module.tool)
    output = echo.output_schema
    return Subject(source, tool, schema, oracle(schema), meaning, echo, output and oracle(output))


def decimal_pattern() -> str:
    return str(next(branch["pattern"] for branch in type_to_schema(Decimal)["anyOf"] if "pattern" in branch))


def check(subject: Subject, arguments: dict[str, JSON], histogram: Histogram) -> None:
    verdicts = {
        "oracle": subject.oracle.is_valid(arguments),
        "gate": subject.tool.gate.is_valid(arguments),
        "meaning": subject.meaning.accepts(arguments),
    }
    given = copy.deepcopy(arguments)
    try:
        outcome = bind(subject.tool, given)
    except Exception as error:
        raise subject.disagree(f"bind raised {type(error).__name__}: {error}", arguments) from error
    verdicts["conversion"] = isinstance(outcome, Bound)
    if pydantic_decides(subject, outcome, arguments):
        return
    if len(set(verdicts.values())) > 1:
        raise subject.disagree(f"{verdicts}\n{getattr(outcome, 'error_data', {}).get('violations')}", arguments)
    if json_key(given) != json_key(arguments):
        raise subject.disagree("bind changed the caller's arguments", arguments)
    if isinstance(outcome, Bound):
        histogram.valid(subject.source.kinds)
        check_values(subject, arguments, outcome)
        check_sharing(subject, arguments, outcome)
        check_echo(subject, arguments)
        check_instances(subject, arguments, outcome)
    else:
        repaired = check_failure(subject, arguments, outcome)
        histogram.invalid(subject.source.kinds, repaired)


def pydantic_decides(subject: Subject, outcome: Any, arguments: dict[str, JSON]) -> bool:
    """R23: a model of pydantic's refuses what only its own check refuses, an integer that no float can hold."""
    if not isinstance(outcome, Failed) or not has_models(subject):
        return False
    own = all(violation["keyword"] == "custom" for violation in outcome.error_data["violations"])
    return own and beyond_float(arguments)


def has_models(subject: Subject) -> bool:
    return "pydantic.dataclasses" in subject.source.text


def beyond_float(wire: JSON) -> bool:
    if isinstance(wire, dict | list):
        return any(map(beyond_float, wire.values() if isinstance(wire, dict) else wire))
    return isinstance(wire, int) and abs(wire) > 10**308


# ---- accepted ----------------------------------------------------------------------------------------------


def check_values(subject: Subject, arguments: dict[str, JSON], bound: Bound) -> None:
    """What the handler receives: every value of its annotated type, absent ones as their defaults."""
    try:
        call = inspect.signature(subject.tool.fn).bind(*bound.args, **bound.kwargs)
    except TypeError as error:
        raise subject.disagree(f"the function cannot be called with {bound}: {error}", arguments) from error
    call.apply_defaults()
    problem = subject.meaning.complaint(arguments, call.arguments)
    if problem and not (has_models(subject) and "union" in subject.source.kinds):
        # pydantic chooses among a union's branches once more, by rules of its own (R23).
        raise subject.disagree(f"the handler receives the wrong value: {problem}", arguments)


def check_sharing(subject: Subject, arguments: dict[str, JSON], bound: Bound) -> None:
    """Two calls have nothing mutable in common, but for the function's own defaults: Python shares those."""
    again = bind(subject.tool, copy.deepcopy(arguments))
    assert isinstance(again, Bound)
    defaults = [parameter.default for parameter in inspect.signature(subject.tool.fn).parameters.values()]
    first, second, allowed = (
        mutable_parts(one) for one in ([*bound.args, bound.kwargs], [*again.args, again.kwargs], defaults)
    )
    shared = [first[key] for key in first.keys() & second.keys() - allowed.keys()]
    if shared:
        raise subject.disagree(f"two calls share {shared[0]!r}", arguments)


def mutable_parts(value: Any) -> dict[int, Any]:
    """Everything reachable that could be changed in place, by identity: containers and generated classes."""
    found: dict[int, Any] = {}
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack += one.values()
        elif isinstance(one, list | tuple | set | frozenset):
            stack += one
        elif type(one).__module__.startswith(GENERATED) and not isinstance(one, enum.Enum):
            names = (*getattr(one, "__dict__", ()), *getattr(type(one), "__slots__", ()))
            stack += [getattr(one, name) for name in names if hasattr(one, name)]
        else:
            continue
        if not isinstance(one, tuple | frozenset) and id(one) not in found:
            found[id(one)] = one
    return found


NOT_READ_BACK = ("SecretStr", "Annotated[Decimal", "init=False", "default=7")
"""Written otherwise than it is read, by design: secrets, decimals with bounds (number in, string out), fields
that callers do not give."""


def check_echo(subject: Subject, arguments: dict[str, JSON]) -> None:
    """The first argument, returned: it encodes, its schema admits it, it reads back the same."""
    name = next(iter(subject.schema["properties"]))
    if name not in arguments or not subject.echo_oracle or rounded_by_float(arguments[name]):
        return
    bound = bind(subject.echo, {"value": copy.deepcopy(arguments[name])})
    if not isinstance(bound, Bound):
        raise subject.disagree(f"`echo` refuses what `tool` accepts for {name}: {bound}", arguments)
    value = [*bound.args, *bound.kwargs.values()][0]
    try:
        encoded = normalize(subject.echo, value)
    except Exception as error:
        raise subject.disagree(f"normalize raised {type(error).__name__}: {error}", arguments) from error
    if not isinstance(encoded, Ok) and excusable(encoded):
        return
    if not isinstance(encoded, Ok):
        raise subject.disagree(f"the value {value!r} of {name} does not encode: {encoded}", arguments)
    if not subject.echo_oracle.is_valid(encoded.structured):
        raise subject.disagree(f"output {encoded.structured!r} violates {subject.echo.output_schema}", arguments)
    msgspec.json.encode(encoded.structured)
    if any(word in subject.source.text for word in NOT_READ_BACK) or "union" in subject.source.kinds:
        return  # nor unions: Path | str reads back what str wrote
    again = bind(subject.echo, {"value": encoded.structured})
    read = [*again.args, *again.kwargs.values()][0] if isinstance(again, Bound) else again
    if not same(read, value):
        raise subject.disagree(f"{value!r} is written as {encoded.structured!r} and read back as {read!r}", arguments)


def check_instances(subject: Subject, arguments: dict[str, JSON], bound: Bound) -> None:
    """From Python, the values themselves: they are written, pass the same gate, and come out as what they were."""
    if rounded_by_float(arguments):
        return
    call = inspect.signature(subject.tool.fn).bind(*bound.args, **bound.kwargs)
    values = {name: value for name, value in call.arguments.items() if name in arguments}
    written = as_json(subject.tool, values)
    again = written if isinstance(written, Failed) else bind(subject.tool, written)
    if isinstance(again, Failed):
        if excusable(again):
            return
        raise subject.disagree(f"{shown(values)} is refused from Python: {again.error_data['violations']}", arguments)
    repeated = inspect.signature(subject.tool.fn).bind(*again.args, **again.kwargs).arguments
    for name, value in values.items():
        if not same(repeated[name], value):
            raise subject.disagree(f"{shown(value)} comes out as {shown(repeated[name])} ({written})", arguments)


def rounded_by_float(wire: JSON) -> bool:
    """Whether it holds an integer that no float is equal to: a float's place rounds it, its bounds notwithstanding."""
    if isinstance(wire, dict | list):
        return any(map(rounded_by_float, wire.values() if isinstance(wire, dict) else wire))
    return isinstance(wire, int) and not -(2**53) <= wire <= 2**53 and (abs(wire) > 10**308 or float(wire) != wire)


def excusable(failed: Failed) -> bool:
    """A value may break the contract of a result by itself.

    JSON values that differ may be equal in Python, so that a set is smaller than its own minimum; and a default
    may be NaN, which JSON cannot say.
    """
    message = str(failed.error_data["violations"][0]["message"])
    return "must have at least" in message or "not a JSON number" in message


# ---- refused -----------------------------------------------------------------------------------------------

REASONS = ("missing_required_argument", "unexpected_argument", "type_mismatch", "constraint_violation")
MOST = 20


def check_failure(subject: Subject, arguments: dict[str, JSON], failed: Failed) -> bool:
    """The whole errorData of DESIGN 2.3. True when its patch repairs the call in one step."""
    data = failed.error_data
    violations = data.get("violations", [])
    problems = [
        not violations and "no violations",
        len(violations) > MOST and f"{len(violations)} violations",
        data.get("total", len(violations)) < len(violations) and "a total below the number of violations",
        data.get("code") != "INVALID_PARAMS" and f"code {data.get('code')}",
        data.get("reason") not in REASONS and f"reason {data.get('reason')}",
        data.get("schema") != subject.tool.input_schema and "not the published schema",
        violations and data["reason"] != violations[0]["reason"] and "not the first violation's reason",
        # `argument` is the parameter that was meant, for a misspelt key.
        violations and data["argument"] not in meant(violations[0]) and "not the first violation's argument",
    ]
    problems += [f"path {one['path']!r}" for one in violations if not resolves(one["path"], arguments)]
    for problem in filter(None, problems):
        raise subject.disagree(f"errorData: {problem}: {data}", arguments)
    msgspec.json.encode(data)
    if "patch" not in data:
        return False
    patched = apply_patch(copy.deepcopy(arguments), data["patch"])
    if not subject.oracle.is_valid(patched) or not subject.tool.gate.is_valid(patched):
        raise subject.disagree(f"the patch {data['patch']} makes {patched!r}, which is invalid", arguments)
    return True


def meant(violation: dict[str, JSON]) -> tuple[JSON, ...]:
    return violation["argument"], violation.get("suggestion")


def resolves(pointer: str, arguments: JSON) -> bool:
    """Whether the JSON Pointer names a part of the arguments, or a member that an existing part lacks."""
    words = [word.replace("~1", "/").replace("~0", "~") for word in pointer.split("/")[1:]]
    place = arguments
    for word in words[:-1]:
        if isinstance(place, dict):
            # A key of thousands of characters is cut short in a path, and marked so.
            names = [name for name in place if name == word or (word.endswith("...") and name[:50] == word[:50])]
            if not names:
                return False
            place = place[names[0]]
        elif isinstance(place, list) and word.isdigit() and int(word) < len(place):
            place = place[int(word)]
        else:
            return False
    return not words or isinstance(place, dict) or (isinstance(place, list) and words[-1].isdigit())
