"""One table of calls, every surface: the same result, the same error data."""

from __future__ import annotations

import re
from typing import Any

import pytest

from accord._calls import KINDS
from accord.testing import call_tool
from tests.surfaces._case import Case
from tests.surfaces._surface import SURFACES, Seen
from tests.surfaces.cases import calls, content, failures, models, refusals, types

CASES: list[Case] = [*types.CASES, *models.CASES, *calls.CASES, *content.CASES, *refusals.CASES, *failures.CASES]


def _see(case: Case, surface: str) -> Seen:
    case.before()
    try:
        return SURFACES[surface](case)
    finally:
        case.after()


def _rows() -> list[Any]:
    return [pytest.param(case, name, id=f"{case.id} | {name}") for case in CASES for name in SURFACES]


def test_there_are_a_hundred_cases_with_names_of_their_own() -> None:
    assert len(CASES) >= 100
    assert len({case.id for case in CASES}) == len(CASES)


@pytest.mark.parametrize(("case", "surface"), _rows())
def test_a_call_ends_the_same_on_every_surface(case: Case, surface: str) -> None:
    seen = _see(case, surface)
    if case.fails is not None:
        assert seen.failed, f"nothing failed: {seen}"
        _holds(seen, case)
        return
    assert not seen.failed, seen.error or repr(seen.raised)
    if seen.value is not ...:
        assert (seen.value, type(seen.value)) == (case.value, type(case.value))
    if seen.result is not ...:
        assert seen.result == case.result


def _holds(seen: Seen, case: Case) -> None:
    assert case.fails is not None
    if seen.raised is not None and case.fails.raises is not None:
        assert type(seen.raised) is case.fails.raises
        if case.fails.says:
            assert re.search(case.fails.says, str(seen.raised))
    if seen.error is None:
        assert case.fails.raises is not None, "only a tool's own exception may come without error data"
        return
    stated = {"reason": case.fails.reason, "argument": case.fails.argument, "code": KINDS[case.fails.reason].code}
    assert {name: seen.error[name] for name in stated} == {**stated, **case.fails.data.get("replaces", {})}
    found = {violation["path"]: violation.get("keyword", "") for violation in seen.error.get("violations", [])}
    if case.fails.violations is not None:
        assert list(found.items()) == list(case.fails.violations.items())
    assert seen.error.get("patch") == case.fails.patch
    more = {name: value for name, value in case.fails.data.items() if name != "replaces"}
    assert {name: seen.error.get(name) for name in more} == more


@pytest.mark.parametrize("case", [case for case in CASES if case.fails is not None], ids=str)
def test_the_error_data_is_one_object(case: Case) -> None:
    """Whole objects are compared: nothing in error data depends on the surface."""
    objects = {name: _see(case, name).error for name in SURFACES}
    told = {name: data for name, data in objects.items() if data is not None}
    first = next(iter(told.values()))
    for name, data in told.items():
        assert data == first, name
        assert list(data) == list(first), name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_invoke_tells_how_a_command_line_ended(case: Case) -> None:
    """Stdout, the exit code, `.result` and `.exception`, in the form people read."""
    case.before()
    ended = case.app.invoke(case.words)
    case.after()
    if case.fails is not None:
        assert ended.exit_code == KINDS[case.fails.reason].exit_code
        assert (ended.output, ended.result) == ("", None)
        assert isinstance(ended.exception, case.fails.raises or BaseException)
        assert ended.stderr.splitlines()[-1]
        assert "Traceback" not in ended.stderr
        return
    assert (ended.exit_code, ended.exception) == (1 if case.id.endswith("described as an error") else 0, None)
    assert ended.result == case.value
    if case.plain is not None:
        assert ended.output + (ended.stderr if ended.exit_code else "") == case.plain
    elif case.result not in (None, "", [], {}):
        assert ended.output


@pytest.mark.parametrize("case", types.CASES, ids=str)
@pytest.mark.parametrize("surface", SURFACES)
def test_a_tool_is_given_the_annotated_type(case: Case, surface: str) -> None:
    _see(case, surface)
    assert (types.received[0], type(types.received[0])) == (case.value, type(case.value))


#: what only one surface can say: a command line speaks of commands and options, where others speak of tools
_IN_OTHER_WORDS = {
    *(reason for reason, kind in KINDS.items() if kind.code == "INVALID_PARAMS"),
    "unknown_tool",
    "cancelled",  # a person who pressed Ctrl-C need not be told the tool's name
}


@pytest.mark.parametrize("case", [case for case in failures.CASES if case.fails is not None], ids=str)
def test_a_failure_is_told_in_the_same_words(case: Case) -> None:
    if case.fails.reason in _IN_OTHER_WORDS or case.app.policy.errors == "protocol":
        assert case.app.invoke(case.words).stderr
        return
    said = call_tool(case.app, {"name": case.tool, "arguments": case.arguments})["content"][0]["text"]
    assert case.app.invoke(case.words).stderr.endswith(f"{said}\n")
    assert "hunter2" not in said


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize(("case_id", "repaired"), [("null for an optional, repaired", 1), ("text that stays text", 0)])
def test_a_repair_is_counted_on_every_surface(surface: str, case_id: str, repaired: int) -> None:
    (case,) = [case for case in calls.CASES if case.id == case_id]
    before = sum(case.app.repairs.values())
    _see(case, surface)
    assert sum(case.app.repairs.values()) - before == repaired


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_form_may_be_asked_for_on_either_side_of_the_command(case: Case) -> None:
    """Where a parameter is called `format`, only before it."""
    if "--format" in case.words:
        return
    case.before()
    after = case.app.invoke([*case.words, "--format", "json"]) if "--" not in case.words else None
    case.before()
    before = case.app.invoke(["--format", "json", *case.words])
    if after is not None:
        assert (after.output, after.exit_code) == (before.output, before.exit_code)
        assert after.stderr.splitlines()[-1:] == before.stderr.splitlines()[-1:]


def test_consent_is_given_in_each_surfaces_own_way() -> None:
    """What cannot be one case: argv says `--yes`, Python `confirmed()`; over MCP the client's person is asked."""
    assert failures.app.invoke(["wipe", "--yes"]).result == "wiped"
    assert failures.app.invoke(["--yes", "asks"]).result is True
    with failures.app.confirmed():
        assert failures.app.call("wipe") == "wiped"
        assert failures.app.call("asks") is True
