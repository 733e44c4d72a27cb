"""The agreement test finds bugs: each one planted here is found by it, and found because it was planted.

A plant changes one place of the engine, in the way a plausible mistake would. It counts as caught when, within a
bounded number of signatures, the same `check` that guards the real engine disagrees; when that one signature with
those arguments is enough to see it again; when the engine without the plant has no quarrel with them; and when the
engine's own answers differ, so that a plant which has lost its seam, and fools the oracle alone, is found out. A
control plants nothing and must catch nothing: otherwise a bug that the engine really has would pass for a plant.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from accord import _branches, _decode, markers
from accord._calls import Bound
from accord.dispatch.bind import bind
from accord.gate import multiples, refusal, repair
from accord.schema import emit, formats, metadata, records, tree
from tests.fuzz import meaning, oracle
from tests.fuzz.agreement import GENERATED, Disagreement, check, mutable_parts, registered
from tests.fuzz.annotations import Source
from tests.fuzz.histogram import SHOWN, Histogram
from tests.fuzz.rounds import rounds, trial
from tests.fuzz.writer import PREAMBLE

SIGNATURES = 200
"""No more than test_agreement.py tries."""
Plant = Callable[[pytest.MonkeyPatch], None]


class Caught(Exception):
    """The planted bug, and nothing else, makes the check disagree."""


def lax_format(m: pytest.MonkeyPatch) -> None:
    """The format checker takes durations (P1Y, P1W) that the converter cannot read."""
    # One table for the gate and the oracle (R1): both are fooled, and the conversion is what disagrees.
    m.setitem(formats.FORMATS, "duration", lambda text: text.startswith(("P", "-P")))


def integral_floats_stay(m: pytest.MonkeyPatch) -> None:
    """1.0 at an integer position reaches the handler as a float."""
    m.setitem(_decode._MAKE, tree.Integer, lambda decoder, node: None)


def first_branch_wins(m: pytest.MonkeyPatch) -> None:
    """A union takes the first branch that fits: `str | date` never reads a date."""
    m.setattr(_branches, "_specificity", lambda node: 0)


def nested_objects_are_open(m: pytest.MonkeyPatch) -> None:
    """additionalProperties: false is written at the top level only; deeper unknown keys are dropped."""
    write = emit._EMIT[tree.Record]

    def opened(emitter: Any, node: Any) -> Any:
        schema = write(emitter, node)
        return schema if node is emitter.whole.root else {**schema, "additionalProperties": True}

    m.setitem(emit._EMIT, tree.Record, opened)


def exclusive_is_inclusive(m: pytest.MonkeyPatch) -> None:
    """Gt is written as minimum."""
    m.setitem(metadata._OURS, markers.Gt, "minimum")
    m.setitem(metadata._ATTRIBUTES, "gt", "minimum")


def not_required_is_required(m: pytest.MonkeyPatch) -> None:
    """NotRequired and Required are peeled off and forgotten."""
    peel = records._without_qualifiers
    m.setattr(
        records,
        "_without_qualifiers",
        lambda annotation, required, scope: (peel(annotation, required, scope)[0], required),
    )


def sets_stay_lists(m: pytest.MonkeyPatch) -> None:
    """The converter of arrays does not build the set."""
    convert = _decode._MAKE[tree.Array]

    def without_build(decoder: Any, node: Any) -> Any:
        made = convert(decoder, node)
        return (lambda value: list(made(value))) if node.build in (set, frozenset) else made

    m.setitem(_decode._MAKE, tree.Array, without_build)


def sets_repeat(m: pytest.MonkeyPatch) -> None:
    """uniqueItems is not written."""
    write = emit._EMIT[tree.Array]

    def repeating(emitter: Any, node: Any) -> Any:
        return {word: value for word, value in write(emitter, node).items() if word != "uniqueItems"}

    m.setitem(emit._EMIT, tree.Array, repeating)


def float_remainder(m: pytest.MonkeyPatch) -> None:
    """multipleOf divides floats: 0.1 does not divide 0.3."""
    m.setattr(multiples, "is_multiple", lambda value, step: value % step == 0)


def true_is_one(m: pytest.MonkeyPatch) -> None:
    """Constants are looked up with Python's equality: Literal[0, False] reads false as 0."""

    def confused(decoder: Any, node: Any) -> Any:
        members: dict[Any, Any] = {}
        for value, member in zip(node.values, node.members, strict=True):
            members.setdefault(value, member)
        return members.__getitem__

    m.setitem(_decode._MAKE, tree.Choice, confused)


def constants_as_given(m: pytest.MonkeyPatch) -> None:
    """Literal hands over what came: 1.0 for Literal[1], and a string for a member of an Enum."""
    m.setitem(_decode._MAKE, tree.Choice, lambda decoder, node: None)


def null_is_forgotten(m: pytest.MonkeyPatch) -> None:
    """`T | None` is written as T."""
    write = emit._EMIT[tree.Union]

    def without_null(emitter: Any, node: Any) -> Any:
        schema = write(emitter, node)
        if "anyOf" not in schema:
            return schema
        rest = [branch for branch in schema["anyOf"] if branch != {"type": "null"}]
        return rest[0] if len(rest) == 1 else {"anyOf": rest}

    m.setitem(emit._EMIT, tree.Union, without_null)


