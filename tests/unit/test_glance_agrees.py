"""What a glance lets pass, compiling finds the same of: schemas, conversions, failures, results, to the last type."""

import json
import math
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from accord import Policy
from accord._calls import Failed, Ok
from accord._compile import compile_function
from accord._glance import glance
from accord._options import Options
from accord._tool import Tool
from accord.dispatch.arguments import as_json
from accord.dispatch.bind import bind
from accord.dispatch.normalize import normalize
from tests.unit._functions import (
    EMPTY,
    Colour,
    Rank,
    afterwards,
    annotations,
    as_written,
    defaults,
    everyday,
    made,
    parameters,
)

#: say nothing about validity, so a glance leaves them out
NOTES = {"description", "default", "examples", "title", "deprecated"}
#: functions that a glance must let pass, or it is good for nothing and this file tests nothing
LEAST_SHARE = 0.15

values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.sampled_from([1.0, 2.0, 1.5, 2**53 + 1, 2.0**60, 10**400, -0.0, math.nan, 10**5000]),
    st.sampled_from(["", "a", "abcd", "é", "\ud800", [], ["a"], [1, 2.0], [None], {}, {"a": 1}, {"a": 2.0}]),
    st.sampled_from([{"a": [1.0]}, [[2.0]], (1, 2.0), {1: 2}, {"k": {"\ud800": 1}}, Colour("a"), Rank.LOW, {1}, b"a"]),
)
arguments = st.dictionaries(st.sampled_from(["a", "b", "default", "c", "d"]), values, max_size=3)
provided = st.sampled_from([(), (), (), (str,), (int, list), (list[int], type(None))])


def without_notes(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_notes(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_notes(item) for name, item in value.items()}
        if key == "properties"
        else without_notes(value)
        for key, value in schema.items()
        if key not in NOTES
    }


def typed(value: Any) -> Any:
    """A value with its types told, which ``==`` and ``repr`` may keep to themselves."""
    if isinstance(value, dict):
        return type(value), [(typed(name), typed(item)) for name, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [typed(item) for item in value]
    return type(value), hex(value) if isinstance(value, int) else repr(value)


def answer(outcome: Any) -> Any:
    if isinstance(outcome, Failed):
        return outcome.text, typed(outcome.error_data)
    if isinstance(outcome, Ok):
        return typed([outcome.encoded, outcome.structured if outcome.structured is not outcome.encoded else None])
    return typed([outcome.args, outcome.kwargs])


def asked(tool: Tool, given_arguments: dict[str, Any]) -> Any:
    """What becomes of a call's arguments: over a wire as they are, from Python as they are written."""
    written = as_json(tool, given_arguments)
    from_python = written if isinstance(written, Failed) else bind(tool, written)
    return answer(from_python), answer(bind(tool, dict(given_arguments))) if as_any_wire(given_arguments) else None


def as_any_wire(value: Any) -> bool:
    """Whether JSON, as it is decoded, can hold a value."""
    if type(value) is dict:
        return all(type(name) is str and as_any_wire(name) and as_any_wire(item) for name, item in value.items())
    if type(value) is list:
        return all(map(as_any_wire, value))
    if type(value) is str:
        return "\ud800" not in value
    return type(value) in (bool, type(None)) or (type(value) in (int, float) and abs(value) < 10**4300)


def compare(
    function: Callable[..., Any], kinds: tuple[Any, ...], calls: list[dict[str, Any]], results: list[Any]
) -> bool:
    def is_provided(annotation: Any) -> bool:
        return any(annotation is kind or annotation == kind for kind in kinds)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ready = glance(function, is_provided)
        if ready is None:
            return False
        compiled = compile_function(function, Options(), Policy(), is_provided)
    assert json.dumps(ready.gate.schema) == json.dumps(without_notes(compiled.input))
    outputs = [gate and json.dumps(without_notes(gate.schema)) for gate in (ready.output_gate, compiled.output_gate)]
    assert outputs[0] == outputs[1]
    assert (ready.positional_order, ready.types, ready.flattened) == ((), None, None)
    assert ready.injected == compiled.ready.injected
    assert typed(ready.defaults) == typed(compiled.ready.defaults)
    assert all(ready.defaults[name] is default for name, default in compiled.ready.defaults.items())
    assert [name for name, _, _ in ready.converters] == [name for name, _, _ in compiled.ready.converters]
    quick, thorough = Tool(function, is_provided=is_provided), Tool(function, is_provided=is_provided)
    quick.ready, thorough.ready = ready, compiled.ready
    for each in calls:
        assert asked(quick, each) == asked(thorough, each)
    for each in results:
        assert answer(normalize(quick, each)) == answer(normalize(thorough, each))
    return True


def test_what_a_glance_lets_pass_compiles_to_the_same() -> None:
    passed: Counter[bool] = Counter()

    @settings(max_examples=700, deadline=None, derandomize=True)
    @given(
        parameters,
        st.one_of(st.just(EMPTY), everyday, annotations),
        afterwards,
        provided,
        st.lists(arguments, min_size=1, max_size=4),
        st.lists(values, max_size=3),
    )
    def agree(
        wanted: Any, returned: Any, after: Any, kinds: tuple[Any, ...], calls: list[Any], results: list[Any]
    ) -> None:
        passed[compare(after(made(wanted, returned)), kinds, calls, results)] += 1

    agree()
    assert passed[True] >= LEAST_SHARE * passed.total()


@settings(max_examples=400, deadline=None)
@given(annotations, defaults, st.lists(values, min_size=1, max_size=6))
@example("str", EMPTY, ["a", Colour("a"), 1])
@example(float, 1, [1, 10**400, 2.0])
def test_one_annotation_means_the_same_to_both(annotation: Any, default: Any, given_values: list[Any]) -> None:
    function = as_written(made([(annotation, default, False)], annotation))
    compare(function, (), [{}, *({"a": value} for value in given_values)], given_values)