def containers_are_shared(m: pytest.MonkeyPatch) -> None:
    """Converted records are remembered by their JSON: two calls get one object."""
    convert = _decode._MAKE[tree.Record]

    def remembering(decoder: Any, node: Any) -> Any:
        made, known = convert(decoder, node), {}  # type: ignore[var-annotated]
        return made and (lambda value: known.setdefault(repr(value), made(value)))

    m.setitem(_decode._MAKE, tree.Record, remembering)


def required_is_forgotten(m: pytest.MonkeyPatch) -> None:
    """No object says which of its keys are required."""
    write = emit._EMIT[tree.Record]

    def optional(emitter: Any, node: Any) -> Any:
        return {word: value for word, value in write(emitter, node).items() if word != "required"}

    m.setitem(emit._EMIT, tree.Record, optional)


def patch_is_not_tried(m: pytest.MonkeyPatch) -> None:
    """A repair is published without asking the gate whether it repairs."""
    m.setattr(refusal, "patch_for", lambda gate, value, found: repair._operations(gate, value, found) or None)


def pointer_is_not_escaped(m: pytest.MonkeyPatch) -> None:
    """The paths of violations are joined with slashes, keys that hold one included."""
    m.setattr(refusal, "short_pointer", lambda path: "".join(f"/{step}" for step in path))


PLANTS: tuple[Plant, ...] = (
    lax_format,
    integral_floats_stay,
    first_branch_wins,
    nested_objects_are_open,
    exclusive_is_inclusive,
    not_required_is_required,
    sets_stay_lists,
    sets_repeat,
    float_remainder,
    true_is_one,
    constants_as_given,
    null_is_forgotten,
    containers_are_shared,
    required_is_forgotten,
    patch_is_not_tried,
    pointer_is_not_escaped,
)


def search(plant: Plant, monkeypatch: pytest.MonkeyPatch, histogram: Histogram, signatures: int = SIGNATURES) -> None:
    """Raises Caught at the first disagreement that is there with the plant and not there without it."""

    def run(source: Source, data: Any) -> None:
        try:
            with monkeypatch.context() as m:
                plant(m)
                trial(source, data, histogram)
        except Disagreement as found:
            with monkeypatch.context() as m:
                plant(m)
                again, planted = not agrees(source, found.arguments), answers(source, found.arguments)
            if again and agrees(source, found.arguments) and planted != answers(source, found.arguments):
                raise Caught(str(found).partition("\n")[0]) from found

    rounds(run, signatures, shrink=False)


def agrees(source: Source, arguments: dict[str, Any] | None) -> bool:
    """Whether the engine, as it is now, has no quarrel with these arguments (None: with the signature alone)."""
    try:
        with registered(source) as subject:
            if arguments is not None:
                check(subject, arguments, Histogram())
    except Disagreement:
        return False
    return True


def answers(source: Source, arguments: dict[str, Any] | None) -> str:
    """All that the engine says by itself, no oracle asked: schema, gate, values or errors, what calls share."""
    try:
        with registered(source) as subject:
            said: list[Any] = [subject.schema]
            if arguments is not None:
                said.append(subject.tool.gate.is_valid(arguments))
                one, two = (bind(subject.tool, copy.deepcopy(arguments)) for _ in range(2))
                said.append(one if isinstance(one, Bound) else one.error_data)
                if isinstance(one, Bound) and isinstance(two, Bound):
                    said.append(
                        len(mutable_parts([one.args, one.kwargs]).keys() & mutable_parts([two.args, two.kwargs]))
                    )
            return re.sub(rf"{GENERATED}\d+|0x[0-9a-f]+", "", repr(said))
    except Exception as error:
        return re.sub(rf"{GENERATED}\d+", "", f"{type(error).__name__}: {error}")


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_bug_is_caught(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    histogram = Histogram()
    with pytest.raises(Caught) as caught:
        search(plant, monkeypatch, histogram)
    place = f"{histogram.signatures} signatures, {histogram.instances} instances"
    SHOWN.setdefault("planted bugs", []).append(f"{plant.__name__}, after {place}: {caught.value}"[:200])


def test_nothing_is_caught_when_nothing_is_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    search(lambda m: None, monkeypatch, Histogram())


def test_a_disagreement_carries_the_arguments_it_is_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them a plant would be held against its signature alone, and everything would count as caught."""
    # What is plain to see at a glance never reaches the plant.
    whole = "Annotated[int, MultipleOf(1)]"
    text = f"{PREAMBLE}REQUIRED = {{}}\ndef tool(x: {whole}): ...\ndef echo(value: int) -> int: ...\n"
    integral_floats_stay(monkeypatch)
    with registered(Source(text, Counter())) as subject, pytest.raises(Disagreement) as found:
        check(subject, {"x": 1.0}, Histogram())
    assert found.value.arguments == {"x": 1.0}


def test_a_plant_that_fools_only_the_oracle_is_not_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plant that does not reach the engine makes the check disagree as well, and proves nothing."""

    def oracle_only(m: pytest.MonkeyPatch) -> None:
        lax = {**formats.FORMATS, "duration": lambda text: text.startswith(("P", "-P"))}
        m.setattr(oracle, "FORMATS", lax)
        m.setattr(meaning, "FORMATS", lax)

    histogram = Histogram()
    search(oracle_only, monkeypatch, histogram, signatures=100)
    assert histogram.signatures > 50
